/* Who is told of what: wait, watch and the config's rules, the real program on the real region. */
#include <limits.h>
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
#include "tests/statehome.h"

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
				 "--pace",
				 "0",
				 "--refresh",
				 "1",
				 "--config",
				 config ? config : "/dev/null" };
	size_t count = 9;
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

/* Calls of the three that list jobs: of the one that was asked least. */
static long passes(const struct region *region)
{
	static const char *const lists[] = { "Search", "ListTrainingJobs", "ListProcessingJobs" };
	long least = LONG_MAX;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		long calls = region_calls(region, lists[i]);
		least = calls < least ? calls : least;
	}
	return least;
}

/* Until a program that has just been started has asked a second time: what was there at the first
 * is known by then. */
static void want_listed(struct pty *pty, const struct region *region, long before)
{
	while (passes(region) < before + 2)
		pty_run(pty, 20);
}

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
		       "{ { %s --endpoint-url %s --pace 0 --refresh 1 watch; echo \"ended with "
		       "$?\" >&3; } "
		       "| head -n 1; } 3>&1",
		       region_program("gpuq"), region->url);
	const char *argv[] = { "sh", "-c", script, NULL };
	struct pty *pty = pty_start(&(struct pty_options){
		.argv = argv, .env = gpuq_env, .columns = 240, .lines = 40 });
	want_listed(pty, region, 0);
	submit(region, "w-3");
	gpuq_want(pty, "\"job\":\"w-3\"");
	gpuq_want(pty, "ended with 0");
	pty_stop(pty);
}

/* --- rules --- */

#define PATH_SIZE 128
#define TEXT_SIZE 65536

/* A folder of the test's with a config, a hook and what that writes. */
struct desk {
	char folder[32], config[PATH_SIZE], hook[PATH_SIZE], events[PATH_SIZE];
	char sign[PATH_SIZE], signs[PATH_SIZE]; /* that rules are looked at */
};

