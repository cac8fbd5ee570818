/* Which comes first in a requeue: by checkpoint, quotas and budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/requeue_order.h"
#include "tests/prices.h"

#define CHECKPOINT(uri) "{\"CheckpointConfig\":{\"S3Uri\":\"" uri "\"}}"

static struct preferences list_of(const char *text)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	if (!prefs_parse(&prefs, text, 0, &err))
		fail_msg("%s: %s", text, err_text(&err));
	return prefs;
}

static struct quota_fact quota(const char *type, int64_t limit, int64_t used)
{
	return (struct quota_fact){ .instance_type = type,
				    .kind = QUOTA_TRAINING,
				    .told = true,
				    .limit = limit,
				    .used = used };
}

static struct requeue_order choose(const char *old_list, const char *new_list,
				   const struct quota_fact *quotas, size_t count)
{
	struct preferences old = list_of(old_list), new = list_of(new_list);
	const struct requeue_sides sides = { .kind = JOB_TRAINING,
					     .prices = &virginia,
					     .old_prefs = &old,
					     .new_prefs = &new,
					     .quotas = quotas,
					     .quota_count = count };
	return requeue_order(&sides);
}

static void order__goes_by_the_room__for_both_jobs(void **state)
{
	static const struct {
		int64_t limit, used;
		const char *new_list;
		bool stop_first;
	} cases[] = {
		/* The old one may hold 2 of the same type while it waits: 2 + 4 are needed. */
		{ 6, 0, "ml.p5.48xlarge:4", false },
		{ 5, 0, "ml.p5.48xlarge:4", true },
		{ 16, 10, "ml.p5.48xlarge:4", false },
		{ 16, 11, "ml.p5.48xlarge:4", true },
		/* Over the limit already, by jobs that stop (case 072). */
		{ 20, 21, "ml.p5.48xlarge:1", true },
		/* Five workers of one, and three that stop: nothing is left of eight (case 073). */
		{ 8, 8, "ml.p5.48xlarge:1", true },
		/* Each entry counts, one that would not be chosen too (case 080). */
		{ 1, 0, "ml.g6.2xlarge:4,ml.p5.48xlarge:1", true },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct quota_fact quotas[] = {
			quota("ml.g6.2xlarge", 100, 0),
			quota("ml.p5.48xlarge", cases[i].limit, cases[i].used),
		};
		struct requeue_order order =
			choose("ml.p5.48xlarge:2", cases[i].new_list, quotas, ARRAY_LEN(quotas));
		if (order.stop_first != cases[i].stop_first)
			fail_msg("case %zu", i);
		assert_int_equal(order.why,
				 cases[i].stop_first ? REQUEUE_WHY_QUOTA : REQUEUE_WHY_ROOM);
		assert_false(order.is_forced);
		if (order.stop_first)
			assert_string_equal(order.instance_type, "ml.p5.48xlarge");
	}
}

/* A refusal leaves the old one as it is: nothing is lost by trying. */
static void order__is_submit_first__where_a_quota_is_not_known(void **state)
{
	struct quota_fact untold = quota("ml.p5.48xlarge", 0, 0);
	(void)state;
	untold.told = false;
	struct requeue_order order = choose("ml.p5.48xlarge:2", "ml.p5.48xlarge:4", &untold, 1);
	assert_false(order.stop_first);
	assert_int_equal(order.why, REQUEUE_WHY_UNTOLD);
	order = choose("ml.p5.48xlarge:2", "ml.p5.48xlarge:4", NULL, 0);
	assert_int_equal(order.why, REQUEUE_WHY_UNTOLD);
}

static void order__is_stop_first__where_both_may_cost_too_much(void **state)
{
	struct preferences old = list_of("ml.p5.48xlarge:2"), new = list_of("ml.p4d.24xlarge:1");
	const struct quota_fact quotas[] = { quota("ml.p4d.24xlarge", 100, 0) };
	int64_t one = price_find(&virginia, JOB_TRAINING, "ml.p5.48xlarge").per_hour_micro;
	int64_t other = price_find(&virginia, JOB_TRAINING, "ml.p4d.24xlarge").per_hour_micro;
	struct requeue_sides sides = { .kind = JOB_TRAINING,
				       .prices = &virginia,
				       .old_prefs = &old,
				       .new_prefs = &new,
				       .quotas = quotas,
				       .quota_count = 1,
				       .max_per_hour = { true, 2 * one + other } };
	(void)state;
	assert_false(requeue_order(&sides).stop_first);
	sides.max_per_hour.micro--;
	assert_true(requeue_order(&sides).stop_first);
	assert_int_equal(requeue_order(&sides).why, REQUEUE_WHY_BUDGET);
	new = list_of("ml.unheard-of.large:1"); /* a price that is not known counts as above */
	assert_true(requeue_order(&sides).stop_first);
}

static void order__is_stop_first_and_no_other__with_one_checkpoint(void **state)
{
	static const struct {
		const char *old_text, *new_text;
		bool forced;
	} cases[] = {
		{ CHECKPOINT("s3://b/ck"), CHECKPOINT("s3://b/ck"), true },
		{ CHECKPOINT("s3://b/ck/"), CHECKPOINT("s3://b/ck"), true },
		{ CHECKPOINT("s3://b/ck"), CHECKPOINT("s3://b/ck2"), false },
		{ CHECKPOINT("s3://b/ck"), "{}", false },
		{ "{}", "{}", false },
		{ NULL, NULL, false },
		{ CHECKPOINT(""), CHECKPOINT(""), false },
	};
	struct preferences old = list_of("ml.p5.48xlarge:2"), new = list_of("ml.g6.2xlarge:1");
	const struct quota_fact quotas[] = { quota("ml.g6.2xlarge", 100, 0) };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct requeue_sides sides = { .kind = JOB_TRAINING,
						     .prices = &virginia,
						     .old_prefs = &old,
						     .new_prefs = &new,
						     .old_text = cases[i].old_text,
						     .new_text = cases[i].new_text,
						     .quotas = quotas,
						     .quota_count = 1 };
		struct requeue_order order = requeue_order(&sides);
		if (order.is_forced != cases[i].forced || order.stop_first != cases[i].forced)
			fail_msg("case %zu", i);
	}
}

static void order__is_said__with_its_reason(void **state)
{
	const struct requeue_order order = { .stop_first = true,
					     .why = REQUEUE_WHY_QUOTA,
					     .instance_type = "ml.p5.48xlarge" };
	struct buf text;
	(void)state;
	buf_init(&text, 1024);
	requeue_order_describe(&order, &text);
	assert_string_equal(buf_text(&text),
			    "first the old job is stopped, and once it has ended (1-3 min) the new "
			    "one is submitted: for both, the quota of ml.p5.48xlarge has no room");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order__goes_by_the_room__for_both_jobs),
		cmocka_unit_test(order__is_submit_first__where_a_quota_is_not_known),
		cmocka_unit_test(order__is_stop_first__where_both_may_cost_too_much),
		cmocka_unit_test(order__is_stop_first_and_no_other__with_one_checkpoint),
		cmocka_unit_test(order__is_said__with_its_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
