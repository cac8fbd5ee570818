#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/xml.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "tests/shared.h"

static struct xml_element *parse(const char *text)
{
	struct err err = { 0 };
	struct xml_element *root = xml_parse(text, strlen(text), &err);

	if (!root)
		fail_msg("%s: %s", text, err_text(&err));
	return root;
}

static enum err_code refuse(const char *text, size_t len)
{
	struct err err = { 0 };
	struct xml_element *root = xml_parse(text, len, &err);
	enum err_code code = err.code;

	assert_null(root);
	assert_true(err_text(&err)[0] != '\0');
	err_clear(&err);
	return code;
}

static void getters__walk__by_name_and_in_order(void **state)
{
	struct xml_element *root = parse("<a><b>1</b><c/><b>2</b><d><b>3</b></d></a>");
	const struct xml_element *at = xml_first(root);

	(void)state;
	assert_string_equal(xml_name(root), "a");
	assert_string_equal(xml_text(root, "b"), "1");
	assert_string_equal(xml_text(root, "c"), "");
	assert_null(xml_text(root, "B"));
	assert_string_equal(xml_text(xml_child(root, "d"), "b"), "3");
	assert_string_equal(xml_name(at), "b");
	at = xml_next(xml_next(at));
	assert_string_equal(xml_as_text(at), "2");
	assert_string_equal(xml_name(xml_next(at)), "d");
	assert_null(xml_next(xml_next(at)));
	assert_null(xml_next(root));
	xml_free(root);
}

static void absent__reads_as_absent__all_the_way_down(void **state)
{
	(void)state;
	assert_null(xml_text(xml_child(xml_child(NULL, "a"), "b"), "c"));
	assert_null(xml_name(NULL));
	assert_null(xml_first(NULL));
	assert_null(xml_next(NULL));
	assert_null(xml_as_text(NULL));
	assert_false(xml_time(NULL, "t").set);
	xml_free(NULL);
}

static void text__is_whole__however_it_is_written(void **state)
{
	static const struct {
		const char *xml, *text;
	} rows[] = {
		{ "<a/>", "" },
		{ "<a></a>", "" },
		{ "<a> x\n  y </a>", " x\n  y " },
		{ "<a>x\r\ny\rz</a>", "x\ny\nz" },
		{ "<a>&lt;&gt;&amp;&quot;&apos;</a>", "<>&\"'" },
		{ "<a>&#65;&#x42;&#xe9;&#x1F600;</a>", "AB\303\251\360\237\230\200" },
		{ "<a><![CDATA[<b>&amp;</b>]]></a>", "<b>&amp;</b>" },
		{ "<a>1<!-- <b> -->2<?pi x?>3<![CDATA[4]]>5</a>", "12345" },
		{ "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>x</a>\n", "x" },
		{ "\357\273\277<a>x</a>", "x" },
		{ "<a b=\"1\" c='&lt;'>x</a>", "x" },
		{ "<n:a xmlns:n=\"u\">x</n:a>", "x" },
		{ "<a> <b/> </a>", "" },
		{ "<a>mixed<b/></a>", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xml_element *root = parse(rows[i].xml);

		assert_string_equal(xml_name(root), "a");
		assert_string_equal(xml_as_text(root), rows[i].text);
		xml_free(root);
	}
}

static void prefixes__are_dropped__with_their_namespaces(void **state)
{
	struct xml_element *root = parse("<s:Response xmlns:s=\"u\" xmlns=\"v\"><s:Error><t:Code>X"
					 "</t:Code></s:Error></s:Response>");

	(void)state;
	assert_string_equal(xml_name(root), "Response");
	assert_string_equal(xml_text(xml_child(root, "Error"), "Code"), "X");
	xml_free(root);
}

static void times__are_read__in_every_published_form(void **state)
{
	struct xml_element *root = parse("<a><i>2014-04-29T18:30:38.5Z</i><e>1398796238</e>"
					 "<h>Tue, 29 Apr 2014 18:30:38 GMT</h><n>soon</n><o/></a>");

	(void)state;
	assert_int_equal(xml_time(root, "i").ms, INT64_C(1398796238500));
	assert_int_equal(xml_time(root, "e").ms, INT64_C(1398796238000));
	assert_int_equal(xml_time(root, "h").ms, INT64_C(1398796238000));
	assert_false(xml_time(root, "n").set);
	assert_false(xml_time(root, "o").set);
	assert_false(xml_time(root, "none").set);
	xml_free(root);
}

static void broken__is_refused__with_a_reason(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"<a>",
		"<a></b>",
		"<a/><b/>",
		"<a/>x",
		"x<a/>",
		"{\"a\":1}",
		"<a>&nbsp;</a>",
		"<a>&#0;</a>",
		"<a>&#x1;</a>",
		"<:/>",
		"<a><b:></b:></a>",
		"<a b=1/>",
		"<a b='1' b='2'/>",
		"<a>\xff</a>",
		"<a>\xc3</a>",
		"<a>]]></a>",
		"<html><body>Service Unavailable<br></body></html>",
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (refuse(texts[i], strlen(texts[i])) != ERR_PARSE)
			fail_msg("%s", texts[i]);
	}
	assert_int_equal(refuse("<a>\0</a>", 8), ERR_PARSE);
	/* No byte past the end is read: the rest would make it whole. */
	assert_int_equal(refuse("<a></a>", 5), ERR_PARSE);
}

