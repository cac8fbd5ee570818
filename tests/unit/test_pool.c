#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/pool.h"
#include "tests/jobs.h"

#define END_MS INT64_C(5000000)

/* Completed at END_MS, 70 s asked for. */
static struct job pool_job(const char *status)
{
	struct job job = described_job("job", 0, "Completed", "Completed");

	job.modified = at(END_MS);
	job.keep_alive_seconds = 70;
	mem_set_text(&job.pool.status, status);
	return job;
}

static void expect_words(const struct job *job, const char *expected)
{
	struct buf out;

	buf_init(&out, 1024);
	pool_add_words(&out, job);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}

static void pool__is_what_the_service_says__and_nothing_more(void **state)
{
	struct job job = pool_job("Reused");

	(void)state;
	expect_words(&job, "Reused");
	mem_set_text(&job.pool.reused_by, "next-job");
	job.pool.retained = at(69000);
	expect_words(&job, "handed to next-job, retained 69 s");
	mem_set_text(&job.pool.status, "Available");
	expect_words(&job, "Available, retained 69 s");
	job.pool.retained.set = false;
	mem_set_text(&job.pool.status, "Odd");
	expect_words(&job, "Odd");
	mem_set_text(&job.pool.status, NULL);
	expect_words(&job, "not reported");
	mem_set_text(&job.status, "InProgress");
	expect_words(&job, "asked for, up to 70 s");
	assert_true(pool_is_asked(&job));
	job.keep_alive_seconds = 0;
	assert_false(pool_is_asked(&job));
	expect_words(&job, "");
	/* Told of, though the request is not known. */
	mem_set_text(&job.pool.status, "InUse");
	assert_true(pool_is_asked(&job));
	expect_words(&job, "InUse");
	assert_true(pool_is_held(&job));
	mem_set_text(&job.pool.status, "Available");
	assert_true(pool_is_held(&job));
	mem_set_text(&job.pool.status, "Terminated");
	assert_false(pool_is_held(&job));
	mem_set_text(&job.pool.status, NULL);
	assert_false(pool_is_held(&job));
	job_release(&job);
}

/* Five minutes after the end: TrainingEndTime, else LastModifiedTime. */
static void pool__is_awaited__for_some_minutes_after_the_end(void **state)
{
	struct job job = pool_job(NULL);

	(void)state;
	assert_true(pool_is_awaited(&job, END_MS - 1000));
	assert_true(pool_is_awaited(&job, END_MS + 299999));
	assert_false(pool_is_awaited(&job, END_MS + 300000));
	job.ended = at(END_MS + 1000);
	assert_true(pool_is_awaited(&job, END_MS + 300000));
	mem_set_text(&job.pool.status, "Terminated");
	assert_false(pool_is_awaited(&job, END_MS));
	mem_set_text(&job.pool.status, NULL);
	job.keep_alive_seconds = 0;
	assert_false(pool_is_awaited(&job, END_MS));
	job.keep_alive_seconds = 70;
	job.described = false;
	assert_false(pool_is_awaited(&job, END_MS));
	job.described = true;
	mem_set_text(&job.status, "Failed");
	assert_false(pool_is_awaited(&job, END_MS));
	mem_set_text(&job.status, "Completed");
	job.ended.set = job.modified.set = false;
	assert_false(pool_is_awaited(&job, END_MS));
	job_release(&job);
}

/* 70 s from the end; of groups all instances. */
static void pool__stands__from_the_end_for_as_long_as_was_asked(void **state)
{
	struct job job = pool_job("Available");
	struct pool_hold hold;

	(void)state;
	assert_false(pool_stands(&job, END_MS, &hold)); /* since when is not known */
	job.ended = at(END_MS);
	job.selected = (struct selected){ .set = true, .rank = 1, .count = 4 };
	assert_true(pool_stands(&job, END_MS + 69999, &hold));
	assert_int_equal(hold.instances, 4);
	assert_true(hold.until.set);
	assert_int_equal(hold.until.ms, END_MS + 70000);
	assert_false(pool_stands(&job, END_MS + 70000, &hold));
	job.keep_alive_seconds = 0;
	assert_true(pool_stands(&job, END_MS + 70000, &hold));
	assert_false(hold.until.set);
	mem_set_text(&job.pool.status, "InUse"); /* passed on: the next job has them */
	assert_false(pool_stands(&job, END_MS, &hold));
	mem_set_text(&job.pool.status, "Available");
	job.selected.set = false;
	job.has_groups = true;
	*job_edit_prefs(&job) = (struct preferences){ .length = 2 };
	job_edit_prefs(&job)->entries[0] = (struct preference){ .has_count = true, .count = 3 };
	job_edit_prefs(&job)->entries[1] = (struct preference){ .has_count = true, .count = 2 };
	assert_true(pool_stands(&job, END_MS, &hold));
	assert_int_equal(hold.instances, 5);
	job_edit_prefs(&job)->entries[1].has_count = false;
	assert_true(pool_stands(&job, END_MS, &hold));
	assert_int_equal(hold.instances, 0);
	job_release(&job);
}

static void copy__has_its_own_texts__of_the_pool(void **state)
{
	struct job job = pool_job("Reused"), copy = { 0 };

	(void)state;
	mem_set_text(&job.pool.reused_by, "next-job");
	job_copy(&copy, &job);
	job_release(&job);
	expect_words(&copy, "handed to next-job");
	job_release(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pool__is_what_the_service_says__and_nothing_more),
		cmocka_unit_test(pool__is_awaited__for_some_minutes_after_the_end),
		cmocka_unit_test(pool__stands__from_the_end_for_as_long_as_was_asked),
		cmocka_unit_test(copy__has_its_own_texts__of_the_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
