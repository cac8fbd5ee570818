/* Who is told of what: wait, watch and the config's rules, the real program on the real region. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/gpuq.h"

#define SOON_MS 30000
#define TYPE    "ml.g5.2xlarge"
#define OTHER   "ml.g6e.xlarge"

static const char *const empty[] = { "--scenario", "empty", "--seed",    "3",
				     "--rate",     "0",     "--no-auth", NULL };

static int start(void **state)
{
	int failed = gpuq_start_region(state, empty);
	region_control(*state, "capacity", "{\"instance_type\":\"" TYPE "\",\"free\":0}");
	region_control(*state, "capacity", "{\"instance_type\":\"" OTHER "\",\"free\":0}");
	return failed;
}

static void submit(const struct region *region, const char *name)
{
	char body[1024];
	(void)snprintf(
		body, sizeof(body),
		"{\"TrainingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"" TYPE
		"\",\"InstanceCount\":1},{\"InstanceType\":\"" OTHER
		"\",\"InstanceCount\":1}],\"VolumeSizeInGB\":100},\"StoppingCondition\":"
		"{\"MaxRuntimeInSeconds\":36000}}",
		name);
	free(region_call(region, "CreateTrainingJob", body));
}

static void free_up(const struct region *region, const char *type, int count)
{
	region_control(region, "capacity", "{\"instance_type\":\"%s\",\"free\":%d}", type, count);
}

static void advance(const struct region *region, int seconds)
{
	region_control(region, "advance", "{\"seconds\":%d}", seconds);
}

/* Wide, so that a line of JSON is one on the screen. */
static struct pty *open_wide(const struct region *region, const char *const *words,
			     const char *config)
{
	const char *argv[24] = { region_program("gpuq"),
				 "--endpoint-url",
				 region->url,
				 "--refresh",
				 "1",
				 "--config",
				 config ? config : "/dev/null" };
	size_t count = 7;
	while (*words)
		argv[count++] = *words++;
	return pty_start(&(struct pty_options){
		.argv = argv, .env = gpuq_env, .columns = 240, .lines = 40 });
}

/* Pending: of no type is one free. */
static void process(const struct region *region, const char *name)
{
	char body[1024];
	(void)snprintf(
		body, sizeof(body),
		"{\"ProcessingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AppSpecification\":{\"ImageUri\":\"x\"},\"ProcessingResources\":"
		"{\"ClusterConfig\":{\"InstanceType\":\"" TYPE
		"\",\"InstanceCount\":1,\"VolumeSizeInGB\":10}}}",
		name);
	free(region_call(region, "CreateProcessingJob", body));
}

/* --- wait --- */

static void wait__ends_with_0__once_the_job_runs(void **state)
{
	struct process_result result;
	submit(*state, "a-1");
	GPUQ_RUN(&result, *state, "wait", "a-1", "--until", "running", "--timeout", "1");
	assert_int_equal(result.status, 5);
	assert_string_equal(result.out, "");
	gpuq_want_text(result.err, "gpuq: a-1: it is still pending after 1s");
	process_release(&result);
	const char *const words[] = { "wait", "a-1", "--until", "running", NULL };
	struct pty *pty = open_wide(*state, words, NULL);
	free_up(*state, OTHER, 1);
	advance(*state, 400);
	gpuq_want(pty, "a-1 is running after a wait of ");
	gpuq_want(pty, ", on ml.g6e.xlarge x1 (#2)");
	gpuq_want_exit(pty, 0);
	GPUQ_RUN(&result, *state, "wait", "a-1", "--until", "running", "-o", "json");
	assert_int_equal(result.status, 0);
	gpuq_want_text(result.out, "\"phase\":\"running\"");
	process_release(&result);
	/* Nothing is asked but the one job. */
	assert_int_equal(region_calls(*state, "List"), 0);
	assert_int_equal(region_calls(*state, "Search"), 0);
}

static void wait__ends_with_1__for_a_stop_and_an_unknown_job(void **state)
{
	struct process_result result;
	submit(*state, "a-2");
	GPUQ_RUN(&result, *state, "stop", "a-2", "--yes");
	assert_int_equal(result.status, 0);
	process_release(&result);
	advance(*state, 600);
	GPUQ_RUN(&result, *state, "wait", "a-2");
	assert_int_equal(result.status, 1);
	gpuq_want_text(result.err, "gpuq: a-2: it has stopped");
	gpuq_want_text(result.out, "a-2 has stopped after a wait of ");
	process_release(&result);
	GPUQ_RUN(&result, *state, "wait", "no-such-job");
	assert_int_equal(result.status, 1);
	gpuq_want_text(result.err, "no-such-job: there is no job of that name");
	process_release(&result);
	GPUQ_RUN(&result, *state, "wait", "a-2", "--until", "started");
	assert_int_equal(result.status, 2);
	process_release(&result);
}

