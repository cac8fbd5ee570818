/* JSON with comments, Python literals and YAML: what they become, and where each value stood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aws/yaml.h"
#include "model/base/jsontext.h"
#include "model/loose.h"

#define U LOOSE_UNKNOWN

typedef bool read_fn(struct loose *loose, const char *text, size_t len, struct err *err);

struct row {
	const char *text, *json;
};

static void want_rows(read_fn *read, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct loose loose;
		struct err err = { 0 };
		loose_init(&loose);
		if (!read(&loose, rows[i].text, strlen(rows[i].text), &err))
			fail_msg("%s: %s", rows[i].text, err_text(&err));
		assert_string_equal(buf_text(&loose.json), rows[i].json);
		loose_release(&loose);
	}
}

/* "LINE:COLUMN" of each value in its order, a "?" behind one that is unknown. */
static void want_places(read_fn *read, const char *text, const char *expected)
{
	struct loose loose;
	struct err err = { 0 };
	char told[256] = "";
	size_t len = 0;
	loose_init(&loose);
	assert_true(read(&loose, text, strlen(text), &err));
	for (size_t i = 0; i < loose.count; i++)
		len += (size_t)snprintf(told + len, sizeof(told) - len, "%s%zu:%zu%s",
					i > 0 ? " " : "", loose.places[i].line,
					loose.places[i].column,
					loose.places[i].is_unknown ? "?" : "");
	assert_string_equal(told, expected);
	loose_release(&loose);
}

static void want_refused(read_fn *read, const char *text, const char *part)
{
	struct loose loose;
	struct err err = { 0 };
	loose_init(&loose);
	if (read(&loose, text, strlen(text), &err))
		fail_msg("read: %s", text);
	if (!strstr(err_text(&err), part))
		fail_msg("%s: %s", text, err_text(&err));
	err_clear(&err);
	loose_release(&loose);
}

static void literal__takes_json_with_comments(void **state)
{
	static const struct row rows[] = {
		{ "{}", "{}" },
		{ " // a\n{ \"a\": 1, # b\n /* c } */ \"b\": [1, 2, ], }\n#",
		  "{\"a\":1,\"b\":[1,2]}" },
		{ "{\"a\": \"# no // comment\"}", "{\"a\":\"# no // comment\"}" },
		{ "{\"a\": \"x\ty\\u00e9\\\"\"}", "{\"a\":\"x\\u0009y\xC3\xA9\\\"\"}" },
		{ "[true, false, null, -1.5e3]", "[true,false,null,-1.5e3]" },
	};
	(void)state;
	want_rows(loose_read_literal, rows, ARRAY_LEN(rows));
}

static void literal__takes_python(void **state)
{
	static const struct row rows[] = {
		{ "{'a': True, 'b': None, \"c\": False,}", "{\"a\":true,\"b\":null,\"c\":false}" },
		{ "params = {'a': 1_000, 'b': +2}", "{\"a\":1000,\"b\":2}" },
		{ "x = [24 * 60 * 60, 7 *2]", "[86400,14]" },
		{ "{'a': 'one ' \"two\"\n  'three'}", "{\"a\":\"one twothree\"}" },
		{ "{'a': ('b' 'c'), 'd': r'\\d+', 'e': '\\d+'}",
		  "{\"a\":\"bc\",\"d\":\"\\\\d+\",\"e\":\"\\\\d+\"}" },
		{ "{'a': '''x\n'y'\n'''}", "{\"a\":\"x\\u000a'y'\\u000a\"}" },
		{ "{'a': 'it\\'s'}", "{\"a\":\"it's\"}" },
		/* What only a running program knows. */
		{ "{'a': role, 'b': f'x-{y}', 'c': f'plain'}",
		  "{\"a\":" U ",\"b\":" U ",\"c\":\"plain\"}" },
		{ "{'a': get(x, [1, 2], k='}'), 'b': [y[0]], 'c': 1}",
		  "{\"a\":" U ",\"b\":[" U "],\"c\":1}" },
		{ "{'a': 'x' + y, 'b': 60 * n, 'c': {} | d, 'e': 'a' % 1}",
		  "{\"a\":" U ",\"b\":" U ",\"c\":" U ",\"e\":" U "}" },
		{ "{'a': datetime.datetime(2026, 1, 2, tzinfo=tzlocal())}", "{\"a\":" U "}" },
		{ "[9223372036854775807 * 3]", "[" U "]" },
	};
	(void)state;
	want_rows(loose_read_literal, rows, ARRAY_LEN(rows));
}

