/* What is said of data that is old, missing, changed or failing: by kind, and by job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store.h"

#define NOW      INT64_C(1000000)
#define LATER_MS 30000

static struct err failure(enum err_code code, const char *operation)
{
	struct err err = { 0 };
	err_set(&err, code, "said so");
	err_subject(&err, "%s in us-east-1", operation);
	return err;
}

/* --- a kind of data --- */

static void source__has_a_state__for_all_that_can_be_known_of_it(void **state)
{
	static const struct {
		bool loaded, failing;
		int64_t loaded_ms;
		enum fresh_state state;
		int64_t age_ms;
	} cases[] = {
		{ false, false, 0, FRESH_LOADING, 0 },
		{ false, true, 0, FRESH_MISSING, 0 },
		{ true, false, NOW, FRESH_CURRENT, 0 },
		{ true, false, NOW - LATER_MS, FRESH_CURRENT, LATER_MS },
		{ true, false, NOW - LATER_MS - 1, FRESH_OLD, LATER_MS + 1 },
		{ true, true, NOW - 42000, FRESH_STALE, 42000 },
		{ true, true, NOW + 5, FRESH_STALE, 0 }, /* never negative */
	};
	struct err err = failure(ERR_THROTTLED, "ListTrainingJobs");
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct freshness source = { .asked = true,
						  .loaded = cases[i].loaded,
						  .loaded_mono_ms = cases[i].loaded_ms,
						  .failing = cases[i].failing,
						  .error = err,
						  .retry_mono_ms = NOW + 8000 };
		struct fresh fresh = freshness_state(&source, LATER_MS, NOW);
		assert_int_equal(fresh.state, cases[i].state);
		assert_int_equal(fresh.age_ms, cases[i].age_ms);
		assert_int_equal(fresh.old_in_ms,
				 fresh.state == FRESH_CURRENT ? LATER_MS + 1 - cases[i].age_ms : 0);
		assert_int_equal(fresh.error != NULL, cases[i].failing);
		assert_int_equal(fresh.has_retry, cases[i].failing);
		assert_int_equal(fresh.retry_in_ms, cases[i].failing ? 8000 : 0);
		assert_string_equal(fresh.resource, "");
	}
	err_clear(&err);
}

static void next_try__is_now_or_none__at_the_ends(void **state)
{
	struct err err = failure(ERR_NET, "Search");
	struct fresh fresh = { .resource = "" };
	(void)state;
	fresh_set_failure(&fresh, &err, NOW - 1, NOW);
	assert_true(fresh.has_retry);
	assert_int_equal(fresh.retry_in_ms, 0);
	fresh_set_failure(&fresh, &err, INT64_MAX, NOW);
	assert_false(fresh.has_retry);
	err_clear(&err);
}

/* --- readings --- */

static void readings__remember_failures__until_a_good_answer(void **state)
{
	struct job_readings readings = { 0 };
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	(void)state;
	assert_null(readings_find(&readings, "arn:a"));
	readings_begin(&readings, "arn:a");
	assert_true(readings_find(&readings, "arn:a")->under_way);
	assert_int_equal(readings_find(&readings, "arn:a")->error.code, ERR_NONE);
	readings_fail(&readings, "arn:a", &denied, 77);
	assert_false(readings_find(&readings, "arn:a")->under_way);
	assert_int_equal(readings_find(&readings, "arn:a")->error.code, ERR_DENIED);
	assert_int_equal(readings_find(&readings, "arn:a")->retry_mono_ms, 77);
	readings_begin(&readings, "arn:a"); /* the error stays while the next try is under way */
	assert_int_equal(readings_find(&readings, "arn:a")->error.code, ERR_DENIED);
	assert_true(readings_find(&readings, "arn:a")->under_way);
	assert_int_equal(readings.count, 1);
	readings_end(&readings, "arn:a");
	assert_null(readings_find(&readings, "arn:a"));
	readings_end(&readings, "arn:never");
	err_clear(&denied);
	readings_release(&readings);
	readings_release(&readings);
}

