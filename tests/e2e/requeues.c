/* A requeue by command and from the dashboard, the real program against the real region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/gpuq.h"

#define OLD "stuck-1"

/* It waits with the guide's limit, below that of the API reference: case 078. */
static void create(const struct region *region, const char *tags)
{
	char body[2048];
	(void)snprintf(
		body, sizeof(body),
		"{\"TrainingJobName\":\"" OLD "\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/o\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":"
		"\"ml.p5.48xlarge\",\"InstanceCount\":1},{\"InstanceType\":\"ml.p4d.24xlarge\","
		"\"InstanceCount\":1}],\"VolumeSizeInGB\":100},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60,"
		"\"MaxPendingTimeInSeconds\":1800}%s}",
		tags);
	free(region_call(region, "CreateTrainingJob", body));
}

static int start(void **state)
{
	static const char *const empty[] = {
		"--scenario", "empty", "--rate", "0", "--no-auth", NULL
	};
	(void)gpuq_start_region(state, empty);
	const struct region *region = *state;
	region_control(region, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":0}");
	region_control(region, "capacity", "{\"instance_type\":\"ml.p4d.24xlarge\",\"free\":0}");
	return 0;
}

#define LIST "ml.p4d.24xlarge:1,ml.p5.48xlarge:1"

/* --- the command --- */

static void requeue__is_refused__where_there_is_nothing_to_replace(void **state)
{
	struct process_result result;
	create(*state, "");
	GPUQ_RUN(&result, *state, "requeue", "no-such-job", "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "no-such-job: there is no training or processing job"));
	process_release(&result);
	GPUQ_RUN(&result, *state, "requeue", OLD, "--yes");
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "needs --prefs LIST"));
	process_release(&result);
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST);
	assert_int_equal(result.status, 2);
	process_release(&result);
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes", "--read-only");
	assert_int_equal(result.status, 2);
	process_release(&result);
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", "ml.p5.48xlarge:1,ml.p5.48xlarge:1",
		 "--yes");
	assert_int_equal(result.status, 3);
	assert_non_null(strstr(result.err, "duplicate-type"));
	process_release(&result);
	region_control(*state, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":1}");
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "only a pending job is requeued"));
	process_release(&result);
	assert_int_equal(region_calls(*state, "Stop"), 0);
}

/* A limit of money that cannot be read is no limit that holds: nothing is sent. */
static void requeue__is_refused__while_a_limit_cannot_be_read(void **state)
{
	static const char text[] = "max_worst_case = 25,50\n";
	char path[] = "/tmp/gpuq-requeues-XXXXXX";
	struct process_result result;
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	assert_int_equal(close(file), 0);
	create(*state, "");
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes", "--config", path);
	assert_int_equal(result.status, 3);
	assert_non_null(strstr(result.err, "while max_worst_case cannot be read: config line 1"));
	assert_non_null(strstr(result.err, "Mend line 1 of "));
	process_release(&result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(region_calls(*state, "Stop"), 0);
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 1);
}

static void requeue__dry_run__shows_the_request_and_the_order(void **state)
{
	struct process_result result;
	create(*state, "");
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--dry-run", "--name",
		 "better-1");
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "\"TrainingJobName\": \"better-1\""));
	assert_non_null(strstr(result.out, "\"MaxPendingTimeInSeconds\": 1800"));
	assert_non_null(strstr(result.err, OLD " is replaced by better-1 in us-east-1"));
	assert_non_null(strstr(result.err, "warning max-pending-range: ")); /* case 078 */
	assert_non_null(strstr(result.err, "Order: first the new job is submitted"));
	process_release(&result);
	assert_int_equal(region_calls(*state, "Stop"), 0);
	gpuq_want_status(*state, OLD, "InProgress");
}

