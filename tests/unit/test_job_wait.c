#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/job.h"
#include "tests/jobs.h"

#define OPEN_END ((struct opt_ms){ 0 })

/* Created at second 1000. */
static struct job make_training(const char *status, const char *secondary)
{
	return described_job("job", 1000000, status, secondary);
}

static struct job make_processing(const char *status)
{
	struct job job = described_job("job", 1000000, status, NULL);
	job.kind = JOB_PROCESSING;
	return job;
}

static int64_t wait_of(const struct job *job, int64_t now_ms)
{
	int64_t wait_ms = -1;
	bool final;
	assert_true(job_wait_ms(job, now_ms, &wait_ms, &final));
	assert_int_equal(final, job_has_ended(job));
	return wait_ms;
}

/* 2025-05-16T11:10:50.603 to 11:11:32.239 (case 017): 41.636 s. */
static void wait__is_creation_to_start__when_the_job_is_ordinary(void **state)
{
	const int64_t created = 1747419050603;
	struct job job = make_training("Completed", "Completed");

	(void)state;
	job.created = at(created);
	job.started = at(created + 41636);
	job.ended = at(created + 166662);
	job.modified = at(created + 166927);
	job_add_transition(&job, "Starting", "Preparing", at(created), at(created + 41636));
	job_add_transition(&job, "Downloading", NULL, at(created + 41636), at(created + 143340));
	job_add_transition(&job, "Training", NULL, at(created + 143340), at(created + 153902));
	job_add_transition(&job, "Uploading", NULL, at(created + 153902), at(created + 166662));
	job_add_transition(&job, "Completed", NULL, at(created + 166662), at(created + 166662));
	assert_int_equal(wait_of(&job, created + 99999999), 41636);
	job_release(&job);
}

/* Each of the four ways in which a transition can end. */
static void transition__ends_where_it_is_known_to__and_never_ticks_after_the_end(void **state)
{
	struct job job = make_training("InProgress", "Training");

	(void)state;
	add_stretch(&job, "Starting", 1000, 1100);
	add_stretch(&job, "Downloading", 1100, -1);
	add_stretch(&job, "Training", 1200, -1);
	assert_int_equal(job_transition_end(&job, 0, 9000000).ms, 1100000);
	assert_int_equal(job_transition_end(&job, 1, 9000000).ms, 1200000);
	assert_int_equal(job_transition_end(&job, 2, 9000000).ms, 9000000);
	mem_set_text(&job.status, "Completed");
	job.modified = at(1500000);
	assert_int_equal(job_transition_end(&job, 2, 9000000).ms, 1500000);
	job.ended = at(1400000);
	assert_int_equal(job_transition_end(&job, 2, 9000000).ms, 1400000);
	job.ended.set = job.modified.set = false;
	assert_false(job_transition_end(&job, 2, 9000000).set);
	job_release(&job);
}

/* Case 001: created 05:49:40.493, started 05:52:46.108 (185.615 s), the last transition is open. */
static void wait__does_not_tick__when_an_ended_job_has_an_open_transition(void **state)
{
	struct job job = make_training("Completed", "Completed");

	(void)state;
	job.created = at(0);
	job.started = at(185615);
	job.modified = at(185615);
	job_add_transition(&job, "Starting", NULL, at(0), at(185615));
	job_add_transition(&job, "Downloading", NULL, at(185615), OPEN_END);
	assert_int_equal(wait_of(&job, 900000000), 185615);
	job_release(&job);
}

/* Case 003: created 05:12:45.869, no start; the wait goes on from creation while it is Stopping. */
static void wait__ticks_from_creation__when_stopping_before_any_instance(void **state)
{
	struct job job = make_training("Stopping", "Starting");

	(void)state;
	job.created = at(0);
	job.modified = at(13087);
	job_add_transition(&job, "Starting", NULL, at(0), OPEN_END);
	assert_int_equal(wait_of(&job, 20000), 20000);
	/* Once Stopped it is the last change that ends it: there is no TrainingEndTime. */
	mem_set_text(&job.status, "Stopped");
	assert_int_equal(wait_of(&job, 90000), 13087);
	job.ended = at(15000);
	assert_int_equal(wait_of(&job, 90000), 15000);
	job_release(&job);
}

