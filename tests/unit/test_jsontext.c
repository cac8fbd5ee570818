#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "tests/anytext.h"

static const char request[] =
	"{\n"
	"  \"TrainingJobName\": \"llm-ft\",\n"
	"  \"ResourceConfig\": {\n"
	"    \"InstancePreferences\": [\n"
	"      {\"InstanceType\": \"ml.p5.48xlarge\", \"InstanceCount\": 2},\n"
	"      {\"InstanceType\": \"ml.p4d.24xlarge\"}\n"
	"    ],\n"
	"    \"VolumeSizeInGB\": 5e1\n"
	"  },\n"
	"  \"Empty\": [], \"None\": {}, \"Yes\": true, \"No\": false, \"Null\": null\n"
	"}\n";

static void parse(struct json_doc *doc, const char *text)
{
	struct err err = { 0 };

	if (!json_doc_parse(doc, text, strlen(text), &err))
		fail_msg("not parsed: %s: %s", text, err_text(&err));
	assert_int_equal(doc->bad_line, 0);
}

static void assert_span(const struct json_doc *doc, size_t node, const char *expected)
{
	assert_true(node < doc->count);
	assert_int_equal(doc->nodes[node].end - doc->nodes[node].start, strlen(expected));
	assert_memory_equal(doc->text + doc->nodes[node].start, expected, strlen(expected));
}

static void parse__marks_spans_and_places__of_a_request(void **state)
{
	struct json_doc doc;
	size_t list, second, type;

	(void)state;
	parse(&doc, request);
	list = json_doc_path(&doc, "ResourceConfig.InstancePreferences");
	assert_int_equal(doc.nodes[list].kind, JSON_ARRAY);
	assert_int_equal(json_doc_length(&doc, list), 2);
	assert_int_equal(doc.nodes[list].line, 4);
	assert_int_equal(doc.nodes[list].column, 28);
	second = json_doc_path(&doc, "ResourceConfig.InstancePreferences[1]");
	assert_span(&doc, second, "{\"InstanceType\": \"ml.p4d.24xlarge\"}");
	assert_int_equal(doc.nodes[second].parent, list);
	assert_int_equal(doc.nodes[second].key_start, doc.nodes[second].key_end);
	type = json_doc_member(&doc, second, "InstanceType");
	assert_span(&doc, type, "\"ml.p4d.24xlarge\"");
	assert_int_equal(doc.nodes[type].line, 6);
	assert_int_equal(doc.nodes[type].column, 24);
	assert_memory_equal(doc.text + doc.nodes[type].key_start, "\"InstanceType\"", 14);
	assert_int_equal(doc.nodes[type].key_end - doc.nodes[type].key_start, 14);
	assert_int_equal(doc.nodes[0].parent, JSON_NONE);
	assert_int_equal(doc.nodes[0].start, 0);
	assert_int_equal(doc.nodes[0].end, strlen(request) - 1);
	json_doc_release(&doc);
	json_doc_release(&doc);
	json_doc_release(NULL);
}

static void children__come_in_order__with_their_kinds(void **state)
{
	static const enum json_kind kinds[] = { JSON_STRING, JSON_OBJECT, JSON_ARRAY, JSON_OBJECT,
						JSON_TRUE,   JSON_FALSE,  JSON_NULL };
	struct json_doc doc;
	size_t child;

	(void)state;
	parse(&doc, request);
	assert_int_equal(json_doc_length(&doc, 0), ARRAY_LEN(kinds));
	child = json_doc_child(&doc, 0);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		assert_int_equal(doc.nodes[child].kind, kinds[i]);
		child = json_doc_next(&doc, child);
	}
	assert_int_equal(child, JSON_NONE);
	assert_int_equal(json_doc_length(&doc, json_doc_member(&doc, 0, "Empty")), 0);
	assert_int_equal(json_doc_child(&doc, json_doc_member(&doc, 0, "None")), JSON_NONE);
	json_doc_release(&doc);
}

