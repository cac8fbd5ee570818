/*
 * What `explain` owes the reports of operators (../shared/cases): class, deciding fact, words and
 * next steps, by hand from each case. A case's own text is used where the folder is there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/explain.h"
#include "model/store_quotas.h"
#include "tests/jobs.h"
#include "tests/shared.h"
#include "views/text/report.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define NOW    (24 * HOUR)
#define P4D    "ml.p4d.24xlarge"
#define G5     "ml.g5.2xlarge"
#define PLAN   "arn:aws:sagemaker:us-east-1:111122223333:training-plan/later"

static struct explanation ask(const struct store *store, const struct job *job)
{
	struct explanation out;
	explain(&(struct explain_ask){ .job = job, .store = store, .now_ms = NOW }, &out);
	return out;
}

static const struct explain_fact *find(const struct explanation *out, const char *fact)
{
	for (size_t i = 0; i < out->fact_count; i++)
		if (strcmp(out->facts[i].fact, fact) == 0)
			return &out->facts[i];
	return NULL;
}

static bool offers(const struct explanation *out, enum explain_action action)
{
	for (size_t i = 0; i < out->next_count; i++)
		if (out->next[i].action == action)
			return true;
	return false;
}

static void want_text(const struct explanation *out, const char *part)
{
	if (!strstr(out->text, part))
		fail_msg("no '%s' in: %s", part, out->text);
}

/* Two hours from its creation to its end, without a start. */
static struct job ended(const char *name, const char *status, const char *secondary)
{
	struct job job = described_job(name, NOW - 3 * HOUR, status, secondary);
	job.ended = at(NOW - HOUR);
	job.modified = job.ended;
	job_add_transition(&job, "Pending", NULL, job.created, job.ended);
	return job;
}

/* The line of that number (from 0) of a case's input, or all of it (-1); else what stands for it.
 * To be freed. */
static char *words_of(const char *input, int line, const char *otherwise)
{
	size_t len;
	char *text = shared_read(input, &len);
	if (!text)
		return mem_copy_text(otherwise);
	char *at_line = text;
	for (int i = 0; i < line; i++)
		at_line += strcspn(at_line, "\n") + 1;
	char *out =
		line < 0 ? mem_copy_text(text) : mem_copy_bytes(at_line, strcspn(at_line, "\n"));
	free(text);
	return out;
}

/* A job of the stem that was seen before, submitted so long before NOW. */
static void remember(struct history *history, const char *name, int64_t ago_ms, int64_t wait_ms,
		     enum wait_outcome outcome)
{
	struct history_job job = {
		.key = history_key(name),
		.name = texts_add(&history->texts, name),
		.stem = texts_add(&history->texts, "nightly"),
		.types = { texts_add(&history->texts, P4D) },
		.counts = { 2 },
		.entry_count = 1,
		.rank = outcome == WAIT_STARTED ? 1 : 0,
		.kind = JOB_TRAINING,
		.phase = outcome == WAIT_STARTED ? PHASE_COMPLETED : PHASE_STOPPED,
		.outcome = (uint8_t)outcome,
		.created_ms = NOW - ago_ms,
		.first_wait_ms = wait_ms,
		.has_created = true,
		.has_first_wait = true,
		.has_details = true,
	};
	history_put(history, &job);
}

/* --- reasons --- */

static size_t count_lines(const struct buf *out)
{
	size_t lines = 0;
	for (size_t i = 0; i < out->len; i++)
		lines += out->data[i] == '\n';
	return lines;
}

static struct buf report(const struct job *job, enum report_format format)
{
	struct store store = { 0 };
	struct explanation explanation = ask(&store, job);
	struct buf out;
	buf_init(&out, 1u << 20);
	report_explanations(&out,
			    &(struct report_context){ .format = format,
						      .region = "us-east-1",
						      .prices = &store.prices,
						      .now_ms = NOW },
			    &(struct report_explain){ .job = job, .explanation = &explanation }, 1);
	assert_false(out.failed);
	explanation_release(&explanation);
	return out;
}

