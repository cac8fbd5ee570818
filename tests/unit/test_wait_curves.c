/* What each outcome of a job says of the types in its list: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "model/base/attr.h"
#include "model/wait_curves.h"
#include "tests/anytext.h"

#define MINUTE INT64_C(60000)
#define NOW    (1000 * MINUTE)

/* A list of these types, one instance each, of a training job. */
static struct observation job(const char *types[], size_t count, enum wait_outcome outcome,
			      size_t chosen, int64_t wait_ms)
{
	struct observation job = { .outcome = outcome,
				   .entry_count = count,
				   .chosen_rank = chosen,
				   .submitted_at_ms = NOW - wait_ms,
				   .wait_ms = wait_ms };
	for (size_t i = 0; i < count; i++)
		job.entries[i] = (struct observation_entry){ types[i], 1, false };
	return job;
}

static void add_list(struct wait_curves *curves, enum wait_outcome outcome, size_t chosen,
		     int64_t wait_ms)
{
	const char *types[] = { "a", "b", "c" };
	struct observation list = job(types, 3, outcome, chosen, wait_ms);
	wait_curves_add(curves, &list);
}

/* A job on this type alone that started: its step shows who was at risk then. */
static void add_start(struct wait_curves *curves, const char *type, int64_t wait_ms)
{
	struct observation alone = job(&type, 1, WAIT_STARTED, 1, wait_ms);
	wait_curves_add(curves, &alone);
}

static const struct survival *curve_of(struct wait_curves *curves, const char *type)
{
	const struct wait_key key = { type, JOB_TRAINING, false, COUNT_1 };
	return wait_curves_find(curves, &key, NOW);
}

static void assert_step(const struct survival *curve, size_t i, int64_t ms, unsigned at_risk,
			unsigned starts)
{
	assert_non_null(curve);
	assert_true(i < curve->count);
	assert_int_equal(curve->steps[i].ms, ms);
	assert_int_equal(curve->steps[i].at_risk, at_risk);
	assert_int_equal(curve->steps[i].starts, starts);
}