static void readings__forget_the_soonest_one__when_there_are_too_many(void **state)
{
	struct job_readings readings = { 0 };
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	char arn[32];
	(void)state;
	for (int i = 0; i < READINGS_MAX; i++) {
		(void)snprintf(arn, sizeof(arn), "arn:%d", i);
		/* The third is asked soonest, then the fourth. */
		readings_fail(&readings, arn, &denied, i == 3 ? 10 : i == 4 ? 11 : 1000 + i);
	}
	readings_begin(&readings, "arn:new"); /* under way is no failure: all stay */
	assert_int_equal(readings.count, READINGS_MAX + 1);
	readings_fail(&readings, "arn:new", &denied, 5000);
	assert_int_equal(readings.count, READINGS_MAX);
	assert_null(readings_find(&readings, "arn:3"));
	assert_non_null(readings_find(&readings, "arn:4"));
	readings_begin(&readings, "arn:4"); /* what is under way stays so */
	readings_fail(&readings, "arn:newer", &denied, 5000);
	assert_true(readings_find(&readings, "arn:4")->under_way);
	assert_int_equal(readings_find(&readings, "arn:4")->error.code, ERR_NONE);
	assert_non_null(readings_find(&readings, "arn:newer"));
	err_clear(&denied);
	readings_release(&readings);
}

/* --- a job --- */

enum known { ONLY_LISTED, CHANGED_SINCE, DESCRIBED, INDEXED };

/* One job in a store: what is known of it, and of when. */
static const struct job *put(struct store *store, const char *status, enum known known,
			     int64_t read_ms)
{
	struct job job = { .kind = JOB_TRAINING };
	(void)snprintf(job.name, sizeof(job.name), "llm");
	job.arn = mem_copy_text("arn:llm");
	job.status = mem_copy_text(status);
	job.secondary_status = mem_copy_text("Pending");
	job.described_mono_ms = read_ms;
	job.indexed = known == INDEXED;
	if (known == ONLY_LISTED) {
		store_take_summary(store, &job);
		return store_find(store, "arn:llm");
	}
	job.request_json = mem_copy_text("{}");
	store_take_described(store, &job);
	if (known == CHANGED_SINCE) {
		job = (struct job){ .kind = JOB_TRAINING };
		job.arn = mem_copy_text("arn:llm");
		job.status = mem_copy_text(status);
		job.secondary_status = mem_copy_text("Training");
		store_take_summary(store, &job);
	}
	return store_find(store, "arn:llm");
}

static void job__has_a_state__while_nothing_fails(void **state)
{
	static const struct {
		const char *status;
		enum known known;
		int64_t age_ms;
		enum fresh_state state;
	} cases[] = {
		{ "InProgress", ONLY_LISTED, 0, FRESH_LOADING },
		{ "InProgress", CHANGED_SINCE, 12000, FRESH_CHANGED },
		{ "InProgress", DESCRIBED, 30000, FRESH_CURRENT },
		{ "InProgress", DESCRIBED, 30001, FRESH_OLD },
		{ "Completed", ONLY_LISTED, 0, FRESH_LOADING },
		{ "Completed", DESCRIBED, 90000, FRESH_CURRENT }, /* it stays as it is */
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct store store = { 0 };
		const struct job *job =
			put(&store, cases[i].status, cases[i].known, NOW - cases[i].age_ms);
		struct fresh fresh = store_job_fresh(&store, job, NOW);
		assert_int_equal(fresh.state, cases[i].state);
		assert_null(fresh.error);
		if (fresh.state == FRESH_OLD || fresh.state == FRESH_CHANGED)
			assert_int_equal(fresh.age_ms, cases[i].age_ms);
		store_release(&store);
	}
}

