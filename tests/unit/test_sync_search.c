/* The sync where Search is allowed: what is asked, what is believed, what happens without it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/fakeregion.h"

static struct fakeregion *region_with_search(void)
{
	struct fakeregion *region = fakeregion_new();

	region->searches = true;
	return region;
}

static void change(struct fakeregion *region, size_t i, const char *status, const char *secondary)
{
	region->jobs[i].status = status;
	region->jobs[i].secondary = secondary;
	region->jobs[i].modified_ms = region->world->wall_ms;
}

static size_t describes(const struct fakeregion *region)
{
	return fake_count(region->world, "DescribeTrainingJob");
}

static void first_load__takes_pages__and_no_Describe(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	for (int i = 0; i < 450; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i,
			       i % 10 ? "Completed" : "InProgress",
			       i % 10 ? "Completed" : "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 4500);
	assert_true(sync_is_settled(region->sync));
	assert_true(region->store.sources[SOURCE_TRAINING].loaded);
	assert_true(region->store.sources[SOURCE_SEARCH].loaded);
	assert_int_equal(region->store.count, 450);
	for (size_t i = 0; i < 450; i++)
		assert_true(fakeregion_job(region, i)->described);
	assert_int_equal(fake_count(region->world, "Search"), 5);
	assert_int_equal(fake_count(region->world, "ListTrainingJobs"), 1);
	assert_int_equal(describes(region), 0);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void old_live_jobs__are_found__ended_ones_left_out(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "Completed", "Completed");
	fakeregion_add(region, JOB_TRAINING, 12 * DAY_MS, "Completed", "Completed");
	fakeregion_add(region, JOB_TRAINING, 40 * DAY_MS, "Stopping", "Stopping");
	fakeregion_start(region, NULL);
	fake_run(region->world, 3000);
	assert_non_null(fakeregion_job(region, 0));
	assert_null(fakeregion_job(region, 1));
	assert_non_null(fakeregion_job(region, 2));
	fakeregion_free(region);
}

static void ten_minutes__stay_within_the_budget__and_nothing_is_asked_twice(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	for (int i = 0; i < 43; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i, "InProgress", "Training");
	for (int i = 0; i < 350; i++)
		fakeregion_add(region, JOB_TRAINING, 200000 + i, "Completed", "Completed");
	for (int i = 0; i < 120; i++)
		fakeregion_add(region, JOB_PROCESSING, 300000 + i,
			       i < 8 ? "InProgress" : "Completed", "");
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-7");
	fake_run(region->world, 600000);
	assert_true(fake_count(region->world, "Search") +
			    fake_count(region->world, "ListTrainingJobs") <=
		    260);
	assert_true(fake_count(region->world, "ListProcessingJobs") <= 130);
	assert_true(describes(region) + fake_count(region->world, "DescribeProcessingJob") <= 600);
	/* The selected one every five seconds, of the other training jobs none. */
	assert_in_range(region->jobs[7].described, 110, 121);
	assert_int_equal(describes(region), region->jobs[7].described);
	for (size_t i = 401; i < region->count; i++)
		assert_int_equal(region->jobs[i].described, 1);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void changes__come_by_Search__with_its_lag(void **state)
{
	static const int64_t lags[] = { 0, 3000, 60000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fakeregion *region = region_with_search();

		region->lag_ms = lags[i];
		for (int k = 0; k < 5; k++)
			fakeregion_add(region, JOB_TRAINING, 7200000 + k, "InProgress", "Training");
		fakeregion_start(region, NULL);
		fake_run(region->world, 100000);
		change(region, 3, "Completed", "Completed");
		fake_run(region->world, lags[i] + 6000);
		assert_string_equal(fakeregion_job(region, 3)->status, "Completed");
		assert_true(fakeregion_job(region, 3)->described);
		/* This index hides what lags, so that a job can look lost meanwhile. */
		assert_true(describes(region) <= (lags[i] > 3000));
		fakeregion_free(region);
	}
}

static void new_job__is_listed_and_described__before_Search_knows_it(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	region->lag_ms = 60000;
	/* Jobs are kept newest first: the one that comes later stands first, out of sight so far.
	 */
	fakeregion_add(region, JOB_TRAINING, -30000, "InProgress", "Pending");
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Training");
	region->jobs[0].kind = JOB_PROCESSING;
	fakeregion_start(region, NULL);
	fake_run(region->world, 31000);
	region->jobs[0].kind = JOB_TRAINING;
	region->jobs[0].modified_ms = region->world->wall_ms;
	region->jobs[0].described = 0;
	store_forget(&region->store, "arn:j-0");
	fake_run(region->world, 6000);
	assert_non_null(fakeregion_job(region, 0));
	assert_true(fakeregion_job(region, 0)->described);
	assert_int_equal(region->jobs[0].described, 1);
	fakeregion_free(region);
}

static void old_record__does_not_undo__what_Describe_has_told(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-0");
	fake_run(region->world, 10000);
	change(region, 0, "InProgress", "Training");
	fake_run(region->world, 6000);
	assert_string_equal(fakeregion_job(region, 0)->secondary_status, "Training");
	/* The index falls back by a minute, with what it had then. */
	region->jobs[0].secondary = "Pending";
	region->jobs[0].modified_ms -= 60000;
	sync_select(region->sync, NULL);
	fake_run(region->world, 20000);
	assert_string_equal(fakeregion_job(region, 0)->secondary_status, "Training");
	fakeregion_free(region);
}