static void count_classes__double(void **state)
{
	static const struct {
		int64_t count;
		const char *word;
	} rows[] = {
		{ 1, "1" },    { 2, "2" },
		{ 3, "3-4" },  { 4, "3-4" },
		{ 5, "5-8" },  { 8, "5-8" },
		{ 9, "9-16" }, { 16, "9-16" },
		{ 17, "17+" }, { PREFS_COUNT_MAX, "17+" },
		{ 0, "1" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(count_class_word(count_class_of(rows[i].count)), rows[i].word);
}

/* #2 started after 20 minutes: #1 had nothing then, #3 was not asked then any more. */
static void another_rank_that_won__censors_better_ranks_then_and_worse_ones_before(void **state)
{
	struct wait_curves curves = { 0 };
	(void)state;
	add_list(&curves, WAIT_STARTED, 2, 20 * MINUTE);
	for (size_t i = 0; i < 3; i++)
		add_start(&curves, ((const char *[]){ "a", "b", "c" })[i], 20 * MINUTE);
	assert_step(curve_of(&curves, "a"), 0, 20 * MINUTE, 2, 1);
	assert_step(curve_of(&curves, "b"), 0, 20 * MINUTE, 2, 2);
	assert_step(curve_of(&curves, "c"), 0, 20 * MINUTE, 1, 1);
	assert_int_equal(curve_of(&curves, "c")->seen, 2);
	assert_int_equal(curves.jobs, 4);
	wait_curves_release(&curves);
}

/* Five minutes are still at once: #1 had nothing, #3 was never asked and nothing is known of it. */
static void a_start_at_once__is_at_zero__and_says_nothing_of_worse_ranks(void **state)
{
	struct wait_curves curves = { 0 };
	(void)state;
	add_list(&curves, WAIT_STARTED, 2, 5 * MINUTE);
	add_start(&curves, "a", 42000);
	add_start(&curves, "c", 5 * MINUTE + 1);
	assert_step(curve_of(&curves, "a"), 0, 0, 2, 1);
	assert_step(curve_of(&curves, "b"), 0, 0, 1, 1);
	assert_step(curve_of(&curves, "c"), 0, 5 * MINUTE + 1, 1, 1);
	assert_int_equal(curve_of(&curves, "c")->seen, 1);
	wait_curves_release(&curves);
}

static void an_end_without_a_start__is_censored__and_at_once_only_a_refusal_counts(void **state)
{
	static const struct {
		enum wait_outcome outcome;
		int64_t wait_ms;
		size_t seen;
	} rows[] = {
		{ WAIT_STOPPED, 10 * MINUTE, 1 },    { WAIT_STOPPED, MINUTE, 0 },
		{ WAIT_FAILED, 10 * MINUTE, 1 },     { WAIT_FAILED, MINUTE, 0 },
		{ WAIT_TIMED_OUT, 120 * MINUTE, 1 }, { WAIT_TIMED_OUT, 1000, 1 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct wait_curves curves = { 0 };
		add_list(&curves, rows[i].outcome, 0, rows[i].wait_ms);
		for (size_t k = 0; k < 3; k++) {
			const struct survival *curve =
				curve_of(&curves, ((const char *[]){ "a", "b", "c" })[k]);
			assert_int_equal(curve->seen, rows[i].seen);
			assert_int_equal(curve->starts, 0);
		}
		wait_curves_release(&curves);
	}
}

/* A type that is in no entry was taken: nothing tells which was asked last. */
static void a_choice_outside_the_list__censors_all_before(void **state)
{
	struct wait_curves curves = { 0 };
	(void)state;
	add_list(&curves, WAIT_STARTED, 0, 20 * MINUTE);
	add_start(&curves, "a", 20 * MINUTE);
	assert_step(curve_of(&curves, "a"), 0, 20 * MINUTE, 1, 1);
	wait_curves_release(&curves);
}

static void kinds_spot_and_counts__are_apart__plans_and_groups_left_out(void **state)
{
	const char *type = "a";
	struct wait_curves curves = { 0 };
	struct observation each[6];
	struct wait_key key;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(each); i++)
		each[i] = job(&type, 1, WAIT_STARTED, 1, MINUTE);
	each[0].kind = JOB_PROCESSING;
	each[1].spot = true;
	each[2].entries[0].count = 2;
	each[3].entries[0].on_plan = true;
	each[4].has_groups = true;
	each[5].entries[0].count = 0;
	for (size_t i = 0; i < ARRAY_LEN(each); i++)
		wait_curves_add(&curves, &each[i]);
	assert_null(curve_of(&curves, "a"));
	assert_int_equal(curves.count, 3);
	assert_true(wait_curves_key(&curves, 2, &key));
	assert_int_equal(key.class, COUNT_2);
	assert_false(wait_curves_key(&curves, 3, &key));
	wait_curves_release(&curves);
}

static void pending_jobs__wait_by_the_clock__and_are_replaced(void **state)
{
	const char *type = "a";
	const struct wait_key key = { type, JOB_TRAINING, false, COUNT_1 };
	struct wait_curves curves = { 0 };
	struct observation waiting[2] = { job(&type, 1, WAIT_PENDING, 0, 30 * MINUTE),
					  job(&type, 1, WAIT_PENDING, 0, 2 * MINUTE) };
	(void)state;
	assert_null(curve_of(&curves, "a"));
	wait_curves_set_pending(&curves, waiting, 2);
	wait_curves_add(&curves, &waiting[0]); /* not over: ignored */
	add_start(&curves, "a", 31 * MINUTE);
	/* The second may yet start at once. */
	assert_int_equal(wait_curves_find(&curves, &key, NOW)->seen, 2);
	assert_step(wait_curves_find(&curves, &key, NOW), 0, 31 * MINUTE, 1, 1);
	assert_step(wait_curves_find(&curves, &key, NOW + MINUTE), 0, 31 * MINUTE, 2, 1);
	assert_int_equal(wait_curves_find(&curves, &key, NOW + 4 * MINUTE)->seen, 3);
	wait_curves_set_pending(&curves, waiting, 0);
	assert_int_equal(curve_of(&curves, "a")->seen, 1);
	assert_int_equal(curves.jobs, 1);
	wait_curves_release(&curves);
}

/* In any order, and with curves asked for in between, the curve is the same. */
static void one_by_one_or_at_a_stroke__gives_the_same_curve(void **state)
{
	struct wait_curves one = { 0 }, stroke = { 0 };
	int64_t waits[200];
	uint32_t seed = 7;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(waits); i++)
		waits[i] = anytext_random(&seed) % 60 * MINUTE;
	for (size_t i = 0; i < ARRAY_LEN(waits); i++) {
		add_list(&one, WAIT_STARTED, 1 + i % 3, waits[i]);
		if (anytext_random(&seed) % 8 == 0)
			assert_non_null(curve_of(&one, "b"));
		if (anytext_random(&seed) % 16 == 0)
			while (wait_curves_settle(&one, NOW))
				;
	}
	for (size_t i = ARRAY_LEN(waits); i--;)
		add_list(&stroke, WAIT_STARTED, 1 + i % 3, waits[i]);
	for (size_t k = 0; k < 3; k++) {
		const char *type = ((const char *[]){ "a", "b", "c" })[k];
		const struct survival *a = curve_of(&one, type), *b = curve_of(&stroke, type);
		assert_int_equal(a->count, b->count);
		assert_int_equal(a->seen, b->seen);
		for (size_t i = 0; i < a->count; i++)
			assert_step(a, i, b->steps[i].ms, b->steps[i].at_risk, b->steps[i].starts);
	}
	wait_curves_release(&one);
	wait_curves_release(&stroke);
}

static void many_types__each_keep_their_own(void **state)
{
	struct wait_curves curves = { 0 };
	char type[16];
	(void)state;
	for (int i = 0; i < 500; i++) {
		snprintf(type, sizeof(type), "ml.t%d", i % 250);
		add_start(&curves, type, (10 + i % 250) * MINUTE);
	}
	assert_int_equal(curves.count, 250);
	for (int i = 0; i < 250; i++) {
		snprintf(type, sizeof(type), "ml.t%d", i);
		assert_step(curve_of(&curves, type), 0, (10 + i) * MINUTE, 2, 2);
	}
	wait_curves_release(&curves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_classes__double),
		cmocka_unit_test(
			another_rank_that_won__censors_better_ranks_then_and_worse_ones_before),
		cmocka_unit_test(a_start_at_once__is_at_zero__and_says_nothing_of_worse_ranks),
		cmocka_unit_test(
			an_end_without_a_start__is_censored__and_at_once_only_a_refusal_counts),
		cmocka_unit_test(a_choice_outside_the_list__censors_all_before),
		cmocka_unit_test(kinds_spot_and_counts__are_apart__plans_and_groups_left_out),
		cmocka_unit_test(pending_jobs__wait_by_the_clock__and_are_replaced),
		cmocka_unit_test(one_by_one_or_at_a_stroke__gives_the_same_curve),
		cmocka_unit_test(many_types__each_keep_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