static void requeue__puts_the_copy_in_the_place__in_either_order(void **state)
{
	static const char *const orders[] = { "stop-first", "submit-first" };
	for (size_t i = 0; i < 2; i++) {
		struct process_result result;
		char name[32], expected[128];
		if (i == 0)
			create(*state, "");
		(void)snprintf(name, sizeof(name), "better-%zu", i);
		GPUQ_RUN(&result, *state, "requeue", i == 0 ? OLD : "better-0", "--prefs",
			 i == 0 ? LIST : "ml.p5.48xlarge:1,ml.p4d.24xlarge:1", "--order", orders[i],
			 "--name", name, "--yes");
		assert_int_equal(result.status, 0);
		assert_non_null(strstr(result.err, "warning max-pending-range: "));
		(void)snprintf(expected, sizeof(expected),
			       "arn:aws:sagemaker:us-east-1:111122223333:training-job/%s\n", name);
		assert_string_equal(result.out, expected);
		assert_non_null(strstr(result.err, i == 0 ? "stuck-1 has ended: submitting better-0"
							  : "until then both are there"));
		process_release(&result);
		gpuq_want_status(*state, name, "InProgress");
	}
	gpuq_want_status(*state, OLD, "Stopped");
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 3);
	assert_int_equal(region_calls(*state, "StopTrainingJob"), 2);
	/* Whoever comes next reads what was done: the calls, and what they came to. */
	struct process_result told;
	GPUQ_RUN(&told, *state, "actions", "better-0", "-o", "jsonl");
	assert_int_equal(told.status, 0);
	gpuq_want_text(told.out, "\"action\":\"CreateTrainingJob\",\"subject\":\"better-0\","
				 "\"replaced_by\":null,\"by\":\"gpuq requeue\",\"result\":\"done\","
				 "\"code\":null,\"request_id\":\"");
	gpuq_want_text(told.out, "\"action\":\"requeue\",\"subject\":\"" OLD
				 "\",\"replaced_by\":\"better-0\",");
	gpuq_want_text(told.out, "\"action\":\"StopTrainingJob\",\"subject\":\"better-0\",");
	gpuq_want_text(told.out, "\"subject\":\"better-0\",\"replaced_by\":\"better-1\",");
	process_release(&told);
}

static void requeue__of_an_owned_job__is_typed_through_or_refused(void **state)
{
	struct process_result result;
	create(*state, ",\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\",\"Value\":"
		       "\"STARTED_BY_STEP_FUNCTIONS\"}]");
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "not requeued: it belongs to the Step Functions"));
	process_release(&result);
	const char *const words[] = { "requeue", OLD, "--prefs", LIST, "--name", "better-1", NULL };
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "the same, type " OLD ":");
	pty_type(pty, OLD "\n");
	gpuq_want(pty, "Type y and Enter to requeue it");
	pty_type(pty, "y\n");
	gpuq_want(pty, "in the place of " OLD);
	gpuq_want_exit(pty, 0);
	gpuq_want_status(*state, "better-1", "InProgress");
}

/* The list and the name that were to be sent stand on the old job's row, one key from the question.
 */
static void want_kept_draft(const struct region *region)
{
	const char *const words[] = { "--pace", "0", NULL };
	struct pty *pty = gpuq_open(region, words);
	gpuq_want(pty, "live");
	gpuq_want(pty, OLD);
	pty_type(pty, "P");
	gpuq_want(pty, "draft*");
	gpuq_want(pty, "#1 ml.p4d.24xlarge");
	pty_type(pty, "X");
	gpuq_want(pty, "better-1");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "\x1b");
	gpuq_want(pty, "the draft stays");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

/* C-c while the end of the old one is waited for: the new one is never created. */
static void interrupt__takes_the_requeue_back__while_the_old_one_ends(void **state)
{
	struct process_result result;
	const char *const words[] = { "requeue",    OLD,      "--prefs",  LIST, "--order",
				      "stop-first", "--name", "better-1", NULL };
	create(*state, "");
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "Type y and Enter to requeue it");
	pty_type(pty, "y\n");
	gpuq_want(pty, OLD " is being stopped");
	pty_type(pty, "\x03");
	gpuq_want(pty, "the requeue of " OLD " is taken back");
	gpuq_want(pty, "What was to be sent is kept as a draft: in the dashboard, X");
	gpuq_want_exit(pty, 130);
	want_kept_draft(*state);
	/* Nobody goes on with it. */
	GPUQ_RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	process_release(&result);
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 1);
	assert_int_equal(region_calls(*state, "StopTrainingJob"), 1);
}

