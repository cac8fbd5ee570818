#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/attr.h"
#include "tests/shared.h"

/* Published times as replies write them, through the getters of JSON and XML replies. */

static struct json_value *load(const char *file)
{
	size_t len;
	char *text = shared_read(file, &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	if (text)
		assert_non_null(json);
	free(text);
	return json;
}

/* Where this program reads another time than the one that made the file. */
static const struct {
	const char *raw;
	struct opt_ms expected;
	const char *why;
} differences[] = {
	{ "253402300799", { true, INT64_C(253402300799) }, "above 1e11 it is milliseconds" },
	{ "253402300800", { true, INT64_C(253402300800) }, "above 1e11 it is milliseconds" },
	{ "1736944496123", { true, INT64_C(1736944496123) }, "above 1e11 it is milliseconds" },
	{ "\"2025-01-15T12:34:60Z\"", { true, INT64_C(1736944500000) }, "a leap second" },
	{ "true", { false, 0 }, "no number" },
	{ "false", { false, 0 }, "no number" },
};

static bool differs(const char *raw, struct opt_ms *expected)
{
	for (size_t i = 0; i < ARRAY_LEN(differences); i++) {
		if (strcmp(raw, differences[i].raw) == 0) {
			*expected = differences[i].expected;
			return true;
		}
	}
	return false;
}

static struct opt_ms time_of_token(const char *raw)
{
	struct err err = { 0 };
	struct json_value *token = json_parse(raw, strlen(raw), &err);
	struct opt_ms time;

	assert_non_null(token);
	time = json_as_time(token);
	json_free(token);
	return time;
}

static void tokens__read__as_published(void **state)
{
	struct json_value *json = load("vectors/errors/computed-timestamps.json");
	size_t count = 0, otherwise = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at), count++) {
		const char *raw = json_text(at, "raw");
		double epoch = 0;
		struct opt_ms expected = { .set = json_number(at, "epoch", &epoch) };
		struct opt_ms got = time_of_token(raw);

		if (differs(raw, &expected))
			otherwise++;
		else /* ISO drops what is below a millisecond, numbers are rounded */
			expected.ms = llround(epoch * 1000);
		if (got.set != expected.set || llabs(got.ms - expected.ms) > 1)
			fail_msg("%s: %d %lld", raw, got.set, (long long)got.ms);
	}
	if (json) {
		print_message("timestamps: %zu of %zu, %zu of them otherwise\n", count, count,
			      otherwise);
		assert_int_equal(count, 51);
		assert_int_equal(otherwise, ARRAY_LEN(differences));
	}
	json_free(json);
}

/* What is left out of the numbers: above 1e11 they are milliseconds here, and the file has its own
 * way of writing a fraction before 1970. */
static bool is_read_so(double seconds, double nanos)
{
	return fabs(seconds) <= 1e11 && (seconds >= 0 || nanos == 0);
}

static void compare_row(const char *kind, const struct json_value *row)
{
	const char *text = json_text(row, "smithy_format_value");
	double nanos = 0, seconds = strtod(json_text(row, "canonical_seconds"), NULL);
	struct opt_ms got = { 0 };

	assert_true(json_number(row, "canonical_nanos", &nanos));
	if (strcmp(kind, "parse_epoch_seconds") == 0)
		got = time_of_token(text);
	else if (strcmp(kind, "parse_http_date") == 0)
		got.set = time_parse_http(text, &got.ms);
	else
		got.set = time_parse_iso(text, &got.ms);
	if (!got.set || fabs((double)got.ms - seconds * 1000 - nanos / 1e6) > 1)
		fail_msg("%s: %d %lld", text, got.set, (long long)got.ms);
}

static void suite__reads__as_published(void **state)
{
	static const struct {
		const char *kind;
		size_t played, all;
	} kinds[] = {
		{ "parse_date_time", 86, 86 },
		{ "parse_http_date", 86, 86 },
		{ "parse_epoch_seconds", 49, 122 },
	};
	struct json_value *json = load("vectors/errors/date_time_format_test_suite.json");

	(void)state;
	for (size_t i = 0; json && i < ARRAY_LEN(kinds); i++) {
		const struct json_value *rows = json_array(json, kinds[i].kind);
		bool numbers = strcmp(kinds[i].kind, "parse_epoch_seconds") == 0;
		size_t played = 0;

		for (const struct json_value *at = json_first(rows); at; at = json_next(at)) {
			double nanos = 0,
			       seconds = strtod(json_text(at, "canonical_seconds"), NULL);

			json_number(at, "canonical_nanos", &nanos);
			if (numbers && !is_read_so(seconds, nanos))
				continue;
			compare_row(kinds[i].kind, at);
			played++;
		}
		print_message("%s: %zu of %zu\n", kinds[i].kind, played, json_length(rows));
		assert_int_equal(played, kinds[i].played);
		assert_int_equal(json_length(rows), kinds[i].all);
	}
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens__read__as_published),
		cmocka_unit_test(suite__reads__as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
