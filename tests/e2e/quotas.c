/*
 * Quotas on the real program and the real region: what gpuq counts is what the region counts,
 * limits are read by code and never listed, a raise is asked for after a question, a denial is said
 * once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/gpuq.h"

#define SOON_MS 15000 /* generous: a sanitizer build on a busy machine */
#define TEXT    4096
#define P4D     "ml.p4d.24xlarge"

/* Without waits between lists, so that a command needs no second. */
static const char *const still[] = { "--scenario", "still", "--seed", "7", "--rate", "0", NULL };
static const char *const empty[] = { "--scenario", "empty", "--seed",    "7",
				     "--rate",     "0",     "--no-auth", NULL };

static int start_still(void **state)
{
	return gpuq_start_region(state, still);
}

static int start_empty(void **state)
{
	return gpuq_start_region(state, empty);
}

/* One type at most; NULL: those in use. */
static void run(struct process_result *result, const struct region *region, const char *format,
		const char *type)
{
	GPUQ_RUN(result, region, "--pace", "0", "quotas", "-o", format, type);
}

static long calls(const struct region *region, const char *operation, const char *how)
{
	char path[96];
	struct region_state state;
	snprintf(path, sizeof(path), "calls.%s.%s", operation, how);
	region_state(region, &state);
	long count = region_number(&state, path, 0);
	region_state_release(&state);
	return count;
}

/* --- the command --- */

static const char *member(const struct json_doc *doc, size_t node, const char *name)
{
	static char text[TEXT];
	struct buf out;
	size_t at = json_doc_member(doc, node, name);
	buf_init(&out, TEXT);
	text[0] = '\0';
	if (at != JSON_NONE && doc->nodes[at].kind == JSON_STRING && json_doc_string(doc, at, &out))
		snprintf(text, sizeof(text), "%s", buf_text(&out));
	buf_release(&out);
	return text;
}

static int64_t whole(const struct json_doc *doc, size_t node, const char *name)
{
	int64_t value = -1;
	size_t at = json_doc_member(doc, node, name);
	if (at != JSON_NONE)
		(void)json_doc_integer(doc, at, &value);
	return value;
}

/* The row of a type and kind in what gpuq printed; JSON_NONE where there is none. */
static size_t find_row(const struct json_doc *doc, size_t list, const char *type, const char *kind)
{
	for (size_t row = json_doc_child(doc, list); row != JSON_NONE;
	     row = json_doc_next(doc, row)) {
		char found[TEXT];
		snprintf(found, sizeof(found), "%s", member(doc, row, "instance_type"));
		if (strcmp(found, type) == 0 && strcmp(member(doc, row, "kind"), kind) == 0)
			return row;
	}
	return JSON_NONE;
}

/* Is the job named in the holders of that row? */
static bool is_holder(const struct json_doc *doc, size_t row, const char *name)
{
	size_t holders = json_doc_member(doc, row, "holders");
	for (size_t at = json_doc_child(doc, holders); at != JSON_NONE;
	     at = json_doc_next(doc, at)) {
		if (strcmp(member(doc, at, "name"), name) == 0)
			return true;
	}
	return false;
}

static void compare_holders(const struct region_state *state, size_t region_row,
			    const struct json_doc *doc, size_t row)
{
	size_t names = json_doc_member(&state->doc, region_row, "holders");
	struct buf name;
	assert_int_equal(json_doc_length(&state->doc, names),
			 json_doc_length(doc, json_doc_member(doc, row, "holders")));
	buf_init(&name, TEXT);
	for (size_t at = json_doc_child(&state->doc, names); at != JSON_NONE;
	     at = json_doc_next(&state->doc, at)) {
		buf_clear(&name);
		assert_true(json_doc_string(&state->doc, at, &name));
		if (!is_holder(doc, row, buf_text(&name)))
			fail_msg("%s holds some, and is not named", buf_text(&name));
	}
	buf_release(&name);
}

/* Every quota of which the region says that something is used, as the region says it. */
static size_t compare(const struct region *region, const char *printed)
{
	struct region_state state;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	size_t seen = 0;
	region_state(region, &state);
	assert_true(json_doc_parse(&doc, printed, strlen(printed), &err));
	size_t list = json_doc_member(&state.doc, 0, "quotas");
	for (size_t at = json_doc_child(&state.doc, list); at != JSON_NONE;
	     at = json_doc_next(&state.doc, at)) {
		char type[TEXT], kind[TEXT];
		snprintf(type, sizeof(type), "%s", member(&state.doc, at, "instance_type"));
		snprintf(kind, sizeof(kind), "%s", member(&state.doc, at, "kind"));
		size_t row = find_row(&doc, 0, type, kind);
		if (row == JSON_NONE)
			fail_msg("%s %s is used, and is not told", type, kind);
		assert_int_equal(whole(&doc, row, "limit"), whole(&state.doc, at, "limit"));
		assert_int_equal(whole(&doc, row, "used"), whole(&state.doc, at, "used"));
		assert_int_equal(whole(&doc, row, "jobs_not_read"), 0);
		compare_holders(&state, at, &doc, row);
		seen++;
	}
	json_doc_release(&doc);
	region_state_release(&state);
	return seen;
}

