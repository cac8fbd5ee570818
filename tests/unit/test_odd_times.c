/* Odd times of a job are said, and only those. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/odd_times.h"
#include "tests/jobs.h"

#define NOW INT64_C(1000000)

static void says(const struct job *job, const char *text)
{
	struct buf out;
	buf_init(&out, 4096);
	odd_times_add(&out, job, NOW);
	assert_string_equal(buf_text(&out), text);
	buf_release(&out);
}

static void well_told_times__say_nothing(void **state)
{
	struct job job = described_job("j", 0, "InProgress", "Training");
	(void)state;
	add_stretch(&job, "Starting", 1, 60);
	add_stretch(&job, "Downloading", 60, 90);
	add_stretch(&job, "Training", 90, -1);
	says(&job, "");
	job_release(&job);
}

static void end_before_the_start__overlap__and_clocks_that_differ__are_said(void **state)
{
	struct job job = described_job("j", 10000, "Completed", "Completed");
	(void)state;
	job.started = at(60000);
	job.ended = at(50000);
	add_stretch(&job, "Starting", 5, 4);
	add_stretch(&job, "Downloading", 60, 95);
	add_stretch(&job, "Training", 90, -1);
	add_stretch(&job, "Completed", 2000, 2000);
	says(&job, "Starting ends before it begins\n"
		   "Starting begins before the job was created\n"
		   "Downloading goes on after Training has begun\n"
		   "Training has no end, though another has begun\n"
		   "Completed lies ahead of AWS's clock\n"
		   "the job ends before it starts\n");
	job_release(&job);
}

/* They stand by their starts all the same, and a copy knows as much. */
static void transitions_out_of_order__are_said(void **state)
{
	struct job job = described_job("j", 0, "InProgress", "Training"), copy = { 0 };
	(void)state;
	add_stretch(&job, "Training", 90, -1);
	add_stretch(&job, "Starting", 1, 90);
	says(&job, "the transitions were told out of order; they stand by their starts\n");
	assert_string_equal(job_transition(&job, 0).status, "Starting");
	job_copy(&copy, &job);
	says(&copy, "the transitions were told out of order; they stand by their starts\n");
	job_release(&copy);
	job_release(&job);
}

/* 256 transitions that end before they begin: eight lines, and how many more. */
static void many__are_counted(void **state)
{
	struct job job = described_job("j", 0, "InProgress", "Training");
	struct buf out;
	(void)state;
	for (int i = 0; i < JOB_TRANSITIONS_MAX; i++)
		add_stretch(&job, "Training", 10 + i, 1);
	buf_init(&out, 4096);
	odd_times_add(&out, &job, NOW);
	assert_non_null(strstr(buf_text(&out), "\nand 248 more\n"));
	buf_release(&out);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_told_times__say_nothing),
		cmocka_unit_test(end_before_the_start__overlap__and_clocks_that_differ__are_said),
		cmocka_unit_test(transitions_out_of_order__are_said),
		cmocka_unit_test(many__are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