/* Twelve lines of Python are one row of the table, as a short reason is. */
static void case_010__reason_of_many_lines__is_one_row_of_evidence(void **state)
{
	char *reason = words_of("cases/010-failure-reason-multiline-python/input.txt", -1,
				"AlgorithmError: \nTraceback (most recent call last):\n  File");
	struct job job = ended("nightly-3", "Failed", "Failed");
	(void)state;
	job.started = at(NOW - 2 * HOUR);
	mem_set_text(&job.failure_reason, "short");
	struct buf plain = report(&job, REPORT_TABLE);
	mem_set_text(&job.failure_reason, reason);
	struct buf long_one = report(&job, REPORT_TABLE);
	assert_int_equal(count_lines(&long_one), count_lines(&plain));
	assert_non_null(strstr(buf_text(&long_one), "Traceback (most recent call last):"));
	buf_release(&plain);
	buf_release(&long_one);
	job_release(&job);
	free(reason);
}

/* Escaped where the format wants it, and nothing read out of it. */
static void case_011__lone_quote__is_escaped_in_json_and_csv(void **state)
{
	char *reason = words_of("cases/011-failure-reason-unbalanced-quote/input.txt", -1,
				"ExitCode 1\nErrorMessage \"raise EnvironmentError(msg)\n");
	struct job job = ended("nightly-3", "Failed", "Failed");
	struct store store = { 0 };
	(void)state;
	job.started = at(NOW - 2 * HOUR);
	mem_set_text(&job.failure_reason, reason);
	struct buf json = report(&job, REPORT_JSON), csv = report(&job, REPORT_CSV);
	assert_non_null(strstr(buf_text(&json), "\\nErrorMessage \\\"raise EnvironmentError(msg)"));
	assert_non_null(strstr(buf_text(&csv), "\nErrorMessage \"\"raise EnvironmentError(msg)"));
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_FAILED);
	assert_string_equal(find(&out, "FailureReason")->value, reason);
	assert_null(find(&out, "exit code"));
	explanation_release(&out);
	buf_release(&json);
	buf_release(&csv);
	job_release(&job);
	free(reason);
}

/* 139 = 128 + 11, SIGSEGV: a remark of gpuq's own, on which no class rests. */
static void case_013__exit_code__is_a_remark_beside_the_reason(void **state)
{
	char *reason = words_of("cases/013-failure-reason-exit-code-only/input.txt", 0,
				"AlgorithmError: Exit Code: 139");
	struct job job = ended("nightly-3", "Failed", "Failed");
	struct store store = { 0 };
	(void)state;
	job.started = at(NOW - 2 * HOUR);
	mem_set_text(&job.failure_reason, reason);
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_FAILED);
	assert_string_equal(find(&out, "FailureReason")->value, reason);
	assert_string_equal(find(&out, "exit code")->value,
			    "exit code 139 is 128 + 11: usually an end by SIGSEGV");
	assert_string_equal(find(&out, "exit code")->source, "gpuq's remark");
	assert_true(find(&out, "exit code")->is_hint);
	explanation_release(&out);
	mem_set_text(&job.failure_reason, "AlgorithmError: Exit Code: 1");
	out = ask(&store, &job);
	assert_null(find(&out, "exit code"));
	explanation_release(&out);
	job_release(&job);
	free(reason);
}

/* By the prefix alone, with other words behind it too; and never a fault of the code. */
static void case_041__capacity_error__is_capacity_and_a_longer_list_is_offered(void **state)
{
	char *reason =
		words_of("cases/041-capacity-error-reason/input.txt", 0,
			 "CapacityError: Unable to provision requested ML compute capacity.");
	const char *const reasons[] = { reason, "CapacityError: other words" };
	struct store store = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
		struct job job = ended("nightly-3", "Failed", "Failed");
		mem_set_text(&job.failure_reason, reasons[i]);
		struct explanation out = ask(&store, &job);
		assert_int_equal(out.class, EXPLAIN_CAPACITY);
		assert_true(out.certain);
		assert_string_equal(out.facts[0].fact, "FailureReason");
		want_text(&out, "no capacity for " P4D ", no fault of its code");
		assert_int_equal(out.next[0].action, EXPLAIN_RESUBMIT);
		assert_string_equal(out.next[0].why, "a copy with a longer list may start");
		explanation_release(&out);
		mem_set_text(&job.failure_reason, "Not a CapacityError: this run's own words");
		out = ask(&store, &job);
		assert_int_equal(out.class, EXPLAIN_NEVER_STARTED); /* it had no instance */
		explanation_release(&out);
		job_release(&job);
	}
	free(reason);
}