static void write_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void open_desk(struct desk *desk, const char *hook)
{
	(void)snprintf(desk->folder, sizeof(desk->folder), "/tmp/gpuq-told-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	(void)snprintf(desk->config, PATH_SIZE, "%s/config", desk->folder);
	(void)snprintf(desk->hook, PATH_SIZE, "%s/hook", desk->folder);
	(void)snprintf(desk->events, PATH_SIZE, "%s/events", desk->folder);
	(void)snprintf(desk->sign, PATH_SIZE, "%s/sign", desk->folder);
	(void)snprintf(desk->signs, PATH_SIZE, "%s/signs", desk->folder);
	write_file(desk->hook, hook, 0700);
	write_file(desk->sign, "#!/bin/sh\ncat >>\"$1\"\n", 0700);
}

/* Six lines before what is given: a rule that tells of sentinels. */
static void write_config(const struct desk *desk, const char *rules, mode_t mode)
{
	char text[4096];
	(void)snprintf(text, sizeof(text),
		       "utc = yes\nstuck_after = 10m\n[rule ready]\non = stuck\ndo = run %s %s\n"
		       "jobs = sentinel\n%s",
		       desk->sign, desk->signs, rules);
	write_file(desk->config, text, mode);
}

static void close_desk(const struct desk *desk)
{
	statehome_remove(desk->folder);
}

/* All that a hook has written; static. */
static const char *read_file(const char *path)
{
	static char text[TEXT_SIZE];
	FILE *file = fopen(path, "re");
	size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[len] = '\0';
	if (file)
		assert_int_equal(fclose(file), 0);
	return text;
}

static const char *events_of(const struct desk *desk)
{
	return read_file(desk->events);
}

static void want_event(struct pty *pty, const struct desk *desk, const char *part)
{
	for (int i = 0; i < SOON_MS / 20 && !strstr(events_of(desk), part); i++)
		pty_run(pty, 20);
	if (!strstr(events_of(desk), part))
		fail_msg("no %s in:\n%s\nbut:\n%s", part, events_of(desk), pty_text(pty));
}

static void want_sign(struct pty *pty, const struct desk *desk, const char *name)
{
	for (int i = 0; i < SOON_MS / 20 && !strstr(read_file(desk->signs), name); i++)
		pty_run(pty, 20);
	assert_non_null(strstr(read_file(desk->signs), name));
}

/* Opened, and looking: it has told of a sentinel. What comes from now on is news. */
static struct pty *open_ready(const struct region *region, const char *const *words,
			      const struct desk *desk)
{
	static int count;
	char name[32];
	(void)snprintf(name, sizeof(name), "sentinel-%d", ++count);
	submit(region, name);
	advance(region, 700);
	struct pty *pty = open_wide(region, words, desk->config);
	want_sign(pty, desk, name);
	return pty;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;
	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static const char keeps[] = "#!/bin/sh\n[ \"$2\" = 'two words' ] && cat >>\"$1\"\n";

static void run__gets_the_event__once_and_not_again_after_a_restart(void **state)
{
	const struct region *region = *state;
	const char *const words[] = { "watch", NULL };
	struct desk desk;
	char rules[1024];
	open_desk(&desk, keeps);
	(void)snprintf(rules, sizeof(rules),
		       "[rule hook]\non = start, fallback, stuck\n"
		       "do = run %s %s 'two words'\njobs = llm\n",
		       desk.hook, desk.events);
	write_config(&desk, rules, 0600);
	submit(region, "llm-1");
	struct pty *pty = open_ready(region, words, &desk);
	submit(region, "llm-2");
	submit(region, "eval-1");
	advance(region, 700);
	want_event(pty, &desk,
		   "\"text\":\"llm-1 is pending: stuck: it waits longer than "
		   "stuck_after (10m)\"");
	want_event(pty, &desk, "\"job\":\"llm-2\",\"kind\":\"training\"");
	assert_int_equal(count_lines(events_of(&desk)), 2);
	pty_signal(pty, SIGTERM);
	gpuq_want_exit(pty, 0);
	/* Both are stuck still; that was told. */
	pty = open_ready(region, words, &desk);
	free_up(region, OTHER, 8);
	advance(region, 400);
	want_event(pty, &desk,
		   "\"event\":\"fallback\",\"rule\":\"hook\",\"text\":\"llm-1 "
		   "fell back to #2 ml.g6e.xlarge x1\",\"region\":\"us-east-1\"");
	want_event(pty, &desk,
		   "\"event\":\"start\",\"rule\":\"hook\",\"text\":\"llm-2 has "
		   "started on #2 ml.g6e.xlarge x1 after a wait of ");
	want_event(pty, &desk, "\"text\":\"llm-2 fell back");
	want_event(pty, &desk, "\"text\":\"llm-1 has started");
	pty_run(pty, 1500); /* a look more */
	assert_int_equal(count_lines(events_of(&desk)), 6);
	assert_null(strstr(events_of(&desk), "eval-1"));
	pty_stop(pty);
	close_desk(&desk);
}

static void run__that_fails__is_shown__and_a_file_of_others_runs_nothing(void **state)
{
	const struct region *region = *state;
	const char *const words[] = { "watch", NULL };
	struct desk desk;
	char text[1024];
	open_desk(&desk, "#!/bin/sh\necho 'no route to it' >&2\nexit 3\n");
	(void)snprintf(text, sizeof(text), "[rule hook]\non = start\ndo = run %s\n", desk.hook);
	write_config(&desk, text, 0600);
	struct pty *pty = open_ready(region, words, &desk);
	free_up(region, TYPE, 8);
	submit(region, "a-1");
	advance(region, 400);
	(void)snprintf(text, sizeof(text),
		       "gpuq: rule hook: %s: it ended with status 3: no route to it", desk.hook);
	gpuq_want(pty, text);
	pty_stop(pty);
	assert_int_equal(chmod(desk.config, 0666), 0);
	pty = open_wide(region, words, desk.config);
	(void)snprintf(text, sizeof(text),
		       "%s, line 9, [rule hook] do: runs nothing: others may write the file; chmod "
		       "go-w %s",
		       desk.config, desk.config);
	gpuq_want(pty, text);
	pty_stop(pty);
	/* Nor where another file could be put in its place. */
	assert_int_equal(chmod(desk.config, 0600), 0);
	assert_int_equal(chmod(desk.folder, 0777), 0);
	pty = open_wide(region, words, desk.config);
	(void)snprintf(text, sizeof(text),
		       "%s, line 9, [rule hook] do: runs nothing: others may write its folder; "
		       "chmod go-w %s",
		       desk.config, desk.folder);
	gpuq_want(pty, text);
	want_listed(pty, region, passes(region));
	submit(region, "a-2");
	gpuq_want(pty, "\"job\":\"a-2\"");
	advance(region, 400);
	gpuq_want(pty, "\"job\":\"a-2\",\"kind\":\"training\",\"from\":\"");
	pty_run(pty, 1500);
	assert_null(strstr(pty_text(pty), "it ended with status 3"));
	pty_stop(pty);
	close_desk(&desk);
}

static void screen__rings_and_notifies(void **state)
{
	const struct region *region = *state;
	struct desk desk;
	open_desk(&desk, "");
	write_config(&desk, "[rule look]\non = start\ndo = bell, notify\n", 0644);
	const char *const words[] = { NULL };
	struct pty *pty = open_ready(region, words, &desk);
	free_up(region, OTHER, 8);
	submit(region, "a-1");
	advance(region, 400);
	gpuq_want(pty, "a-1 has started on #2 ml.g6e.xlarge x1 after a wait of ");
	const char *raw = buf_text(pty_raw(pty));
	gpuq_want_text(raw, "\033]9;a-1 has started on #2 ml.g6e.xlarge x1 after a wait of ");
	gpuq_want_text(raw, "\033]777;notify;gpuq;a-1 has started on #2 ml.g6e.xlarge x1 after ");
	assert_non_null(strchr(raw, '\a'));
	pty_stop(pty);
	close_desk(&desk);
}

/* The simulated clock goes on; the machine's does not. */
static void stop_after__names_it_first__and_stops_what_still_waits(void **state)
{
	const struct region *region = *state;
	const char *const words[] = { "watch", NULL };
	struct desk desk;
	open_desk(&desk, "");
	write_config(&desk,
		     "[rule bound]\non = processing-pending\ndo = stop after 1h\n"
		     "jobs = nightly\n",
		     0600);
	process(region, "nightly-1");
	process(region, "other-1");
	submit(region, "nightly-t");
	advance(region, 7200);
	struct pty *pty = open_wide(region, words, desk.config);
	gpuq_want(pty, "gpuq: rule bound stops processing job nightly-1 at ");
	pty_run(pty, 2500); /* two looks more */
	assert_int_equal(region_calls(region, "Stop"), 0);
	advance(region, 310);
	gpuq_want(pty, "gpuq: a rule: processing job nightly-1 is being stopped");
	gpuq_want(pty, "\"job\":\"nightly-1\",\"kind\":\"processing\",\"from\":\"pending\"");
	assert_int_equal(region_calls(region, "Stop"), 1);
	gpuq_want_status(region, "other-1", "InProgress");
	gpuq_want_status(region, "nightly-t", "InProgress");
	pty_stop(pty);
	/* Read-only: neither named nor stopped. */
	process(region, "nightly-2");
	advance(region, 7200);
	const char *const only[] = { "watch", "--read-only", NULL };
	pty = open_wide(region, only, desk.config);
	want_listed(pty, region, passes(region));
	advance(region, 600);
	pty_run(pty, 2500);
	assert_null(strstr(pty_text(pty), "rule bound"));
	assert_int_equal(region_calls(region, "Stop"), 1);
	pty_stop(pty);
	close_desk(&desk);
}

/* The README's own script, with a curl and a tmux that write down what they are given. */
static void slack_hook__of_the_readme__sends_the_event(void **state)
{
	const struct region *region = *state;
	static char readme[1u << 18], script[2048], path[256];
	struct desk desk;
	FILE *file = fopen("README.md", "re");
	assert_non_null(file);
	readme[fread(readme, 1, sizeof(readme) - 1, file)] = '\0';
	assert_int_equal(fclose(file), 0);
	const char *begin = strstr(readme, "```sh\n#!/bin/sh\n# Slack");
	assert_non_null(begin);
	begin += strlen("```sh\n");
	(void)snprintf(script, sizeof(script), "%.*s", (int)(strstr(begin, "```") - begin), begin);
	open_desk(&desk, script);
	(void)snprintf(path, sizeof(path), "%s/curl", desk.folder);
	(void)snprintf(script, sizeof(script),
		       "#!/bin/sh\nall=$(for word; do echo \"<$word>\"; done; cat)\n"
		       "printf '%%s\\n' \"$all\" >>%s\n", /* in one write: both run at once */
		       desk.events);
	write_file(path, script, 0700);
	(void)snprintf(path, sizeof(path), "%s/tmux", desk.folder);
	write_file(path, script, 0700);
	(void)snprintf(script, sizeof(script),
		       "[rule slack]\non = start, fail\ndo = tmux, run %s\n", desk.hook);
	write_config(&desk, script, 0600);
	(void)snprintf(path, sizeof(path), "PATH=%s:/usr/bin:/bin", desk.folder);
	const char *env[] = { gpuq_env[0],
			      gpuq_env[1],
			      gpuq_env[2],
			      gpuq_env[3],
			      path,
			      "TMUX=/tmp/none,1,0",
			      "SLACK_WEBHOOK=http://127.0.0.1:9/hook",
			      NULL };
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "--refresh",
			       "1",
			       "--config",
			       desk.config,
			       "watch",
			       NULL };
	submit(region, "sentinel-of-slack");
	advance(region, 700);
	struct pty *pty = pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 240, .lines = 40 });
	want_sign(pty, &desk, "sentinel-of-slack");
	process(region, "p-1");
	free_up(region, TYPE, 8);
	advance(region, 400);
	want_event(pty, &desk, "<-d>\n<@->\n<http://127.0.0.1:9/hook>\n{\"at\":\"");
	want_event(pty, &desk, "\"rule\":\"slack\",\"text\":\"p-1 has ");
	want_event(pty, &desk, "<display-message>\n<-d>\n<10000>\n<gpuq: p-1 has ");
	pty_stop(pty);
	close_desk(&desk);
}

