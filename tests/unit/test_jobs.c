#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "tests/shared.h"

/* Decoding alone; what goes over the wire is in test_create.c. */

static void describe(enum job_kind kind, const char *body, struct job *job)
{
	struct err err = { 0 };

	if (!jobs_decode_describe(kind, body, strlen(body), job, &err))
		fail_msg("%s", err_text(&err));
}

#define TRAINING                                                                        \
	"\"TrainingJobName\":\"a\",\"TrainingJobArn\":\"arn:a\",\"TrainingJobStatus\":" \
	"\"InProgress\""
#define PROCESSING                                                                            \
	"\"ProcessingJobName\":\"p\",\"ProcessingJobArn\":\"arn:p\",\"ProcessingJobStatus\":" \
	"\"InProgress\""

static void training__is_read_whole__with_list_and_selection(void **state)
{
	static const char body[] =
		"{" TRAINING ",\"SecondaryStatus\":\"Training\",\"RoleArn\":\"arn:role\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"img:1\"},"
		"\"ResourceConfig\":{\"VolumeSizeInGB\":500,\"KeepAlivePeriodInSeconds\":70,"
		"\"InstancePreferences\":["
		"{\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":2,"
		"\"TrainingPlanArns\":[\"arn:plan\"]},"
		"{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":4}],"
		"\"SelectedInstanceType\":\"ml.p4d.24xlarge\",\"SelectedInstanceCount\":4},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600,"
		"\"MaxPendingTimeInSeconds\":21600},"
		"\"EnableManagedSpotTraining\":false,\"CreationTime\":1786528800.5,"
		"\"TrainingStartTime\":1786528900,\"LastModifiedTime\":1786528901,"
		"\"BillableTimeInSeconds\":60,\"TrainingTimeInSeconds\":61,"
		"\"SecondaryStatusTransitions\":["
		"{\"Status\":\"Pending\",\"StartTime\":1786528800,\"EndTime\":1786528900,"
		"\"StatusMessage\":\"waiting\"},"
		"{\"Status\":\"Training\",\"StartTime\":1786528900,\"StatusMessage\":\"at it\"}]}";
	struct job job;

	(void)state;
	describe(JOB_TRAINING, body, &job);
	assert_string_equal(job.name, "a");
	assert_string_equal(job.arn, "arn:a");
	assert_string_equal(job.status, "InProgress");
	assert_string_equal(job.secondary_status, "Training");
	assert_string_equal(job.status_message, "at it");
	assert_null(job.failure_reason);
	assert_string_equal(job.role_arn, "arn:role");
	assert_string_equal(job.image, "img:1");
	assert_true(job.created.ms == INT64_C(1786528800500));
	assert_true(job.started.ms == INT64_C(1786528900000));
	assert_false(job.ended.set);
	assert_true(job.described);
	assert_true(job_prefs(&job)->is_list);
	assert_int_equal(job_prefs(&job)->length, 2);
	assert_false(job_prefs(&job)->has_shared_count);
	assert_string_equal(job_prefs(&job)->entries[0].plan_arn, "arn:plan");
	assert_true(job_prefs(&job)->entries[1].has_count &&
		    job_prefs(&job)->entries[1].count == 4);
	assert_true(job.selected.set);
	assert_int_equal(job.selected.rank, 2);
	assert_int_equal(job.selected.count, 4);
	assert_int_equal(job.keep_alive_seconds, 70);
	assert_int_equal(job.max_pending.ms, 21600000);
	assert_int_equal(job.max_runtime.ms, 3600000);
	assert_int_equal(job.billable.ms, 60000);
	assert_int_equal(job.training_time.ms, 61000);
	assert_int_equal(job.transition_count, 2);
	assert_string_equal(job_transition(&job, 0).status, "Pending");
	assert_true(job_transition(&job, 0).end.set);
	assert_false(job_transition(&job, 1).end.set);
	assert_string_equal(job.request_json, body);
	assert_int_equal(job_phase(&job), PHASE_RUNNING);
	job_release(&job);
}

