/* --log: what the program writes down of its calls, with what rights, and without secrets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/io.h"
#include "tests/gpuq.h"

#define SOON_MS  20000
#define FILE_MAX (8u << 20)

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static char folder[] = "/tmp/gpuq-e2e-log-XXXXXX";

static int start(void **state)
{
	assert_non_null(mkdtemp(folder));
	return gpuq_start_region(state, still);
}

static int stop(void **state)
{
	(void)gpuq_stop_region(state);
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static const char *in_folder(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static char *read_log(const char *name)
{
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, FILE_MAX);
	assert_true(io_read_file(in_folder(name), &text, &err));
	return buf_take(&text);
}

static void log__has_a_line_for_each_step_of_a_call(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	struct stat status;
	region_control(region, "fault",
		       "{\"operation\":\"ListTrainingPlans\",\"count\":1,\"status\":400,"
		       "\"code\":\"ThrottlingException\"}");
	GPUQ_RUN(&result, region, "plans", "--log", in_folder("steps"));
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	process_release(&result);
	assert_int_equal(stat(in_folder("steps"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	char *text = read_log("steps");
	gpuq_want_text(text, " gpuq 0.1.0 starts\n");
	gpuq_want_text(text, " command plans\n");
	gpuq_want_text(text, " credentials found, environment, ");
	gpuq_want_text(text, " call 1 ListTrainingPlans us-east-1 try 1 sent\n");
	gpuq_want_text(text, " call 1 ListTrainingPlans us-east-1 try 1 answered 400 in ");
	gpuq_want_text(text, " ms, ThrottlingException, request ");
	gpuq_want_text(text,
		       " call 1 ListTrainingPlans us-east-1 try 1 is followed by another in ");
	gpuq_want_text(text, " call 1 ListTrainingPlans us-east-1 try 2 sent\n");
	gpuq_want_text(text, " call 1 ListTrainingPlans us-east-1 try 2 answered 200 in ");
	gpuq_want_text(text, " ends with status 0\n");
	assert_null(strstr(text, "setting "));
	free(text);
}

/* A signature that is refused has AWS's answer show what was signed: the token is part of it. */
static void details__hold_no_secret(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	char program[512], url[128];
	snprintf(program, sizeof(program), "%s", region_program("gpuq"));
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	const char *argv[] = { program, "jobs", "--log", in_folder("details"), "-v", NULL };
	const char *env[] = {
		"AWS_ACCESS_KEY_ID=AKIDSIM",
		"AWS_SECRET_ACCESS_KEY=hunter2hunter2hunter2",
		"AWS_SESSION_TOKEN=FwoGZXIvYXdzEJr1234567890abcdefghijklmnopqrstuvwxyz",
		"AWS_REGION=us-east-1",
		url,
		NULL
	};
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 4);
	process_release(&result);
	char *text = read_log("details");
	gpuq_want_text(text, " setting region: us-east-1, environment AWS_REGION\n");
	gpuq_want_text(text, " sent to 127.0.0.1:");
	gpuq_want_text(text, " is the last: the call has failed, ");
	gpuq_want_text(text, " ends with status 4\n");
	assert_null(strstr(text, "hunter2"));
	assert_null(strstr(text, "FwoGZX"));
	free(text);
}

static void dashboard__writes_it_too(void **state)
{
	const struct region *region = *state;
	int status;
	char path[128];
	snprintf(path, sizeof(path), "%s", in_folder("dashboard"));
	const char *argv[] = {
		region_program("gpuq"), "--endpoint-url", region->url, "--log", path, "-v", NULL
	};
	const char *env[] = { "AWS_SECRET_ACCESS_KEY=simsecret", "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1", NULL };
	struct pty *pty = pty_start(&(struct pty_options){ .argv = argv, .env = env });
	assert_true(pty_wait_text(pty, "live", SOON_MS));
	pty_type(pty, "\x03\x03");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
	char *text = read_log("dashboard");
	gpuq_want_text(text, " dashboard\n");
	gpuq_want_text(text, " ListTrainingJobs us-east-1 try 1 answered 200 in ");
	gpuq_want_text(text, " ends with status 0\n");
	assert_null(strstr(text, "simsecret"));
	free(text);
}

static void log__that_cannot_be_written__is_wrong_usage(void **state)
{
	struct process_result result;
	char said[256];
	assert_int_equal(symlink("/dev/null", in_folder("link")), 0);
	GPUQ_RUN(&result, *state, "plans", "--log", in_folder("link"));
	assert_int_equal(result.status, 2);
	assert_string_equal(result.out, "");
	snprintf(said, sizeof(said), "gpuq: %s: is a link\n", in_folder("link"));
	assert_string_equal(result.err, said);
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log__has_a_line_for_each_step_of_a_call),
		cmocka_unit_test(details__hold_no_secret),
		cmocka_unit_test(dashboard__writes_it_too),
		cmocka_unit_test(log__that_cannot_be_written__is_wrong_usage),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