/* --- plain --- */

/* Nothing is ever painted over: not one escape sequence. */
static void plain__tells_changes_and_answers__line_by_line(void **state)
{
	struct process_result result;
	submit(*state, "p-1");
	const char *const words[] = { "--plain", NULL };
	struct pty *pty = open_wide(*state, words, NULL);
	gpuq_want(pty, " pending, ");
	gpuq_want(pty, "p-1, training, pending, waiting ");
	gpuq_want(pty, "UTC"); /* the zone is said */
	pty_type(pty, "counts\n");
	pty_type(pty, "p-1\n");
	gpuq_want(pty, "arn:aws:sagemaker:");
	pty_type(pty, "nonsense\n");
	gpuq_want(pty, "nonsense: no job and no word known here");
	free_up(*state, OTHER, 1);
	advance(*state, 400);
	gpuq_want(pty, "p-1, training, running, waited ");
	pty_type(pty, "quit\n");
	gpuq_want_exit(pty, 0);
	GPUQ_RUN(&result, *state, "--plain", "jobs");
	assert_int_equal(result.status, 0); /* a command is line by line anyway */
	assert_null(strchr(result.out, '\x1b'));
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(plain__tells_changes_and_answers__line_by_line,
						start, gpuq_stop_region),
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
		cmocka_unit_test_setup_teardown(
			run__gets_the_event__once_and_not_again_after_a_restart, start,
			gpuq_stop_region),
		cmocka_unit_test_setup_teardown(
			run__that_fails__is_shown__and_a_file_of_others_runs_nothing, start,
			gpuq_stop_region),
		cmocka_unit_test_setup_teardown(screen__rings_and_notifies, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(
			stop_after__names_it_first__and_stops_what_still_waits, start,
			gpuq_stop_region),
		cmocka_unit_test_setup_teardown(slack_hook__of_the_readme__sends_the_event, start,
						gpuq_stop_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
