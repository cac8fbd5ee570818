#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/store_prices.h"
#include "tests/jobs.h"

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)

static void take_summary(struct store *store, struct job job)
{
	store_take_summary(store, &job);
	assert_null(job.arn);
}

static void take_described(struct store *store, struct job job)
{
	store_take_described(store, &job);
	assert_null(job.arn);
}

/* Started an hour after the creation; runs. */
static struct job running_job(const char *name)
{
	struct job job = described_job(name, 0, "InProgress", "Training");
	job.started = at(HOUR);
	return job;
}

/* The jobs that are not over are looked for again whenever one has changed. */
static void totals__follow_a_job__to_its_end(void **state)
{
	struct store store = { 0 };
	struct job ended = described_job("r1", 0, "Completed", "Completed");
	size_t count;
	char *arn;

	(void)state;
	store_set_region(&store, "us-east-1");
	assert_null(store_open_jobs(&store, &count));
	take_described(&store, running_job("r1"));
	take_described(&store, running_job("r2"));
	take_described(&store, described_job("c", 0, "Completed", "Completed"));
	assert_int_equal(store_totals(&store, 5 * HOUR).running, 2);
	(void)store_open_jobs(&store, &count);
	assert_int_equal(count, 2);
	ended.modified = at(3 * HOUR);
	take_summary(&store, ended);
	assert_int_equal(store_totals(&store, 5 * HOUR).running, 1);
	arn = mem_copy_text(store_find_name(&store, "r2")->arn);
	store_forget(&store, arn);
	free(arn);
	assert_int_equal(store_totals(&store, 5 * HOUR).running, 0);
	(void)store_open_jobs(&store, &count);
	assert_int_equal(count, 0);
	store_release(&store);
}

static void totals__count_every_phase__once(void **state)
{
	struct store store = { 0 };

	(void)state;
	store_set_region(&store, "us-east-1");
	struct totals totals = store_totals(&store, 0);
	assert_int_equal(totals.pending, 0);
	assert_false(totals.has_oldest);
	assert_false(totals.per_hour.set || totals.per_hour.partial);
	take_described(&store, described_job("p1", 4 * HOUR, "InProgress", "Pending"));
	take_described(&store, described_job("p2", 3 * HOUR, "InProgress", "Starting"));
	take_described(&store, described_job("s", 0, "InProgress", "Downloading"));
	take_described(&store, running_job("r1"));
	take_described(&store, running_job("r2"));
	take_described(&store, described_job("x", 0, "Stopping", "Pending"));
	take_described(&store, described_job("c", 0, "Completed", "Completed"));
	take_described(&store, described_job("t", 0, "Stopped", "Stopped"));
	take_described(&store, described_job("u", 0, "InProgress", "Dreaming"));
	totals = store_totals(&store, 5 * HOUR);
	assert_int_equal(totals.pending, 2);
	assert_int_equal(totals.starting, 1);
	assert_int_equal(totals.running, 2);
	assert_int_equal(totals.stopping, 1);
	assert_int_equal(totals.failed, 0);
	assert_int_equal(totals.unknown, 1);
	assert_true(totals.has_oldest);
	assert_int_equal(totals.oldest_wait_ms, 2 * HOUR);
	/* Three with two ml.p4d.24xlarge each: 6 x 25.251. The one that is stopped while it
	 * waits has none. */
	assert_true(totals.per_hour.set);
	assert_false(totals.per_hour.partial);
	assert_int_equal(totals.per_hour.micro, 151506000);
	assert_string_equal(totals.per_hour.currency, "USD");
	/* One that is stopped while it runs still costs. */
	struct job stopping = described_job("y", 0, "Stopping", "Training");
	stopping.started = at(HOUR);
	job_settle_selection(&stopping);
	take_described(&store, stopping);
	totals = store_totals(&store, 5 * HOUR);
	assert_int_equal(totals.stopping, 2);
	assert_int_equal(totals.per_hour.micro, 202008000);
	/* Instances that wait for the next job cost as well. */
	struct job kept = described_job("k", 0, "Completed", "Completed");
	kept.started = at(HOUR);
	kept.ended = at(5 * HOUR - 60000);
	kept.keep_alive_seconds = 600;
	kept.pool.status = mem_copy_text("Available");
	job_settle_selection(&kept);
	take_described(&store, kept);
	totals = store_totals(&store, 5 * HOUR);
	assert_int_equal(totals.pools, 1);
	assert_int_equal(totals.kept_warm, 2);
	assert_int_equal(totals.per_hour.micro, 252510000);
	assert_false(totals.per_hour.partial);
	assert_int_equal(totals.per_hour.source, PRICE_TABLE);
	store_release(&store);
}

/* Two ml.p4d.24xlarge, kept for ten minutes since HOUR. */
static void take_kept(struct store *store)
{
	struct job kept = described_job("kept", 0, "Completed", "Completed");

	kept.started = at(0);
	kept.ended = at(HOUR);
	kept.keep_alive_seconds = 600;
	kept.pool.status = mem_copy_text("Available");
	job_settle_selection(&kept);
	take_described(store, kept);
}

static void totals__tell_what_is_kept_warm__while_it_is_and_without_a_price(void **state)
{
	struct store store = { 0 };

	(void)state;
	store_set_region(&store, "eu-north-1");
	take_kept(&store);
	struct totals totals = store_totals(&store, HOUR + 599999);
	assert_int_equal(totals.pools, 1);
	assert_int_equal(totals.kept_warm, 2);
	assert_true(totals.per_hour.partial);
	assert_false(totals.per_hour.set);
	totals = store_totals(&store, HOUR + 600000);
	assert_int_equal(totals.pools, 0);
	assert_int_equal(totals.kept_warm, 0);
	assert_false(totals.per_hour.partial);
	store_release(&store);
}

static void totals__are_partial__when_a_price_is_missing(void **state)
{
	struct store store = { 0 };

	(void)state;
	store_set_region(&store, "us-east-1");
	take_described(&store, running_job("r1"));
	take_summary(&store, listed_job("r2", 0, "InProgress", "Training"));
	struct totals totals = store_totals(&store, 5 * HOUR);
	assert_true(totals.per_hour.partial);
	assert_int_equal(totals.per_hour.micro, 50502000);
	store_set_region(&store, "eu-north-1");
	totals = store_totals(&store, 5 * HOUR);
	assert_true(totals.per_hour.partial);
	assert_false(totals.per_hour.set);
	store_release(&store);
}

static void totals__tell_the_failures_of_the_day__when_some_are_older(void **state)
{
	static const struct {
		const char *name;
		int64_t ended;
	} rows[] = { { "yesterday", 10 * DAY - 1 },
		     { "midnight", 10 * DAY },
		     { "now", 10 * DAY + HOUR } };
	struct store store = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = listed_job(rows[i].name, 0, "Failed", "Failed");
		job.ended = at(rows[i].ended);
		take_summary(&store, job);
	}
	/* Without an end the last change counts. */
	struct job job = listed_job("no-end", 0, "Failed", "Failed");
	job.modified = at(10 * DAY + 5);
	take_summary(&store, job);
	struct totals totals = store_totals(&store, 10 * DAY + HOUR);
	assert_int_equal(totals.failed, 4);
	assert_int_equal(totals.failed_today, 3);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals__follow_a_job__to_its_end),
		cmocka_unit_test(totals__count_every_phase__once),
		cmocka_unit_test(totals__tell_what_is_kept_warm__while_it_is_and_without_a_price),
		cmocka_unit_test(totals__are_partial__when_a_price_is_missing),
		cmocka_unit_test(totals__tell_the_failures_of_the_day__when_some_are_older),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