static void getters__find_nothing__for_an_index_that_is_none(void **state)
{
	struct json_doc doc;
	struct buf out;
	int64_t value;

	(void)state;
	parse(&doc, request);
	buf_init(&out, 64);
	for (size_t i = 0; i < 2; i++) {
		size_t node = i ? JSON_NONE : doc.count;

		assert_int_equal(json_doc_member(&doc, node, "a"), JSON_NONE);
		assert_int_equal(json_doc_child(&doc, node), JSON_NONE);
		assert_int_equal(json_doc_next(&doc, node), JSON_NONE);
		assert_int_equal(json_doc_length(&doc, node), 0);
		assert_false(json_doc_string(&doc, node, &out));
		assert_false(json_doc_key(&doc, node, &out));
		assert_false(json_doc_integer(&doc, node, &value));
	}
	assert_false(json_doc_key(&doc, 0, &out));
	assert_false(json_doc_string(&doc, 0, &out));
	assert_int_equal(json_doc_member(&doc, json_doc_path(&doc, "Empty"), "a"), JSON_NONE);
	json_doc_release(&doc);
	assert_int_equal(json_doc_path(&doc, ""), JSON_NONE);
	assert_int_equal(json_doc_path(&doc, "a"), JSON_NONE);
	buf_release(&out);
}

static void path__walks__members_and_elements(void **state)
{
	static const char *const absent[] = {
		"ResourceConfig.InstancePreferences[2]",
		"ResourceConfig.InstancePreferences[-1]",
		"ResourceConfig.InstancePreferences[]",
		"ResourceConfig.InstancePreferences[0",
		"ResourceConfig.InstancePreferences.0",
		"ResourceConfig[0]",
		"ResourceConfig..VolumeSizeInGB",
		".ResourceConfig",
		"ResourceConfig.",
		"resourceConfig",
		"TrainingJobName.x",
		"ResourceConfig.InstancePreferences[0]x",
		"ResourceConfig.InstancePreferences[99999999999999999999999]",
		"ResourceConfig.InstancePreferences[0][0]",
	};
	struct json_doc doc;

	(void)state;
	parse(&doc, request);
	assert_int_equal(json_doc_path(&doc, ""), 0);
	assert_span(&doc,
		    json_doc_path(&doc, "ResourceConfig.InstancePreferences[0].InstanceCount"),
		    "2");
	assert_span(&doc, json_doc_path(&doc, "Null"), "null");
	for (size_t i = 0; i < ARRAY_LEN(absent); i++) {
		if (json_doc_path(&doc, absent[i]) != JSON_NONE)
			fail_msg("found: %s", absent[i]);
	}
	json_doc_release(&doc);
	parse(&doc, "[0,1,2,3,4,5,6,7,8,9,10,11]");
	assert_span(&doc, json_doc_path(&doc, "[9]"), "9");
	assert_span(&doc, json_doc_path(&doc, "[11]"), "11");
	json_doc_release(&doc);
	parse(&doc, "[[1,[2,3]],{\"a\":[4]}]");
	assert_span(&doc, json_doc_path(&doc, "[0][1][1]"), "3");
	assert_span(&doc, json_doc_path(&doc, "[1].a[0]"), "4");
	assert_int_equal(json_doc_path(&doc, "[1]a"), JSON_NONE);
	json_doc_release(&doc);
}

static void string__is_decoded__with_its_escapes(void **state)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "\"\"", "" },
		{ "\"plain\"", "plain" },
		{ "\"a\\\"b\\\\c\\/d\"", "a\"b\\c/d" },
		{ "\"\\b\\f\\n\\r\\t\"", "\b\f\n\r\t" },
		{ "\"\\u0041\\u00e9\\u20AC\\uFFFD\"", "A\xC3\xA9\xE2\x82\xAC\xEF\xBF\xBD" },
		{ "\"\\ud83d\\uDC68\"", "\xF0\x9F\x91\xA8" },
		{ "\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF" },
		{ "\"\\u007f\\u0080\\u07ff\\u0800\"", "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80" },
		{ "\"\xEF\xBF\xBD\xF0\x9F\x91\xA8\x7F\"", "\xEF\xBF\xBD\xF0\x9F\x91\xA8\x7F" },
		{ "\"\\u001b[31m\"", "\x1B[31m" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc doc;
		struct buf out;

		buf_init(&out, 64);
		parse(&doc, rows[i].json);
		assert_true(json_doc_string(&doc, 0, &out));
		assert_string_equal(buf_text(&out), rows[i].text);
		json_doc_release(&doc);
		buf_release(&out);
	}
}

