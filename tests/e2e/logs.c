/*
 * Logs on the real program and the real region: the newest lines of all hosts, the first error of a
 * failed job, a host chosen, a search and a filter, no logs yet, a denial, hostile bytes; and a job
 * that writes 2,000 lines a second, under whose lines keys are answered. The long form
 * (GPUQ_SOAK_SECONDS) follows 1.2 million of them and holds the memory and the keys to a bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/gpuq.h"
#include "tests/soak.h"

#define SOON_MS  15000 /* generous: a sanitizer build on a busy machine */
#define LONG_MS  900000
#define KEYS     200
#define P99_MS   50.0
#define RATE     2000
#define SPEED    "8" /* of the long form: 1.2 million lines are ten minutes of the region's */
#define LINES    1200000
#define RSS_KIB  80000
#define TYPE     "ml.g5.2xlarge"
#define BUSY_JOB "busy-writer-1"

static const char *const still[] = { "--scenario", "still", "--seed",    "7",
				     "--rate",     "0",     "--no-auth", NULL };
static const char *const fast[] = { "--scenario", "empty", "--rate",    "0",
				    "--speed",    SPEED,   "--no-auth", NULL };
static const char *const slow[] = { "--scenario", "empty", "--rate", "0", "--no-auth", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, still);
}

static int start_busy(void **state)
{
	return gpuq_start_region(state, soak_seconds(0) > 0 ? fast : slow);
}

static struct pty *open_gpuq(const struct region *region)
{
	struct pty *pty = gpuq_open(region, (const char *const[]){ "--pace", "0", NULL });
	gpuq_want(pty, "live");
	return pty;
}

/* L on the first job that the filter leaves. */
static void look(struct pty *pty, const char *filter)
{
	char keys[128];
	snprintf(keys, sizeof(keys), "af\x15%s\rg", filter);
	pty_type(pty, keys);
	snprintf(keys, sizeof(keys), "\u25b8 %s", filter);
	gpuq_want(pty, keys);
	pty_type(pty, "L");
	gpuq_want(pty, "*Logs of ");
}

static void close_logs(struct pty *pty)
{
	pty_type(pty, "q");
	assert_true(pty_wait_no_text(pty, "*Logs of ", SOON_MS));
}

/* --- the screen --- */

