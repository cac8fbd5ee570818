/*
 * What the panes say of their own age, on the real program and the real region: a Describe that is
 * denied, a network that goes away and comes back, the tags of the open job, and its hosts'
 * metrics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS 30000 /* generous: a sanitizer build on a busy machine */
#define JOB     "llm-pretrain-1b"
#define DENIED  "denied sagemaker:DescribeTrainingJob on"

static struct pty *start_gpuq(const struct region *region, int columns, int lines)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", "--pace", "5", NULL };
	const char *env[] = { url, "AWS_SECRET_ACCESS_KEY=simsecret", "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1", NULL };
	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = columns, .lines = lines });
}

static void tell(struct pty *pty, const char *text)
{
	/* cmocka cuts its messages; a screen is longer. */
	fprintf(stderr, "panes: '%s' never came or never went:\n%s\n", text, pty_text(pty));
	fail();
}

static void want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		tell(pty, text);
}

static void want_gone(struct pty *pty, const char *text)
{
	if (!pty_wait_no_text(pty, text, SOON_MS))
		tell(pty, text);
}

/* Of the newest words of that sort on the screen, in seconds; -1 = there are none. */
static long seconds_after(struct pty *pty, const char *words)
{
	const char *at = strstr(pty_text(pty), words);
	return at ? strtol(at + strlen(words), NULL, 10) : -1;
}

static void select_job(struct pty *pty)
{
	want(pty, "live");
	pty_type(pty, "f" JOB "\rpg");
	want(pty, "\u25b8 " JOB);
	want(pty, "#1 ml.p5e.48xlarge");
	want(pty, "Pending 3h");
}

/* Until its own Describe is there, Search keeps a record of it up, without an age. Of the calls
 * that are counted two at most are of rows where the cursor was before, and a job's second call
 * follows the answer to its first. */
static void want_described(struct pty *pty, const struct region *region)
{
	long before = region_calls(region, "DescribeTrainingJob");
	for (int i = 0; region_calls(region, "DescribeTrainingJob") < before + 4; i++) {
		if (i == SOON_MS / 100)
			tell(pty, "a Describe");
		pty_run(pty, 100);
	}
}

/*
 * The age grows and the time to the next try falls. A try may be under way at any one look (no
 * time is told then, or 0 s), and the next is further off, so each is watched from a fresh start.
 */
static void want_both_clocks_to_move(struct pty *pty)
{
	long age = -1, left = -1;
	bool aged = false, fell = false;
	for (int i = 0; i < 150 && !(aged && fell); i++) {
		long age_now = seconds_after(pty, "stale ");
		long left_now = seconds_after(pty, "next try in ");
		aged = aged || (age >= 0 && age_now >= age + 2);
		fell = fell || (left_now >= 0 && left_now < left);
		age = age < 0 ? age_now : age;
		left = left_now;
		pty_run(pty, 200);
	}
	if (!aged)
		tell(pty, "an age that grows");
	if (!fell)
		tell(pty, "a next try that comes nearer");
}

/* Denied after the first Describe: the last data stays, says how old it is, and heals. */
static void panes__tell_of_a_denied_describe__until_it_is_allowed_again(void **state)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };
	struct region region;
	(void)state;
	region_start(&region, still);
	struct pty *pty = start_gpuq(&region, 120, 40);
	select_job(pty);
	want_described(pty, &region);
	region_control(&region, "fault",
		       "{\"operation\":\"DescribeTrainingJob\",\"code\":\"AccessDeniedException\","
		       "\"percent\":100}");
	want(pty, DENIED);
	want(pty, "next try in");
	want(pty, "#1 ml.p5e.48xlarge"); /* the last data stays */
	want_both_clocks_to_move(pty);
	pty_resize(pty, 40, 12);  /* alone, the pane has the words too */
	want(pty, "WAIT SEL K│"); /* of that width */
	pty_type(pty, "5");
	want(pty, "*Wait");
	want(pty, "sagemaker:DescribeTrainingJob on");
	pty_resize(pty, 120, 40);
	region_control(&region, "fault", "{\"operation\":\"DescribeTrainingJob\",\"count\":0}");
	pty_type(pty, "r");
	want_gone(pty, "stale");
	want_gone(pty, "denied");
	pty_stop(pty);
	region_stop(&region);
}

/* Tags are read while the job's page is open, and the rest goes on where they are denied. */
static void job__shows_its_tags__or_that_they_are_denied(void **state)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };
	struct region region;
	struct region_state calls;
	(void)state;
	region_start(&region, still);
	struct pty *pty = start_gpuq(&region, 120, 50);
	select_job(pty);
	region_state(&region, &calls);
	assert_int_equal(region_number(&calls, "calls.ListTags.ok", 0), 0); /* nobody looked */
	region_state_release(&calls);
	pty_type(pty, "\rG");
	want(pty, "  team                ml-platform");
	pty_type(pty, "q");
	want_gone(pty, "ml-platform");
	region_control(&region, "fault",
		       "{\"operation\":\"ListTags\",\"code\":\"AccessDeniedException\","
		       "\"percent\":100}");
	pty_type(pty, "f\x15llm-ft-7b\r");
	want(pty, "\u25b8 llm-ft-7b");
	want(pty, "#1 ml.p5.48xlarge");
	pty_type(pty, "\rG");
	want(pty, "not read: denied sagemaker:ListTags on llm-ft-7b");
	want(pty, "price from");
	pty_type(pty, "/deni");
	want(pty, "/deni 1 of 1");
	pty_stop(pty);
	region_stop(&region);
}

/* The region is gone for a while: panes are stale with the reason, and heal by themselves. */
static void panes__tell_that_there_is_no_connection__until_there_is(void **state)
{
	char port[16];
	const char *const options[] = {
		"--scenario", "still", "--seed", "7", "--port", port, NULL
	};
	struct region region;
	(void)state;
	snprintf(port, sizeof(port), "0");
	region_start(&region, options);
	snprintf(port, sizeof(port), "%d", region.port);
	struct pty *pty = start_gpuq(&region, 120, 40);
	select_job(pty);
	region_stop(&region);
	want(pty, ": no connection, next try in");
	want(pty, "stale");
	want(pty, "#1 ml.p5e.48xlarge");
	region_start(&region, options);
	want_gone(pty, "no connection");
	want_gone(pty, "stale");
	pty_stop(pty);
	region_stop(&region);
}

/* By one key from the job; a recipe of the region hangs, and its job is marked by itself. */
static void metrics__come_by_host__and_idle_gpus_are_marked(void **state)
{
	const char *const options[] = { "--scenario", "still", "--seed", "7", NULL };
	struct region region;
	(void)state;
	region_start(&region, options);
	struct pty *pty = start_gpuq(&region, 120, 36);
	want(pty, "live");
	pty_type(pty, "frlhf-ppo\r");
	want(pty, "#1 ml.p5.48xlarge");
	pty_type(pty, "M");
	want(pty, "Metrics of rlhf-ppo");
	want(pty, "GPU, mean of all hosts: last ");
	want(pty, "algo-2");
	pty_type(pty, "l");
	want(pty, "GPU memory, mean of all hosts: last ");
	pty_type(pty, "q");
	want(pty, "Idle GPUs");
	want(pty, "! idle GPUs: under");
	pty_stop(pty);
	region_stop(&region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(panes__tell_of_a_denied_describe__until_it_is_allowed_again),
		cmocka_unit_test(panes__tell_that_there_is_no_connection__until_there_is),
		cmocka_unit_test(job__shows_its_tags__or_that_they_are_denied),
		cmocka_unit_test(metrics__come_by_host__and_idle_gpus_are_marked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