static void shared_count__and_no_selection__while_a_list_waits(void **state)
{
	struct job job;

	(void)state;
	describe(JOB_TRAINING,
		 "{" TRAINING ",\"SecondaryStatus\":\"Pending\",\"ResourceConfig\":{"
		 "\"InstanceCount\":3,\"TrainingPlanArn\":\"arn:tp\",\"InstancePreferences\":["
		 "{\"InstanceType\":\"ml.g5.xlarge\"},{\"InstanceType\":\"ml.g6.xlarge\"}]}}",
		 &job);
	assert_true(job_prefs(&job)->has_shared_count && job_prefs(&job)->shared_count == 3);
	assert_false(job_prefs(&job)->entries[0].has_count);
	assert_string_equal(job_prefs(&job)->job_plan_arn, "arn:tp");
	assert_false(job.selected.set);
	assert_int_equal(job_phase(&job), PHASE_PENDING);
	job_release(&job);
}

static void one_type__is_one_preference__and_no_list(void **state)
{
	struct job job;

	(void)state;
	describe(JOB_TRAINING,
		 "{" TRAINING ",\"SecondaryStatus\":\"Training\",\"TrainingStartTime\":1786528900,"
		 "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":2,"
		 "\"InstancePreferences\":null,\"InstanceGroups\":[]}}",
		 &job);
	assert_false(job_prefs(&job)->is_list);
	assert_int_equal(job_prefs(&job)->length, 1);
	assert_string_equal(job_prefs(&job)->entries[0].instance_type, "ml.g5.xlarge");
	assert_true(job.selected.set);
	assert_int_equal(job.selected.rank, 1);
	assert_int_equal(job.selected.count, 2);
	job_release(&job);
}

static void groups__are_preferences__each_with_its_name(void **state)
{
	struct job job;

	(void)state;
	describe(JOB_TRAINING,
		 "{" TRAINING ",\"ResourceConfig\":{\"InstanceGroups\":["
		 "{\"InstanceType\":\"ml.c5.xlarge\",\"InstanceCount\":1,\"InstanceGroupName\":"
		 "\"data\"},{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":2,"
		 "\"InstanceGroupName\":\"dnn\"}]}}",
		 &job);
	assert_true(job.has_groups);
	assert_false(job_prefs(&job)->is_list);
	assert_int_equal(job_prefs(&job)->length, 2);
	assert_string_equal(job_prefs(&job)->entries[1].group, "dnn");
	assert_false(job.selected.set);
	job_release(&job);
}

static void processing__is_read__from_its_own_members(void **state)
{
	struct job job;

	(void)state;
	describe(
		JOB_PROCESSING,
		"{" PROCESSING ",\"ProcessingResources\":{\"ClusterConfig\":{\"InstanceCount\":2,"
		"\"InstancePreferences\":[{\"InstanceType\":\"ml.m5.xlarge\"}],"
		"\"SelectedInstanceType\":\"ml.m5.xlarge\",\"SelectedInstanceCount\":2}},"
		"\"AppSpecification\":{\"ImageUri\":\"img\"},\"RoleArn\":\"arn:role\","
		"\"ProcessingStartTime\":1786528900,\"FailureReason\":null,\"ExitMessage\":\"bye\","
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60}}",
		&job);
	assert_int_equal(job.kind, JOB_PROCESSING);
	assert_null(job.secondary_status);
	assert_string_equal(job.image, "img");
	assert_string_equal(job.failure_reason, "bye");
	assert_int_equal(job.max_runtime.ms, 60000);
	assert_int_equal(job.selected.rank, 1);
	assert_int_equal(job_phase(&job), PHASE_RUNNING);
	job_release(&job);
}

static void unknown_words__are_kept__as_they_are(void **state)
{
	struct job job;

	(void)state;
	describe(JOB_TRAINING,
		 "{\"TrainingJobName\":\"a\",\"TrainingJobArn\":\"x\",\"TrainingJobStatus\":"
		 "\"Paused\",\"SecondaryStatus\":\"\\u001b[31mOdd\",\"NewThing\":{\"a\":[1]}}",
		 &job);
	assert_string_equal(job.status, "Paused");
	assert_string_equal(job.secondary_status, "\x1b[31mOdd");
	assert_int_equal(job_phase(&job), PHASE_UNKNOWN);
	job_release(&job);
}