static void string__appends_or_fails__by_the_ceiling_of_the_buffer(void **state)
{
	struct json_doc doc;
	struct buf out;

	(void)state;
	parse(&doc, "{\"key\":\"value\",\"\":\"\"}");
	buf_init(&out, 8);
	assert_true(json_doc_key(&doc, 1, &out));
	assert_true(json_doc_string(&doc, 1, &out));
	assert_string_equal(buf_text(&out), "keyvalue");
	assert_true(json_doc_key(&doc, 2, &out));
	assert_false(json_doc_string(&doc, 1, &out));
	assert_false(json_doc_string(&doc, 2, &out));
	json_doc_release(&doc);
	buf_release(&out);
}

static void member__is_found__however_its_key_is_spelled(void **state)
{
	struct json_doc doc;

	(void)state;
	parse(&doc, "{\"\\u0061\\/\":1,\"\\ud83d\\udc68\":2,\"ab\":3,\"a\":4,\"\":5}");
	assert_span(&doc, json_doc_member(&doc, 0, "a/"), "1");
	assert_span(&doc, json_doc_member(&doc, 0, "\xF0\x9F\x91\xA8"), "2");
	assert_span(&doc, json_doc_member(&doc, 0, "ab"), "3");
	assert_span(&doc, json_doc_member(&doc, 0, "a"), "4");
	assert_span(&doc, json_doc_member(&doc, 0, ""), "5");
	assert_int_equal(json_doc_member(&doc, 0, "abc"), JSON_NONE);
	assert_int_equal(json_doc_member(&doc, 0, "\\u0061/"), JSON_NONE);
	json_doc_release(&doc);
}

static void integer__is_read__where_the_number_is_whole(void **state)
{
	static const struct {
		const char *json;
		int64_t value;
	} rows[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "0.000", 0 },
		{ "0e99999999999999999999", 0 },
		{ "1", 1 },
		{ "-1", -1 },
		{ "42", 42 },
		{ "1.0", 1 },
		{ "1e2", 100 },
		{ "1E+2", 100 },
		{ "1e10", INT64_C(10000000000) },
		{ "100e-2", 1 },
		{ "1.5e1", 15 },
		{ "0.001e3", 1 },
		{ "120.00", 120 },
		{ "-12.50e2", -1250 },
		{ "10203", 10203 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
		{ "-9223372036854775808.0e0", INT64_MIN },
		{ "922337203685477580.7e1", INT64_MAX },
		{ "92233720368547758070e-1", INT64_MAX },
		{ "9223372036854775807000000000000e-12", INT64_MAX },
		{ "0.00000000000000000000000000000000000001e38", 1 },
	};
	static const char *const others[] = {
		"1.5",
		"1e-1",
		"0.1",
		"9223372036854775808",
		"10000000000000000000001",
		"-9223372036854775809",
		"1e19",
		"1e999999",
		"1e-999999",
		"12345678901234567890",
		"1e99999999999999999999",
		"\"1\"",
		"true",
		"null",
		"[1]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc doc;
		int64_t value = 7;

		parse(&doc, rows[i].json);
		if (!json_doc_integer(&doc, 0, &value))
			fail_msg("no integer: %s", rows[i].json);
		assert_int_equal(value, rows[i].value);
		json_doc_release(&doc);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct json_doc doc;
		int64_t value;

		parse(&doc, others[i]);
		if (json_doc_integer(&doc, 0, &value))
			fail_msg("an integer: %s", others[i]);
		json_doc_release(&doc);
	}
}

static void integer__ends_with_its_span__among_other_numbers(void **state)
{
	struct json_doc doc;
	int64_t value;

	(void)state;
	parse(&doc, "[31,2e1,5,7E0]");
	assert_true(json_doc_integer(&doc, 1, &value));
	assert_int_equal(value, 31);
	assert_true(json_doc_integer(&doc, 2, &value));
	assert_int_equal(value, 20);
	assert_true(json_doc_integer(&doc, 3, &value));
	assert_int_equal(value, 5);
	json_doc_release(&doc);
}

static void parse__accepts__everything_that_is_json(void **state)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		"0",
		"-0",
		"\"\"",
		"true",
		"false",
		"null",
		" \t\r\n1\r\n ",
		"[[[[]]]]",
		"{\"a\":{\"a\":{\"a\":1}}}",
		"[1,1,1]",
		"[1e5,1E5,1e+5,1e-5,0.5,-0.5,10.25E-3]",
		"{\"a\":1,\"A\":2,\"a \":3,\"\":4}",
		"[\"\x7F\xC2\x80\"]",
		"[\"//\",\"#\",\"'\"]",
		"{\"a\" :\n1 ,\t\"b\": [ ] }",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct json_doc doc;

		parse(&doc, texts[i]);
		json_doc_release(&doc);
	}
}