static long held_answers(const struct region *region)
{
	struct region_state now;
	region_state(region, &now);
	long held = region_number(&now, "held.now", 0);
	region_state_release(&now);
	return held;
}

/* C-c while the creation is on the wire: what becomes of it is for the next one to find out. */
static void interrupt__says_that_it_is_too_late__once_the_creation_is_sent(void **state)
{
	const char *const words[] = { "requeue",      OLD,      "--prefs",  LIST, "--order",
				      "submit-first", "--name", "better-1", NULL };
	create(*state, "");
	region_control(*state, "fault", "{\"operation\":\"CreateTrainingJob\",\"delay_ms\":20000}");
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "Type y and Enter to requeue it");
	pty_type(pty, "y\n");
	while (held_answers(*state) == 0)
		pty_run(pty, 20);
	pty_type(pty, "\x03");
	gpuq_want(pty, "the requeue of " OLD " cannot be taken back");
	gpuq_want_exit(pty, 130);
	gpuq_want_status(*state, OLD, "InProgress");
}

/* --- the dashboard --- */

static void requeue__is_taken_back__by_w(void **state)
{
	/* Its end is looked for half a minute later. */
	const char *const words[] = { "--pace", "0", "--refresh", "30", NULL };
	create(*state, "");
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "pending 1");
	pty_type(pty, "P");
	gpuq_want(pty, "*Preferences");
	gpuq_want(pty, "#1 ml.p5.48xlarge");
	pty_type(pty, "J");
	pty_type(pty, "X");
	gpuq_want(pty, "first the new job is submitted");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "\t");
	gpuq_want(pty, "first the old job is stopped");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	gpuq_want(pty, OLD " is being stopped");
	pty_type(pty, "\x1b");
	gpuq_want(pty, "*Preferences");
	/* What is said shares the line with the key. */
	gpuq_want(pty, "V take back");
	gpuq_want_text(pty_line(pty, 23), OLD " is being stopped");
	gpuq_want_text(pty_line(pty, 23), " V take back");
	pty_type(pty, "V");
	gpuq_want(pty, "The stop of");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	gpuq_want(pty, "the requeue of " OLD " is taken back");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 1);
	assert_int_equal(region_calls(*state, "StopTrainingJob"), 1);
}

static void stuck_job__is_requeued__from_the_dashboard(void **state)
{
	const char *const words[] = { "--pace", "0", NULL };
	create(*state, "");
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "pending 1");
	pty_type(pty, "P");
	gpuq_want(pty, "*Preferences");
	gpuq_want(pty, "#1 ml.p5.48xlarge"); /* it is described */
	pty_type(pty, "J");
	pty_type(pty, "X");
	gpuq_want(pty, "is pending and is replaced");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	gpuq_want(pty, "in the place of " OLD);
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 2);
	assert_int_equal(region_calls(*state, "StopTrainingJob"), 1);
	struct region_state now;
	region_state(*state, &now);
	size_t copy = region_state_prefix(&now, "stuck-26");
	assert_true(copy != JSON_NONE ||
		    (copy = region_state_prefix(&now, "stuck-2")) != JSON_NONE);
	assert_string_equal(region_text(&now, copy, "status"), "InProgress");
	region_state_release(&now);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, gpuq_stop_region)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(requeue__is_refused__where_there_is_nothing_to_replace),
		TEST(requeue__is_refused__while_a_limit_cannot_be_read),
		TEST(requeue__dry_run__shows_the_request_and_the_order),
		TEST(requeue__puts_the_copy_in_the_place__in_either_order),
		TEST(requeue__of_an_owned_job__is_typed_through_or_refused),
		TEST(interrupt__takes_the_requeue_back__while_the_old_one_ends),
		TEST(interrupt__says_that_it_is_too_late__once_the_creation_is_sent),
		TEST(requeue__is_taken_back__by_w),
		TEST(stuck_job__is_requeued__from_the_dashboard),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