/* Zone ids as they came; another type than the job asks for is an old message. */
static void case_043__zone_ids_stay__and_an_old_type_is_pointed_out(void **state)
{
	char *reason = words_of("cases/043-ec2-insufficient-with-az/input.txt", 0,
				"EC2InsufficientCapacityError: Instance type 'ml.g5.48xlarge' is "
				"unavailable in zones [euw1-az1].");
	struct job job = ended("nightly-3", "Failed", "Failed");
	struct store store = { 0 };
	(void)state;
	mem_set_text(&job.failure_reason, reason);
	struct explanation out = ask(&store, &job);
	assert_int_not_equal(out.class, EXPLAIN_CAPACITY); /* another class of error */
	assert_non_null(strstr(find(&out, "FailureReason")->value, "[euw1-az1]"));
	assert_non_null(strstr(find(&out, "type in the message")->value, "may be an old one"));
	explanation_release(&out);
	memcpy(job_edit_prefs(&job)->entries[0].instance_type, "ml.g5.48xlarge",
	       sizeof("ml.g5.48xlarge"));
	out = ask(&store, &job);
	assert_null(find(&out, "type in the message"));
	explanation_release(&out);
	job_release(&job);
	free(reason);
}

/* --- refusals --- */

static struct explanation ask_refused(const struct store *store, const char *text)
{
	struct explanation out;
	struct err err = { 0 };
	(void)err_set(&err, ERR_REFUSED, "%s", text);
	memcpy(err.aws_code, "ResourceLimitExceeded", sizeof("ResourceLimitExceeded"));
	struct preferences prefs = { .length = 1 };
	memcpy(prefs.entries[0].instance_type, "ml.p3.2xlarge", sizeof("ml.p3.2xlarge"));
	const struct explain_refusal refusal = {
		.err = &err, .at = { true, NOW }, .kind = JOB_TRAINING, .prefs = &prefs
	};
	explain(&(struct explain_ask){ .refusal = &refusal, .store = store, .now_ms = NOW }, &out);
	err_clear(&err);
	return out;
}

/* Name, limit, use and what was asked for, of both wordings; waiting or sending it again are no
 * steps. */
static void case_037__quota__is_no_want_of_capacity_in_both_wordings(void **state)
{
	static const char input[] = "cases/037-quota-text-two-generations/input.txt";
	static const struct {
		const char *otherwise, *value;
	} rows[] = {
		{ "The account-level service limit for training-job/ml.p2.xlarge is 0 Instances, "
		  "with current utilization of 0 Instances and a request delta of 2 Instances.",
		  "training-job/ml.p2.xlarge: 0 of 0, asked 2" },
		{ "The account-level service limit 'ml.p3.2xlarge for training job usage' is 0 "
		  "Instances, with current utilization of 0 Instances and a request delta of 1 "
		  "Instances.",
		  "ml.p3.2xlarge for training job usage: 0 of 0, asked 1" },
	};
	struct store store = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = words_of(input, (int)i, rows[i].otherwise);
		struct explanation out = ask_refused(&store, text);
		assert_int_equal(out.class, EXPLAIN_QUOTA);
		assert_string_equal(out.facts[0].fact, "ErrorCode");
		assert_string_equal(find(&out, "quota")->value, rows[i].value);
		assert_string_equal(find(&out, "message")->value, text);
		want_text(&out, "Quota, not capacity");
		want_text(&out, "nobody may run this type yet");
		assert_int_equal(out.next[0].action, EXPLAIN_ASK_QUOTA);
		assert_false(offers(&out, EXPLAIN_WAIT) || offers(&out, EXPLAIN_RESUBMIT) ||
			     offers(&out, EXPLAIN_REQUEUE));
		explanation_release(&out);
		free(text);
	}
}