static void wait__ends_with_130__when_it_is_interrupted(void **state)
{
	const char *const words[] = { "wait", "a-3", NULL };
	submit(*state, "a-3");
	struct pty *pty = open_wide(*state, words, NULL);
	long before = region_calls(*state, "DescribeTrainingJob");
	while (region_calls(*state, "DescribeTrainingJob") == before)
		pty_run(pty, 20);
	pty_type(pty, "\003");
	gpuq_want_exit(pty, 130);
	pty = open_wide(*state, words, NULL);
	before = region_calls(*state, "DescribeTrainingJob");
	while (region_calls(*state, "DescribeTrainingJob") == before)
		pty_run(pty, 20);
	pty_signal(pty, SIGTERM);
	gpuq_want_exit(pty, 130);
}

/* --- watch --- */

static void watch__prints_each_change__until_it_is_interrupted(void **state)
{
	const char *const words[] = { "watch", "w-1", "w-2", "p-1", NULL };
	submit(*state, "w-1");
	process(*state, "p-1");
	struct pty *pty = open_wide(*state, words, NULL);
	gpuq_want(pty, "gpuq: w-2: there is no such job yet; it is watched for");
	assert_null(strstr(pty_text(pty), "\"job\""));
	free_up(*state, OTHER, 1);
	advance(*state, 400);
	gpuq_want(pty, "\"job\":\"w-1\",\"kind\":\"training\",\"from\":\"pending\",\"to\":"
		       "\"running\",\"selected\":{\"rank\":2,\"instance_type\":\"ml.g6e.xlarge\","
		       "\"instance_count\":1},\"wait_seconds\":");
	submit(*state, "w-2");
	submit(*state, "w-other");
	gpuq_want(pty, "\"job\":\"w-2\",\"kind\":\"training\",\"from\":null,\"to\":\"pending\","
		       "\"selected\":null,\"wait_seconds\":");
	/* Its end comes by a list, its wait by the description that follows. */
	free_up(*state, TYPE, 1);
	advance(*state, 36000);
	gpuq_want(pty, "\"job\":\"p-1\",\"kind\":\"processing\",\"from\":\"pending\",\"to\":\"");
	gpuq_want(pty, "\"selected\":{\"rank\":1,\"instance_type\":\"" TYPE
		       "\",\"instance_count\":1},\"wait_seconds\":4");
	assert_null(strstr(pty_text(pty), "w-other"));
	pty_signal(pty, SIGTERM);
	gpuq_want_exit(pty, 0);
	pty = open_wide(*state, (const char *const[]){ "watch", NULL }, NULL);
	long before = region_calls(*state, "Search");
	while (region_calls(*state, "Search") == before)
		pty_run(pty, 20);
	pty_type(pty, "\003");
	gpuq_want_exit(pty, 130);
}

/* The reader goes after one line. */
static void watch__ends_well__when_nobody_reads_any_more(void **state)
{
	char script[512];
	const struct region *region = *state;
	(void)snprintf(script, sizeof(script),
		       "{ { %s --endpoint-url %s --refresh 1 watch; echo \"ended with $?\" >&3; } "
		       "| head -n 1; } 3>&1",
		       region_program("gpuq"), region->url);
	const char *argv[] = { "sh", "-c", script, NULL };
	struct pty *pty = pty_start(&(struct pty_options){
		.argv = argv, .env = gpuq_env, .columns = 240, .lines = 40 });
	while (region_calls(region, "ListProcessingJobs") == 0 ||
	       region_calls(region, "ListTrainingJobs") == 0)
		pty_run(pty, 20);
	pty_run(pty, 300);
	submit(region, "w-3");
	gpuq_want(pty, "\"job\":\"w-3\"");
	gpuq_want(pty, "ended with 0");
	pty_stop(pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(wait__ends_with_0__once_the_job_runs, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(wait__ends_with_1__for_a_stop_and_an_unknown_job,
						start, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(wait__ends_with_130__when_it_is_interrupted, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(watch__prints_each_change__until_it_is_interrupted,
						start, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(watch__ends_well__when_nobody_reads_any_more, start,
						gpuq_stop_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