/* Case 007: a processing job just created; the local clock may be behind. */
static void wait__is_never_negative__when_now_is_before_the_creation(void **state)
{
	struct job job = make_processing("InProgress");

	(void)state;
	job.modified = at(1000245);
	assert_int_equal(wait_of(&job, 999000), 0);
	assert_int_equal(wait_of(&job, 1000000), 0);
	assert_int_equal(wait_of(&job, 1060000), 60000);
	job.started = at(1030000);
	assert_int_equal(wait_of(&job, 2000000), 30000);
	job.started = at(990000);
	assert_int_equal(wait_of(&job, 2000000), 0);
	job_release(&job);
}

/* Case 016, interrupted once: 60 s until the first download, then 20 s + 40 s of waiting again. */
static void wait__sums_every_stretch__when_spot_was_interrupted(void **state)
{
	struct job job = make_training("Completed", "Completed");

	(void)state;
	add_stretch(&job, "Starting", 1000, 1060);
	add_stretch(&job, "Downloading", 1060, 1070);
	add_stretch(&job, "Training", 1070, 1500);
	add_stretch(&job, "Interrupted", 1500, 1520);
	add_stretch(&job, "Starting", 1520, 1560);
	add_stretch(&job, "Downloading", 1560, 1570);
	add_stretch(&job, "Training", 1570, 2000);
	add_stretch(&job, "Uploading", 2000, 2010);
	add_stretch(&job, "Completed", 2010, 2010);
	job.started = at(1060000);
	job.ended = at(2010000);
	assert_int_equal(wait_of(&job, 9000000), 120000);
	job_release(&job);
}

/* Case 016, twice interrupted: the second time Downloading follows without a Starting. */
static void wait__takes_a_skipped_state__when_spot_was_interrupted_twice(void **state)
{
	struct job job = make_training("Stopped", "MaxWaitTimeExceeded");

	(void)state;
	add_stretch(&job, "Starting", 1000, 1030);
	add_stretch(&job, "Training", 1030, 1100);
	add_stretch(&job, "Interrupted", 1100, 1107);
	add_stretch(&job, "Starting", 1107, 1200);
	add_stretch(&job, "Training", 1200, 1300);
	add_stretch(&job, "Interrupted", 1300, 1311);
	add_stretch(&job, "Downloading", 1311, 1320);
	add_stretch(&job, "Training", 1320, 1400);
	add_stretch(&job, "Stopping", 1400, 1402);
	add_stretch(&job, "MaxWaitTimeExceeded", 1402, 1402);
	job.ended = at(1402000);
	/* 30 + 7 + 93 + 11 */
	assert_int_equal(wait_of(&job, 9000000), 141000);
	job_release(&job);
}

/* Case 016, never launched: Starting, Stopping, MaxWaitTimeExceeded. */
static void wait__ends_with_the_job__when_it_never_launched(void **state)
{
	struct job job = make_training("Stopped", "MaxWaitTimeExceeded");

	(void)state;
	add_stretch(&job, "Starting", 1000, 4600);
	add_stretch(&job, "Stopping", 4600, 4601);
	add_stretch(&job, "MaxWaitTimeExceeded", 4601, 4601);
	assert_int_equal(wait_of(&job, 9000000), 3600000);
	job_release(&job);
}

static void wait__counts_the_gap__when_the_first_transition_is_late(void **state)
{
	struct job job = make_training("InProgress", "Pending");

	(void)state;
	add_stretch(&job, "Pending", 1010, -1);
	assert_int_equal(wait_of(&job, 1100000), 100000);
	/* Also where the first transition is no wait itself. */
	job_release(&job);
	job = make_training("InProgress", "Training");
	add_stretch(&job, "Training", 1025, -1);
	assert_int_equal(wait_of(&job, 1100000), 25000);
	job_release(&job);
}

