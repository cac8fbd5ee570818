#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/fakeregion.h"

static void first_load__has_everything__of_both_kinds(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	fakeregion_add(region, JOB_PROCESSING, 2000, "InProgress", "");
	fakeregion_add(region, JOB_TRAINING, 3000, "Completed", "Completed");
	fakeregion_start(region, NULL);
	assert_false(sync_is_settled(region->sync));
	fake_run(region->world, 60000);
	assert_true(sync_is_settled(region->sync));
	assert_int_equal(region->store.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(fakeregion_job(region, i)->described);
	assert_true(region->store.sources[SOURCE_TRAINING].loaded);
	assert_true(region->store.sources[SOURCE_PROCESSING].loaded);
	assert_true(region->changes > 0);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void pages__are_followed__to_since_for_ended_jobs(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	/* 350 of today, 50 of twelve days ago, one of them live. */
	for (int i = 0; i < 350; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "Completed", "Completed");
	for (int i = 0; i < 50; i++)
		fakeregion_add(region, JOB_TRAINING, 12 * DAY_MS + i,
			       i == 20 ? "InProgress" : "Completed",
			       i == 20 ? "Training" : "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 10000);
	assert_int_equal(region->store.count, 351);
	assert_non_null(fakeregion_job(region, 370));
	assert_null(fakeregion_job(region, 369));
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void walk__ends__in_a_region_full_of_jobs(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < FAKEREGION_JOBS_MAX - 1; i++)
		fakeregion_add(region, JOB_TRAINING, 12 * DAY_MS + i, "Completed", "Completed");
	fakeregion_start(region, NULL);
	/* The first page is beyond since already: loaded at once, and the walk stops on its own. */
	fake_run(region->world, 1500);
	assert_true(region->store.sources[SOURCE_TRAINING].loaded);
	assert_false(sync_is_settled(region->sync));
	/* A page that crosses since, and thirty behind it, a second each. */
	fake_run(region->world, 27000);
	assert_false(sync_is_settled(region->sync));
	fake_run(region->world, 4000);
	assert_true(sync_is_settled(region->sync));
	assert_int_equal(region->store.count, 0);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void refresh__finds_new_and_changed_jobs__at_its_pace(void **state)
{
	struct fakeregion *region = fakeregion_new();
	size_t before;

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	fakeregion_add(region, JOB_TRAINING, 5000, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 4900);
	before = fake_count(region->world, "ListTrainingJobs");
	assert_int_equal(before, 1);
	region->jobs[0].secondary = "Training";
	region->jobs[0].modified_ms = FAKE_WALL_MS + 4000;
	fake_run(region->world, 5000);
	assert_string_equal(fakeregion_job(region, 0)->secondary_status, "Training");
	fake_run(region->world, 55000);
	/* Once in five seconds, as asked. */
	assert_in_range(fake_count(region->world, "ListTrainingJobs"), 12, 13);
	assert_in_range(fake_count(region->world, "ListProcessingJobs"), 12, 13);
	/* The ended one was described once in all this time. */
	assert_int_equal(region->jobs[1].described, 1);
	assert_true(region->jobs[0].described >= 10);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

/* What became of a warm pool is told some time after the end: it is asked for until then, for five
 * minutes at most. A pool that is held is followed where somebody looks at it. */
static void pool__is_asked_for__until_the_service_tells(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 3; i++)
		fakeregion_add(region, JOB_TRAINING, 10000 + i, "Completed", "Completed")
			->keep_alive_seconds = 70;
	region->jobs[0].keep_alive_seconds = 0;
	fakeregion_start(region, NULL);
	fake_run(region->world, 60000);
	assert_int_equal(region->jobs[0].described, 1);
	assert_in_range(region->jobs[1].described, 9, 12);
	region->jobs[1].pool = "Available";
	fake_run(region->world, 10000);
	assert_string_equal(fakeregion_job(region, 1)->pool.status, "Available");

	unsigned before = region->jobs[1].described;

	fake_run(region->world, 230000);
	assert_int_equal(region->jobs[1].described, before);
	/* Not told for five minutes: the quota of pools is 0, as far as that can be known. */
	before = region->jobs[2].described;
	fake_run(region->world, 60000);
	assert_int_equal(region->jobs[2].described, before);
	sync_select(region->sync, "arn:j-1");
	region->jobs[1].pool = "Terminated";
	fake_run(region->world, 10000);
	assert_string_equal(fakeregion_job(region, 1)->pool.status, "Terminated");
	before = region->jobs[1].described;
	fake_run(region->world, 30000);
	assert_int_equal(region->jobs[1].described, before);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void later_lists__look_no_further__than_live_jobs_need(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 60000, "InProgress", "Training");
	for (int i = 0; i < 900; i++)
		fakeregion_add(region, JOB_TRAINING, 7200000 + i, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 30000);

	size_t first = fake_count(region->world, "ListTrainingJobs");

	fake_run(region->world, 60000);
	/* One page a refresh: the bound leaves the old ones out. */
	assert_in_range(fake_count(region->world, "ListTrainingJobs") - first, 11, 13);
	fakeregion_free(region);
}

static bool want_none(void *ctx, const struct job *job)
{
	(void)ctx;
	(void)job;
	return false;
}

static void later_lists__see_live_jobs__behind_newer_ended_ones(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "Completed", "Completed");
	fakeregion_add(region, JOB_TRAINING, 7200000, "InProgress", "Pending");
	fakeregion_start(region, want_none);
	fake_run(region->world, 4000);
	region->jobs[1].secondary = "Training";
	region->jobs[1].modified_ms = FAKE_WALL_MS + 4000;
	fake_run(region->world, 5000);
	assert_string_equal(fakeregion_job(region, 1)->secondary_status, "Training");
	fakeregion_free(region);
}

static void later_lists__stop_after_some_pages__for_the_sake_of_one_job(void **state)
{
	struct fakeregion *region = fakeregion_new();
	size_t first;

	(void)state;
	for (int i = 0; i < 899; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i * 1000, "Completed", "Completed");
	fakeregion_add(region, JOB_TRAINING, 2000000, "InProgress", "Training");
	fakeregion_start(region, want_none);
	fake_run(region->world, 20000);
	first = fake_count(region->world, "ListTrainingJobs");
	fake_run(region->world, 50000);
	/* Nine pages would be one after the other without end; three leave a pause. */
	assert_in_range(fake_count(region->world, "ListTrainingJobs") - first, 28, 32);
	assert_true(region->store.sources[SOURCE_TRAINING].loaded_mono_ms >
		    region->world->mono_ms - 6000);
	fakeregion_free(region);
}

static void ended__is_seen_and_described_once__when_a_job_ends(void **state)
{
	struct fakeregion *region = fakeregion_new();
	unsigned described;

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);
	region->jobs[0].status = region->jobs[0].secondary = "Completed";
	region->jobs[0].modified_ms = FAKE_WALL_MS + 20000;
	fake_run(region->world, 10000);
	assert_true(job_has_ended(fakeregion_job(region, 0)));
	assert_true(fakeregion_job(region, 0)->described);
	described = region->jobs[0].described;
	fake_run(region->world, 100000);
	assert_int_equal(region->jobs[0].described, described);
	fakeregion_free(region);
}

static void selected__goes_first__and_again_at_each_refresh(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 80; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Training");
	fakeregion_start(region, NULL);
	fake_run(region->world, 1000);
	sync_select(region->sync, "arn:j-77");
	fake_run(region->world, 600);
	assert_int_equal(region->jobs[77].described, 1);
	fake_run(region->world, 20000);
	/* Every five seconds, though 79 others wait for their turn. */
	assert_in_range(region->jobs[77].described, 4, 5);
	sync_select(region->sync, NULL);
	fake_run(region->world, 60000);
	for (int i = 0; i < 80; i++)
		assert_in_range(region->jobs[i].described, 1, 7);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void selected__leaves_room_for_others__at_a_quick_refresh(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 4; i++)
		fakeregion_add(region, JOB_PROCESSING, 1000 + i, "InProgress", "");
	region->refresh_ms = 1000;
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-0");
	/* What may run ahead is used up: from here on it is fifty a minute for all. */
	fake_run(region->world, 300000);
	for (size_t i = 0; i < region->count; i++)
		region->jobs[i].described = 0;
	fake_run(region->world, 60000);
	assert_in_range(region->jobs[0].described, 24, 26);
	for (size_t i = 1; i < region->count; i++)
		assert_in_range(region->jobs[i].described, 8, 9);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void changed__goes_before_the_others__and_ended_ones_come_last(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 20; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Training");
	for (int i = 0; i < 10; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 9900);
	/* Live ones first. */
	for (int i = 0; i < 20; i++)
		assert_int_equal(region->jobs[i].described, 1);
	assert_int_equal(region->jobs[29].described, 0);
	/* Ended ones are not shut out by live ones in turn. */
	fake_run(region->world, 40000);
	for (int i = 20; i < 30; i++)
		assert_int_equal(region->jobs[i].described, 1);
	region->jobs[13].secondary = "Uploading";
	region->jobs[13].modified_ms = FAKE_WALL_MS + 50000;
	while (fakeregion_job(region, 13)->described)
		fake_run(region->world, 10);
	/* Seen by the list: next in line, before nineteen others. */
	fake_run(region->world, 600);
	assert_true(fakeregion_job(region, 13)->described);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

/* The Describes from the nth on are about these jobs, one after the other. */
static void check_described(const struct fakeregion *region, size_t nth, const int *jobs,
			    size_t count)
{
	char name[32];

	for (size_t i = 0; i < count; i++) {
		const struct fake_sent *sent =
			fake_nth(region->world, "DescribeTrainingJob", nth + i);

		assert_non_null(sent);
		snprintf(name, sizeof(name), "\"j-%d\"", jobs[i]);
		if (!strstr(sent->body, name))
			fail_msg("%zu: %s, not %s", nth + i, sent->body, name);
	}
}

/* Eight days pass by the service's clock: since is seven. */
static void ended_ones__are_dropped__when_since_is_over(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Training");
	fakeregion_add(region, JOB_TRAINING, 2000, "InProgress", "Training");
	fakeregion_add(region, JOB_TRAINING, 3000, "Failed", "Failed");
	fakeregion_add(region, JOB_PROCESSING, 4000, "Completed", "");
	fakeregion_add(region, JOB_TRAINING, 5000, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);
	assert_int_equal(region->store.count, 5);
	sync_select(region->sync, "arn:j-2");
	region->world->server_ahead_ms = 8 * DAY_MS;
	/* One that was live all the time ends only now. */
	region->jobs[0].status = region->jobs[0].secondary = "Failed";
	region->jobs[0].modified_ms = FAKE_WALL_MS + 8 * DAY_MS;
	fake_run(region->world, 20000);
	assert_string_equal(fakeregion_job(region, 0)->status, "Failed");
	assert_non_null(fakeregion_job(region, 1));
	assert_non_null(fakeregion_job(region, 2));
	assert_null(fakeregion_job(region, 3));
	assert_null(fakeregion_job(region, 4));
	/* No list brings them back, and the one that was open goes once it is not. */
	sync_select(region->sync, "arn:j-1");
	fake_run(region->world, 60000);
	assert_int_equal(region->store.count, 2);
	assert_null(fakeregion_job(region, 2));
	fakeregion_free(region);
}

static void new_live_ones__go_before_those__that_are_over(void **state)
{
	static const int expected[] = { 3, 5, 4, 0 };
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 4; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	fake_run(region->world, 4900);

	size_t before = fake_count(region->world, "DescribeTrainingJob");

	region->jobs[0].status = region->jobs[0].secondary = "Completed";
	region->jobs[3].secondary = "Training";
	region->jobs[0].modified_ms = region->jobs[3].modified_ms = FAKE_WALL_MS + 4000;
	for (int i = 0; i < 2; i++)
		fakeregion_add(region, JOB_TRAINING, 2000 + i, "InProgress", "Pending");
	while (fakeregion_job(region, 0)->described)
		fake_run(region->world, 10);
	fake_run(region->world, 2500);
	check_described(region, before, expected, 4);
	fakeregion_free(region);
}

/* A text goes two minutes after the description, but for the selected job, and is there again once
 * the job is selected. */
static void texts_of_ended_ones__are_dropped__until_they_are_looked_at(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Training");
	for (int i = 0; i < 3; i++)
		fakeregion_add(region, JOB_TRAINING, 2000 + i, "Completed", "Completed");
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-1");
	fake_run(region->world, 100000);
	for (size_t i = 0; i < 4; i++)
		assert_non_null(fakeregion_job(region, i)->request_json);
	fake_run(region->world, 40000);
	assert_non_null(fakeregion_job(region, 0)->request_json);
	assert_non_null(fakeregion_job(region, 1)->request_json);
	assert_null(fakeregion_job(region, 2)->request_json);
	assert_null(fakeregion_job(region, 3)->request_json);
	assert_int_equal(region->jobs[2].described, 1);
	sync_select(region->sync, "arn:j-2");
	fake_run(region->world, 1000);
	assert_non_null(fakeregion_job(region, 2)->request_json);
	assert_int_equal(region->jobs[2].described, 2);
	assert_int_equal(region->jobs[3].described, 1);
	fakeregion_free(region);
}

static void new_ones__that_wait_for_longest__come_first(void **state)
{
	static const int expected[] = { 5, 3, 0, 4, 2, 1 };
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 6; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i * 60000, "InProgress",
			       i % 3 == 0   ? "Pending"
			       : i % 3 == 2 ? "Starting"
					    : "Training");
	region->jobs[2].secondary = "Uploading";
	fakeregion_start(region, NULL);
	fake_run(region->world, 4000);
	check_described(region, 0, expected, 6);
	fakeregion_free(region);
}

static void changed_ones__are_described__in_the_order_of_their_changes(void **state)
{
	static const int expected[] = { 2, 4, 0 };
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 5; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	/* All are described once, and nothing is in turn before the second list. */
	fake_run(region->world, 4900);
	for (int i = 0; i < 3; i++) {
		struct fakejob *job = &region->jobs[expected[i]];

		job->secondary = "Training";
		job->modified_ms = FAKE_WALL_MS + 1000 + i * 1000;
	}

	size_t before = fake_count(region->world, "DescribeTrainingJob");

	while (fakeregion_job(region, 0)->described)
		fake_run(region->world, 10);
	fake_run(region->world, 2000);
	check_described(region, before, expected, 3);
	fakeregion_free(region);
}

static bool want_live(void *ctx, const struct job *job)
{
	(void)ctx;
	return job_is_live(job);
}

static void unwanted__are_not_described__but_the_selected_one_is(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	for (int i = 0; i < 5; i++)
		fakeregion_add(region, JOB_TRAINING, 2000 + i, "Completed", "Completed");
	fakeregion_start(region, want_live);
	fake_run(region->world, 4000);
	assert_true(sync_is_settled(region->sync));
	sync_select(region->sync, "arn:j-3");
	fake_run(region->world, 60000);
	assert_int_equal(region->jobs[2].described, 0);
	assert_int_equal(region->jobs[3].described, 1);
	fakeregion_free(region);
}

static void refresh_key__asks_at_once__within_the_pace(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-0");
	fake_run(region->world, 3000);

	unsigned described = region->jobs[0].described;
	size_t lists = fake_count(region->world, "ListTrainingJobs");

	sync_refresh(region->sync);
	sync_refresh(region->sync);
	fake_run(region->world, 100);
	assert_int_equal(fake_count(region->world, "ListTrainingJobs"), lists + 1);
	assert_int_equal(region->jobs[0].described, described + 1);
	for (int i = 0; i < 50; i++) {
		sync_refresh(region->sync);
		fake_run(region->world, 100);
	}
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_load__has_everything__of_both_kinds),
		cmocka_unit_test(pages__are_followed__to_since_for_ended_jobs),
		cmocka_unit_test(walk__ends__in_a_region_full_of_jobs),
		cmocka_unit_test(refresh__finds_new_and_changed_jobs__at_its_pace),
		cmocka_unit_test(pool__is_asked_for__until_the_service_tells),
		cmocka_unit_test(later_lists__look_no_further__than_live_jobs_need),
		cmocka_unit_test(later_lists__see_live_jobs__behind_newer_ended_ones),
		cmocka_unit_test(later_lists__stop_after_some_pages__for_the_sake_of_one_job),
		cmocka_unit_test(ended__is_seen_and_described_once__when_a_job_ends),
		cmocka_unit_test(selected__goes_first__and_again_at_each_refresh),
		cmocka_unit_test(selected__leaves_room_for_others__at_a_quick_refresh),
		cmocka_unit_test(changed__goes_before_the_others__and_ended_ones_come_last),
		cmocka_unit_test(ended_ones__are_dropped__when_since_is_over),
		cmocka_unit_test(new_live_ones__go_before_those__that_are_over),
		cmocka_unit_test(texts_of_ended_ones__are_dropped__until_they_are_looked_at),
		cmocka_unit_test(new_ones__that_wait_for_longest__come_first),
		cmocka_unit_test(changed_ones__are_described__in_the_order_of_their_changes),
		cmocka_unit_test(unwanted__are_not_described__but_the_selected_one_is),
		cmocka_unit_test(refresh_key__asks_at_once__within_the_pace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