static void bare_record__is_completed_by_one_Describe__not_more(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Training")->bare = true;
	fakeregion_add(region, JOB_TRAINING, 7300000, "Completed", "Completed")->bare = true;
	fakeregion_start(region, NULL);
	fake_run(region->world, 120000);
	assert_int_equal(region->jobs[0].described, 1);
	assert_int_equal(region->jobs[1].described, 1);
	fakeregion_free(region);
}

static void selected_job__is_described_at_once__for_its_request(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 7200000, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 10000);
	assert_null(fakeregion_job(region, 0)->request_json);
	sync_select(region->sync, "arn:j-0");
	fake_run(region->world, 100);
	assert_non_null(fakeregion_job(region, 0)->request_json);
	fake_run(region->world, 60000);
	assert_int_equal(region->jobs[0].described, 1);
	fakeregion_free(region);
}

static void job__that_Search_has_lost__is_asked_about(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Training");
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 10000);
	/* It ends, and the index never hears of it. */
	region->jobs[1].status = region->jobs[1].secondary = "Completed";
	region->jobs[1].not_indexed = true;
	fake_run(region->world, 200000);
	assert_string_equal(fakeregion_job(region, 1)->status, "Completed");
	assert_int_equal(region->jobs[1].described, 1);
	fakeregion_free(region);
}

static void denial__is_noted__and_the_walk_does_its_work(void **state)
{
	struct fakeregion *region = fakeregion_new();
	const struct freshness *search = &region->store.sources[SOURCE_SEARCH];

	(void)state;
	for (int i = 0; i < 250; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, i ? "Completed" : "InProgress",
			       i ? "Completed" : "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 6000);
	assert_int_equal(region->store.count, 250);
	assert_true(search->failing);
	assert_int_equal(search->error.code, ERR_DENIED);
	assert_false(region->store.sources[SOURCE_TRAINING].failing);
	assert_int_equal(fake_count(region->world, "Search"), 1);
	/* The permission comes: it is found within five minutes. */
	region->searches = true;
	fake_run(region->world, 310000);
	assert_false(search->failing);
	assert_true(search->loaded);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void fail_search(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			struct fake_answer *answer)
{
	(void)region;
	(void)n;
	if (strcmp(sent->op, "Search") == 0)
		fake_error(answer, 500, "InternalFailure", "said so");
}

static void Search_in_trouble__hands_over_to_the_walk__and_takes_over_again(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 10000);
	region->spoil = fail_search;
	fake_run(region->world, 60000);
	change(region, 0, "Completed", "Completed");
	fake_run(region->world, 12000);
	assert_string_equal(fakeregion_job(region, 0)->status, "Completed");
	region->spoil = NULL;
	fake_run(region->world, 70000);
	assert_false(region->store.sources[SOURCE_SEARCH].failing);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void throttle_lists(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)region;
	(void)n;
	if (strncmp(sent->op, "Describe", 8) != 0)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
}

static void throttled__asks_less__and_comes_back_to_its_pace(void **state)
{
	struct fakeregion *region = region_with_search();
	size_t before;

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);
	region->spoil = throttle_lists;
	fake_run(region->world, 6000);
	region->spoil = NULL;
	before = fake_count(region->world, "ListProcessingJobs");
	fake_run(region->world, 60000);
	/* Twelve at full pace. */
	assert_in_range(fake_count(region->world, "ListProcessingJobs") - before, 2, 8);
	fake_run(region->world, 600000);
	before = fake_count(region->world, "ListProcessingJobs");
	fake_run(region->world, 60000);
	assert_in_range(fake_count(region->world, "ListProcessingJobs") - before, 11, 13);
	fakeregion_free(region);
}

static void answer_Search_late(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			       struct fake_answer *answer)
{
	(void)region;
	(void)n;
	if (strcmp(sent->op, "Search") == 0)
		answer->latency_ms = 300;
}

/* A command waits for the whole list: it must not wait for a refresh too. */
static void denial__that_comes_after_the_list__starts_the_walk_at_once(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	region->spoil = answer_Search_late;
	fakeregion_add(region, JOB_TRAINING, 1000, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 250);
	assert_false(region->store.sources[SOURCE_TRAINING].loaded);
	fake_run(region->world, 1500);
	assert_true(region->store.sources[SOURCE_TRAINING].loaded);
	assert_int_equal(fake_count(region->world, "ListTrainingJobs"), 2);
	fake_run(region->world, 3000); /* and then each refresh */
	assert_int_equal(fake_count(region->world, "ListTrainingJobs"), 2);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_load__takes_pages__and_no_Describe),
		cmocka_unit_test(old_live_jobs__are_found__ended_ones_left_out),
		cmocka_unit_test(ten_minutes__stay_within_the_budget__and_nothing_is_asked_twice),
		cmocka_unit_test(changes__come_by_Search__with_its_lag),
		cmocka_unit_test(new_job__is_listed_and_described__before_Search_knows_it),
		cmocka_unit_test(old_record__does_not_undo__what_Describe_has_told),
		cmocka_unit_test(bare_record__is_completed_by_one_Describe__not_more),
		cmocka_unit_test(selected_job__is_described_at_once__for_its_request),
		cmocka_unit_test(job__that_Search_has_lost__is_asked_about),
		cmocka_unit_test(denial__is_noted__and_the_walk_does_its_work),
		cmocka_unit_test(denial__that_comes_after_the_list__starts_the_walk_at_once),
		cmocka_unit_test(Search_in_trouble__hands_over_to_the_walk__and_takes_over_again),
		cmocka_unit_test(throttled__asks_less__and_comes_back_to_its_pace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
