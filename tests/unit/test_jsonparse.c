#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "tests/anytext.h"

static void parse(struct json_doc *doc, const char *text)
{
	struct err err = { 0 };

	if (!json_doc_parse(doc, text, strlen(text), &err))
		fail_msg("not parsed: %s: %s", text, err_text(&err));
	assert_int_equal(doc->bad_line, 0);
}

static void assert_refused_len(const char *text, size_t len, const char *expected)
{
	struct json_doc doc;
	struct err err = { 0 };

	if (json_doc_parse(&doc, text, len, &err))
		fail_msg("parsed: %s", text);
	assert_string_equal(err_text(&err), expected);
	assert_int_equal(err.code, ERR_PARSE);
	assert_int_equal(doc.count, 0);
	assert_null(doc.nodes);
	assert_true(doc.bad_line >= 1 && doc.bad_column >= 1);
	json_doc_release(&doc);
	err_clear(&err);
}

static void assert_refused(const char *text, const char *expected)
{
	assert_refused_len(text, strlen(text), expected);
}

static void parse__says_what_is_wrong__and_where(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "", "line 1, column 1: the text is empty" },
		{ " \n\n ", "line 3, column 2: the text is empty" },
		{ "{\"a\":1,}", "line 1, column 7: no comma before '}'" },
		{ "[1,\n\n]", "line 1, column 3: no comma before ']'" },
		{ "[,1]", "line 1, column 2: a value expected, not ','" },
		{ "{,}", "line 1, column 2: a key in double quotes expected, not ','" },
		{ "[1 2]", "line 1, column 4: a comma or ']' expected, not '2'" },
		{ "{\"a\":1 \"b\":2}", "line 1, column 8: a comma or '}' expected, not '\"'" },
		{ "{\"a\" 1}", "line 1, column 6: a colon after the key expected, not '1'" },
		{ "{\"a\":}", "line 1, column 6: a value expected, not '}'" },
		{ "{\"a\"}", "line 1, column 5: a colon after the key expected, not '}'" },
		{ "{1:2}", "line 1, column 2: a key in double quotes expected, not '1'" },
		{ "[1}", "line 1, column 3: a comma or ']' expected, not '}'" },
		{ "{\"a\":1]", "line 1, column 7: a comma or '}' expected, not ']'" },
		{ "]", "line 1, column 1: a value expected, not ']'" },
		{ "{} {}", "line 1, column 4: the end of the text expected, not '{'" },
		{ "{}\n// end", "line 2, column 1: comments are not JSON" },
		{ "{\n\n  \"a\": [\n", "line 4, column 1: a value expected, but the text ends: the "
				       "'[' of line 3, column 8 is "
				       "not closed" },
		{ "{\"a\":1", "line 1, column 7: a comma or '}' expected, but the text ends: the "
			      "'{' of line 1, "
			      "column 1 is not closed" },
		{ "{\"a", "line 1, column 2: the string that starts here is not closed" },
		{ "\"a\\", "line 1, column 1: the string that starts here is not closed" },
		{ "[\"a\nb\"]",
		  "line 1, column 4: a line break within a string: write \\n, or close "
		  "the string of column 2" },
		{ "[\"a\tb\"]", "line 1, column 4: a tab within a string: write \\t" },
		{ "[\"\x01\"]",
		  "line 1, column 3: a control character within a string: write \\u0001" },
		{ "[\"\\x41\"]", "line 1, column 3: no such escape: write \\\\ for a backslash" },
		{ "[\"C:\\data\"]",
		  "line 1, column 5: no such escape: write \\\\ for a backslash" },
		{ "[\"\\u12g4\"]",
		  "line 1, column 3: \\u takes four hexadecimal digits, and surrogates "
		  "come in pairs" },
		{ "[\"\\u123\"]",
		  "line 1, column 3: \\u takes four hexadecimal digits, and surrogates "
		  "come in pairs" },
		{ "[\"\\ud83d\"]",
		  "line 1, column 3: \\u takes four hexadecimal digits, and surrogates "
		  "come in pairs" },
		{ "[\"\\udc68\\ud83d\"]",
		  "line 1, column 3: \\u takes four hexadecimal digits, and "
		  "surrogates come in pairs" },
		{ "[\"\\ud83d\\u0041\"]",
		  "line 1, column 3: \\u takes four hexadecimal digits, and "
		  "surrogates come in pairs" },
		{ "[\"\\udc00\"]", "line 1, column 3: \\u takes four hexadecimal digits, and "
				   "surrogates come in pairs" },
		{ "[\"\\udfff\"]", "line 1, column 3: \\u takes four hexadecimal digits, and "
				   "surrogates come in pairs" },
		{ "[\"\\u0000\"]", "line 1, column 3: the character U+0000 within a string" },
		{ "[\"caf\xE9\"]", "line 1, column 6: the byte 0xE9 is not UTF-8" },
		{ "[\"\xC0\xAF\"]", "line 1, column 3: the byte 0xC0 is not UTF-8" },
		{ "[\"\xED\xA0\x80\"]", "line 1, column 3: the byte 0xED is not UTF-8" },
		{ "\x80", "line 1, column 1: a value expected, not the byte 0x80" },
		{ "[\x01]", "line 1, column 2: a value expected, not U+0001" },
		{ "[\xE2\x82\xAC]", "line 1, column 2: a value expected, not U+20AC" },
		{ "[01]", "line 1, column 2: a number takes no leading zero" },
		{ "[-01]", "line 1, column 3: a number takes no leading zero" },
		{ "[1.]", "line 1, column 4: a digit is missing in a number" },
		{ "[1e]", "line 1, column 4: a digit is missing in a number" },
		{ "[1e+]", "line 1, column 5: a digit is missing in a number" },
		{ "[.5]", "line 1, column 2: a number starts with a digit" },
		{ "[+1]", "line 1, column 2: a number takes no plus sign" },
		{ "[-]", "line 1, column 2: a value expected, not '-'" },
		{ "[0x10]",
		  "line 1, column 3: a comma or ']' expected, not a word without quotes" },
		{ "[NaN]", "line 1, column 2: NaN is no JSON number" },
		{ "[-Infinity]", "line 1, column 2: Infinity is no JSON number" },
		{ "[infra]", "line 1, column 2: a value expected, not a word without quotes" },
		{ "[nulls]", "line 1, column 2: a value expected, not a word without quotes" },
		{ "[truE]", "line 1, column 2: a value expected, not a word without quotes" },
		{ "{a:1}",
		  "line 1, column 2: a key in double quotes expected, not a word without quotes" },
		{ "{\"a\":1, /* b */ \"b\":2}", "line 1, column 9: comments are not JSON" },
		{ "{\"a\":1 # b\n}", "line 1, column 8: comments are not JSON" },
		{ "[True]", "line 1, column 2: not JSON (looks like Python): write true" },
		{ "[False]", "line 1, column 2: not JSON (looks like Python): write false" },
		{ "[None]", "line 1, column 2: not JSON (looks like Python): write null" },
		{ "{'a': 1}",
		  "line 1, column 2: not JSON (looks like Python): strings take double quotes" },
		{ "[datetime.datetime(2020, 2, 1)]",
		  "line 1, column 2: not JSON (looks like Python): a "
		  "time is a number or a string" },
		{ "{\xE2\x80\x9C"
		  "a\xE2\x80\x9D:1}",
		  "line 1, column 2: typographic quotes are not JSON: write \"" },
		{ "{\"a\":\xC2\xA0"
		  "1}",
		  "line 1, column 6: a no-break space is no JSON: write a plain space" },
		{ "\xEF\xBB\xBF{}", "line 1, column 1: a byte order mark is no JSON: save the file "
				    "as UTF-8 without it" },
		{ "TrainingJobName: a\n",
		  "line 1, column 1: not JSON (looks like YAML): a value expected" },
		{ "---\na: 1\n", "line 1, column 1: not JSON (looks like YAML)" },
		{ "{\"a\":<name>}",
		  "line 1, column 6: not JSON (looks like XML, HTML or a placeholder)" },
		{ "{\"a\":${NAME}}",
		  "line 1, column 6: not JSON (looks like a variable that was not replaced)" },
		{ "{\"a\":1, ...}",
		  "line 1, column 9: not JSON: \"...\" stands where something was left out" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_refused(rows[i].text, rows[i].error);
	assert_refused_len(
		"\xFF\xFE{\0}\0", 6,
		"line 1, column 1: not JSON (looks like UTF-16): save the file as UTF-8");
	assert_refused_len("[\"\0\"]", 5,
			   "line 1, column 3: a control character within a string: write \\u0000");
	assert_refused_len("{}\0", 3, "line 1, column 3: the end of the text expected, not U+0000");
}