/* Each of them expands to much more than it is, or names a file. */
static void document_types__are_refused__with_their_entities(void **state)
{
	static const char *const texts[] = {
		"<!DOCTYPE a><a/>",
		"<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
		"<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
		"<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>&f;</a>",
		"<!DOCTYPE a [<!ENTITY x \"xx\"><!ENTITY y \"&x;&x;&x;\">]><a>&y;&y;&y;&y;</a>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct err err = { 0 };

		assert_null(xml_parse(texts[i], strlen(texts[i]), &err));
		assert_int_equal(err.code, ERR_PARSE);
		assert_string_equal(err_text(&err), "XML with a document type");
		err_clear(&err);
	}
}

/* count times open, then count times close. */
static char *nested(size_t count)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	for (size_t i = 0; i < count; i++)
		buf_add_text(&text, "<a>");
	for (size_t i = 0; i < count; i++)
		buf_add_text(&text, "</a>");
	return buf_take(&text);
}

static char *siblings(size_t count)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	buf_add_text(&text, "<a>");
	for (size_t i = 1; i < count; i++)
		buf_add_text(&text, "<b/>");
	buf_add_text(&text, "</a>");
	return buf_take(&text);
}

static void ceilings__hold__and_not_one_below(void **state)
{
	char *good[] = { nested(XML_REPLY_LEVELS), siblings(XML_REPLY_ELEMENTS) };
	char *bad[] = { nested(XML_REPLY_LEVELS + 1), siblings(XML_REPLY_ELEMENTS + 1) };
	struct buf big;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		xml_free(parse(good[i]));
		assert_int_equal(refuse(bad[i], strlen(bad[i])), ERR_TOO_BIG);
		free(good[i]);
		free(bad[i]);
	}
	buf_init(&big, XML_REPLY_MAX + 16);
	buf_add_text(&big, "<a>");
	while (big.len < XML_REPLY_MAX - 4)
		buf_add_char(&big, 'x');
	buf_add_text(&big, "</a>");
	assert_int_equal(big.len, XML_REPLY_MAX);
	struct xml_element *root = parse(buf_text(&big));
	assert_int_equal(strlen(xml_as_text(root)), XML_REPLY_MAX - 7);
	xml_free(root);
	buf_add_char(&big, ' ');
	assert_int_equal(refuse(buf_text(&big), big.len), ERR_TOO_BIG);
	buf_release(&big);
}