/* The quota that counts is the request's own kind, with the time at which it was read. */
static void case_083__quota__is_of_the_kind_of_the_request(void **state)
{
	struct store store = { 0 };
	struct job job = described_job("nightly-3", NOW - HOUR, "InProgress", "Starting");
	(void)state;
	store_take_quota(&store, P4D, QUOTA_TRAINING, 10, false, NOW - 2 * HOUR, 5);
	store_take_quota(&store, P4D, QUOTA_SPOT, 8, false, NOW - HOUR, 6);
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.entries[0].quota_kind, QUOTA_TRAINING);
	assert_int_equal(out.entries[0].limit, 10);
	assert_int_equal(out.entries[0].limit_read_ms, NOW - 2 * HOUR);
	explanation_release(&out);
	job.spot = true;
	out = ask(&store, &job);
	assert_int_equal(out.entries[0].quota_kind, QUOTA_SPOT);
	assert_int_equal(out.entries[0].limit, 8);
	assert_int_equal(out.entries[0].limit_read_ms, NOW - HOUR);
	explanation_release(&out);
	struct buf json = report(&job, REPORT_JSON);
	assert_non_null(strstr(buf_text(&json), "\"quota_kind\":\"spot\""));
	buf_release(&json);
	/* Of a refused request AWS's text names it. */
	out = ask_refused(&store,
			  "The account-level service limit 'ml.p3.2xlarge for spot training job "
			  "usage' is 8 Instances, with current utilization of 7 Instances and a "
			  "request delta of 2 Instances.");
	assert_int_equal(out.entries[0].quota_kind, QUOTA_SPOT);
	explanation_release(&out);
	job_release(&job);
	store_release(&store);
}

/* --- ends --- */

/* No start and no bill: "never started" with the wait, and what became of earlier tries: one of
 * three had started, the two after it had not. 2 h, 3 h and 4 h are 9 h. */
static void case_060__never_started__is_apart_from_stopped_while_it_ran(void **state)
{
	struct store store = { 0 };
	struct job job = ended("nightly-4", "Stopped", "Stopped");
	(void)state;
	job.billable = at(0);
	remember(&store.history, "nightly-1", 20 * HOUR, HOUR, WAIT_STARTED);
	remember(&store.history, "nightly-2", 15 * HOUR, 3 * HOUR, WAIT_STOPPED);
	remember(&store.history, "nightly-3", 10 * HOUR, 4 * HOUR, WAIT_TIMED_OUT);
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_NEVER_STARTED);
	assert_string_equal(out.facts[0].fact, "TrainingStartTime");
	assert_null(out.facts[0].value);
	want_text(&out,
		  "without ever having had an instance; nothing was billed. It waited 2h00m.");
	want_text(&out, "Of 3 earlier jobs of nightly 2 never started.");
	assert_int_equal(out.next[0].action, EXPLAIN_RESUBMIT);
	explanation_release(&out);
	job.started = at(NOW - 2 * HOUR);
	job.billable = at(HOUR);
	out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_STOPPED);
	want_text(&out, "It was stopped while it ran");
	explanation_release(&out);
	job_release(&job);
	store_release(&store);
}

/* Stopped is an end in each way, and what stopped it decides. */
static void case_064__end_by_a_limit__is_told_from_the_secondary_status(void **state)
{
	static const struct {
		const char *secondary;
		bool started;
		enum explain_class class;
	} rows[] = {
		{ "MaxRuntimeExceeded", true, EXPLAIN_LIMIT_RUNTIME },
		{ "MaxWaitTimeExceeded", false, EXPLAIN_CAPACITY },
		{ "MaxPendingTimeExceeded", false, EXPLAIN_CAPACITY },
		{ "Stopped", true, EXPLAIN_STOPPED },
		{ "Stopped", false, EXPLAIN_NEVER_STARTED },
		{ "NewReasonExceeded", true, EXPLAIN_STOPPED },
	};
	struct store store = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = ended("nightly-3", "Stopped", rows[i].secondary);
		if (rows[i].started)
			job.started = at(NOW - 2 * HOUR);
		struct explanation out = ask(&store, &job);
		assert_true(job_has_ended(&job));
		assert_int_equal(out.class, rows[i].class);
		assert_string_equal(find(&out, "SecondaryStatus")->value, rows[i].secondary);
		explanation_release(&out);
		job_release(&job);
	}
}

/* Its instances count until it has ended: no step sends another one at once. */
static void case_072__stopping__offers_nothing_as_if_the_slot_were_free(void **state)
{
	struct store store = { 0 };
	struct job job = described_job("nightly-3", NOW - HOUR, "Stopping", "Stopping");
	(void)state;
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_STOPPING);
	want_text(&out, "count towards the quota until it has ended");
	assert_int_equal(out.next[0].action, EXPLAIN_WAIT);
	assert_string_equal(out.next[0].why, "its end, and the quota, take 1-3 min");
	assert_false(offers(&out, EXPLAIN_RESUBMIT) || offers(&out, EXPLAIN_REQUEUE));
	explanation_release(&out);
	job_release(&job);
}