static void parse__repeats_no_value__of_the_file(void **state)
{
	struct json_doc doc;
	struct err err = { 0 };
	static const char text[] = "{\"Environment\":{\"TOKEN\":hunter2}}";

	(void)state;
	assert_false(json_doc_parse(&doc, text, strlen(text), &err));
	assert_null(strstr(err_text(&err), "hunter2"));
	err_clear(&err);
}

static void parse__finds_doubled_keys__with_their_place(void **state)
{
	(void)state;
	assert_refused(
		"{\"a\":1,\"b\":2,\"a\":3}",
		"line 1, column 14: the key \"a\" stands twice, first with the value of line 1");
	assert_refused(
		"{\"x\":[{\n\"key\":1,\n \"\\u006bey\":2}],\n\"y\":1}",
		"line 3, column 2: the key \"\\u006bey\" stands twice, first with the value of "
		"line 2");
	/* The first double of several is named. */
	assert_refused(
		"{\"b\":1,\"a\":1,\n\"b\":2,\n\"a\":2,\n\"b\":3}",
		"line 2, column 1: the key \"b\" stands twice, first with the value of line 1");
	assert_refused(
		"{\"\":1,\"\":2}",
		"line 1, column 7: the key \"\" stands twice, first with the value of line 1");
}

static char *nested(size_t depth)
{
	char *text = mem_new(depth * 2 + 1, 1);

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	return text;
}

