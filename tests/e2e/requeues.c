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

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define ARGS_MAX 16
#define SOON_MS  30000 /* generous: a sanitizer build on a busy machine */

static const char *const user[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
				    "AWS_SECRET_ACCESS_KEY=simsecret",
				    "AWS_REGION=us-east-1",
				    "LANG=C.UTF-8",
				    "TZ=UTC",
				    NULL };

static int stop(void **state)
{
	region_stop(*state);
	free(*state);
	return 0;
}

static void fill(const char *argv[ARGS_MAX + 1], const struct region *region,
		 const char *const *words)
{
	static char program[512];
	(void)snprintf(program, sizeof(program), "%s", region_program("gpuq"));
	argv[0] = program;
	argv[1] = "--endpoint-url";
	argv[2] = region->url;
	size_t count = 3;
	while (*words && count < ARGS_MAX)
		argv[count++] = *words++;
	argv[count] = NULL;
}

static void run(struct process_result *result, const struct region *region,
		const char *const *words)
{
	const char *argv[ARGS_MAX + 1];
	fill(argv, region, words);
	process_run(result, argv, user, NULL);
}

#define RUN(result, region, ...) run(result, region, (const char *const[]){ __VA_ARGS__, NULL })

/* The same on a terminal. */
static struct pty *begin(const struct region *region, const char *const *words)
{
	const char *argv[ARGS_MAX + 1];
	fill(argv, region, words);
	return pty_start(&(struct pty_options){ .argv = argv, .env = user });
}

static void want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		fail_msg("\"%s\" does not come:\n%s", text, pty_text(pty));
}

static void want_exit(struct pty *pty, int expected)
{
	int status = -1;
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	if (status >> 8 != expected)
		fail_msg("exit %d, not %d:\n%s", status >> 8, expected, pty_text(pty));
	pty_stop(pty);
}

static void assert_status(const struct region *region, const char *name, const char *expected)
{
	struct region_state state;
	region_state(region, &state);
	size_t node = region_state_job(&state, name);
	assert_true(node != JSON_NONE);
	assert_string_equal(region_text(&state, node, "status"), expected);
	region_state_release(&state);
}

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
	struct region *region = calloc(1, sizeof(*region));
	assert_non_null(region);
	region_start(region, empty);
	region_control(region, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":0}");
	region_control(region, "capacity", "{\"instance_type\":\"ml.p4d.24xlarge\",\"free\":0}");
	*state = region;
	return 0;
}

#define LIST "ml.p4d.24xlarge:1,ml.p5.48xlarge:1"

/* --- the command --- */

static void requeue__is_refused__where_there_is_nothing_to_replace(void **state)
{
	struct process_result result;
	create(*state, "");
	RUN(&result, *state, "requeue", "no-such-job", "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "no-such-job: there is no training or processing job"));
	process_release(&result);
	RUN(&result, *state, "requeue", OLD, "--yes");
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "needs --prefs LIST"));
	process_release(&result);
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST);
	assert_int_equal(result.status, 2);
	process_release(&result);
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes", "--read-only");
	assert_int_equal(result.status, 2);
	process_release(&result);
	RUN(&result, *state, "requeue", OLD, "--prefs", "ml.p5.48xlarge:1,ml.p5.48xlarge:1",
	    "--yes");
	assert_int_equal(result.status, 3);
	assert_non_null(strstr(result.err, "duplicate-type"));
	process_release(&result);
	region_control(*state, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":1}");
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes");
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
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes", "--config", path);
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
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--dry-run", "--name", "better-1");
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "\"TrainingJobName\": \"better-1\""));
	assert_non_null(strstr(result.out, "\"MaxPendingTimeInSeconds\": 1800"));
	assert_non_null(strstr(result.err, OLD " is replaced by better-1 in us-east-1"));
	assert_non_null(strstr(result.err, "warning max-pending-range: ")); /* case 078 */
	assert_non_null(strstr(result.err, "Order: first the new job is submitted"));
	process_release(&result);
	assert_int_equal(region_calls(*state, "Stop"), 0);
	assert_status(*state, OLD, "InProgress");
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
		RUN(&result, *state, "requeue", i == 0 ? OLD : "better-0", "--prefs",
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
		assert_status(*state, name, "InProgress");
	}
	assert_status(*state, OLD, "Stopped");
	assert_int_equal(region_calls(*state, "CreateTrainingJob"), 3);
	assert_int_equal(region_calls(*state, "StopTrainingJob"), 2);
}

static void requeue__of_an_owned_job__is_typed_through_or_refused(void **state)
{
	struct process_result result;
	create(*state, ",\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\",\"Value\":"
		       "\"STARTED_BY_STEP_FUNCTIONS\"}]");
	RUN(&result, *state, "requeue", OLD, "--prefs", LIST, "--yes");
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "not requeued: it belongs to the Step Functions"));
	process_release(&result);
	const char *const words[] = { "requeue", OLD, "--prefs", LIST, "--name", "better-1", NULL };
	struct pty *pty = begin(*state, words);
	want(pty, "the same, type " OLD ":");
	pty_type(pty, OLD "\n");
	want(pty, "Type y and Enter to requeue it");
	pty_type(pty, "y\n");
	want(pty, "in the place of " OLD);
	want_exit(pty, 0);
	assert_status(*state, "better-1", "InProgress");
}

/* --- the dashboard --- */

static void stuck_job__is_requeued__from_the_dashboard(void **state)
{
	const char *const words[] = { "--pace", "0", NULL };
	create(*state, "");
	struct pty *pty = begin(*state, words);
	want(pty, "pending 1");
	pty_type(pty, "P");
	want(pty, "*Preferences");
	want(pty, "#1 ml.p5.48xlarge"); /* it is described */
	pty_type(pty, "J");
	pty_type(pty, "X");
	want(pty, "is pending and is replaced");
	want(pty, "y = yes, anything else = No");
	pty_type(pty, "y");
	want(pty, "in the place of " OLD);
	pty_type(pty, "Q");
	want_exit(pty, 0);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(requeue__is_refused__where_there_is_nothing_to_replace),
		TEST(requeue__is_refused__while_a_limit_cannot_be_read),
		TEST(requeue__dry_run__shows_the_request_and_the_order),
		TEST(requeue__puts_the_copy_in_the_place__in_either_order),
		TEST(requeue__of_an_owned_job__is_typed_through_or_refused),
		TEST(stuck_job__is_requeued__from_the_dashboard),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