static void logs__show_all_hosts__one_and_what_is_searched_for(void **state)
{
	struct pty *pty = open_gpuq(*state);
	look(pty, "rlhf-ppo");
	gpuq_want(pty, "all hosts");
	gpuq_want(pty, " algo-1 step ");
	gpuq_want(pty, " algo-2 step ");
	gpuq_want(pty, "following, ");
	assert_true(pty_wait_no_text(pty, "earlier ones are being read", SOON_MS));
	pty_type(pty, "o");
	gpuq_want(pty, "*Hosts");
	pty_type(pty, "jj\r");
	gpuq_want(pty, "algo-2 \u2510");
	assert_true(pty_wait_no_text(pty, " algo-2 step ", SOON_MS));
	/* The region's first eight lines: one of them warns. Those around it stay. */
	pty_type(pty, "/TOKENIZERS\r");
	gpuq_want(pty, "/TOKENIZERS not found");
	pty_type(pty, "/\x15tokenizers\r");
	gpuq_want(pty, "/tokenizers 1 of 1");
	gpuq_want(pty, "WARNING  tokenizers: the current process");
	gpuq_want(pty, "NCCL INFO Bootstrap");
	gpuq_want(pty, "not following");
	pty_type(pty, "ftokenizers\r");
	gpuq_want(pty, "only: tokenizers");
	assert_true(pty_wait_no_text(pty, "NCCL INFO Bootstrap", SOON_MS));
	pty_type(pty, "a");
	gpuq_want(pty, "NCCL INFO Bootstrap");
	pty_type(pty, "F");
	gpuq_want(pty, "following, ");
	assert_true(pty_wait_no_text(pty, "NCCL INFO Bootstrap", SOON_MS));
	close_logs(pty);
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

static void logs__open_at_the_end__with_the_first_error_marked(void **state)
{
	struct pty *pty = open_gpuq(*state);
	int x = 0, y = 0;
	pty_type(pty, "af\x15"
		      "failed\rg");
	gpuq_want(pty, "Failed");
	pty_type(pty, "L");
	gpuq_want(pty, "Traceback (most recent call last):");
	gpuq_want(pty, "\u2717 the first error: e");
	gpuq_want(pty, "Encountered exit_code 1");
	assert_true(pty_find(pty, "Traceback", &x, &y));
	assert_non_null(strstr(pty_line(pty, y), "\u2502\u2717 "));
	pty_type(pty, "t");
	assert_true(pty_wait_text(pty, "\u2717 algo-1", SOON_MS) ||
		    pty_wait_text(pty, "\u2717 Traceback", SOON_MS));
	pty_type(pty, "ge");
	gpuq_want(pty, "Traceback (most recent call last):");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

static void logs__are_not_there_yet__while_a_job_waits(void **state)
{
	struct pty *pty = open_gpuq(*state);
	look(pty, "llm-pretrain-1b");
	gpuq_want(pty, "No logs yet: the job waits for its instances.");
	gpuq_want(pty, "/aws/sagemaker/TrainingJobs");
	close_logs(pty);
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

static void logs__of_a_processing_job__have_their_own_group(void **state)
{
	struct pty *pty = open_gpuq(*state);
	look(pty, "preproc-clickstream");
	gpuq_want(pty, "following, ");
	gpuq_want(pty, " step ");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

static void logs__name_what_is_denied__and_of_what(void **state)
{
	struct pty *pty;
	region_control(*state, "fault",
		       "{\"operation\":\"DescribeLogStreams\",\"count\":100,\"status\":400,"
		       "\"body\":\"{\\\"__type\\\":\\\"AccessDeniedException\\\",\\\"message\\\":"
		       "\\\"User: arn:aws:iam::111122223333:user/ops is not authorized to perform: "
		       "logs:DescribeLogStreams on resource: arn:aws:logs:us-east-1:111122223333:"
		       "log-group:/aws/sagemaker/TrainingJobs:log-stream: because no "
		       "identity-based policy allows the logs:DescribeLogStreams action\\\"}\"}");
	pty = open_gpuq(*state);
	look(pty, "rlhf-ppo");
	gpuq_want(pty, "denied: logs:DescribeLogStreams");
	gpuq_want(pty, "log-group:/aws/sagemaker/TrainingJobs");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

/* A page of what nobody would write on purpose. */
static void logs__are_harmless__whatever_they_hold(void **state)
{
	struct pty *pty;
	region_control(
		*state, "fault",
		"{\"operation\":\"GetLogEvents\",\"count\":1000,\"status\":200,"
		"\"body\":\"{\\\"events\\\":["
		"{\\\"timestamp\\\":1796071688000,\\\"message\\\":"
		"\\\"title \\\\u001b]0;owned\\\\u0007 \\\\u001bPdcs\\\\u001b\\\\\\\\ here\\\"},"
		"{\\\"timestamp\\\":1796071688001,\\\"message\\\":"
		"\\\"\\\\u001b[31mred\\\\u001b[0m \\\\u001b[2J\\\\u001b[5;5Hstays\\\"},"
		"{\\\"timestamp\\\":1796071688002,\\\"message\\\":"
		"\\\"\\\\r 10%%\\\\r 50%%\\\\r100%% done \\\\u0000.\\\"},"
		"{\\\"timestamp\\\":1796071688003,\\\"message\\\":\\\"\\\\ud83d half\\\"}],"
		"\\\"nextForwardToken\\\":\\\"f/1\\\",\\\"nextBackwardToken\\\":\\\"b/1\\\"}\"}");
	pty = open_gpuq(*state);
	look(pty, "rlhf-ppo");
	gpuq_want(pty, "title ");
	gpuq_want(pty, "red stays");
	gpuq_want(pty, "100% done ");
	gpuq_want(pty, " half");
	assert_false(pty_find(pty, " 50%", &(int){ 0 }, &(int){ 0 }));
	int x = 0, y = 0;
	assert_true(pty_find(pty, "red stays", &x, &y));
	assert_int_equal(pty_cell(pty, x, y).front, 196); /* the dark theme's red */
	assert_int_equal(pty_cell(pty, x + 5, y).front, PTY_PLAIN);
	const struct buf *raw = pty_raw(pty);
	for (size_t i = 0; i + 1 < raw->len; i++)
		if (raw->data[i] == '\x1b' && (raw->data[i + 1] == ']' || raw->data[i + 1] == 'P'))
			fail_msg("a string sequence reached the terminal");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

/* --- 2,000 lines a second --- */

static void start_writer(const struct region *region)
{
	region_control(region, "logs", "{\"name\":\"" BUSY_JOB "\",\"rate\":%d}", RATE);
	region_control(region, "capacity", "{\"instance_type\":\"" TYPE "\",\"free\":1}");
	free(region_call(region, "CreateTrainingJob",
			 "{\"TrainingJobName\":\"" BUSY_JOB "\",\"AlgorithmSpecification\":{"
			 "\"TrainingImage\":\"image\",\"TrainingInputMode\":\"File\"},"
			 "\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\","
			 "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
			 "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":86400},"
			 "\"ResourceConfig\":{\"InstanceType\":\"" TYPE "\",\"InstanceCount\":1,"
			 "\"VolumeSizeInGB\":10}}"));
	region_control(region, "advance", "{\"seconds\":20}"); /* it trains by then */
}

/* Of the screen's words "following, 123456 lines read". */
static long lines_read(struct pty *pty)
{
	const char *at = strstr(pty_text(pty), "following, ");
	return at ? strtol(at + strlen("following, "), NULL, 10) : -1;
}

static double now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return left < right ? -1 : left > right;
}

/* j and k in turn, each until the first line is another; the 99th percentile. */
static double press_keys(struct pty *pty, int keys)
{
	double ms[KEYS] = { 0 };
	char before[512];
	pty_type(pty, "g");
	gpuq_want(pty, "not following");
	for (int i = 0; i < keys; i++) {
		double from = now_ms();
		snprintf(before, sizeof(before), "%s", pty_line(pty, 2));
		pty_type(pty, i % 2 == 0 ? "j" : "k");
		while (strcmp(before, pty_line(pty, 2)) == 0 && now_ms() - from < SOON_MS)
			pty_run(pty, 1);
		ms[i] = now_ms() - from;
		assert_true(ms[i] < SOON_MS);
		pty_run(pty, 20);
	}
	qsort(ms, (size_t)keys, sizeof(*ms), by_size);
	printf("logs: j and k: median %.1f ms, p99 %.1f ms\n", ms[keys / 2], ms[keys * 99 / 100]);
	return ms[keys * 99 / 100];
}

static long resident_kib(pid_t pid)
{
	char path[64], line[256];
	long kib = -1;
	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kib = strtol(line + 6, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

static void logs__come_at_2000_a_second__and_keys_are_answered(void **state)
{
	bool is_long = soak_seconds(0) > 0;
	long wanted = is_long ? LINES : 6000;
	double until = now_ms() + (is_long ? LONG_MS : SOON_MS);
	start_writer(*state);
	struct pty *pty = open_gpuq(*state);
	look(pty, BUSY_JOB);
	gpuq_want(pty, "following, ");
	while (lines_read(pty) < wanted && now_ms() < until)
		pty_run(pty, 50);
	assert_true(lines_read(pty) >= wanted);
	long kib = resident_kib(pty_pid(pty));
	double p99 = press_keys(pty, is_long ? KEYS : 20);
	printf("logs: %ld lines, %ld KiB\n", wanted, kib);
	if (is_long) {
		assert_true(p99 <= P99_MS);
		assert_in_range(kib, 1, RSS_KIB);
	}
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, gpuq_stop_region)
	const struct CMUnitTest tests[] = {
		TEST(logs__show_all_hosts__one_and_what_is_searched_for),
		TEST(logs__open_at_the_end__with_the_first_error_marked),
		TEST(logs__are_not_there_yet__while_a_job_waits),
		TEST(logs__of_a_processing_job__have_their_own_group),
		TEST(logs__name_what_is_denied__and_of_what),
		TEST(logs__are_harmless__whatever_they_hold),
		cmocka_unit_test_setup_teardown(logs__come_at_2000_a_second__and_keys_are_answered,
						start_busy, gpuq_stop_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