/* Every member of another type: the job is there, without them. */
static void wrong_types__lose_the_member__and_nothing_else(void **state)
{
	static const char *const odd[] = {
		"null", "5", "\"x\"", "[]", "{}", "true", "-1", "1e300"
	};
	static const char *const members[] = {
		"SecondaryStatus",
		"FailureReason",
		"CreationTime",
		"TrainingStartTime",
		"TrainingEndTime",
		"LastModifiedTime",
		"ResourceConfig",
		"AlgorithmSpecification",
		"StoppingCondition",
		"SecondaryStatusTransitions",
		"EnableManagedSpotTraining",
		"WarmPoolStatus",
		"BillableTimeInSeconds",
		"RoleArn",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		for (size_t j = 0; j < sizeof(odd) / sizeof(odd[0]); j++) {
			char body[512];
			struct job job;

			snprintf(body, sizeof(body), "{" TRAINING ",\"%s\":%s}", members[i],
				 odd[j]);
			describe(JOB_TRAINING, body, &job);
			assert_string_equal(job.name, "a");
			assert_int_equal(job_prefs(&job)->length, 0);
			assert_false(job.selected.set);
			job_release(&job);
		}
	}
}

static void odd_lists__are_read__as_far_as_they_go(void **state)
{
	struct job job;

	(void)state;
	describe(JOB_TRAINING,
		 "{" TRAINING ",\"ResourceConfig\":{\"InstancePreferences\":[5,null,"
		 "{\"InstanceType\":7,\"InstanceCount\":\"2\",\"TrainingPlanArns\":{}},"
		 "{\"InstanceType\":\"ml.this-name-is-much-longer-than-any-that-was-ever-published"
		 ".48xlarge\"},{},{},{},{},{},{},{}],\"SelectedInstanceType\":\"ml.other\"},"
		 "\"SecondaryStatusTransitions\":[5,{\"Status\":null},{\"Status\":\"Pending\","
		 "\"StartTime\":\"x\"}]}",
		 &job);
	assert_int_equal(job_prefs(&job)->length, PREFS_KEEP_MAX);
	assert_string_equal(job_prefs(&job)->entries[2].instance_type, "");
	assert_false(job_prefs(&job)->entries[2].has_count);
	assert_int_equal(strlen(job_prefs(&job)->entries[3].instance_type), TYPE_NAME_SIZE - 1);
	assert_false(job.selected.set);
	assert_int_equal(job.transition_count, 1);
	job_release(&job);
}

static void transitions__keep_the_newest__where_there_are_too_many(void **state)
{
	struct buf body;
	struct job job;
	char last[32];

	(void)state;
	buf_init(&body, 1u << 20);
	buf_add_text(&body, "{" TRAINING ",\"SecondaryStatusTransitions\":[");
	for (int i = 0; i < 300; i++)
		buf_addf(&body, "%s{\"Status\":\"S%d\",\"StartTime\":%d}", i ? "," : "", i,
			 1000000000 + i);
	buf_add_text(&body, "]}");
	describe(JOB_TRAINING, buf_text(&body), &job);
	assert_int_equal(job.transition_count, JOB_TRANSITIONS_MAX);
	snprintf(last, sizeof(last), "%s", job_transition(&job, JOB_TRANSITIONS_MAX - 1).status);
	assert_string_equal(last, "S299");
	job_release(&job);
	buf_release(&body);
}

