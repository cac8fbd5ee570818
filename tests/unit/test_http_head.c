#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "aws/http_head.h"

static struct http_head taken; /* by the lines of one test */

static int setup(void **state)
{
	(void)state;
	http_head_init(&taken);
	return 0;
}

static void take(const char *line)
{
	assert_true(http_head_take_line(&taken, line, strlen(line)));
}

static void expect_nothing(void)
{
	assert_string_equal(taken.request_id, "");
	assert_string_equal(taken.error_type, "");
	assert_string_equal(taken.query_error, "");
	assert_string_equal(taken.date, "");
	assert_false(taken.aged);
	assert_int_equal(taken.retry_after_ms, -1);
}

static void answer__is_read__in_any_case_and_spacing(void **state)
{
	(void)state;
	expect_nothing();
	take("HTTP/1.1 400 Bad Request\r\n");
	take("DATE:Mon, 30 Nov 2026 20:48:08 GMT\r\n");
	take("x-amzn-RequestId: \t id-7 \t\r\n");
	take("X-Amzn-ErrorType:  Foo:http://x/\n");
	take("X-AMZN-Query-Error: AWS.Foo;Sender\r\n");
	take("x-amz-retry-after: 1500");
	take("age: 12\r\n");
	take("\r\n");
	assert_string_equal(taken.date, "Mon, 30 Nov 2026 20:48:08 GMT");
	assert_string_equal(taken.request_id, "id-7");
	assert_string_equal(taken.error_type, "Foo:http://x/");
	assert_string_equal(taken.query_error, "AWS.Foo;Sender");
	assert_int_equal(taken.retry_after_ms, 1500);
	assert_true(taken.aged);
}

static void other_lines__say_nothing(void **state)
{
	(void)state;
	take("Dat: Mon, 30 Nov 2026 20:48:08 GMT\r\n");
	take("Date\r\n");
	take(" Date: Mon\r\n");
	take("x-amzn-requestids: 1\r\n");
	take(":\r\n");
	take("");
	expect_nothing();
}

static void status_line__begins_anew__of_several_answers(void **state)
{
	(void)state;
	take("HTTP/1.1 100 Continue\r\n");
	take("Date: Mon, 30 Nov 2026 20:48:08 GMT\r\n");
	take("x-amzn-RequestId: id-1\r\n");
	take("x-amzn-ErrorType: Foo\r\n");
	take("x-amz-retry-after: 5\r\n");
	take("Age: 1\r\n");
	take("HTTP/1.1 200 OK\r\n");
	expect_nothing();
	/* The ceiling is of all of them. */
	assert_true(taken.bytes > 100);
}

static void request_id__of_x_amzn__comes_first(void **state)
{
	(void)state;
	take("x-amz-request-id: s3\r\n");
	assert_string_equal(taken.request_id, "s3");
	take("x-amzn-requestid: json\r\n");
	assert_string_equal(taken.request_id, "json");
	take("x-amz-request-id: s3\r\n");
	assert_string_equal(taken.request_id, "json");
}

static void retry_after__is_milliseconds__or_none(void **state)
{
	static const struct {
		const char *line;
		int64_t ms;
	} rows[] = {
		{ "x-amz-retry-after: 0", 0 },
		{ "x-amz-retry-after: 3600000", 3600000 },
		{ "x-amz-retry-after: 3600001", 3600000 },
		{ "x-amz-retry-after: 99999999999999999999999", 3600000 },
		{ "x-amz-retry-after:", -1 },
		{ "x-amz-retry-after: -1", -1 },
		{ "x-amz-retry-after: +1", -1 },
		{ "x-amz-retry-after: 1.5", -1 },
		{ "x-amz-retry-after: 1 2", -1 },
		{ "x-amz-retry-after: soon", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		take(rows[i].line);
		assert_int_equal(taken.retry_after_ms, rows[i].ms);
	}
}

/* Takes a header of that name whose line has len bytes, filled with 'a'. */
static void take_long(const char *name, size_t len)
{
	char line[700];
	int used = snprintf(line, sizeof(line), "%s:", name);

	assert_in_range(used, 1, 100);
	memset(line + used, 'a', sizeof(line) - (size_t)used);
	assert_true(http_head_take_line(&taken, line, len));
}

static void long_values__are_cut__and_a_long_date_is_none(void **state)
{
	(void)state;
	take_long("x-amzn-requestid", 400);
	assert_int_equal(strlen(taken.request_id), sizeof(taken.request_id) - 1);
	take_long("x-amzn-errortype", 511);
	assert_int_equal(strlen(taken.error_type), sizeof(taken.error_type) - 1);
	take_long("x-amzn-query-error", 511);
	assert_int_equal(strlen(taken.query_error), sizeof(taken.query_error) - 1);
	take_long("date", strlen("date:") + 63);
	assert_int_equal(strlen(taken.date), 63);
	take_long("date", strlen("date:") + 64);
	assert_string_equal(taken.date, "");
	/* A line of 512 bytes is no header of ours. */
	take("x-amzn-requestid: id");
	take_long("x-amzn-requestid", 512);
	assert_string_equal(taken.request_id, "id");
}

static void lines__are_refused__above_the_ceiling(void **state)
{
	char line[1024];
	size_t sum = 0;

	(void)state;
	memset(line, 'a', sizeof(line));
	for (; sum + sizeof(line) <= HTTP_HEAD_MAX; sum += sizeof(line))
		assert_true(http_head_take_line(&taken, line, sizeof(line)));
	assert_int_equal(sum, HTTP_HEAD_MAX);
	assert_true(http_head_take_line(&taken, line, 0));
	assert_false(http_head_take_line(&taken, "a", 1));
	/* It stays so. */
	assert_false(http_head_take_line(&taken, "HTTP/1.1 200 OK\r\n", 17));
}

static void bytes__behind_the_line__are_not_read(void **state)
{
	(void)state;
	assert_true(http_head_take_line(&taken, "x-amz-retry-after: 15", 20));
	assert_int_equal(taken.retry_after_ms, 1);
	assert_true(http_head_take_line(&taken, "x-amzn-requestid: a\0b", 21));
	assert_string_equal(taken.request_id, "a");
}

#define HEAD_TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HEAD_TEST(answer__is_read__in_any_case_and_spacing),
		HEAD_TEST(other_lines__say_nothing),
		HEAD_TEST(status_line__begins_anew__of_several_answers),
		HEAD_TEST(request_id__of_x_amzn__comes_first),
		HEAD_TEST(retry_after__is_milliseconds__or_none),
		HEAD_TEST(long_values__are_cut__and_a_long_date_is_none),
		HEAD_TEST(lines__are_refused__above_the_ceiling),
		HEAD_TEST(bytes__behind_the_line__are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
