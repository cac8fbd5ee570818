/* Stopping: the command and the dashboard's S, the real program against the real region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gpuq.h"

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, still);
}

/* The name of the nth job of the region with that secondary status. */
static void find(const struct region *region, const char *secondary, int nth, char name[128])
{
	struct region_state state;
	region_state(region, &state);
	size_t at = json_doc_child(&state.doc, json_doc_member(&state.doc, 0, "jobs"));
	for (; at != JSON_NONE; at = json_doc_next(&state.doc, at))
		if (strcmp(region_text(&state, at, "secondary_status"), secondary) == 0 &&
		    nth-- == 0)
			break;
	assert_true(at != JSON_NONE);
	(void)snprintf(name, 128, "%s", region_text(&state, at, "name"));
	region_state_release(&state);
}

static long stops_sent(const struct region *region)
{
	return region_calls(region, "Stop");
}

/* --- the command --- */

static void stop__is_refused__read_only_and_without_a_terminal(void **state)
{
	struct process_result result;
	char name[128];
	find(*state, "Pending", 0, name);
	GPUQ_RUN(&result, *state, "stop", name);
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "no terminal to ask on; --yes does it without asking"));
	process_release(&result);
	GPUQ_RUN(&result, *state, "stop", name, "--yes", "--read-only");
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "option --read-only"));
	process_release(&result);
	assert_int_equal(region_calls(*state, ""), 0); /* AWS was not even asked */
}

static void stop__tells_of_each__and_is_1_for_an_unknown_job(void **state)
{
	struct process_result result;
	char one[128], two[128], ended[128], expected[512];
	find(*state, "Pending", 0, one);
	find(*state, "Pending", 1, two);
	find(*state, "Completed", 0, ended);
	GPUQ_RUN(&result, *state, "stop", one, "no-such-job", ended, two, one, "--yes");
	assert_int_equal(result.status, 1);
	(void)snprintf(expected, sizeof(expected),
		       "no-such-job  unknown\n%s  over\n%s  stopping\n%s  stopping\n", ended, one,
		       two);
	assert_string_equal(result.out, expected);
	assert_non_null(strstr(result.err, "gpuq: no-such-job: there is no job of that name"));
	process_release(&result);
	assert_int_equal(stops_sent(*state), 2);
	gpuq_want_status(*state, one, "Stopping");
	gpuq_want_status(*state, two, "Stopping");
	/* Case 057: what is over is no error, and no stop is sent for it. */
	GPUQ_RUN(&result, *state, "stop", one, ended, "--yes", "-o", "jsonl");
	assert_int_equal(result.status, 0);
	(void)snprintf(expected, sizeof(expected),
		       "{\"job\":\"%s\",\"kind\":\"training\",\"result\":\"over\",\"message\":"
		       "\"stopping\"}\n{\"job\":\"%s\",\"kind\":\"training\",\"result\":\"over\","
		       "\"message\":\"completed\"}\n",
		       one, ended);
	assert_string_equal(result.out, expected);
	assert_string_equal(result.err, "");
	process_release(&result);
	assert_int_equal(stops_sent(*state), 2);
}

static void stop__asks_on_a_terminal__and_takes_y_alone(void **state)
{
	char name[128];
	struct pty *pty;
	find(*state, "Pending", 0, name);
	const char *const words[] = { "stop", name, NULL };
	pty = gpuq_open(*state, words);
	gpuq_want(pty, "y stops, anything else is No:");
	assert_non_null(strstr(pty_text(pty), ", nothing by the hour"));
	pty_type(pty, "\n");
	gpuq_want(pty, "gpuq: nothing was stopped");
	gpuq_want_exit(pty, 1);
	assert_int_equal(stops_sent(*state), 0);
	pty = gpuq_open(*state, words);
	gpuq_want(pty, "y stops, anything else is No:");
	pty_type(pty, "y\n");
	gpuq_want(pty, "  stopping");
	gpuq_want_exit(pty, 0);
	gpuq_want_status(*state, name, "Stopping");
}

static void stop__wants_the_words__above_what_is_confirmed(void **state)
{
	char one[128], two[128], file[] = "/tmp/gpuq-stops-XXXXXX", typed[160];
	int fd = mkstemp(file);
	struct pty *pty;
	assert_true(fd >= 0);
	FILE *config = fdopen(fd, "w");
	assert_non_null(config);
	assert_true(fputs("confirm_above = 1\n", config) >= 0);
	assert_int_equal(fclose(config), 0);
	find(*state, "Training", 0, one);
	find(*state, "Training", 1, two);
	const char *const single[] = { "stop", one, "--config", file, NULL };
	pty = gpuq_open(*state, single);
	(void)snprintf(typed, sizeof(typed), "Type %s to stop it", one);
	gpuq_want(pty, typed);
	pty_type(pty, "y\n");
	gpuq_want(pty, "nothing was stopped");
	gpuq_want_exit(pty, 1);
	const char *const both[] = { "stop", one, two, "--config", file, NULL };
	pty = gpuq_open(*state, both);
	gpuq_want(pty, "Type stop 2 jobs to stop them, anything else is No:");
	pty_type(pty, "stop 2 jobs\n");
	gpuq_want_exit(pty, 0);
	gpuq_want_status(*state, one, "Stopping");
	gpuq_want_status(*state, two, "Stopping");
	(void)remove(file);
}

