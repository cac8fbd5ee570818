/*
 * The history on the real program and the real region: a second start shows the queue before AWS
 * answers, a damaged file is set aside and said so, and `gpuq history` tells with AWS and without,
 * `gpuq forecast` from it.
 */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"
#include "tests/statehome.h"

#define SOON_MS 15000 /* generous: a sanitizer build on a busy machine */

static const char *const options[] = { "--scenario", "still",  "--seed", "7", "--jobs",
				       "120",        "--rate", "0",      NULL };

/* The account is told: nobody needs to be asked for it. */
static const char *const env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
				   "AWS_ACCOUNT_ID=111122223333", "AWS_REGION=us-east-1", NULL };

static struct pty *open_gpuq(const struct region *region)
{
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "--since",
			       "60d",
			       NULL };
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 160, .lines = 48 });
}

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "history: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void quit(struct pty *pty)
{
	int status;
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
}

static const char *file_path(void)
{
	static char path[256];
	char pattern[256];
	glob_t found;
	snprintf(pattern, sizeof(pattern), "%s/gpuq/111122223333-*/history.sqlite", statehome());
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
	globfree(&found);
	return path;
}

static void run_history(struct process_result *result, const struct region *region, const char *by)
{
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "--since",
			       "60d",
			       "history",
			       "--by",
			       by,
			       "-o",
			       "json",
			       NULL };
	process_run(result, argv, env, NULL);
}

/* A number stands behind the member somewhere. */
static bool tells(const char *text, const char *member)
{
	for (const char *at = strstr(text, member); at; at = strstr(at, member)) {
		at += strlen(member);
		if (*at >= '0' && *at <= '9')
			return true;
	}
	return false;
}

/* Of one that runs, what it is likely to cost comes from what the history has of its stem. */
static void want_likely(const struct region *region)
{
	const char *jobs[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "jobs",
			       "--kind",
			       "training",
			       "--status",
			       "running",
			       "-o",
			       "jsonl",
			       NULL };
	const char *show[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "show",
			       NULL,
			       "-o",
			       "json",
			       NULL };
	static const char before[] = "{\"name\":\"";
	struct process_result list, shown;
	size_t likely = 0;
	process_run(&list, jobs, env, NULL);
	assert_true(tells(list.out, "\"likely\":"));
	for (char *at = strstr(list.out, before); at && likely == 0; at = strstr(at, before)) {
		at += sizeof(before) - 1;
		size_t len = strcspn(at, "\"");
		at[len] = '\0';
		show[6] = at;
		process_run(&shown, show, env, NULL);
		assert_int_equal(shown.status, 0);
		assert_non_null(strstr(shown.out, "\"likely\":"));
		likely += strstr(shown.out, "\"likely\":null") == NULL;
		process_release(&shown);
		at += len + 1;
	}
	assert_int_equal(likely, 1);
	process_release(&list);
}

/* The first has a plan that is free; the second type was never asked for: it cannot be told. */
static void run_forecast(struct process_result *result, const struct region *region)
{
	static const char prefs[] = "ml.p5.48xlarge:1@arn:aws:sagemaker:us-east-1:111122223333:"
				    "training-plan/p5-plan,ml.trn2.48xlarge:16";
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       region->url,
			       "--pace",
			       "0",
			       "--since",
			       "60d",
			       "forecast",
			       "--prefs",
			       prefs,
			       "-o",
			       "json",
			       NULL };
	process_run(result, argv, env, NULL);
}

/* At once, though nobody is there to answer. */
static void want_wrong_usage(void)
{
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       "http://127.0.0.1:9",
			       "forecast",
			       "--prefs",
			       "ml.p5.48xlarge:1",
			       "--deadline",
			       "soon",
			       NULL };
	struct process_result result;
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "--deadline: takes a duration"));
	process_release(&result);
}

/* What jobs that still run have cost is older by the time since. */
static void want_same_start(const char *a, const char *b)
{
	const char *cost = strstr(a, "\"cost\":");
	assert_non_null(cost);
	assert_memory_equal(a, b, (size_t)(cost - a));
}

static int64_t jobs_of(const char *text, const char *key)
{
	char wanted[128];
	snprintf(wanted, sizeof(wanted), "\"key\":\"%s\",\"jobs\":", key);
	const char *at = strstr(text, wanted);
	return at ? strtoll(at + strlen(wanted), NULL, 10) : 0;
}

/* All jobs of the region have the tag; Search tells it of training jobs, though nobody has looked
 * at one, and nothing tells it of the others. */
static void want_all_tagged(const char *text)
{
	int64_t tagged = jobs_of(text, "team=ml-platform");
	assert_true(tagged > 60);
	assert_int_equal(tagged + jobs_of(text, "(no tag seen)"), 120);
	assert_true(jobs_of(text, "stem=llm-ft-7b") > 0);
}

/* One story: each part goes on with what the one before has left. */
static void test_from_run_to_run(void **state)
{
	(void)state;
	struct region region;
	struct process_result online, offline, tagged, forecast;
	struct stat status;
	want_wrong_usage();
	region_start(&region, options);
	struct pty *pty = open_gpuq(&region);
	want(pty, "120 of 120");
	want(pty, "live");
	quit(pty);
	assert_int_equal(stat(file_path(), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	run_history(&online, &region, "type");
	assert_int_equal(online.status, 0);
	assert_non_null(strstr(online.out, "\"key\":\"ml.p5.48xlarge\""));
	assert_true(tells(online.out, "\"plan_fees\":")); /* some ran on a plan */
	run_history(&tagged, &region, "tag");
	want_all_tagged(tagged.out);
	process_release(&tagged);
	want_likely(&region);
	run_forecast(&forecast, &region);
	assert_int_equal(forecast.status, 0);
	assert_non_null(strstr(forecast.out, "{\"n\":0,\"entries\":[{\"rank\":1,"));
	assert_non_null(strstr(forecast.out, "\"plan_state\":\"active\""));
	assert_non_null(strstr(forecast.out, "\"start_within\":[{\"seconds\":900,"));
	process_release(&forecast);
	region_stop(&region);

	/* Nobody answers: what was seen is there, with its age and the reason. */
	pty = open_gpuq(&region);
	want(pty, "120 of 120");
	want(pty, "as of ");
	want(pty, "no connection");
	quit(pty);
	run_history(&offline, &region, "type");
	assert_int_equal(offline.status, 5);
	assert_non_null(strstr(offline.err, "the figures are partial"));
	want_same_start(online.out, offline.out);
	process_release(&online);
	process_release(&offline);

	int fd = open(file_path(), O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "damage", 6, 0), 6);
	close(fd);
	pty = open_gpuq(&region);
	want(pty, "the history was damaged and is kept as history.sqlite.damaged-");
	quit(pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_from_run_to_run) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
