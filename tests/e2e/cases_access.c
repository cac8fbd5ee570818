/*
 * Cases of getting at AWS (../shared/cases 049 to 054): denials, clocks, logins, each through the
 * real program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/clock.h"
#include "model/base/mem.h"
#include "tests/awsuser.h"
#include "tests/cases.h"

#define NOW   "2026-11-30T12:30:00Z"
#define CASES 4
#define REQUEST                                                                           \
	"{\"TrainingJobName\":\"wpi-cpu-2020-02-02-21-52-50-104\",\"RoleArn\":"           \
	"\"arn:aws:iam::111122223333:role/r\",\"AlgorithmSpecification\":{"               \
	"\"TrainingImage\":\"x\",\"TrainingInputMode\":\"File\"},\"OutputDataConfig\":{"  \
	"\"S3OutputPath\":\"s3://b/o\"},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":"  \
	"3600},\"ResourceConfig\":{\"InstanceType\":\"ml.m5.large\",\"InstanceCount\":1," \
	"\"VolumeSizeInGB\":50}}"

/* A region whose clock agrees with this machine's. */
static struct recorded *start_now(void)
{
	struct clock machine = clock_system();
	char now[TIME_TEXT_SIZE];
	time_format_iso(clock_wall_ms(&machine), now);
	return recorded_start(now);
}

/* Refused with an explicit deny: permanent, in parts, and what may be read goes on. */
static void case_049__explicit_deny__is_named_and_hides_nothing(void **state)
{
	struct process_result result;
	struct a_case one;
	(void)state;
	if (!case_open(&one, "049-access-denied-explicit-deny", "input.txt"))
		return;
	struct recorded *region = start_now();
	char *job = case_job("still-seen", "InProgress", "Pending", "");
	char *line = case_line(&one, 0), *user = strstr(line, "User: ");
	char body[2048];
	assert_non_null(user);
	snprintf(body, sizeof(body),
		 "{\"__type\":\"AccessDeniedException\",\"Message\":\"%.1500s\"}", user);
	recorded_put(region, JOB_TRAINING, job);
	recorded_answer(region, "CreateTrainingJob", 400, body);
	case_run(&result, region, REQUEST, (const char *const[]){ "submit", "-", "--yes", NULL });
	assert_int_equal(result.status, 4);
	case_want_text(result.err,
		       "sagemaker:CreateTrainingJob is explicitly denied\n"
		       "principal: arn:aws:sts::111122223333:assumed-role/"
		       "AmazonSageMaker-ExecutionRole-00000000T000000/SageMaker\n"
		       "resource: arn:aws:sagemaker:us-east-1:111122223333:training-job/"
		       "wpi-cpu-2020-02-02-21-52-50-104\n");
	case_want_text(result.err, err_hint_text(HINT_EXPLICIT_DENY));
	process_release(&result);
	assert_int_equal(recorded_calls(region, "CreateTrainingJob"), 1);
	char *jobs = case_jobs(region, "json", NULL);
	case_want(jobs, "[0].name", "still-seen");
	recorded_stop(region);
	free(jobs);
	free(job);
	free(line);
	case_held(&one);
}

/* Seconds between two of the stamps in the text: the difference that its reporter had. */
static int64_t seconds_between(const char *text, const char *before, const char *after)
{
	const char *from = strstr(text, before), *to = strstr(text, after);
	char iso[2][TIME_TEXT_SIZE];
	int64_t ms[2];
	assert_true(from && to);
	const char *const stamps[] = { from + strlen(before), to + strlen(after) };
	for (size_t i = 0; i < 2; i++) {
		const char *at = stamps[i];
		snprintf(iso[i], sizeof(iso[i]), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", at, at + 4,
			 at + 6, at + 9, at + 11, at + 13);
		assert_true(time_parse_iso(iso[i], &ms[i]));
	}
	return (ms[1] - ms[0]) / 1000;
}

