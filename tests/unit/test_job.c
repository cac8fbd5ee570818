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

static struct opt_ms at(int64_t ms)
{
	return (struct opt_ms){ .set = true, .ms = ms };
}

static const struct opt_ms open_end = { 0 };

/* A described job with one entry, created at second 1000. */
static struct job make(enum job_kind kind, const char *status, const char *secondary)
{
	struct job job = { .kind = kind, .described = true, .created = { true, 1000000 } };
	job.status = mem_copy_text(status);
	job.secondary_status = mem_copy_text(secondary);
	job.prefs.length = 1;
	job.prefs.has_shared_count = true;
	job.prefs.shared_count = 2;
	memcpy(job.prefs.entries[0].instance_type, "ml.p4d.24xlarge", 16);
	return job;
}

static struct job make_training(const char *status, const char *secondary)
{
	return make(JOB_TRAINING, status, secondary);
}

/* Times in seconds; end < 0 is an open one. */
static void stretch(struct job *job, const char *status, int64_t start_s, int64_t end_s)
{
	job_add_transition(job, status, NULL, at(start_s * 1000),
			   end_s < 0 ? open_end : at(end_s * 1000));
}

static int64_t wait_of(const struct job *job, int64_t now_ms)
{
	int64_t wait_ms = -1;
	bool final;
	assert_true(job_wait_ms(job, now_ms, &wait_ms, &final));
	assert_int_equal(final, job_has_ended(job));
	return wait_ms;
}