/* A job as Step Functions starts them. */
static void add_owned(const struct region *region)
{
	static const char request[] =
		"{\"TrainingJobName\":\"step-1\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
		"\"ResourceConfig\":{\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":1,"
		"\"VolumeSizeInGB\":100},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"
		"\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\",\"Value\":\"STARTED_BY_STEP_FUNCTIONS\"},"
		"{\"Key\":\"AWS_STEP_FUNCTIONS_EXECUTION_ARN\",\"Value\":\"arn:aws:states:"
		"us-east-1:111122223333:execution:nightly:run-3\"}]}";
	free(region_call(region, "CreateTrainingJob", request));
}

static void stop__of_an_owned_job__is_typed_through_or_refused(void **state)
{
	static const char *const open[] = {
		"--scenario", "empty", "--rate", "0", "--no-auth", NULL
	};
	struct region region;
	struct process_result result;
	struct pty *pty;
	(void)state;
	region_start(&region, open);
	add_owned(&region);
	GPUQ_RUN(&result, &region, "stop", "step-1", "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "step-1: not stopped: it belongs to the Step Functions "
					   "execution run-3, which would fail."));
	assert_non_null(strstr(result.err, "without --yes, and type run-3."));
	assert_string_equal(result.out, "step-1  owned\n");
	process_release(&result);
	assert_int_equal(stops_sent(&region), 0);
	const char *const words[] = { "stop", "step-1", NULL };
	pty = gpuq_open(&region, words);
	gpuq_want(pty, "the same, type run-3:");
	pty_type(pty, "run-3\n");
	gpuq_want(pty, "y stops, anything else is No:");
	pty_type(pty, "y\n");
	gpuq_want_exit(pty, 0);
	gpuq_want_status(&region, "step-1", "Stopping");
	region_stop(&region);
}

/* --- the dashboard --- */

static void marked_jobs__are_stopped_together__from_the_dashboard(void **state)
{
	char name[128];
	const char *const words[] = { "--pace", "0", NULL };
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "pending 12");
	pty_type(pty, "p   ");
	gpuq_want(pty, "3 marked");
	pty_type(pty, "S");
	gpuq_want(pty, "Stop 3 jobs?");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	gpuq_want(pty, "3 jobs are being stopped");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
	assert_int_equal(stops_sent(*state), 3);
	for (int i = 0; i < 3; i++)
		find(*state, "Stopping", i, name);
}

/* What one program did the other shows: the command's stop, AWS's refusal, the dashboard's own. */
static void what_was_done__is_kept__with_its_results_and_request_ids(void **state)
{
	const char *const words[] = { "--pace", "0", NULL };
	struct process_result result;
	char one[128], two[128], expected[512];
	find(*state, "Pending", 0, one);
	find(*state, "Pending", 1, two);
	GPUQ_RUN(&result, *state, "stop", one, "--yes");
	process_release(&result);
	region_control(*state, "fault",
		       "{\"operation\":\"StopTrainingJob\",\"count\":1,\"status\":400,"
		       "\"code\":\"AccessDeniedException\"}");
	GPUQ_RUN(&result, *state, "stop", two, "--yes");
	assert_int_equal(result.status, 4);
	process_release(&result);
	GPUQ_RUN(&result, *state, "actions", two, "-o", "jsonl");
	assert_int_equal(result.status, 0);
	(void)snprintf(expected, sizeof(expected),
		       "\"action\":\"StopTrainingJob\",\"subject\":\"%s\",\"replaced_by\":null,"
		       "\"by\":\"gpuq stop\",\"result\":\"refused\",\"code\":"
		       "\"AccessDeniedException\",\"request_id\":\"",
		       two);
	gpuq_want_text(result.out, expected);
	assert_null(strstr(result.out, one));
	process_release(&result);
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "pending 11");
	pty_type(pty, "pS");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	gpuq_want(pty, "is being stopped");
	pty_type(pty, "s");
	gpuq_want(pty, "3 from here");
	gpuq_want(pty, "dashboard");
	gpuq_want(pty, "gpuq stop");
	gpuq_want(pty, "refused");
	gpuq_want(pty, "request id ");
	pty_type(pty, "q:actions\r");
	gpuq_want(pty, "Actions of gpuq");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, gpuq_stop_region)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stop__is_refused__read_only_and_without_a_terminal),
		TEST(stop__tells_of_each__and_is_1_for_an_unknown_job),
		TEST(stop__asks_on_a_terminal__and_takes_y_alone),
		TEST(stop__wants_the_words__above_what_is_confirmed),
		cmocka_unit_test(stop__of_an_owned_job__is_typed_through_or_refused),
		TEST(marked_jobs__are_stopped_together__from_the_dashboard),
		TEST(what_was_done__is_kept__with_its_results_and_request_ids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