/*
 * Published replies beside what another program made of them. Its names are those of a model that
 * is not here; the texts are the same, whatever they are called.
 */
#define TEXTS_MAX 512

struct texts {
	const char *items[TEXTS_MAX];
	size_t count;
};

static void add_text(struct texts *texts, const char *text)
{
	if (text[0] == '\0')
		return;
	assert_true(texts->count < TEXTS_MAX);
	texts->items[texts->count++] = text;
}

static void collect_xml(struct texts *texts, const struct xml_element *element)
{
	if (!xml_first(element))
		add_text(texts, xml_as_text(element));
	for (const struct xml_element *at = xml_first(element); at; at = xml_next(at))
		collect_xml(texts, at);
}

/* Numbers and flags as XML writes them. */
static void collect_json(struct texts *texts, const struct json_value *value, char *numbers)
{
	bool flag;
	int64_t number;

	if (json_as_text(value)) {
		add_text(texts, json_as_text(value));
	} else if (json_as_boolean(value, &flag)) {
		add_text(texts, flag ? "true" : "false");
	} else if (json_as_integer(value, &number)) {
		char *slot = numbers + texts->count * 24;

		snprintf(slot, 24, "%lld", (long long)number);
		add_text(texts, slot);
	}
	for (const struct json_value *at = json_first(value); at; at = json_next(at))
		collect_json(texts, at, numbers);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool compare_pair(const char *name)
{
	static char numbers[TEXTS_MAX * 24];
	char path[256];
	size_t len, json_len;
	struct texts ours = { .count = 0 }, theirs = { .count = 0 };
	struct err err = { 0 };

	snprintf(path, sizeof(path), "vectors/errors/response-parsing/xml-responses/%s.xml", name);
	char *text = shared_read(path, &len);
	snprintf(path, sizeof(path), "vectors/errors/response-parsing/xml-responses/%s.json", name);
	char *json_text_of = shared_read(path, &json_len);
	if (!text || !json_text_of) {
		free(text);
		free(json_text_of);
		return false;
	}
	struct xml_element *root = xml_parse(text, len, &err);
	struct json_value *json = json_parse(json_text_of, json_len, &err);
	assert_non_null(root);
	assert_non_null(json);
	collect_xml(&ours, root);
	collect_json(&theirs, json, numbers);
	qsort(ours.items, ours.count, sizeof(ours.items[0]), compare_texts);
	qsort(theirs.items, theirs.count, sizeof(theirs.items[0]), compare_texts);
	for (size_t i = 0; i < ours.count && i < theirs.count; i++) {
		if (strcmp(ours.items[i], theirs.items[i]) != 0)
			fail_msg("%s: '%s', '%s'", name, ours.items[i], theirs.items[i]);
	}
	assert_int_equal(ours.count, theirs.count);
	assert_true(ours.count > 3);
	xml_free(root);
	json_free(json);
	free(text);
	free(json_text_of);
	return true;
}

static void replies__hold__what_is_published_of_them(void **state)
{
	static const char *const names[] = {
		"ec2-describe-availability-zones",
		"ec2-describe-instance-status",
		"ec2-describe-instances",
		"ec2-describe-regions",
		"ec2-describe-tags",
		"sts-get-session-token",
	};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		count += compare_pair(names[i]);
	if (count)
		print_message("replies: %zu of 6\n", count);
	assert_true(count == 0 || count == 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(getters__walk__by_name_and_in_order),
		cmocka_unit_test(absent__reads_as_absent__all_the_way_down),
		cmocka_unit_test(text__is_whole__however_it_is_written),
		cmocka_unit_test(prefixes__are_dropped__with_their_namespaces),
		cmocka_unit_test(times__are_read__in_every_published_form),
		cmocka_unit_test(broken__is_refused__with_a_reason),
		cmocka_unit_test(document_types__are_refused__with_their_entities),
		cmocka_unit_test(ceilings__hold__and_not_one_below),
		cmocka_unit_test(replies__hold__what_is_published_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