/* interface.md, JSON: every word of the table, and some that no list knows. */
static void phase__follows_the_secondary_status__when_in_progress(void **state)
{
	static const struct {
		const char *word;
		enum phase phase;
	} rows[] = {
		{ "Pending", PHASE_PENDING },
		{ "Starting", PHASE_PENDING },
		{ "LaunchingMLInstances", PHASE_PENDING },
		{ "Interrupted", PHASE_PENDING },
		{ "Restarting", PHASE_PENDING },
		{ "PreparingTrainingStack", PHASE_STARTING },
		{ "Downloading", PHASE_STARTING },
		{ "DownloadingTrainingImage", PHASE_STARTING },
		{ "Training", PHASE_RUNNING },
		{ "Updating", PHASE_RUNNING },
		{ "Uploading", PHASE_RUNNING },
		{ "Queued", PHASE_UNKNOWN },
		{ "pending", PHASE_UNKNOWN },
		{ "", PHASE_UNKNOWN },
		{ NULL, PHASE_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = make_training("InProgress", rows[i].word);
		assert_int_equal(job_phase(&job), rows[i].phase);
		assert_true(job_is_live(&job));
		assert_false(job_has_ended(&job));
		job_release(&job);
	}
}

static void phase__goes_by_the_primary_status_first__when_it_decides(void **state)
{
	static const struct {
		const char *status, *secondary;
		enum phase phase;
		bool live;
	} rows[] = {
		/* case 003: Stopping while the secondary status is still Starting */
		{ "Stopping", "Starting", PHASE_STOPPING, true },
		{ "Deleting", "Completed", PHASE_STOPPING, true },
		{ "Completed", "Training", PHASE_COMPLETED, false },
		{ "Failed", "Pending", PHASE_FAILED, false },
		{ "Stopped", "MaxWaitTimeExceeded", PHASE_STOPPED, false },
		/* case 086: an unknown status counts as active */
		{ "Archiving", "Pending", PHASE_UNKNOWN, true },
		{ NULL, "Pending", PHASE_UNKNOWN, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = make_training(rows[i].status, rows[i].secondary);
		assert_int_equal(job_phase(&job), rows[i].phase);
		assert_int_equal(job_is_live(&job), rows[i].live);
		assert_int_equal(job_has_ended(&job), !rows[i].live);
		job_release(&job);
	}
}

static void phase__goes_by_the_start_time__when_processing(void **state)
{
	(void)state;
	struct job job = make(JOB_PROCESSING, "InProgress", NULL);
	assert_int_equal(job_phase(&job), PHASE_PENDING);
	job.started = at(5000);
	assert_int_equal(job_phase(&job), PHASE_RUNNING);
	mem_set_text(&job.status, "Stopping");
	assert_int_equal(job_phase(&job), PHASE_STOPPING);
	job_release(&job);
}

static void phase__is_unknown__when_processing_is_known_from_a_list_only(void **state)
{
	struct job job = { .kind = JOB_PROCESSING, .created = { true, 1000 } };
	int64_t wait_ms;
	bool final;

	(void)state;
	job.status = mem_copy_text("InProgress");
	assert_int_equal(job_phase(&job), PHASE_UNKNOWN);
	assert_false(job_wait_ms(&job, 9000, &wait_ms, &final));
	/* Its details were known before: a pending job stays pending until it is described again.
	 */
	job.prefs.length = 1;
	assert_int_equal(job_phase(&job), PHASE_PENDING);
	job_release(&job);
}

static void phase_word__is_read_back__when_in_any_case(void **state)
{
	static const char *const words[] = { "pending",   "starting", "running", "stopping",
					     "completed", "failed",   "stopped", "unknown" };
	enum phase phase;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		assert_true(phase_parse(words[i], &phase));
		assert_int_equal(phase, i);
		assert_string_equal(phase_word(phase), words[i]);
	}
	assert_true(phase_parse("PENDing", &phase));
	assert_int_equal(phase, PHASE_PENDING);
	assert_false(phase_parse("InProgress", &phase));
	assert_false(phase_parse("", &phase));
	assert_string_equal(job_kind_word(JOB_TRAINING), "training");
	assert_string_equal(job_kind_word(JOB_PROCESSING), "processing");
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

/* Case 001: created 05:49:40.493, started 05:52:46.108 (185.615 s), the last transition is open. */
static void wait__does_not_tick__when_an_ended_job_has_an_open_transition(void **state)
{
	struct job job = make_training("Completed", "Completed");

	(void)state;
	job.created = at(0);
	job.started = at(185615);
	job.modified = at(185615);
	job_add_transition(&job, "Starting", NULL, at(0), at(185615));
	job_add_transition(&job, "Downloading", NULL, at(185615), open_end);
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
	job_add_transition(&job, "Starting", NULL, at(0), open_end);
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
	struct job job = make(JOB_PROCESSING, "InProgress", NULL);

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
	stretch(&job, "Starting", 1000, 1060);
	stretch(&job, "Downloading", 1060, 1070);
	stretch(&job, "Training", 1070, 1500);
	stretch(&job, "Interrupted", 1500, 1520);
	stretch(&job, "Starting", 1520, 1560);
	stretch(&job, "Downloading", 1560, 1570);
	stretch(&job, "Training", 1570, 2000);
	stretch(&job, "Uploading", 2000, 2010);
	stretch(&job, "Completed", 2010, 2010);
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
	stretch(&job, "Starting", 1000, 1030);
	stretch(&job, "Training", 1030, 1100);
	stretch(&job, "Interrupted", 1100, 1107);
	stretch(&job, "Starting", 1107, 1200);
	stretch(&job, "Training", 1200, 1300);
	stretch(&job, "Interrupted", 1300, 1311);
	stretch(&job, "Downloading", 1311, 1320);
	stretch(&job, "Training", 1320, 1400);
	stretch(&job, "Stopping", 1400, 1402);
	stretch(&job, "MaxWaitTimeExceeded", 1402, 1402);
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
	stretch(&job, "Starting", 1000, 4600);
	stretch(&job, "Stopping", 4600, 4601);
	stretch(&job, "MaxWaitTimeExceeded", 4601, 4601);
	assert_int_equal(wait_of(&job, 9000000), 3600000);
	job_release(&job);
}

static void wait__counts_the_gap__when_the_first_transition_is_late(void **state)
{
	struct job job = make_training("InProgress", "Pending");

	(void)state;
	stretch(&job, "Pending", 1010, -1);
	assert_int_equal(wait_of(&job, 1100000), 100000);
	/* Also where the first transition is no wait itself. */
	job_release(&job);
	job = make_training("InProgress", "Training");
	stretch(&job, "Training", 1025, -1);
	assert_int_equal(wait_of(&job, 1100000), 25000);
	job_release(&job);
}

static void wait__ticks__when_pending_again(void **state)
{
	struct job job = make_training("InProgress", "Interrupted");

	(void)state;
	stretch(&job, "Starting", 1000, 1060);
	stretch(&job, "Training", 1060, 1200);
	stretch(&job, "Interrupted", 1200, -1);
	assert_int_equal(wait_of(&job, 1200000), 60000);
	assert_int_equal(wait_of(&job, 1230500), 90500);
	job_release(&job);
}

static void wait__is_clamped__when_times_overlap_or_run_backwards(void **state)
{
	struct job job = make_training("Completed", "Completed");

	(void)state;
	/* Shared time counts once: 1000 to 1080. */
	stretch(&job, "Starting", 1000, 1060);
	stretch(&job, "Pending", 1030, 1080);
	stretch(&job, "Training", 1080, 1100);
	assert_int_equal(wait_of(&job, 9000000), 80000);
	job_release(&job);

	/* An end before its start is no time at all. */
	job = make_training("Completed", "Completed");
	stretch(&job, "Starting", 1000, 1010);
	stretch(&job, "Interrupted", 1500, 1400);
	assert_int_equal(wait_of(&job, 9000000), 10000);
	job_release(&job);

	/* What lies before the submission is no wait for this job. */
	job = make_training("Completed", "Completed");
	stretch(&job, "Starting", 900, 1010);
	assert_int_equal(wait_of(&job, 9000000), 10000);
	job_release(&job);

	/* A first transition in the future: the wait is never longer than the job is old. */
	job = make_training("InProgress", "Pending");
	stretch(&job, "Pending", 2000, -1);
	assert_int_equal(wait_of(&job, 1003000), 3000);
	job_release(&job);

	/* Times at the ends of their range. */
	job = make_training("InProgress", "Pending");
	job.created = at(INT64_MIN);
	job_add_transition(&job, "Pending", NULL, at(INT64_MAX), open_end);
	job_add_transition(&job, "Starting", NULL, at(INT64_MIN), at(INT64_MAX));
	assert_true(wait_of(&job, INT64_MAX) >= 0);
	job_release(&job);
}

static void wait__ends_where_the_next_begins__when_an_open_stretch_has_a_follower(void **state)
{
	struct job job = make_training("InProgress", "Training");

	(void)state;
	stretch(&job, "Pending", 1000, -1);
	stretch(&job, "Training", 1042, -1);
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
		{ "InProgress", "Pending", true },      { "InProgress", "Starting", true },
		{ "InProgress", "Interrupted", false }, { "InProgress", "Restarting", false },
		{ "InProgress", "Training", false },    { "InProgress", NULL, false },
		{ "Stopping", "Pending", false },       { "Completed", "Completed", false },
		{ "Stopped", "Stopped", false },        { "Failed", "Failed", false },
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
		bool started, billed;
		int64_t billable_ms;
		bool never;
	} rows[] = {
		/* case 060: Stopped, 0 billed seconds */
		{ "Stopped", false, true, 0, true },
		{ "Stopped", true, true, 0, true },
		{ "Stopped", false, false, 0, true },
		{ "Stopped", true, false, 0, false },
		{ "Stopped", true, true, 5000, false },
		{ "Stopped", false, true, 5000, false },
		/* case 075: Failed with CapacityError; a failure after the start had instances */
		{ "Failed", false, false, 0, true },
		{ "Failed", true, true, 0, false },
		{ "Completed", false, false, 0, false },
		{ "Stopping", false, false, 0, false },
		{ "InProgress", false, false, 0, false },
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
	stretch(&job, "Pending", 1000, -1);
	job.max_pending = at(1800000);
	struct opt_ms deadline = job_pending_deadline(&job, 1600000);
	assert_true(deadline.set);
	assert_int_equal(deadline.ms, 2800000);
	/* A job that ran in between has as much more time. */
	job_release(&job);
	job = make_training("InProgress", "Restarting");
	stretch(&job, "Starting", 1000, 1060);
	stretch(&job, "Training", 1060, 2060);
	stretch(&job, "Restarting", 2060, -1);
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
	stretch(&job, "Pending", 1000, -1);
	assert_false(job_pending_deadline(&job, 1600000).set);
	job.max_pending = at(1800000);
	assert_true(job_pending_deadline(&job, 1600000).set);
	memcpy(job.prefs.entries[0].instance_type, "ml.m5.24xlarge", 15);
	assert_false(job_pending_deadline(&job, 1600000).set);
	/* One accelerated entry is enough. */
	job.prefs.length = 2;
	memcpy(job.prefs.entries[1].instance_type, "ml.trn1.32xlarge", 17);
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
	stretch(&job, "Pending", 1000, -1);
	job.max_pending = at(1800000);
	struct opt_ms deadline = job_pending_deadline(&job, 2900000);
	assert_true(deadline.set);
	assert_int_equal(deadline.ms, 2800000);
	memcpy(job.prefs.entries[0].plan_arn, "arn:plan", 9);
	assert_false(job_pending_deadline(&job, 2900000).set);
	assert_int_equal(job_pending_deadline(&job, 2700000).ms, 2800000);
	job.prefs.entries[0].plan_arn[0] = '\0';
	memcpy(job.prefs.job_plan_arn, "arn:plan", 9);
	assert_false(job_pending_deadline(&job, 2900000).set);
	job.max_pending = at(INT64_MIN);
	assert_false(job_pending_deadline(&job, 2900000).set);
	job_release(&job);
}

/* product.md, Words: trailing groups of digits, dates, or hex of four characters with a digit. */
static void stem__drops_the_groups_of_a_run__when_they_trail(void **state)
{
	static const struct {
		const char *name, *stem;
	} rows[] = {
		{ "llm-ft-0930", "llm-ft" },
		{ "eval-nightly", "eval-nightly" },
		{ "sagemaker-xgboost-2025-05-16-18-10-50-386", "sagemaker-xgboost" },
		{ "bert-128-a1b2c", "bert" },
		{ "bert-128-large", "bert-128-large" },
		{ "job-deadbeef", "job-deadbeef" }, /* no digit */
		{ "job-2e", "job-2e" },             /* shorter than four */
		{ "job-2e4", "job-2e4" },
		{ "job-2e4f", "job" },
		{ "job-DEAD0", "job" },
		{ "job-v2", "job-v2" },
		{ "job-20260930T204808Z", "job" },
		{ "job-260930t2048", "job" },
		{ "job-20260930T2048x", "job-20260930T2048x" },
		{ "job-2026T20", "job-2026T20" },
		{ "a--12", "a" },
		{ "a-12--", "a" },
		{ "2024", "2024" },
		{ "2024-11-30", "2024" },
		{ "-12", "-12" },
		{ "", "" },
	};
	char stem[JOB_NAME_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		job_stem(rows[i].name, stem);
		assert_string_equal(stem, rows[i].stem);
	}
}

#define LETTERS_49 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvw"

/* 1796071688 is 2026-11-30T20:48:08Z. */
static void copy_name__is_stem_and_stamp__when_the_name_is_ordinary(void **state)
{
	static const struct {
		const char *name, *copy;
	} rows[] = {
		{ "llm-ft-0930", "llm-ft-261130-204808" },
		{ "llm-ft-261129-120000", "llm-ft-261130-204808" },
		{ "x", "x-261130-204808" },
		{ "2024-11-30", "2024-261130-204808" },
		{ "12345678", "12345678-261130-204808" },
		{ "", "job-261130-204808" },
		{ "---", "job-261130-204808" },
		{ "-a", "a-261130-204808" },
		{ "a_b.c", "a-b-c-261130-204808" },
		{ "a\x1b[2J", "a--2J-261130-204808" },
		{ LETTERS_49, LETTERS_49 "-261130-204808" },
		{ LETTERS_49 "xyzxyzxyz", LETTERS_49 "-261130-204808" },
		/* A cut right behind a dash would leave two. */
		{ "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv-tail",
		  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv-261130-204808" },
	};
	char copy[JOB_NAME_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		job_copy_name(rows[i].name, INT64_C(1796071688000), copy);
		assert_string_equal(copy, rows[i].copy);
		assert_true(job_name_is_valid(copy));
	}
}

static void copy_name__is_valid__whatever_the_name(void **state)
{
	uint32_t seed = 20261130;
	char name[100], copy[JOB_NAME_SIZE];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t len = 0, wanted = (size_t)round % 90;
		for (; len < wanted; len++) {
			static const char mix[] = "a0-9f-Z-1-\x80 T_";
			seed = seed * 1664525 + 1013904223;
			name[len] = mix[(seed >> 16) % (sizeof(mix) - 1)];
		}
		name[len] = '\0';
		job_copy_name(name, INT64_C(1796071688000), copy);
		assert_true(job_name_is_valid(copy));
		assert_non_null(strstr(copy, "-261130-204808"));
	}
}

static void name__is_valid__when_it_fits_the_pattern(void **state)
{
	static const struct {
		const char *name;
		bool valid;
	} rows[] = {
		{ "a", true },
		{ "9", true },
		{ "a-b", true },
		{ "a---b", true },
		{ "", false },
		{ "-", false },
		{ "-a", false },
		{ "a-", false },
		{ "a_b", false },
		{ "a.b", false },
		{ "a b", false },
		{ "a\n", false },
		{ "\xc3\xa9", false },
		{ LETTERS_49 "abcdefghijklmn", true },
		{ LETTERS_49 "abcdefghijklmno", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(job_name_is_valid(rows[i].name), rows[i].valid);
}

/* Case 008: ml.g6.48xlarge x2, then ml.g5.48xlarge x4; the second is selected. */
static void selection__has_its_rank__when_the_list_holds_the_type(void **state)
{
	struct job job = make_training("InProgress", "Training");

	(void)state;
	job.prefs = (struct preferences){ .length = 2, .is_list = true };
	job.prefs.entries[0] = (struct preference){ "ml.g6.48xlarge", true, 2, "", "" };
	job.prefs.entries[1] = (struct preference){ "ml.g5.48xlarge", true, 4, "", "" };
	job_settle_selection(&job);
	assert_false(job.selected.set);
	job.selected = (struct selected){ true, "ml.g5.48xlarge", 4, 9 };
	job_settle_selection(&job);
	assert_int_equal(job.selected.rank, 2);
	assert_int_equal(job.selected.count, 4);
	memcpy(job.selected.instance_type, "ml.p5.48xlarge", 15);
	job_settle_selection(&job);
	assert_true(job.selected.set);
	assert_int_equal(job.selected.rank, 0);
	job_release(&job);
}

static void selection__is_the_one_preference__when_without_a_list(void **state)
{
	static const struct {
		const char *status, *secondary;
		bool started, set;
	} rows[] = {
		{ "InProgress", "Pending", false, false },
		{ "InProgress", "Interrupted", true, false },
		{ "InProgress", "Downloading", false, true },
		{ "InProgress", "Training", true, true },
		{ "InProgress", "Dreaming", false, false },
		{ "InProgress", "Dreaming", true, true },
		{ "Stopping", "Starting", false, false },
		{ "Stopping", "Training", true, true },
		{ "Completed", "Completed", false, true },
		{ "Failed", "Failed", false, false },
		{ "Stopped", "Stopped", true, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = make_training(rows[i].status, rows[i].secondary);
		if (rows[i].started)
			job.started = at(1500000);
		job_settle_selection(&job);
		assert_int_equal(job.selected.set, rows[i].set);
		if (rows[i].set) {
			assert_string_equal(job.selected.instance_type, "ml.p4d.24xlarge");
			assert_int_equal(job.selected.count, 2);
			assert_int_equal(job.selected.rank, 1);
		}
		job.has_groups = true;
		job_settle_selection(&job);
		assert_false(job.selected.set);
		job_release(&job);
	}
}

static void transitions__stay_in_order__when_added_out_of_it(void **state)
{
	struct job job = { 0 };
	static const char *const order[] = { "A", "B", "C", "D", "E" };

	(void)state;
	stretch(&job, "B", 10, -1);
	stretch(&job, "C", 10, -1);
	stretch(&job, "D", 30, -1);
	stretch(&job, "A", 5, -1);
	job_add_transition(&job, "E", "text", open_end, open_end);
	assert_int_equal(job.transition_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(job.transitions[i].status, order[i]);
	for (int64_t i = 0; i < 400; i++)
		stretch(&job, "F", 100 + i, -1);
	assert_int_equal(job.transition_count, JOB_TRANSITIONS_MAX);
	job_release(&job);
	assert_null(job.transitions);
	job_release(&job);
	job_release(NULL);
}

static void copy__shares_nothing__when_made(void **state)
{
	struct job from = make_training("InProgress", "Pending");
	struct job to = make_training("Failed", "Failed");

	(void)state;
	from.arn = mem_copy_text("arn:1");
	from.status_message = mem_copy_text("no capacity");
	from.failure_reason = mem_copy_text("reason");
	from.role_arn = mem_copy_text("role");
	from.image = mem_copy_text("image");
	from.request_json = mem_copy_text("{}");
	job_add_transition(&from, "Pending", "why", at(5), open_end);
	job_copy(&to, &from);
	assert_string_equal(to.arn, "arn:1");
	assert_ptr_not_equal(to.arn, from.arn);
	assert_ptr_not_equal(to.transitions, from.transitions);
	job_release(&from);
	assert_null(from.arn);
	assert_string_equal(to.status, "InProgress");
	assert_string_equal(to.transitions[0].message, "why");
	assert_false(to.transitions[0].end.set);
	job_copy(&to, &to);
	job_move(&to, &to);
	assert_string_equal(to.request_json, "{}");
	job_move(&from, &to);
	assert_null(to.arn);
	assert_string_equal(from.image, "image");
	job_release(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phase__follows_the_secondary_status__when_in_progress),
		cmocka_unit_test(phase__goes_by_the_primary_status_first__when_it_decides),
		cmocka_unit_test(phase__goes_by_the_start_time__when_processing),
		cmocka_unit_test(phase__is_unknown__when_processing_is_known_from_a_list_only),
		cmocka_unit_test(phase_word__is_read_back__when_in_any_case),
		cmocka_unit_test(wait__is_creation_to_start__when_the_job_is_ordinary),
		cmocka_unit_test(wait__does_not_tick__when_an_ended_job_has_an_open_transition),
		cmocka_unit_test(wait__ticks_from_creation__when_stopping_before_any_instance),
		cmocka_unit_test(wait__is_never_negative__when_now_is_before_the_creation),
		cmocka_unit_test(wait__sums_every_stretch__when_spot_was_interrupted),
		cmocka_unit_test(wait__takes_a_skipped_state__when_spot_was_interrupted_twice),
		cmocka_unit_test(wait__ends_with_the_job__when_it_never_launched),
		cmocka_unit_test(wait__counts_the_gap__when_the_first_transition_is_late),
		cmocka_unit_test(wait__ticks__when_pending_again),
		cmocka_unit_test(wait__is_clamped__when_times_overlap_or_run_backwards),
		cmocka_unit_test(
			wait__ends_where_the_next_begins__when_an_open_stretch_has_a_follower),
		cmocka_unit_test(wait__is_creation_to_start__when_there_are_no_transitions),
		cmocka_unit_test(wait__is_said_only_where_known__when_from_a_list),
		cmocka_unit_test(never_started__needs_no_start_and_no_bill__when_ended),
		cmocka_unit_test(deadline__is_what_is_left_from_now__when_pending),
		cmocka_unit_test(deadline__is_unset__when_the_limit_has_no_effect),
		cmocka_unit_test(deadline__is_unset_once_passed__when_the_list_has_a_plan),
		cmocka_unit_test(stem__drops_the_groups_of_a_run__when_they_trail),
		cmocka_unit_test(copy_name__is_stem_and_stamp__when_the_name_is_ordinary),
		cmocka_unit_test(copy_name__is_valid__whatever_the_name),
		cmocka_unit_test(name__is_valid__when_it_fits_the_pattern),
		cmocka_unit_test(selection__has_its_rank__when_the_list_holds_the_type),
		cmocka_unit_test(selection__is_the_one_preference__when_without_a_list),
		cmocka_unit_test(transitions__stay_in_order__when_added_out_of_it),
		cmocka_unit_test(copy__shares_nothing__when_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