static void describe__is_refused__when_it_is_no_job(void **state)
{
	/* 64 characters, where the service allows 63. */
	static const char too_long[] =
		"{\"TrainingJobName\":"
		"\"0123456789012345678901234567890123456789012345678901234567890123\","
		"\"TrainingJobArn\":\"x\",\"TrainingJobStatus\":\"F\"}";
	static const char *const bad[] = {
		"",
		"[]",
		"5",
		"{}",
		"{\"TrainingJobName\":\"a\",\"TrainingJobStatus\":\"Failed\"}",
		"{\"TrainingJobName\":\"\",\"TrainingJobArn\":\"x\",\"TrainingJobStatus\":\"F\"}",
		"{\"TrainingJobName\":\"a\",\"TrainingJobArn\":null,\"TrainingJobStatus\":\"F\"}",
		"{\"TrainingJobName\":\"a\",\"TrainingJobArn\":\"x\"}",
		"{\"ProcessingJobName\":\"p\",\"ProcessingJobArn\":\"arn:p\"}",
		too_long,
		"<html>",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };
		struct job job;

		assert_false(
			jobs_decode_describe(JOB_TRAINING, bad[i], strlen(bad[i]), &job, &err));
		assert_int_equal(err.code, ERR_PARSE);
		assert_null(job.arn);
		err_clear(&err);
	}
}

static void list__is_read__with_its_token(void **state)
{
	static const char body[] =
		"{\"TrainingJobSummaries\":[{" TRAINING ",\"CreationTime\":1786528800,"
		"\"LastModifiedTime\":1786528801.5,\"SecondaryStatus\":\"Pending\","
		"\"WarmPoolStatus\":{\"Status\":\"Available\"},\"TrainingEndTime\":null},"
		"{\"TrainingJobName\":\"b\",\"TrainingJobArn\":null,\"TrainingJobStatus\":"
		"\"Failed\"},5,null,{\"TrainingJobName\":\"c\",\"TrainingJobArn\":\"arn:c\","
		"\"TrainingJobStatus\":\"Completed\",\"TrainingEndTime\":1786528900}],"
		"\"NextToken\":\"next\"}";
	struct job_page page;
	struct err err = { 0 };

	(void)state;
	assert_true(jobs_decode_list(JOB_TRAINING, body, strlen(body), &page, &err));
	assert_int_equal(page.count, 2);
	assert_string_equal(page.jobs[0].arn, "arn:a");
	assert_string_equal(page.jobs[0].pool.status, "Available");
	assert_false(page.jobs[0].described);
	assert_true(page.jobs[0].modified.ms == INT64_C(1786528801500));
	assert_string_equal(page.jobs[1].name, "c");
	assert_true(page.jobs[1].ended.set);
	assert_string_equal(page.next_token, "next");
	job_page_release(&page);
	assert_null(page.jobs);
}

static void list__is_empty__where_nothing_is_there(void **state)
{
	static const char *const bodies[] = {
		"{}", "{\"ProcessingJobSummaries\":null}",
		"{\"ProcessingJobSummaries\":[],\"NextToken\":null}",
		"{\"ProcessingJobSummaries\":[],\"NextToken\":\"\"}"
	};
	struct job_page page;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		assert_true(jobs_decode_list(JOB_PROCESSING, bodies[i], strlen(bodies[i]), &page,
					     &err));
		assert_int_equal(page.count, 0);
		assert_null(page.next_token);
		job_page_release(&page);
	}
}

static void list__is_refused__when_it_is_none(void **state)
{
	static const char *const bodies[] = { "[]", "{\"TrainingJobSummaries\":5}",
					      "{\"TrainingJobSummaries\":{}}", "\"x\"", "<html>" };
	struct job_page page;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		assert_false(
			jobs_decode_list(JOB_TRAINING, bodies[i], strlen(bodies[i]), &page, &err));
		assert_int_equal(err.code, ERR_PARSE);
		err_clear(&err);
	}
}

/* No cut of a good reply is taken for one, and none reads past its end. */
static void cut_reply__is_refused__at_every_byte(void **state)
{
	static const char body[] = "{\"TrainingJobSummaries\":[{" TRAINING
				   ",\"CreationTime\":1.7E9}],\"NextToken\":\"n\"}";

	(void)state;
	for (size_t len = 0; len < strlen(body); len++) {
		char *copy = malloc(len ? len : 1);
		struct job_page page;
		struct err err = { 0 };

		assert_non_null(copy);
		memcpy(copy, body, len);
		assert_false(jobs_decode_list(JOB_TRAINING, copy, len, &page, &err));
		err_clear(&err);
		free(copy);
	}
}

/* Replies that were recorded from the service. */

