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
#include "model/base/buf.h"
#include "tests/shared.h"

static struct json_value *parse(const char *text)
{
	struct err err = { 0 };
	struct json_value *document = json_parse(text, strlen(text), &err);

	if (!document)
		fail_msg("%s: %s", text, err_text(&err));
	return document;
}

static enum err_code refuse(const char *text, size_t len)
{
	struct err err = { 0 };
	struct json_value *document = json_parse(text, len, &err);
	enum err_code code = err.code;

	assert_null(document);
	assert_true(err_text(&err)[0] != '\0');
	err_clear(&err);
	return code;
}

static void getters__give_values__of_their_type_only(void **state)
{
	struct json_value *json = parse("{\"t\":\"x\",\"e\":\"\",\"n\":1.5,\"i\":7,\"z\":null,"
					"\"b\":true,\"a\":[1,\"2\"],\"o\":{\"t\":\"y\"}}");
	int64_t integer = -1;
	double number = -1;
	bool boolean = false;

	(void)state;
	assert_string_equal(json_text(json, "t"), "x");
	assert_string_equal(json_text(json, "e"), "");
	assert_null(json_text(json, "n"));
	assert_null(json_text(json, "z"));
	assert_null(json_text(json, "none"));
	assert_null(json_text(json, "T"));
	assert_null(json_text(NULL, "t"));
	assert_null(json_text(json_member(json, "a"), "t"));
	assert_true(json_integer(json, "i", &integer) && integer == 7);
	assert_false(json_integer(json, "n", &integer));
	assert_false(json_integer(json, "t", &integer));
	assert_int_equal(integer, 7);
	assert_true(json_number(json, "n", &number) && number == 1.5);
	assert_true(json_boolean(json, "b", &boolean) && boolean);
	assert_false(json_boolean(json, "i", &boolean));
	assert_null(json_member(json, "z"));
	assert_null(json_object(json, "a"));
	assert_null(json_array(json, "o"));
	assert_string_equal(json_text(json_object(json, "o"), "t"), "y");
	assert_int_equal(json_length(json_array(json, "a")), 2);
	assert_int_equal(json_length(json), 8);
	assert_int_equal(json_length(json_member(json, "t")), 0);
	json_free(json);
	json_free(NULL);
}

static void iteration__walks_in_order__with_names_and_types(void **state)
{
	static const enum json_type types[] = {
		JSON_TYPE_NULL, JSON_TYPE_BOOLEAN, JSON_TYPE_NUMBER,
		JSON_TYPE_TEXT, JSON_TYPE_ARRAY,   JSON_TYPE_OBJECT
	};
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	struct json_value *json =
		parse("{\"a\":null,\"b\":false,\"c\":0,\"d\":\"\",\"e\":[],\"f\":{}}");
	size_t i = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at), i++) {
		assert_string_equal(json_name(at), names[i]);
		assert_int_equal(json_type(at), types[i]);
		assert_null(json_first(at));
	}
	assert_int_equal(i, 6);
	assert_null(json_name(json));
	assert_int_equal(json_type(NULL), JSON_TYPE_NONE);
	assert_null(json_first(NULL));
	assert_null(json_next(NULL));
	json_free(json);
}

