/*
 * Every command that reports, in every format, off a terminal: JSON that parses, CSV as RFC 4180
 * has it with no cell that a spreadsheet would run, no byte that a terminal obeys; the same order
 * each time; and a reader that goes away is no error.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/jsontext.h"
#include "tests/gpuq.h"

#define WORDS_MAX 8

static const char *const few[] = { "--scenario", "still",  "--seed", "3", "--rate",
				   "0",          "--jobs", "40",     NULL };
static char a_job[128];

/* A job with hostile texts is not needed here: tests/unit/test_report has them. */
static const char *const commands[][WORDS_MAX] = {
	{ "jobs" },
	{ "show", a_job },
	{ "explain", a_job },
	{ "check", "-" },
	{ "submit", "-", "--dry-run" },
	{ "plans" },
	{ "quotas", "ml.p5.48xlarge", "ml.p4d.24xlarge" },
	{ "types", "p5" },
	{ "prices", "ml.p5.48xlarge", "ml.p4d.24xlarge" },
	{ "doctor" },
	{ "config" },
	{ "iam-policy" },
};

/* They describe the jobs first, two a second: one format is enough here. */
static const char *const slow[][WORDS_MAX] = {
	{ "history" },
	{ "forecast", "--prefs", "ml.p5.48xlarge:2,ml.p4d.24xlarge:4" },
};

static const char request[] =
	"{\"TrainingJobName\":\"nightly-1\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":\"File\"},"
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},\"=cmd()\":1,"
	"\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1,"
	"\"VolumeSizeInGB\":100},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}";

static int start(void **state)
{
	if (gpuq_start_region(state, few) != 0)
		return -1;
	struct region_state truth;
	region_state(*state, &truth);
	size_t job = json_doc_child(&truth.doc, json_doc_member(&truth.doc, 0, "jobs"));
	snprintf(a_job, sizeof(a_job), "%s", region_text(&truth, job, "name"));
	region_state_release(&truth);
	return 0;
}

static void run(struct process_result *result, const struct region *region,
		const char *const command[WORDS_MAX], const char *format)
{
	const char *words[WORDS_MAX + 3] = { NULL };
	size_t count = 0;
	for (; count < WORDS_MAX && command[count]; count++)
		words[count] = command[count];
	words[count++] = "-o";
	words[count] = format;
	gpuq_run(result, region, request, words);
	if (result->status != 0)
		fail_msg("%s -o %s: status %d\n%s", command[0], format, result->status,
			 result->err);
}

/* With each run of digits as one sign: times tick. */
static void drop_digits(const char *text, struct buf *out)
{
	buf_init(out, 8u << 20);
	for (; *text; text++) {
		bool digit = isdigit((unsigned char)*text) || *text == '.';
		if (!digit || out->len == 0 || out->data[out->len - 1] != '#')
			buf_add_char(out, digit ? '#' : *text);
	}
}

static void want_same_order(const char *command, const char *format, const char *one,
			    const char *other)
{
	struct buf first, second;
	drop_digits(one, &first);
	drop_digits(other, &second);
	if (strcmp(buf_text(&first), buf_text(&second)) != 0)
		fail_msg("%s -o %s: not the same twice\n%s\n%s", command, format, one, other);
	buf_release(&first);
	buf_release(&second);
}

static void want_json(const char *command, const char *text)
{
	struct json_doc doc;
	struct err err = { 0 };
	if (!json_doc_parse(&doc, text, strlen(text), &err))
		fail_msg("%s: %s\n%s", command, err_text(&err), text);
	json_doc_release(&doc);
}

static void want_json_lines(const char *command, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);
		assert_non_null(line);
		assert_int_equal(text[len], '\n');
		want_json(command, line);
		free(line);
		text += len + 1;
	}
}

static bool is_number(const char *text, size_t len)
{
	return len > 0 && strspn(text, "-.0123456789") >= len;
}

/* A field's end, and whether a spreadsheet would run it. */
static const char *csv_field(const char *at, bool *runs)
{
	size_t len = strcspn(at, ",\n");
	if (*at != '"') {
		*runs = len > 0 && strchr("=+-@\t\r", *at) && !is_number(at, len);
		return at + len;
	}
	*runs = at[1] && strchr("=+-@\t\r\n", at[1]);
	for (at++; *at && (*at != '"' || at[1] == '"'); at++)
		at += *at == '"';
	assert_int_equal(*at, '"');
	return at + 1;
}

static void want_csv(const char *command, const char *text)
{
	size_t wanted = 0, fields = 0;
	for (const char *at = text; *at; at++) {
		const char *cell = at;
		bool runs;
		at = csv_field(at, &runs);
		if (runs)
			fail_msg("%s: a spreadsheet would run %.*s", command, (int)(at - cell),
				 cell);
		fields++;
		if (*at == ',')
			continue;
		assert_int_equal(*at, '\n');
		if (wanted == 0)
			wanted = fields;
		if (fields != wanted)
			fail_msg("%s: %zu fields, not %zu\n%s", command, fields, wanted, text);
		fields = 0;
	}
	assert_int_equal(fields, 0);
}

static void want_format(const char *command, const char *format, const struct process_result *one)
{
	assert_null(strchr(one->out, '\x1b'));
	assert_null(strchr(one->err, '\x1b'));
	assert_true(one->out[0] && one->out[strlen(one->out) - 1] == '\n');
	if (strcmp(format, "json") == 0)
		want_json(command, one->out);
	else if (strcmp(format, "jsonl") == 0)
		want_json_lines(command, one->out);
	else if (strcmp(format, "csv") == 0 && strcmp(command, "submit") != 0)
		want_csv(command, one->out);
}

/* CSV twice: the rows stand in the same order. */
static void each_command__keeps_each_format(void **state)
{
	static const char *const formats[] = { "table", "json", "jsonl", "csv" };
	struct process_result one, other;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		for (size_t k = 0; k < ARRAY_LEN(formats); k++) {
			run(&one, *state, commands[i], formats[k]);
			want_format(commands[i][0], formats[k], &one);
			if (k + 1 < ARRAY_LEN(formats))
				process_release(&one);
		}
		run(&other, *state, commands[i], "csv");
		want_same_order(commands[i][0], "csv", one.out, other.out);
		process_release(&one);
		process_release(&other);
	}
	for (size_t i = 0; i < ARRAY_LEN(slow); i++) {
		run(&one, *state, slow[i], "csv");
		want_format(slow[i][0], "csv", &one);
		process_release(&one);
	}
}

/* It reads one byte and goes. */
static void closed_pipe__is_no_error(void **state)
{
	const struct region *region = *state;
	static const char *const words[] = { "jobs",   "types -o csv",    "man",       "doctor",
					     "--help", "completion bash", "iam-policy" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct process_result result;
		char script[512];
		snprintf(
			script, sizeof(script),
			"{ %s --endpoint-url %s --pace 0 %s 2>&3; echo \"status $?\" >&3; } 3>&2 | "
			"head -c 1 >/dev/null",
			region_program("gpuq"), region->url, words[i]);
		const char *argv[] = { "/bin/sh", "-c", script, NULL };
		process_run(&result, argv, gpuq_env, NULL);
		if (!strstr(result.err, "status 0\n") || strstr(result.err, "cannot be written"))
			fail_msg("%s: %s", words[i], result.err);
		process_release(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command__keeps_each_format),
		cmocka_unit_test(closed_pipe__is_no_error),
	};
	return cmocka_run_group_tests(tests, start, gpuq_stop_region);
}