static void job__is_stale_with_its_own_reason__when_its_describe_fails(void **state)
{
	struct store store = { 0 };
	const struct job *job = put(&store, "InProgress", DESCRIBED, NOW - 42000);
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	(void)state;
	store_note_job_asked(&store, "arn:llm");
	store_note_job_failed(&store, "arn:llm", &denied, NOW + 30000);
	struct fresh fresh = store_job_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_STALE);
	assert_int_equal(fresh.age_ms, 42000);
	assert_int_equal(fresh.error->code, ERR_DENIED);
	assert_string_equal(fresh.resource, "llm");
	assert_true(fresh.has_retry);
	assert_int_equal(fresh.retry_in_ms, 30000);
	store_note_job_asked(&store, "arn:llm"); /* r was pressed */
	fresh = store_job_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_STALE);
	assert_int_equal(fresh.retry_in_ms, 0);
	store_note_job_read(&store, "arn:llm");
	fresh = store_job_fresh(&store, job, NOW - 20000);
	assert_int_equal(fresh.state, FRESH_CURRENT);
	assert_null(fresh.error);
	err_clear(&denied);
	store_release(&store);
}

static void job__is_missing__when_it_was_never_read(void **state)
{
	struct store store = { 0 };
	const struct job *job = put(&store, "InProgress", ONLY_LISTED, 0);
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	(void)state;
	store_note_job_failed(&store, "arn:llm", &denied, NOW + 30000);
	assert_int_equal(store_job_fresh(&store, job, NOW).state, FRESH_MISSING);
	store_forget(&store, "arn:llm");
	assert_null(readings_find(&store.readings, "arn:llm"));
	err_clear(&denied);
	store_release(&store);
}

/* The network is gone: no job is asked about before the pause is over. */
static void job__has_the_reason_of_all__while_nothing_is_asked(void **state)
{
	struct store store = { 0 };
	const struct job *job = put(&store, "InProgress", ONLY_LISTED, 0);
	struct err net = failure(ERR_NET, "DescribeTrainingJob");
	(void)state;
	store_note_failed(&store, SOURCE_DESCRIBE, &net, NOW + 20000);
	/* About another job alone: this one is only waiting for its turn. */
	assert_int_equal(store_job_fresh(&store, job, NOW).state, FRESH_LOADING);
	store_note_pause(&store, SOURCE_DESCRIBE);
	struct fresh fresh = store_job_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_MISSING);
	assert_int_equal(fresh.error->code, ERR_NET);
	assert_string_equal(fresh.resource, "");
	assert_int_equal(fresh.retry_in_ms, 20000);
	store_note_retry(&store, SOURCE_DESCRIBE, NOW + 9000); /* it ends sooner */
	assert_int_equal(store_job_fresh(&store, job, NOW).retry_in_ms, 9000);
	store_note_retry(&store, SOURCE_DESCRIBE, NOW + 20000);
	/* Its own failure has its own words, but it too waits for the pause. */
	store_note_job_failed(&store, "arn:llm", &net, NOW + 5000);
	fresh = store_job_fresh(&store, job, NOW);
	assert_string_equal(fresh.resource, "llm");
	assert_int_equal(fresh.retry_in_ms, 20000);
	store_note_loaded(&store, SOURCE_DESCRIBE, NOW);
	store_note_job_read(&store, "arn:llm");
	assert_int_equal(store_job_fresh(&store, job, NOW).state, FRESH_LOADING);
	store_note_retry(&store, SOURCE_DESCRIBE, NOW + 1);
	store_note_pause(&store, SOURCE_DESCRIBE); /* nothing fails: nothing pauses */
	assert_false(store.sources[SOURCE_DESCRIBE].pausing);
	err_clear(&net);
	store_release(&store);
}