/* The two signs of AWS Batch, and the waits of one piece of work together: two hours of this one,
 * of the tries since the last start three and four; the one before that start does not count. */
static void case_075__two_signs_are_capacity__and_tries_of_one_work_count_together(void **state)
{
	struct store store = { 0 };
	struct job timed_out = ended("nightly-4", "Stopped", "MaxPendingTimeExceeded");
	struct job waits = described_job("nightly-5", NOW - HOUR, "InProgress", "Pending");
	(void)state;
	job_add_transition(&waits, "Pending", NULL, waits.created, (struct opt_ms){ 0 });
	remember(&store.history, "nightly-0", 30 * HOUR, 9 * HOUR, WAIT_TIMED_OUT);
	remember(&store.history, "nightly-1", 20 * HOUR, HOUR, WAIT_STARTED);
	remember(&store.history, "nightly-2", 15 * HOUR, 3 * HOUR, WAIT_TIMED_OUT);
	remember(&store.history, "nightly-3", 10 * HOUR, 4 * HOUR, WAIT_TIMED_OUT);
	remember(&store.history, "nightly-9", HOUR / 2, 5 * HOUR, WAIT_TIMED_OUT); /* later */
	struct explanation out = ask(&store, &timed_out);
	assert_int_equal(out.class, EXPLAIN_CAPACITY);
	assert_true(out.certain);
	want_text(&out, "Its pending limit ended it");
	want_text(&out, "Of 4 earlier jobs of nightly 3 never started.");
	want_text(&out, "With the 2 tries before it that never started: 9h00m in all.");
	explanation_release(&out);
	out = ask(&store, &waits);
	assert_int_equal(out.class, EXPLAIN_CAPACITY);
	want_text(&out, "It has waited 1h00m. With the 2 tries before it that never started: "
			"8h00m in all.");
	explanation_release(&out);
	job_release(&timed_out);
	job_release(&waits);
	store_release(&store);
}

/* --- waits --- */

/* Five hours of a limit of two, on a plan that opens tomorrow: no time over, no requeue first. */
static void case_079__plan_backed_wait__is_not_overdue(void **state)
{
	struct store store = { 0 };
	struct plan *plan = mem_new(1, sizeof(*plan));
	struct job job = described_job("nightly-3", NOW - 5 * HOUR, "InProgress", "Pending");
	(void)state;
	plan->arn = mem_copy_text(PLAN);
	plan->status = mem_copy_text("Scheduled");
	memcpy(plan->instance_type, P4D, sizeof(P4D));
	plan->start = at(NOW + HOUR);
	plan->end = at(NOW + 9 * HOUR);
	store_take_plans(&store, plan, 1);
	job_edit_prefs(&job)->is_list = true;
	assert_true(prefs_set_plan(job_edit_prefs(&job), 0, PLAN));
	job.max_pending = at(2 * HOUR);
	job_add_transition(&job, "Pending", NULL, job.created, (struct opt_ms){ 0 });
	struct explanation out = ask(&store, &job);
	assert_int_equal(out.class, EXPLAIN_PLAN_SCHEDULED);
	want_text(&out, "Its pending limit does not run until then.");
	assert_string_equal(find(&out, "wait")->value, "5h00m");
	assert_string_equal(find(&out, "MaxPendingTimeInSeconds")->value, "2h00m");
	assert_int_equal(out.next[0].action, EXPLAIN_WAIT);
	assert_false(offers(&out, EXPLAIN_STOP));
	explanation_release(&out);
	job_release(&job);
	store_release(&store);
}