/* Quadratic checking of the keys would take minutes. */
static void parse__is_quick__for_very_many_keys(void **state)
{
	struct buf text;
	struct json_doc doc;
	clock_t started = clock();

	(void)state;
	buf_init(&text, JSON_TEXT_MAX);
	buf_add_char(&text, '{');
	for (int i = 0; i < 100000; i++)
		buf_addf(&text, "%s\"a-common-prefix-%d\":%d", i ? "," : "", i * 7919 % 100000, i);
	buf_add_char(&text, '}');
	assert_false(text.failed);
	parse(&doc, buf_text(&text));
	assert_int_equal(json_doc_length(&doc, 0), 100000);
	assert_true(clock() - started < 20 * CLOCKS_PER_SEC);
	json_doc_release(&doc);
	buf_release(&text);
}

/* Every span read again by itself gives the same kind and the same number of children. */
static void assert_spans_hold(const struct json_doc *doc)
{
	for (size_t i = 0; i < doc->count; i++) {
		const struct json_node *node = &doc->nodes[i];
		struct json_doc part;
		struct err err = { 0 };

		assert_true(node->start < node->end && node->end <= doc->len);
		assert_true(json_doc_parse(&part, doc->text + node->start, node->end - node->start,
					   &err));
		assert_int_equal(part.nodes[0].kind, node->kind);
		assert_int_equal(json_doc_length(&part, 0), json_doc_length(doc, i));
		assert_int_equal(part.nodes[0].end, node->end - node->start);
		json_doc_release(&part);
	}
}

static void parse__holds_its_spans__when_bytes_are_changed_at_random(void **state)
{
	static const char marks[] = "{}[]\",:\\ u0123456789eE+-.ntf#'/\n\x80";
	uint32_t seed = 5;
	unsigned parsed = 0;

	(void)state;
	for (int i = 0; i < 30000; i++) {
		char text[sizeof(request)];
		size_t len = strlen(request), changes = 1 + anytext_random(&seed) % 3;
		struct json_doc doc;
		struct err err = { 0 };

		memcpy(text, request, sizeof(request));
		for (size_t j = 0; j < changes; j++)
			text[anytext_random(&seed) % len] =
				marks[anytext_random(&seed) % (sizeof(marks) - 1)];
		if (json_doc_parse(&doc, text, len, &err)) {
			parsed++;
			if (parsed % 16 == 0)
				assert_spans_hold(&doc);
		} else {
			assert_non_null(strstr(err_text(&err), "line "));
			/* 11 line ends, and one for each change. */
			assert_in_range(doc.bad_line, 1, 15);
		}
		json_doc_release(&doc);
		err_clear(&err);
	}
	/* Some changes do no harm (within strings), most do. */
	assert_in_range(parsed, 1000, 29000);
}

static void parse__refuses_each_beginning__of_a_request(void **state)
{
	(void)state;
	for (size_t len = 0; len + 1 < strlen(request); len++) {
		struct json_doc doc;
		struct err err = { 0 };
		/* A copy of the exact size, so that a sanitizer sees a read past the end. */
		char *text = mem_resize(NULL, len, 1);

		memcpy(text, request, len);
		assert_false(json_doc_parse(&doc, text, len, &err));
		err_clear(&err);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse__marks_spans_and_places__of_a_request),
		cmocka_unit_test(children__come_in_order__with_their_kinds),
		cmocka_unit_test(getters__find_nothing__for_an_index_that_is_none),
		cmocka_unit_test(path__walks__members_and_elements),
		cmocka_unit_test(string__is_decoded__with_its_escapes),
		cmocka_unit_test(string__appends_or_fails__by_the_ceiling_of_the_buffer),
		cmocka_unit_test(member__is_found__however_its_key_is_spelled),
		cmocka_unit_test(integer__is_read__where_the_number_is_whole),
		cmocka_unit_test(integer__ends_with_its_span__among_other_numbers),
		cmocka_unit_test(parse__accepts__everything_that_is_json),
		cmocka_unit_test(parse__is_quick__for_very_many_keys),
		cmocka_unit_test(parse__holds_its_spans__when_bytes_are_changed_at_random),
		cmocka_unit_test(parse__refuses_each_beginning__of_a_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