/* The Describe hangs; a list has failed already. */
static void job__has_the_reason_of_a_list__when_nothing_gets_through(void **state)
{
	static const struct {
		enum err_code code;
		enum fresh_state state;
	} cases[] = {
		{ ERR_NET, FRESH_STALE },         { ERR_TIMEOUT, FRESH_STALE },
		{ ERR_AUTH, FRESH_STALE },        { ERR_DENIED, FRESH_CURRENT },
		{ ERR_THROTTLED, FRESH_CURRENT }, { ERR_SERVER, FRESH_CURRENT },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct store store = { 0 };
		const struct job *job = put(&store, "InProgress", DESCRIBED, NOW - 9000);
		struct err err = failure(cases[i].code, "ListProcessingJobs");
		store_note_job_asked(&store, "arn:llm");
		store_note_loaded(&store, SOURCE_TRAINING, NOW - 9000);
		store_note_failed(&store, SOURCE_PROCESSING, &err, NOW + 7000);
		struct fresh fresh = store_job_fresh(&store, job, NOW);
		assert_int_equal(fresh.state, cases[i].state);
		if (fresh.state == FRESH_STALE)
			assert_int_equal(fresh.retry_in_ms, 7000);
		assert_string_equal(fresh.resource, "");
		err_clear(&err);
		store_release(&store);
	}
}

/* Describe is denied and Search is not: its record is as old as the last search. */
static void job__is_kept_up_by_search__where_describe_is_denied(void **state)
{
	struct store store = { 0 };
	const struct job *job = put(&store, "InProgress", INDEXED, NOW - 90000);
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	(void)state;
	store_note_loaded(&store, SOURCE_SEARCH, NOW - 4000);
	store_note_job_failed(&store, "arn:llm", &denied, NOW + 30000);
	struct fresh fresh = store_job_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_INDEXED);
	assert_int_equal(fresh.age_ms, 4000);
	store_note_failed(&store, SOURCE_SEARCH, &denied, NOW + 9000);
	fresh = store_job_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_STALE);
	assert_int_equal(fresh.age_ms, 90000);
	err_clear(&denied);
	store_release(&store);
}

static void text__says_why_it_is_not_there__for_an_ended_job_too(void **state)
{
	struct store store = { 0 };
	const struct job *job = put(&store, "Completed", INDEXED, NOW - 90000);
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob");
	(void)state;
	assert_int_equal(store_text_fresh(&store, job, NOW).state, FRESH_LOADING);
	store_note_job_failed(&store, "arn:llm", &denied, NOW + 30000);
	assert_int_equal(store_job_fresh(&store, job, NOW).state, FRESH_CURRENT);
	struct fresh fresh = store_text_fresh(&store, job, NOW);
	assert_int_equal(fresh.state, FRESH_MISSING);
	assert_string_equal(fresh.resource, "llm");
	err_clear(&denied);
	store_release(&store);
}

static void worst_list__is_failing_then_loading_then_older__of_the_two(void **state)
{
	struct store store = { 0 };
	struct err err = failure(ERR_NET, "ListProcessingJobs");
	(void)state;
	assert_int_equal(store_worst_list(&store), SOURCE_TRAINING);
	store_note_loaded(&store, SOURCE_TRAINING, NOW);
	assert_int_equal(store_worst_list(&store), SOURCE_PROCESSING);
	store_note_loaded(&store, SOURCE_PROCESSING, NOW + 5);
	assert_int_equal(store_worst_list(&store), SOURCE_TRAINING);
	store_note_failed(&store, SOURCE_PROCESSING, &err, NOW + 99);
	assert_int_equal(store_worst_list(&store), SOURCE_PROCESSING);
	err_clear(&err);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source__has_a_state__for_all_that_can_be_known_of_it),
		cmocka_unit_test(next_try__is_now_or_none__at_the_ends),
		cmocka_unit_test(readings__remember_failures__until_a_good_answer),
		cmocka_unit_test(readings__forget_the_soonest_one__when_there_are_too_many),
		cmocka_unit_test(job__has_a_state__while_nothing_fails),
		cmocka_unit_test(job__is_stale_with_its_own_reason__when_its_describe_fails),
		cmocka_unit_test(job__is_missing__when_it_was_never_read),
		cmocka_unit_test(job__has_the_reason_of_all__while_nothing_is_asked),
		cmocka_unit_test(job__has_the_reason_of_a_list__when_nothing_gets_through),
		cmocka_unit_test(job__is_kept_up_by_search__where_describe_is_denied),
		cmocka_unit_test(text__says_why_it_is_not_there__for_an_ended_job_too),
		cmocka_unit_test(worst_list__is_failing_then_loading_then_older__of_the_two),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