static void literal__knows_where_values_stood(void **state)
{
	(void)state;
	want_places(loose_read_literal, "{\n  'a': 1, # x\n\t'b': [role,\n 'c' 'd'],\n}",
		    "1:1 2:8 3:7 3:8? 4:2");
}

static void literal__refuses_what_is_neither(void **state)
{
	char deep[200];
	(void)state;
	want_refused(loose_read_literal, "", "line 1, column 1: no list of members");
	want_refused(loose_read_literal, "a: 1", "no list of members");
	want_refused(loose_read_literal, "{'a': 1 'b': 2}",
		     "line 1, column 12: a comma is missing");
	want_refused(loose_read_literal, "{'a' 1}", "a colon is missing");
	want_refused(loose_read_literal, "{a: 1}", "a key in quotes is missing");
	want_refused(loose_read_literal, "{'a': }", "a value is missing");
	want_refused(loose_read_literal, "{'a': 'b}", "the string is not closed");
	want_refused(loose_read_literal, "{'a': 'b\n'}", "a line break within a string");
	want_refused(loose_read_literal, "{'a': f(1}", "");
	want_refused(loose_read_literal, "{} more", "something stands behind it");
	want_refused(loose_read_literal, "{\"a\":\"\\u0000\"}", "a character that is not read");
	want_refused(loose_read_literal, "{\"a\":\"\xFF\"}", "a string that is no text");
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	want_refused(loose_read_literal, deep, "it is nested too deep");
}

static void yaml__becomes_json(void **state)
{
	static const struct row rows[] = {
		{ "a: 1\nb: [x, 'y', true, ~, 1.5, 0x1, 1e]\n",
		  "{\"a\":1,\"b\":[\"x\",\"y\",true,null,1.5,\"0x1\",\"1e\"]}" },
		{ "a:\n  - b: '2'\n    c: \"\\t\"\n  - {}\n",
		  "{\"a\":[{\"b\":\"2\",\"c\":\"\\u0009\"},{}]}" },
		{ "a: |\n  x\n  y\nb: >-\n  x\n  y\n",
		  "{\"a\":\"x\\u000ay\\u000a\",\"b\":\"x y\"}" },
		{ "1: yes\n", "{\"1\":\"yes\"}" },
		{ "a: 1\n---\nb: 2\n", "[{\"a\":1},{\"b\":2}]" },
		{ "a: !Ref b\n", "{\"a\":\"b\"}" },
		{ "x", "\"x\"" },
		{ "", "[]" },
	};
	(void)state;
	want_rows(yaml_read, rows, ARRAY_LEN(rows));
	want_places(yaml_read, "a: 1\nb:\n  - c\n  - d: e\n", "1:1 1:4 3:3 3:5 4:5 4:8");
}

static void yaml__refuses_aliases_and_what_is_none(void **state)
{
	char deep[200];
	(void)state;
	want_refused(yaml_read, "a: &x 1\nb: *x\n", "line 2, column 4: aliases");
	want_refused(yaml_read, "a: [1\n", "line 2, column 1: did not find");
	want_refused(yaml_read, "a: 1\n\tb: 2\n", "line ");
	want_refused(yaml_read, "[a]: 1\n", "a list stands where a name should");
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	want_refused(yaml_read, deep, "it is nested too deep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literal__takes_json_with_comments),
		cmocka_unit_test(literal__takes_python),
		cmocka_unit_test(literal__knows_where_values_stood),
		cmocka_unit_test(literal__refuses_what_is_neither),
		cmocka_unit_test(yaml__becomes_json),
		cmocka_unit_test(yaml__refuses_aliases_and_what_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