static void integers__are_exact_or_absent__at_their_ends(void **state)
{
	static const struct {
		const char *text;
		bool whole;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-3", true, -3 },
		{ "1.0", true, 1 },
		{ "1e2", true, 100 },
		{ "9007199254740992", true, INT64_C(9007199254740992) },
		{ "9007199254740994", false, 0 },
		{ "1e300", false, 0 },
		{ "1e999", false, 0 },
		{ "0.5", false, 0 },
		{ "\"5\"", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_value *json = parse(cases[i].text);
		int64_t value = 0;

		if (json_as_integer(json, &value) != cases[i].whole || value != cases[i].value)
			fail_msg("%s", cases[i].text);
		json_free(json);
	}
}

/* Expected by hand: 1786528800 is 2026-08-12T10:00:00Z. */
static void times__are_told_apart__by_size_and_type(void **state)
{
	static const struct {
		const char *text;
		bool set;
		int64_t ms;
	} cases[] = {
		{ "1786528800", true, INT64_C(1786528800000) },
		{ "1.786528800123E9", true, INT64_C(1786528800123) },
		{ "1786528800.5", true, INT64_C(1786528800500) },
		{ "1786528800123", true, INT64_C(1786528800123) },
		{ "0", true, 0 },
		{ "-1.5", true, -1500 },
		{ "\"1786528800\"", true, INT64_C(1786528800000) },
		{ "\"1786528800123\"", true, INT64_C(1786528800123) },
		{ "\"2026-08-12T10:00:00Z\"", true, INT64_C(1786528800000) },
		{ "\"2026-08-12T03:00:00.250000-07:00\"", true, INT64_C(1786528800250) },
		{ "\"\"", false, 0 },
		{ "\"-\"", false, 0 },
		{ "\"yesterday\"", false, 0 },
		{ "\"12e\"", false, 0 },
		{ "null", false, 0 },
		{ "true", false, 0 },
		{ "[1]", false, 0 },
		{ "{}", false, 0 },
		{ "1e300", false, 0 },
		{ "\"1e999\"", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_value *json = parse(cases[i].text);
		struct opt_ms time = json_as_time(json);

		if (time.set != cases[i].set || (time.set && time.ms != cases[i].ms))
			fail_msg("%s: %d %lld", cases[i].text, time.set, (long long)time.ms);
		json_free(json);
	}
}

static void parser__refuses__what_is_not_one_value(void **state)
{
	static const char *const bad[] = {
		"",           " ",      "{",           "[1,2",      "{\"a\":1}x",
		"{\"a\" 1}",  "<html>", "{'a': 1}",    "nul",       "\"open",
		"{\"a\":1}{", "[1]]",   "{\"a\":tru}", "\"\\u12\"", "\xff\xfe{\0}\0",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(refuse(bad[i], strlen(bad[i])), ERR_PARSE);
	assert_int_equal(refuse("{}\0", 3), ERR_PARSE);
	assert_int_equal(refuse("[\"a\0b\"]", 7), ERR_PARSE);
}

/* Every cut of a reply is refused, and reads no byte behind its end. */
static void parser__refuses__every_cut_of_a_reply(void **state)
{
	static const char reply[] = "{\"TrainingJobSummaries\":[{\"TrainingJobName\":\"a\\u00e9\","
				    "\"CreationTime\":1.7E9,\"x\":null}],\"NextToken\":\"t\"}";

	(void)state;
	for (size_t len = 0; len < sizeof(reply) - 1; len++) {
		char *copy = malloc(len ? len : 1); /* exact: a sanitizer sees one byte more */

		assert_non_null(copy);
		memcpy(copy, reply, len);
		assert_int_equal(refuse(copy, len), ERR_PARSE);
		free(copy);
	}
	json_free(parse(reply));
}

static void parser__refuses__what_is_too_deep_or_too_much(void **state)
{
	struct buf text;

	(void)state;
	buf_init(&text, 16u << 20);
	for (int i = 0; i < JSON_REPLY_LEVELS + 1; i++)
		buf_add_char(&text, '[');
	assert_int_equal(refuse(text.data, text.len), ERR_TOO_BIG);
	buf_clear(&text);
	for (int i = 0; i < 2000000; i++)
		buf_add_char(&text, '[');
	assert_int_equal(refuse(text.data, text.len), ERR_TOO_BIG);
	buf_clear(&text);
	buf_add_char(&text, '[');
	for (unsigned i = 0; i < JSON_REPLY_VALUES; i++)
		buf_add_text(&text, "0,");
	buf_add_text(&text, "0]");
	assert_int_equal(refuse(text.data, text.len), ERR_TOO_BIG);
	buf_clear(&text);
	for (unsigned i = 0; i <= JSON_REPLY_MAX; i++)
		buf_add_char(&text, ' ');
	assert_int_equal(refuse(text.data, text.len), ERR_TOO_BIG);
	buf_clear(&text);
	for (int i = 0; i < JSON_REPLY_LEVELS; i++)
		buf_add_char(&text, '[');
	for (int i = 0; i < JSON_REPLY_LEVELS; i++)
		buf_add_char(&text, ']');
	json_free(parse(buf_text(&text)));
	buf_release(&text);
}

/* Brackets and commas inside of texts do not count. */
static void parser__counts__outside_of_texts_only(void **state)
{
	struct buf text;

	(void)state;
	buf_init(&text, 1u << 20);
	buf_add_text(&text, "\"\\\"");
	for (int i = 0; i < 300000; i++)
		buf_add_text(&text, i % 2 ? "[" : ",");
	buf_add_char(&text, '"');
	json_free(parse(buf_text(&text)));
	buf_release(&text);
}

static void texts__are_decoded__with_escapes(void **state)
{
	struct json_value *json =
		parse("{\"a\":\"x\\n\\t\\\"\\\\\\/\\u00e9\\ud83d\\ude00\",\"k\\u0065y\":1}");
	int64_t one;

	(void)state;
	assert_string_equal(json_text(json, "a"), "x\n\t\"\\/\xc3\xa9\xf0\x9f\x98\x80");
	assert_true(json_integer(json, "key", &one));
	json_free(json);
}

/* Where a published case has another meaning here: milliseconds instead of an error, a leap second,
 * and forms that no AWS JSON service sends. */
static bool is_other_form(const char *raw)
{
	static const char *const forms[] = { "true",         "false", "GMT",      "+0000",
					     "+0530",        "UTC",   "15 12:34", "20250115T",
					     "253402300800", ":60Z" };

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		if (strstr(raw, forms[i]))
			return true;
	}
	return strcmp(raw, "1736944496123") == 0 || strcmp(raw, "253402300799") == 0;
}

static void times__agree_with_published_cases__where_the_form_is_ours(void **state)
{
	size_t len, count = 0;
	char *text = shared_read("vectors/errors/computed-timestamps.json", &len);
	struct err err = { 0 };

	(void)state;
	if (!text)
		return;

	struct json_value *cases = json_parse(text, len, &err);

	for (const struct json_value *at = json_first(cases); at; at = json_next(at)) {
		const char *raw = json_text(at, "raw");
		double epoch;
		bool valid = json_number(at, "epoch", &epoch);

		if (is_other_form(raw))
			continue;

		struct json_value *value = parse(raw);
		struct opt_ms time = json_as_time(value);

		if (time.set != valid || (valid && llabs(time.ms - llround(epoch * 1000)) > 1))
			fail_msg("%s: %d %lld", raw, time.set, (long long)time.ms);
		json_free(value);
		count++;
	}
	assert_true(count > 30);
	json_free(cases);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(getters__give_values__of_their_type_only),
		cmocka_unit_test(iteration__walks_in_order__with_names_and_types),
		cmocka_unit_test(integers__are_exact_or_absent__at_their_ends),
		cmocka_unit_test(times__are_told_apart__by_size_and_type),
		cmocka_unit_test(parser__refuses__what_is_not_one_value),
		cmocka_unit_test(parser__refuses__every_cut_of_a_reply),
		cmocka_unit_test(parser__refuses__what_is_too_deep_or_too_much),
		cmocka_unit_test(parser__counts__outside_of_texts_only),
		cmocka_unit_test(texts__are_decoded__with_escapes),
		cmocka_unit_test(times__agree_with_published_cases__where_the_form_is_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