/* This machine is as far behind the service as there. */
static void case_051__clock_behind__is_said_in_words_and_corrected(void **state)
{
	struct a_case one;
	struct awsuser user;
	struct process_result result;
	char words[64];
	(void)state;
	if (!case_open(&one, "051-clock-behind-signature-expired", "input.txt"))
		return;
	int64_t behind_s = seconds_between(one.input, "expired: ", "Z (");
	assert_int_equal(behind_s, 924);
	awsuser_start(&user);
	awsuser_use_region(&user);
	awsuser_set(&user, "AWS_ACCESS_KEY_ID", "AKIDSIM");
	awsuser_set(&user, "AWS_SECRET_ACCESS_KEY", "simsecret");
	region_control(&user.region, "advance", "{\"seconds\":%d}", (int)behind_s);
	region_control(&user.region, "skew", "{\"seconds\":0}");
	AWSUSER_RUN(&user, &result, "jobs", "-o", "json", "--endpoint-url", user.region.url);
	assert_int_equal(result.status, 0);
	/* A second may have passed between the two clocks. */
	snprintf(words, sizeof(words), "this machine's clock is 15 min 2");
	case_want_text(result.err, words);
	case_want_text(result.err, "s behind; gpuq goes by AWS's");
	process_release(&result);
	struct pty *pty = awsuser_watch(&user, NULL);
	awsuser_want(pty, "live");
	awsuser_want(pty, "this machine's clock is 15 min 2");
	awsuser_leave(&user, pty);
	awsuser_stop(&user);
	case_held(&one);
}

/* The stamps are equal: nothing is said of the clock, and the tries have an end. */
static void case_053__equal_stamps__are_no_wrong_clock(void **state)
{
	struct a_case one;
	struct process_result result;
	char body[512];
	(void)state;
	if (!case_open(&one, "053-signature-expired-same-instant", "input.txt"))
		return;
	struct recorded *region = start_now();
	char *line = case_line(&one, 0), *text = strstr(line, "Signature expired");
	assert_non_null(text);
	snprintf(body, sizeof(body),
		 "{\"__type\":\"InvalidSignatureException\",\"message\":\"%.400s\"}", text);
	recorded_answer(region, "ListTrainingJobs", 400, body);
	CASE_RUN(&result, region, "jobs");
	assert_int_equal(result.status, 4);
	case_want_text(result.err, text);
	case_want_no_text(result.err, "this machine's clock");
	process_release(&result);
	assert_in_range(recorded_calls(region, "ListTrainingJobs"), 1, 3);
	recorded_stop(region);
	free(line);
	case_held(&one);
}

/* After hours the session itself is over: no refresh can work. */
static void case_054__sso_expired__says_who_when_and_how(void **state)
{
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!case_open(&one, "054-sso-token-expired-cli-still-works", "input.txt"))
		return;
	awsuser_start(&user);
	awsuser_use_region(&user);
	awsuser_write(&user, "/home/.aws/config",
		      "[profile ops]\nsso_start_url = https://d-1234567890.awsapps.com/start\n"
		      "sso_region = us-east-1\nsso_account_id = 123456789012\n"
		      "sso_role_name = Admin\n");
	awsuser_login_sso(&user, "https://d-1234567890.awsapps.com/start",
			  "{\"kind\":\"sso\",\"seconds\":28800}");
	struct pty *pty = awsuser_watch(&user, "ops");
	awsuser_want(pty, "live");
	awsuser_want(pty, "llm-pretrain-1b-");
	/* The AWS CLI would go on with the role's keys for their hour; then they end too. */
	region_control(&user.region, "advance", "{\"seconds\":32400}");
	awsuser_want(pty, "stale: login expired");
	awsuser_want(pty, "profile ops: the login expired at 20");
	awsuser_want(pty, "run aws sso login --profile ops");
	awsuser_want(pty, "llm-pretrain-1b-");
	awsuser_login_sso(&user, "https://d-1234567890.awsapps.com/start", "{\"kind\":\"sso\"}");
	awsuser_want(pty, "live");
	awsuser_want_gone(pty, "stale");
	awsuser_leave(&user, pty);
	awsuser_stop(&user);
	case_held(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_049__explicit_deny__is_named_and_hides_nothing),
		cmocka_unit_test(case_051__clock_behind__is_said_in_words_and_corrected),
		cmocka_unit_test(case_053__equal_stamps__are_no_wrong_clock),
		cmocka_unit_test(case_054__sso_expired__says_who_when_and_how),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	return !case_count(CASES) || failed;
}
