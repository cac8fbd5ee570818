#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/filter.h"

static char in_progress[] = "InProgress", pending[] = "Pending", failed[] = "Failed";
static char message[] = "Insufficient capacity error from EC2";
static char reason[] = "CapacityError: Unable to provision";

static struct job pending_job(void)
{
	struct job job = { .name = "llm-ft-0930",
			   .kind = JOB_TRAINING,
			   .status = in_progress,
			   .secondary_status = pending,
			   .status_message = message };
	job.prefs.length = 2;
	memcpy(job.prefs.entries[0].instance_type, "ml.p5.48xlarge", 15);
	memcpy(job.prefs.entries[1].instance_type, "ml.p4d.24xlarge", 16);
	return job;
}

static void filter__finds_words_anywhere__when_they_stand_in_the_job(void **state)
{
	static const struct {
		const char *filter;
		bool matches;
	} rows[] = {
		{ "", true },
		{ "  \t ", true },
		{ "ft-09", true },    /* name */
		{ "LLM", true },      /* any case */
		{ "training", true }, /* kind */
		{ "processing", false },
		{ "pending", true },      /* phase and status */
		{ "inprogress", true },   /* primary status */
		{ "p4d", true },          /* second type of the list */
		{ "insufficient", true }, /* message */
		{ "p4d llm", true },
		{ "p4d  llm ", true },
		{ "p4d eval", false }, /* every word must stand */
		{ "!eval", true },
		{ "!p4d", false },
		{ "p5 !eval !g5", true },
		{ "p5 !P4D", false },
		{ "!", true }, /* nothing to exclude */
		{ "! p4d", true },
		{ "running", false },
		{ "p4d\nllm\r", true },
	};
	struct job job = pending_job();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool matches = filter_matches(rows[i].filter, &job);
		if (matches != rows[i].matches)
			print_error("filter \"%s\"\n", rows[i].filter);
		assert_int_equal(matches, rows[i].matches);
	}
}

static void filter__looks_at_reason_and_selection__when_there_are_any(void **state)
{
	struct job job = pending_job();

	(void)state;
	assert_false(filter_matches("capacityerror", &job));
	assert_false(filter_matches("g5.12", &job));
	job.status = failed;
	job.failure_reason = reason;
	job.selected = (struct selected){ true, "ml.g5.12xlarge", 1, 0 };
	assert_true(filter_matches("capacityerror failed", &job));
	assert_true(filter_matches("g5.12", &job));
	job.selected.set = false;
	assert_false(filter_matches("g5.12", &job));
}

static void filter__takes_any_job__when_nothing_is_known_of_it(void **state)
{
	struct job job = { .kind = JOB_PROCESSING };

	(void)state;
	assert_true(filter_matches("processing unknown", &job));
	assert_false(filter_matches("x", &job));
	assert_true(filter_matches("!x", &job));
}

static void filter__cuts_a_word__when_it_is_longer_than_any_filter(void **state)
{
	char filter[3 * FILTER_SIZE];
	struct job job = pending_job();

	(void)state;
	memset(filter, 'x', sizeof(filter) - 1);
	filter[sizeof(filter) - 1] = '\0';
	assert_false(filter_matches(filter, &job));
	filter[0] = '!';
	assert_true(filter_matches(filter, &job));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filter__finds_words_anywhere__when_they_stand_in_the_job),
		cmocka_unit_test(filter__looks_at_reason_and_selection__when_there_are_any),
		cmocka_unit_test(filter__takes_any_job__when_nothing_is_known_of_it),
		cmocka_unit_test(filter__cuts_a_word__when_it_is_longer_than_any_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