static void wait__ticks__when_pending_again(void **state)
{
	struct job job = make_training("InProgress", "Interrupted");

	(void)state;
	add_stretch(&job, "Starting", 1000, 1060);
	add_stretch(&job, "Training", 1060, 1200);
	add_stretch(&job, "Interrupted", 1200, -1);
	assert_int_equal(wait_of(&job, 1200000), 60000);
	assert_int_equal(wait_of(&job, 1230500), 90500);
	job_release(&job);
}

static void wait__is_clamped__when_times_overlap_or_run_backwards(void **state)
{
	struct job job = make_training("Completed", "Completed");

	(void)state;
	/* Shared time counts once: 1000 to 1080. */
	add_stretch(&job, "Starting", 1000, 1060);
	add_stretch(&job, "Pending", 1030, 1080);
	add_stretch(&job, "Training", 1080, 1100);
	assert_int_equal(wait_of(&job, 9000000), 80000);
	job_release(&job);

	/* An end before its start is no time at all. */
	job = make_training("Completed", "Completed");
	add_stretch(&job, "Starting", 1000, 1010);
	add_stretch(&job, "Interrupted", 1500, 1400);
	assert_int_equal(wait_of(&job, 9000000), 10000);
	job_release(&job);

	/* What lies before the submission is no wait for this job. */
	job = make_training("Completed", "Completed");
	add_stretch(&job, "Starting", 900, 1010);
	assert_int_equal(wait_of(&job, 9000000), 10000);
	job_release(&job);

	/* A first transition in the future: the wait is never longer than the job is old. */
	job = make_training("InProgress", "Pending");
	add_stretch(&job, "Pending", 2000, -1);
	assert_int_equal(wait_of(&job, 1003000), 3000);
	job_release(&job);

	/* Times at the ends of their range. */
	job = make_training("InProgress", "Pending");
	job.created = at(INT64_MIN);
	job_add_transition(&job, "Pending", NULL, at(INT64_MAX), OPEN_END);
	job_add_transition(&job, "Starting", NULL, at(INT64_MIN), at(INT64_MAX));
	assert_true(wait_of(&job, INT64_MAX) >= 0);
	job_release(&job);
}

static void wait__counts_what_is_dated__when_times_are_missing(void **state)
{
	struct job job = make_training("Stopped", "Stopped");
	int64_t wait_ms;
	bool final;

	(void)state;
	/* No creation: the stretches alone. */
	job.created.set = false;
	add_stretch(&job, "Starting", 1000, 1007);
	add_stretch(&job, "Training", 1007, 1100);
	/* No start: nothing. No end and none of the job either: nothing. */
	job_add_transition(&job, "Interrupted", NULL, OPEN_END, at(9000000));
	add_stretch(&job, "Interrupted", 1200, -1);
	job.modified.set = false;
	assert_int_equal(wait_of(&job, 9000000), 7000);
	job_release(&job);
	/* No time at all. */
	job = make_training("InProgress", "Pending");
	job.created.set = false;
	assert_false(job_wait_ms(&job, 9000000, &wait_ms, &final));
	job_release(&job);
}

static void wait__ends_where_the_next_begins__when_an_open_stretch_has_a_follower(void **state)
{
	struct job job = make_training("InProgress", "Training");

	(void)state;
	add_stretch(&job, "Pending", 1000, -1);
	add_stretch(&job, "Training", 1042, -1);
	assert_int_equal(wait_of(&job, 9000000), 42000);
	job_release(&job);
}

static void wait__is_creation_to_start__when_there_are_no_transitions(void **state)
{
	struct job job = make_training("InProgress", "Training");
	int64_t wait_ms;
	bool final;

	(void)state;
	job.started = at(1090000);
	assert_int_equal(wait_of(&job, 5000000), 90000);
	/* No start and no transitions: a running job's wait is not known. */
	job.started = (struct opt_ms){ 0 };
	assert_false(job_wait_ms(&job, 5000000, &wait_ms, &final));
	mem_set_text(&job.secondary_status, "Pending");
	assert_int_equal(wait_of(&job, 5000000), 4000000);
	job_release(&job);
}