static bool describe_case(const char *file, enum job_kind kind, struct job *job)
{
	size_t len;
	char *text = shared_read(file, &len);
	struct err err = { 0 };

	if (!text)
		return false;
	if (!jobs_decode_describe(kind, text, len, job, &err))
		fail_msg("%s: %s", file, err_text(&err));
	free(text);
	return true;
}

static void recorded_replies__are_read__as_their_cases_say(void **state)
{
	struct job job;
	int64_t wait;
	bool final;

	(void)state;
	if (describe_case("cases/001-warmpool-reused/input.json", JOB_TRAINING, &job)) {
		assert_int_equal(job_phase(&job), PHASE_COMPLETED);
		assert_string_equal(job.pool.reused_by, "Trainingjob-ccsjjbdsjhhcsvdj");
		assert_false(job.ended.set);
		job_release(&job);
	}
	if (describe_case("cases/003-stopping-while-starting/input.json", JOB_TRAINING, &job)) {
		assert_int_equal(job_phase(&job), PHASE_STOPPING);
		assert_false(job.started.set);
		assert_int_equal(job.transition_count, 1);
		job_release(&job);
	}
	if (describe_case("cases/007-processing-waiting-all-null/input.json", JOB_PROCESSING,
			  &job)) {
		assert_int_equal(job_phase(&job), PHASE_PENDING);
		assert_int_equal(job_prefs(&job)->length, 1);
		assert_null(job.failure_reason);
		job_release(&job);
	}
	if (describe_case("cases/017-full-cli-describe/input.json", JOB_TRAINING, &job)) {
		assert_true(job_wait_ms(&job, 0, &wait, &final));
		assert_int_equal((wait + 500) / 1000, 42); /* to the second */
		assert_true(final);
		assert_int_equal(job.billable.ms, 125000);
		job_release(&job);
	}
}

/* What whoever answers can make us keep has a ceiling. */
static void text__is_bounded__whatever_the_answer_says(void **state)
{
	struct job job = { 0 };
	struct err err = { 0 };
	struct buf body;
	char arn[ARN_SIZE + 1], reason[5001];

	(void)state;
	memset(reason, 'x', sizeof(reason) - 1);
	reason[sizeof(reason) - 1] = '\0';
	memset(arn, 'a', sizeof(arn) - 1);
	arn[sizeof(arn) - 1] = '\0';
	buf_init(&body, 16384);
	buf_addf(&body, "{" PROCESSING ",\"FailureReason\":\"%s\"}", reason);
	describe(JOB_PROCESSING, buf_text(&body), &job);
	assert_int_equal(strlen(job.failure_reason), 4096);
	job_release(&job);
	buf_clear(&body);
	buf_addf(&body, "{\"ProcessingJobName\":\"n\",\"ProcessingJobArn\":\"%s\"}", arn);
	assert_false(jobs_decode_describe(JOB_PROCESSING, buf_text(&body), body.len, &job, &err));
	assert_int_equal(err.code, ERR_PARSE);
	err_clear(&err);
	job_release(&job);
	buf_release(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(training__is_read_whole__with_list_and_selection),
		cmocka_unit_test(shared_count__and_no_selection__while_a_list_waits),
		cmocka_unit_test(one_type__is_one_preference__and_no_list),
		cmocka_unit_test(groups__are_preferences__each_with_its_name),
		cmocka_unit_test(processing__is_read__from_its_own_members),
		cmocka_unit_test(unknown_words__are_kept__as_they_are),
		cmocka_unit_test(wrong_types__lose_the_member__and_nothing_else),
		cmocka_unit_test(odd_lists__are_read__as_far_as_they_go),
		cmocka_unit_test(transitions__keep_the_newest__where_there_are_too_many),
		cmocka_unit_test(describe__is_refused__when_it_is_no_job),
		cmocka_unit_test(list__is_read__with_its_token),
		cmocka_unit_test(list__is_empty__where_nothing_is_there),
		cmocka_unit_test(list__is_refused__when_it_is_none),
		cmocka_unit_test(cut_reply__is_refused__at_every_byte),
		cmocka_unit_test(text__is_bounded__whatever_the_answer_says),
		cmocka_unit_test(recorded_replies__are_read__as_their_cases_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
