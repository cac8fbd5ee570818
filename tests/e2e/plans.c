/*
 * Training plans on the real program and the real region: a plan bound to an entry and a pending
 * limit reach the region in the copy, nothing is asked about plans before they are looked at, and
 * `gpuq plans` prints them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS 15000 /* generous: a sanitizer build on a busy machine */
#define STEM    "llm-ft-7b"
#define PLAN    "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };

static int start(void **state)
{
	struct region *region = calloc(1, sizeof(*region));
	assert_non_null(region);
	region_start(region, still);
	*state = region;
	return 0;
}

static int stop(void **state)
{
	region_stop(*state);
	free(*state);
	return 0;
}

/* Stacked panes: the list editor is out of sight until P. */
static struct pty *start_gpuq(const struct region *region)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", "--pace", "5", NULL };
	const char *env[] = { url, "AWS_SECRET_ACCESS_KEY=simsecret", "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1", NULL };
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 110, .lines = 34 });
}

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	/* cmocka cuts its messages; a screen is longer. */
	fprintf(stderr, "plans: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static long calls(const struct region *region, const char *operation)
{
	char path[96];
	struct region_state state;
	snprintf(path, sizeof(path), "calls.%s.ok", operation);
	region_state(region, &state);
	long count = region_number(&state, path, 0);
	region_state_release(&state);
	return count;
}

static void bind_and_limit(struct pty *pty, const struct region *region)
{
	want(pty, "live");
	pty_type(pty, "f" STEM "\rpg");
	want(pty, "\u25b8 " STEM);
	assert_int_equal(calls(region, "ListTrainingPlans"), 0);
	pty_type(pty, "P");
	want(pty, "*Preferences");
	want(pty, "#1 ml.p5.48xlarge");
	want(pty, "on-demand");
	pty_type(pty, "b");
	want(pty, "p5-plan                   active     2 of 4 free");
	want(pty, "p5-next-week              scheduled");
	pty_type(pty, "j\r");
	want(pty, "plan p5-plan");
	pty_type(pty, "l");
	want(pty, "pending limit: ");
	pty_type(pty, "\x15"
		      "36h\r");
	want(pty, "limit 1d12h");
}

/* Once a minute at most, however often they are looked at. */
static void look_again(struct pty *pty, const struct region *region)
{
	pty_type(pty, "B");
	want(pty, "Training plans");
	want(pty, "p5-next-week");
	assert_int_equal(calls(region, "ListTrainingPlans"), 1);
	pty_type(pty, "q");
	want(pty, "*Preferences");
}

static void submit(struct pty *pty, char name[128])
{
	static const char question[] = "Send ";
	pty_type(pty, "X"); /* its list is on the screen, so there is something to copy */
	want(pty, "New training job");
	want(pty, "plan p5-plan");
	want(pty, "Pending limit 1d12h, before 6h00m.");
	want(pty, question);
	const char *at = strstr(pty_text(pty), question) + strlen(question);
	snprintf(name, 128, "%.*s", (int)strcspn(at, " \n"), at);
	want(pty, "y = yes"); /* the deaf time is over */
	pty_type(pty, "y");
	char done[160];
	snprintf(done, sizeof(done), "submitted %s", name);
	want(pty, done);
}

static void expect_sent(const struct region *region, const char *name)
{
	struct region_state state;
	struct buf arn;
	int64_t limit = 0;
	region_state(region, &state);
	buf_init(&arn, 2048);
	size_t job = region_state_job(&state, name);
	if (job == JSON_NONE)
		fail_msg("the region has no job %s", name);
	size_t request = json_doc_member(&state.doc, job, "request");
	size_t config = json_doc_member(&state.doc, request, "ResourceConfig");
	size_t list = json_doc_member(&state.doc, config, "InstancePreferences");
	size_t first = json_doc_child(&state.doc, list);
	size_t arns = json_doc_member(&state.doc, first, "TrainingPlanArns");
	assert_int_equal(json_doc_length(&state.doc, arns), 1);
	assert_true(json_doc_string(&state.doc, json_doc_child(&state.doc, arns), &arn));
	assert_string_equal(buf_text(&arn), PLAN);
	assert_true(json_doc_member(&state.doc, json_doc_next(&state.doc, first),
				    "TrainingPlanArns") == JSON_NONE);
	size_t condition = json_doc_member(&state.doc, request, "StoppingCondition");
	assert_true(
		json_doc_integer(&state.doc,
				 json_doc_member(&state.doc, condition, "MaxPendingTimeInSeconds"),
				 &limit));
	assert_int_equal(limit, 36 * 3600);
	/* The plan is active and has room: it serves the first entry at once. */
	size_t selected = json_doc_member(&state.doc, job, "selected");
	assert_string_equal(region_text(&state, selected, "training_plan_arn"), PLAN);
	buf_release(&arn);
	region_state_release(&state);
}

static void operator__binds_a_plan__and_the_region_has_it(void **state)
{
	const struct region *region = *state;
	char name[128];
	int status = 0;
	struct pty *pty = start_gpuq(region);
	bind_and_limit(pty, region);
	look_again(pty, region);
	submit(pty, name);
	expect_sent(region, name);
	pty_type(pty, "B");
	want(pty, "Training plans");
	want(pty, "p5en-two-windows  between");
	want(pty, "p4d-full          full");
	want(pty, "trn2-expired      expired");
	/* A submission may have changed them, and so may its end: they are asked for once more at
	 * each, and once a minute. */
	assert_in_range(calls(region, "ListTrainingPlans"), 1, 4);
	assert_int_equal(calls(region, "DescribeTrainingPlan"), 0);
	pty_type(pty, "q");
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
}

static void run(struct process_result *result, const struct region *region, const char *format)
{
	const char *argv[] = {
		region_program("gpuq"), "--endpoint-url", region->url, "plans", "-o", format, NULL
	};
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };
	process_run(result, argv, env, NULL);
}

static void plans__prints_what_the_region_has__as_json(void **state)
{
	static const char *const states[] = { "active", "scheduled", "active", "between-windows",
					      "expired" };
	struct process_result result;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf text;
	run(&result, *state, "json");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
	assert_int_equal(json_doc_length(&doc, 0), 5);
	buf_init(&text, 4096);
	assert_true(json_doc_string(&doc, json_doc_path(&doc, "[0].arn"), &text));
	assert_string_equal(buf_text(&text), PLAN);
	for (size_t i = 0; i < 5; i++) {
		char path[32];
		snprintf(path, sizeof(path), "[%zu].state", i);
		buf_clear(&text);
		assert_true(json_doc_string(&doc, json_doc_path(&doc, path), &text));
		assert_string_equal(buf_text(&text), states[i]);
	}
	assert_int_equal(json_doc_length(&doc, json_doc_path(&doc, "[3].windows")), 2);
	buf_release(&text);
	json_doc_release(&doc);
	process_release(&result);
}

static void plans__denied__is_4_and_names_the_action(void **state)
{
	struct process_result result;
	region_control(*state, "fault",
		       "{\"operation\":\"ListTrainingPlans\",\"count\":1,\"status\":400,"
		       "\"code\":\"AccessDeniedException\"}");
	run(&result, *state, "table");
	assert_int_equal(result.status, 4);
	assert_string_equal(result.out, "");
	assert_non_null(strstr(result.err, "ListTrainingPlans"));
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(operator__binds_a_plan__and_the_region_has_it,
						start, stop),
		cmocka_unit_test_setup_teardown(plans__prints_what_the_region_has__as_json, start,
						stop),
		cmocka_unit_test_setup_teardown(plans__denied__is_4_and_names_the_action, start,
						stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