static void wait__is_said_only_where_known__when_from_a_list(void **state)
{
	static const struct {
		const char *status, *secondary;
		bool known;
	} rows[] = {
		{ "InProgress", "Pending", true },
		{ "InProgress", "Starting", true },
		{ "InProgress", "Interrupted", false },
		{ "InProgress", "Restarting", false },
		{ "InProgress", "LaunchingMLInstances", true },
		{ "InProgress", "Training", false },
		{ "InProgress", NULL, false },
		{ "Stopping", "Pending", false },
		{ "Completed", "Completed", false },
		{ "Stopped", "Stopped", false },
		{ "Failed", "Failed", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = { .kind = JOB_TRAINING, .created = { true, 1000 } };
		int64_t wait_ms;
		bool final;
		job.status = mem_copy_text(rows[i].status);
		job.secondary_status = mem_copy_text(rows[i].secondary);
		job.ended = at(4000);
		assert_int_equal(job_wait_ms(&job, 5000, &wait_ms, &final), rows[i].known);
		if (rows[i].known)
			assert_int_equal(wait_ms, 4000);
		job_release(&job);
	}
}

static void never_started__needs_no_start_and_no_bill__when_ended(void **state)
{
	static const struct {
		const char *status;
		int64_t billable_ms;
		bool started, billed, never;
	} rows[] = {
		/* case 060: Stopped, 0 billed seconds */
		{ "Stopped", 0, false, true, true },
		{ "Stopped", 0, true, true, true },
		{ "Stopped", 0, false, false, true },
		{ "Stopped", 0, true, false, false },
		{ "Stopped", 5000, true, true, false },
		{ "Stopped", 5000, false, true, false },
		/* case 075: Failed with CapacityError; a failure after the start had instances */
		{ "Failed", 0, false, false, true },
		{ "Failed", 0, true, true, false },
		{ "Completed", 0, false, false, false },
		{ "Stopping", 0, false, false, false },
		{ "InProgress", 0, false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = make_training(rows[i].status, rows[i].status);
		if (rows[i].started)
			job.started = at(1500000);
		if (rows[i].billed)
			job.billable = at(rows[i].billable_ms);
		assert_int_equal(job_never_started(&job), rows[i].never);
		/* From a list alone it cannot be told. */
		job.described = false;
		assert_false(job_never_started(&job));
		job_release(&job);
	}
}

/* Case 078: 1,800 s; created at 1000 s, all of it pending. */
static void deadline__is_what_is_left_from_now__when_pending(void **state)
{
	struct job job = make_training("InProgress", "Pending");

	(void)state;
	add_stretch(&job, "Pending", 1000, -1);
	job.max_pending = at(1800000);
	struct opt_ms deadline = job_pending_deadline(&job, 1600000);
	assert_true(deadline.set);
	assert_int_equal(deadline.ms, 2800000);
	/* A job that ran in between has as much more time. */
	job_release(&job);
	job = make_training("InProgress", "Restarting");
	add_stretch(&job, "Starting", 1000, 1060);
	add_stretch(&job, "Training", 1060, 2060);
	add_stretch(&job, "Restarting", 2060, -1);
	job.max_pending = at(1800000);
	deadline = job_pending_deadline(&job, 2100000);
	assert_true(deadline.set);
	/* 60 + 40 counted, 1,700 left */
	assert_int_equal(deadline.ms, 3800000);
	job_release(&job);
}

static void deadline__is_unset__when_the_limit_has_no_effect(void **state)
{
	struct job job = make_training("InProgress", "Pending");

	(void)state;
	add_stretch(&job, "Pending", 1000, -1);
	assert_false(job_pending_deadline(&job, 1600000).set);
	job.max_pending = at(1800000);
	assert_true(job_pending_deadline(&job, 1600000).set);
	memcpy(job_edit_prefs(&job)->entries[0].instance_type, "ml.m5.24xlarge", 15);
	assert_false(job_pending_deadline(&job, 1600000).set);
	/* One accelerated entry is enough. */
	job_edit_prefs(&job)->length = 2;
	memcpy(job_edit_prefs(&job)->entries[1].instance_type, "ml.trn1.32xlarge", 17);
	assert_true(job_pending_deadline(&job, 1600000).set);
	mem_set_text(&job.secondary_status, "Training");
	assert_false(job_pending_deadline(&job, 1600000).set);
	mem_set_text(&job.secondary_status, "Pending");
	mem_set_text(&job.status, "Stopped");
	assert_false(job_pending_deadline(&job, 1600000).set);
	mem_set_text(&job.status, "InProgress");
	job.kind = JOB_PROCESSING;
	assert_false(job_pending_deadline(&job, 1600000).set);
	job_release(&job);
}

/* Case 079: no overdue alarm for waits with a plan, whose limit stands still at times. */
static void deadline__is_unset_once_passed__when_the_list_has_a_plan(void **state)
{
	struct job job = make_training("InProgress", "Pending");

	(void)state;
	add_stretch(&job, "Pending", 1000, -1);
	job.max_pending = at(1800000);
	struct opt_ms deadline = job_pending_deadline(&job, 2900000);
	assert_true(deadline.set);
	assert_int_equal(deadline.ms, 2800000);
	memcpy(job_edit_prefs(&job)->entries[0].plan_arn, "arn:plan", 9);
	assert_false(job_pending_deadline(&job, 2900000).set);
	assert_int_equal(job_pending_deadline(&job, 2700000).ms, 2800000);
	job_edit_prefs(&job)->entries[0].plan_arn[0] = '\0';
	job_edit_prefs(&job)->length = 2;
	memcpy(job_edit_prefs(&job)->entries[1].plan_arn, "arn:plan", 9);
	assert_false(job_pending_deadline(&job, 2900000).set);
	job_edit_prefs(&job)->length = 1;
	memcpy(job_edit_prefs(&job)->job_plan_arn, "arn:plan", 9);
	assert_false(job_pending_deadline(&job, 2900000).set);
	job.max_pending = at(INT64_MIN);
	assert_false(job_pending_deadline(&job, 2900000).set);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wait__is_creation_to_start__when_the_job_is_ordinary),
		cmocka_unit_test(
			transition__ends_where_it_is_known_to__and_never_ticks_after_the_end),
		cmocka_unit_test(wait__does_not_tick__when_an_ended_job_has_an_open_transition),
		cmocka_unit_test(wait__ticks_from_creation__when_stopping_before_any_instance),
		cmocka_unit_test(wait__is_never_negative__when_now_is_before_the_creation),
		cmocka_unit_test(wait__sums_every_stretch__when_spot_was_interrupted),
		cmocka_unit_test(wait__takes_a_skipped_state__when_spot_was_interrupted_twice),
		cmocka_unit_test(wait__ends_with_the_job__when_it_never_launched),
		cmocka_unit_test(wait__counts_the_gap__when_the_first_transition_is_late),
		cmocka_unit_test(wait__ticks__when_pending_again),
		cmocka_unit_test(wait__is_clamped__when_times_overlap_or_run_backwards),
		cmocka_unit_test(wait__counts_what_is_dated__when_times_are_missing),
		cmocka_unit_test(
			wait__ends_where_the_next_begins__when_an_open_stretch_has_a_follower),
		cmocka_unit_test(wait__is_creation_to_start__when_there_are_no_transitions),
		cmocka_unit_test(wait__is_said_only_where_known__when_from_a_list),
		cmocka_unit_test(never_started__needs_no_start_and_no_bill__when_ended),
		cmocka_unit_test(deadline__is_what_is_left_from_now__when_pending),
		cmocka_unit_test(deadline__is_unset__when_the_limit_has_no_effect),
		cmocka_unit_test(deadline__is_unset_once_passed__when_the_list_has_a_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