static void parse__stops__at_the_greatest_depth(void **state)
{
	char *deepest = nested(JSON_DEPTH_MAX), *deeper = nested(JSON_DEPTH_MAX + 1);
	struct json_doc doc;

	(void)state;
	parse(&doc, deepest);
	assert_int_equal(doc.count, JSON_DEPTH_MAX);
	json_doc_release(&doc);
	assert_refused(deeper, "line 1, column 65: nested deeper than 64 levels");
	free(deepest);
	free(deeper);
}

static void parse__stops__at_the_greatest_size(void **state)
{
	char *text = mem_new(JSON_TEXT_MAX + 2, 1);
	struct json_doc doc;

	(void)state;
	memset(text, ' ', JSON_TEXT_MAX + 1);
	text[0] = '1';
	text[JSON_TEXT_MAX] = '\0';
	parse(&doc, text);
	json_doc_release(&doc);
	text[JSON_TEXT_MAX] = ' ';
	assert_refused(text, "line 1, column 1: more than 4 MiB of text");
	free(text);
}

/* An array of count times the given value. */
static char *repeated(size_t count, const char *value)
{
	struct buf text;

	buf_init(&text, JSON_TEXT_MAX);
	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%c%s", i ? ',' : '[', value);
	buf_add_char(&text, ']');
	assert_false(text.failed);
	return buf_take(&text);
}

static void parse__stops__at_the_greatest_number_of_values(void **state)
{
	char *most = repeated(JSON_NODES_MAX - 1, "0"), *more = repeated(JSON_NODES_MAX, "0");
	char *arrays = repeated(JSON_NODES_MAX, "[]");
	struct json_doc doc;

	(void)state;
	parse(&doc, most);
	assert_int_equal(json_doc_length(&doc, 0), JSON_NODES_MAX - 1);
	json_doc_release(&doc);
	assert_refused(more, "line 1, column 524288: more than 262144 values");
	assert_refused(arrays, "line 1, column 786431: more than 262144 values");
	free(most);
	free(more);
	free(arrays);
}

static void parse__names_the_first_hash__of_case_020(void **state)
{
	char text[4096];

	(void)state;
	if (anytext_shared("cases/020-json-with-hash-comments/input.json", text, sizeof(text)))
		assert_refused(text, "line 4, column 113: comments are not JSON");
}

static void parse__says_python__for_case_014(void **state)
{
	char text[4096];

	(void)state;
	if (anytext_shared("cases/014-python-repr-not-json/input.txt", text, sizeof(text)))
		assert_refused(text, "line 1, column 2: not JSON (looks like Python): strings take "
				     "double quotes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse__says_what_is_wrong__and_where),
		cmocka_unit_test(parse__repeats_no_value__of_the_file),
		cmocka_unit_test(parse__finds_doubled_keys__with_their_place),
		cmocka_unit_test(parse__stops__at_the_greatest_depth),
		cmocka_unit_test(parse__stops__at_the_greatest_size),
		cmocka_unit_test(parse__stops__at_the_greatest_number_of_values),
		cmocka_unit_test(parse__names_the_first_hash__of_case_020),
		cmocka_unit_test(parse__says_python__for_case_014),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