static void quotas__counts_as_the_region_does__over_all_its_jobs(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "advance", "{\"seconds\":30}"); /* selections are told late */
	run(&result, region, "json", NULL);
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	assert_in_range(compare(region, result.out), 10, 40);
	/* One call each, by its code, and a second where the default holds: nothing is listed. */
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
	size_t rows = json_doc_length(&doc, 0);
	json_doc_release(&doc);
	long own = calls(region, "GetServiceQuota", "ok");
	long none = calls(region, "GetServiceQuota", "failed");
	assert_int_equal(own + none, rows);
	assert_int_equal(calls(region, "GetAWSDefaultServiceQuota", "ok"), none);
	assert_int_equal(region_calls(region, "ListServiceQuotas"), 0);
	process_release(&result);
}

/* Cases 072 and 073: after a stop the instances still count, and the job is named. */
static void quotas__counts_what_stops__until_it_has_ended(void **state)
{
	static const char body[] =
		"{\"TrainingJobName\":\"drains\",\"AlgorithmSpecification\":{\"TrainingImage\":"
		"\"image\",\"TrainingInputMode\":\"File\"},\"RoleArn\":"
		"\"arn:aws:iam::111122223333:role/jobs\",\"OutputDataConfig\":{\"S3OutputPath\":"
		"\"s3://bucket/out\"},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"
		"\"ResourceConfig\":{\"InstanceType\":\"" P4D "\",\"InstanceCount\":3,"
		"\"VolumeSizeInGB\":50}}";
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "capacity", "{\"instance_type\":\"" P4D "\",\"free\":3}");
	free(region_call(region, "CreateTrainingJob", body));
	region_control(region, "advance", "{\"seconds\":60}");
	free(region_call(region, "StopTrainingJob", "{\"TrainingJobName\":\"drains\"}"));
	run(&result, region, "jsonl", P4D);
	assert_int_equal(result.status, 0);
	if (!strstr(result.out,
		    "\"kind\":\"training\",\"limit\":16,\"is_default\":false,"
		    "\"used\":3,\"waiting\":0,\"jobs_not_read\":0,\"holders\":"
		    "[{\"name\":\"drains\",\"instance_count\":3,\"state\":\"Stopping\","))
		fail_msg("%s", result.out);
	process_release(&result);
	region_control(region, "advance", "{\"seconds\":200}");
	run(&result, region, "jsonl", P4D);
	assert_non_null(strstr(result.out,
			       "\"kind\":\"training\",\"limit\":16,\"is_default\":false,"
			       "\"used\":0,"));
	process_release(&result);
}

/* interface.md: the promised limits, and exit 2 for a type that is none. */
static void quotas__tells_the_limits__of_the_types_named(void **state)
{
	static const struct {
		const char *type, *row;
	} rows[] = {
		{ "ml.p3.2xlarge", "ml.p3.2xlarge,training,0,false," },
		{ "ml.g5.xlarge", "ml.g5.xlarge,processing,1,false," },
		{ "ml.p5en.48xlarge", "ml.p5en.48xlarge,warm-pool,2,false," },
		{ "ml.m5.large", "ml.m5.large,spot,16,true," },
	};
	struct process_result result;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		run(&result, *state, "csv", rows[i].type);
		assert_int_equal(result.status, 0);
		if (!strstr(result.out, rows[i].row))
			fail_msg("%s: %s", rows[i].type, result.out);
		process_release(&result);
	}
	run(&result, *state, "table", "ml.p5.48xlarg");
	assert_int_equal(result.status, 2);
	assert_string_equal(result.out, "");
	assert_non_null(strstr(result.err, "near it: ml.p5.48xlarge"));
	process_release(&result);
}

