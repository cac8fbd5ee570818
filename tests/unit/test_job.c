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
	struct job job = make_processing("InProgress");
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
	job_edit_prefs(&job)->length = 1;
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
		{ "job-20260930T204", "job-20260930T204" },
		{ "job-2026093T2048", "job-2026093T2048" },
		{ "job-x0260930T2048", "job-x0260930T2048" },
		{ "job-20260930x2048", "job-20260930x2048" },
		{ "job-20260930T2048z9", "job-20260930T2048z9" },
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
		{ "A0z9-ZaA", true },
		{ "a@b", false },
		{ "a[b", false },
		{ "a`b", false },
		{ "a{b", false },
		{ "a/b", false },
		{ "a:b", false },
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
	job.selected.set = false;
	*job_edit_prefs(&job) = (struct preferences){ .length = 2, .is_list = true };
	job_edit_prefs(&job)->entries[0] = (struct preference){ "ml.g6.48xlarge", true, 2, "", "" };
	job_edit_prefs(&job)->entries[1] = (struct preference){ "ml.g5.48xlarge", true, 4, "", "" };
	job_settle_selection(&job);
	assert_false(job.selected.set);
	job.selected = (struct selected){ true, "ml.g5.48xlarge", 4, 9 };
	job_settle_selection(&job);
	assert_int_equal(job.selected.rank, 2);
	assert_int_equal(job.selected.count, 4);
	memcpy(job.selected.instance_type, "ml.g6.48xlarge", 15);
	job_settle_selection(&job);
	assert_int_equal(job.selected.rank, 1);
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
	add_stretch(&job, "B", 10, -1);
	add_stretch(&job, "C", 10, -1);
	add_stretch(&job, "D", 30, -1);
	add_stretch(&job, "A", 5, -1);
	job_add_transition(&job, "E", "text", OPEN_END, OPEN_END);
	assert_int_equal(job.transition_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(job_transition(&job, i).status, order[i]);
	for (int64_t i = 0; i < 400; i++)
		add_stretch(&job, "F", 100 + i, -1);
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
	mem_set_text(&from.arn, "arn:1");
	mem_set_text(&from.status_message, "no capacity");
	from.failure_reason = mem_copy_text("reason");
	from.role_arn = mem_copy_text("role");
	from.image = mem_copy_text("image");
	from.request_json = mem_copy_text("{}");
	job_add_transition(&from, "Pending", "why", at(5), OPEN_END);
	job_copy(&to, &from);
	assert_string_equal(to.arn, "arn:1");
	assert_ptr_not_equal(to.arn, from.arn);
	assert_ptr_not_equal(to.transitions, from.transitions);
	job_release(&from);
	assert_null(from.arn);
	assert_string_equal(to.status, "InProgress");
	assert_string_equal(job_transition(&to, 0).message, "why");
	assert_false(job_transition(&to, 0).end.set);
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