/* Five messages of one state, and none, are one class; each is shown as it came. */
static void case_085__messages__are_hints_and_decide_nothing(void **state)
{
	static const char *const texts[] = {
		"Starting the training job",
		"Launching requested ML instances",
		"Insufficient capacity error from EC2 while launching instances, retrying!",
		"Launched instance was unhealthy, replacing it!",
		"Preparing the instances for training",
	};
	struct store store = { 0 };
	struct job job = described_job("nightly-3", NOW - HOUR, "InProgress", "Starting");
	(void)state;
	job_add_transition(&job, "Starting", NULL, job.created, (struct opt_ms){ 0 });
	for (int i = 0; i <= (int)ARRAY_LEN(texts); i++) {
		bool silent = i == (int)ARRAY_LEN(texts);
		char *text = silent ? NULL
				    : words_of("cases/085-status-message-matching/input.txt", i,
					       texts[i]);
		mem_set_text(&job.status_message, text);
		struct explanation out = ask(&store, &job);
		assert_int_equal(out.class, EXPLAIN_CAPACITY);
		assert_false(out.certain);
		assert_string_equal(out.facts[0].fact, "SecondaryStatus");
		assert_int_equal(find(&out, "StatusMessage") != NULL, !silent);
		if (!silent) {
			assert_string_equal(find(&out, "StatusMessage")->value, text);
			assert_true(find(&out, "StatusMessage")->is_hint);
		}
		explanation_release(&out);
		free(text);
	}
	job_release(&job);
}

/* A word of AWS that nobody knows yet is active, and named. */
static void case_086__unknown_word__is_unknown_and_not_an_end(void **state)
{
	static const char *const rows[][2] = { { "InProgress", "InReview" },
					       { "Reviewing", "Reviewing" } };
	struct store store = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = described_job("nightly-3", NOW - HOUR, rows[i][0], rows[i][1]);
		struct explanation out = ask(&store, &job);
		assert_int_equal(out.class, EXPLAIN_UNKNOWN);
		assert_false(job_has_ended(&job));
		assert_string_equal(out.facts[0].value, rows[i][1]);
		want_text(&out, "a word that gpuq does not know");
		explanation_release(&out);
		job_release(&job);
	}
}

/* Twelve starts of the type tell a usual wait; three tell none, and how few they are. */
static void case_088__usual_wait__is_told_from_ten_starts_on(void **state)
{
	struct store store = { 0 };
	struct outlook outlook = { 0 };
	struct job job = described_job("nightly-99", NOW - HOUR, "InProgress", "Pending");
	const struct explain_ask about = {
		.job = &job, .store = &store, .curves = &outlook.curves, .now_ms = NOW
	};
	struct explanation out;
	char name[32];
	(void)state;
	for (int i = 0; i < 12; i++) {
		(void)snprintf(name, sizeof(name), "nightly-%d", i);
		remember(&store.history, name, (20 - i) * HOUR, 40 * MINUTE, WAIT_STARTED);
		if (i != 2 && i != 11)
			continue;
		outlook_learn(&outlook, &store.history);
		explain(&about, &out);
		assert_int_equal(out.entries[0].wait_starts, i + 1);
		assert_int_equal(out.entries[0].has_wait, i == 11);
		if (i == 11)
			assert_int_equal(out.entries[0].wait_p50.ms, 40 * MINUTE);
		explanation_release(&out);
	}
	outlook_release(&outlook);
	job_release(&job);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_010__reason_of_many_lines__is_one_row_of_evidence),
		cmocka_unit_test(case_011__lone_quote__is_escaped_in_json_and_csv),
		cmocka_unit_test(case_013__exit_code__is_a_remark_beside_the_reason),
		cmocka_unit_test(
			case_041__capacity_error__is_capacity_and_a_longer_list_is_offered),
		cmocka_unit_test(case_043__zone_ids_stay__and_an_old_type_is_pointed_out),
		cmocka_unit_test(case_037__quota__is_no_want_of_capacity_in_both_wordings),
		cmocka_unit_test(case_083__quota__is_of_the_kind_of_the_request),
		cmocka_unit_test(case_060__never_started__is_apart_from_stopped_while_it_ran),
		cmocka_unit_test(case_064__end_by_a_limit__is_told_from_the_secondary_status),
		cmocka_unit_test(case_072__stopping__offers_nothing_as_if_the_slot_were_free),
		cmocka_unit_test(
			case_075__two_signs_are_capacity__and_tries_of_one_work_count_together),
		cmocka_unit_test(case_079__plan_backed_wait__is_not_overdue),
		cmocka_unit_test(case_085__messages__are_hints_and_decide_nothing),
		cmocka_unit_test(case_086__unknown_word__is_unknown_and_not_an_end),
		cmocka_unit_test(case_088__usual_wait__is_told_from_ten_starts_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