/* The uses are known all the same: they are printed, and the status says that limits are not. */
static void quotas__denied__is_4_and_asks_once(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "fault",
		       "{\"operation\":\"GetServiceQuota\",\"count\":99,\"status\":400,"
		       "\"code\":\"AccessDeniedException\"}");
	run(&result, region, "table", P4D);
	assert_int_equal(result.status, 4);
	assert_non_null(strstr(result.out, "denied servicequotas:GetServiceQuota"));
	assert_non_null(strstr(result.err, "GetServiceQuota"));
	assert_int_equal(calls(region, "GetServiceQuota", "failed"), 1);
	process_release(&result);
}

/* --- the screen --- */

static struct pty *start_gpuq(const struct region *region, const char *option)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", option, NULL };
	const char *all[] = { url, gpuq_env[0], gpuq_env[1], gpuq_env[2], NULL };
	return pty_start(&(struct pty_options){ .argv = argv, .env = all });
}

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	/* cmocka cuts its messages; a screen is longer. */
	fprintf(stderr, "quotas: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void leave(struct pty *pty)
{
	int status = 0;
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
}

static void look_at_p3(struct pty *pty)
{
	pty_type(pty, "i");
	want(pty, "type: ");
	pty_type(pty, "p3.2xl\r");
	want(pty, "ml.p3.2xlarge for training job usage, L-D438008E");
	want(pty, "; 0: nobody may run this type");
}

static void operator__asks_for_a_raise__and_the_region_has_it(void **state)
{
	const struct region *region = *state;
	struct pty *pty = start_gpuq(region, NULL);
	struct region_state after;
	want(pty, "live");
	assert_int_equal(region_calls(region, "GetServiceQuota"), 0); /* nobody has looked */
	pty_type(pty, "%");
	want(pty, "LIMIT USED LEFT READ");
	look_at_p3(pty);
	pty_type(pty, "R");
	want(pty, "raise the limit to: 1");
	pty_type(pty, "\x15"
		      "0\r");
	want(pty, "whole number");
	pty_type(pty, "\x15"
		      "4\r");
	want(pty, "Ask for a raise?");
	want(pty, "\"DesiredValue\":4,");
	want(pty, "from 0 to 4");
	want(pty, "y = yes"); /* the deaf time is over */
	pty_type(pty, "y");
	want(pty, "asked for 4 of ml.p3.2xlarge (PENDING)");
	region_state(region, &after);
	size_t raises = json_doc_member(&after.doc, 0, "raises");
	assert_int_equal(json_doc_length(&after.doc, raises), 1);
	assert_string_equal(member(&after.doc, json_doc_child(&after.doc, raises), "code"),
			    "L-D438008E");
	assert_non_null(strstr(after.text, "\"desired\":4.0,\"support_case\":false"));
	region_state_release(&after);
	want(pty, ", 4 asked");
	/* A second one is refused, and that is said as what it is. */
	pty_type(pty, "R");
	want(pty, "raise the limit to: ");
	pty_type(pty, "\x15"
		      "8 case\r");
	want(pty, "from 0 to 8. AWS may open");
	want(pty, "y = yes");
	pty_type(pty, "y");
	want(pty, "is open already");
	pty_type(pty, "q");
	leave(pty);
}

static void operator__sees_a_denial__once(void **state)
{
	const struct region *region = *state;
	region_control(region, "fault",
		       "{\"operation\":\"GetServiceQuota\",\"count\":99,\"status\":400,"
		       "\"code\":\"AccessDeniedException\"}");
	struct pty *pty = start_gpuq(region, "--read-only");
	want(pty, "live");
	pty_type(pty, "%");
	want(pty, "? denied");
	want(pty, "servicequotas:GetServiceQuota");
	pty_type(pty, "jjj");
	pty_run(pty, 1500); /* more than a second: the pace of the calls */
	assert_int_equal(calls(region, "GetServiceQuota", "failed"), 1);
	pty_type(pty, "R");
	want(pty, "read-only: no key changes AWS");
	/* Looked at anew when asked. */
	pty_type(pty, "r");
	for (int i = 0; i < 100 && calls(region, "GetServiceQuota", "failed") < 2; i++)
		pty_run(pty, 100);
	assert_int_equal(calls(region, "GetServiceQuota", "failed"), 2);
	pty_type(pty, "q");
	leave(pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			quotas__counts_as_the_region_does__over_all_its_jobs, start_still,
			gpuq_stop_region),
		cmocka_unit_test_setup_teardown(quotas__counts_what_stops__until_it_has_ended,
						start_empty, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(quotas__tells_the_limits__of_the_types_named,
						start_empty, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(quotas__denied__is_4_and_asks_once, start_empty,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(operator__asks_for_a_raise__and_the_region_has_it,
						start_still, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(operator__sees_a_denial__once, start_still,
						gpuq_stop_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
