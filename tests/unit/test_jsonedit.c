#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/jsonedit.h"
#include "tests/anytext.h"

#define TEXT_MAX    65536
#define ROUNDS      20000
#define MEMBERS_MAX 8

/* Edits the object at path and compares the whole text. */
static void assert_edit(const char *text, const char *path, const struct json_change *changes,
			size_t count, const char *expected)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf out;
	buf_init(&out, TEXT_MAX);
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	const struct json_edit edit = { .object = path[0] ? json_doc_path(&doc, path) : 0,
					.changes = changes,
					.count = count };
	assert_true(json_edit_apply(&doc, &edit, &out));
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
	json_doc_release(&doc);
}

static void remove__takes_the_right_comma__at_each_place(void **state)
{
	static const struct json_change first = { "a", NULL }, middle = { "b", NULL },
					last = { "c", NULL }, none = { "x", NULL };
	static const struct json_change all[] = { { "a", NULL }, { "b", NULL }, { "c", NULL } };
	static const char text[] = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
	(void)state;
	assert_edit(text, "", &first, 1, "{\n  \"b\": 2,\n  \"c\": 3\n}\n");
	assert_edit(text, "", &middle, 1, "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
	assert_edit(text, "", &last, 1, "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
	assert_edit(text, "", &none, 1, text);
	assert_edit(text, "", all, 2, "{\n  \"c\": 3\n}\n");
	assert_edit(text, "", all + 1, 2, "{\n  \"a\": 1\n}\n");
	assert_edit(text, "", all, 3, "{}\n");
	assert_edit("{\"a\":1,\"b\":2}", "", &first, 1, "{\"b\":2}");
	assert_edit("{\"a\":1 , \"b\":2 }", "", &middle, 1, "{\"a\":1  }");
	assert_edit("{ }", "", &first, 1, "{ }");
}

static void replace__keeps_key_and_place__and_all_other_bytes(void **state)
{
	static const struct json_change change = { "b", "[1]" };
	(void)state;
	assert_edit("{\"a\" : 1.0 ,\t\"b\" :  {\"c\":1} ,\"d\":12345678901234567890}", "", &change,
		    1, "{\"a\" : 1.0 ,\t\"b\" :  [1] ,\"d\":12345678901234567890}");
	/* The key is found behind its escapes. */
	assert_edit("{\"\\u0062\": 2}", "", &change, 1, "{\"\\u0062\": [1]}");
}

static void insert__is_written_like_its_neighbours(void **state)
{
	static const struct json_change one = { "n", "7" };
	static const struct json_change two[] = { { "n", "7" }, { "m\"", "8" } };
	static const struct json_change moved[] = { { "n", "7" }, { "a", NULL }, { "m", "8" } };
	(void)state;
	assert_edit("{\n\t\"a\": 1\n}", "", &one, 1, "{\n\t\"a\": 1,\n\t\"n\": 7\n}");
	assert_edit("{\r\n  \"a\" : 1\r\n}", "", &one, 1, "{\r\n  \"a\" : 1,\r\n  \"n\" : 7\r\n}");
	assert_edit("{\"a\":1}", "", two, 2, "{\"a\":1,\"n\":7,\"m\\\"\":8}");
	assert_edit("{\"a\": 1}", "", two, 2, "{\"a\": 1, \"n\": 7, \"m\\\"\": 8}");
	assert_edit("{}", "", &one, 1, "{\"n\": 7}");
	assert_edit("{\n}", "", &one, 1, "{\"n\": 7}");
	/* A new member takes the place of the one that goes. */
	assert_edit("{\n  \"a\": 1,\n  \"b\": 2\n}", "", moved, 3,
		    "{\n  \"n\": 7,\n  \"m\": 8,\n  \"b\": 2\n}");
	assert_edit("{ \"a\": 1, \"b\": 2 }", "", moved, 3, "{ \"n\": 7, \"m\": 8, \"b\": 2 }");
	assert_edit("{\"b\": {\"c\": {\n   \"d\": 1}}, \"e\": 1}", "b.c", &one, 1,
		    "{\"b\": {\"c\": {\n   \"d\": 1,\n   \"n\": 7}}, \"e\": 1}");
}

static void style__tells_indent_and_unit__of_nested_objects(void **state)
{
	static const char text[] = "{\n  \"a\": {\n      \"b\": 1,\n      \"e\": {}\n  }\n}";
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	(void)state;
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	struct json_style style = json_style_of(&doc, 0);
	assert_true(style.lines);
	assert_string_equal(style.indent, "  ");
	assert_string_equal(style.unit, "  ");
	style = json_style_of(&doc, json_doc_path(&doc, "a"));
	assert_string_equal(style.indent, "      ");
	assert_string_equal(style.unit, "    ");
	style = json_style_of(&doc, json_doc_path(&doc, "a.e"));
	assert_false(style.lines);
	assert_string_equal(style.colon, ": ");
	json_doc_release(&doc);
}

static void apply__fails__when_the_text_does_not_fit(void **state)
{
	static const struct json_change one = { "n", "7" };
	const char *text = "{\"a\":1}";
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf out;
	(void)state;
	buf_init(&out, 10);
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	const struct json_edit edit = { .changes = &one, .count = 1 };
	assert_false(json_edit_apply(&doc, &edit, &out));
	buf_release(&out);
	json_doc_release(&doc);
}

static const char *pick(uint32_t *seed, const char *const *choices, size_t count)
{
	return choices[anytext_random(seed) % count];
}

static void add_blanks(uint32_t *seed, struct buf *out)
{
	static const char *const blanks[] = { "", "", "", " ", "\n", "\n    ", "\t", "\r\n  " };
	buf_add_text(out, pick(seed, blanks, ARRAY_LEN(blanks)));
}

static void add_value(uint32_t *seed, struct buf *out, int depth);

static void add_object(uint32_t *seed, struct buf *out, int depth)
{
	uint32_t present = anytext_random(seed);
	bool first = true;
	buf_add_char(out, '{');
	for (int i = 0; i < MEMBERS_MAX; i++) {
		if (!(present >> i & 1))
			continue;
		if (!first)
			buf_add_char(out, ',');
		first = false;
		add_blanks(seed, out);
		/* The third is spelled with an escape now and then. */
		buf_addf(out, "\"%s%c\"", i == 2 && present & 0x100 ? "\\u006b" : "k", '0' + i);
		add_blanks(seed, out);
		buf_add_char(out, ':');
		add_blanks(seed, out);
		add_value(seed, out, depth + 1);
		add_blanks(seed, out);
	}
	if (first)
		add_blanks(seed, out);
	buf_add_char(out, '}');
}

static void add_value(uint32_t *seed, struct buf *out, int depth)
{
	static const char *const plain[] = {
		"1.0",
		"12345678901234567890",
		"-0",
		"1e2",
		"null",
		"true",
		"\"a,}b\"",
		"\"\\\"{\"",
		"\"\xC3\xA9\"",
		"\"\\u00e9\"",
		"[]",
		"[ 1 , {} ]",
		"[\"]\", {\"k0\": 1}]",
	};
	if (depth < 3 && anytext_random(seed) % 3 == 0)
		add_object(seed, out, depth);
	else
		buf_add_text(out, pick(seed, plain, ARRAY_LEN(plain)));
}

/* What an edit should leave of one member: asserted over the bytes of key and value. */
static void assert_member(const struct json_doc *before, size_t object,
			  const struct json_doc *after, size_t edited, const char *name,
			  const struct json_change *change)
{
	size_t old = json_doc_member(before, object, name);
	size_t new = json_doc_member(after, edited, name);
	const char *value = change ? change->value : NULL;
	if (change && !value) {
		assert_int_equal(new, JSON_NONE);
		return;
	}
	if (!change && old == JSON_NONE) {
		assert_int_equal(new, JSON_NONE);
		return;
	}
	assert_int_not_equal(new, JSON_NONE);
	const struct json_node *node = &after->nodes[new];
	if (!change) {
		value = before->text + before->nodes[old].start;
		size_t len = before->nodes[old].end - before->nodes[old].start;
		assert_int_equal(node->end - node->start, len);
		assert_memory_equal(after->text + node->start, value, len);
	} else {
		assert_int_equal(node->end - node->start, strlen(value));
		assert_memory_equal(after->text + node->start, value, strlen(value));
	}
	if (old == JSON_NONE)
		return;
	const struct json_node *was = &before->nodes[old];
	assert_int_equal(node->key_end - node->key_start, was->key_end - was->key_start);
	assert_memory_equal(after->text + node->key_start, before->text + was->key_start,
			    was->key_end - was->key_start);
}

/* The members that stay are in the order in which they were. */
static void assert_order(const struct json_doc *before, size_t object, const struct json_doc *after,
			 size_t edited)
{
	size_t at = json_doc_child(after, edited);
	for (size_t node = json_doc_child(before, object); node != JSON_NONE;
	     node = json_doc_next(before, node)) {
		struct buf key, now;
		buf_init(&key, 100);
		buf_init(&now, 100);
		assert_true(json_doc_key(before, node, &key));
		if (json_doc_member(after, edited, buf_text(&key)) != JSON_NONE) {
			do {
				assert_int_not_equal(at, JSON_NONE);
				buf_clear(&now);
				assert_true(json_doc_key(after, at, &now));
				at = json_doc_next(after, at);
			} while (strcmp(buf_text(&now), buf_text(&key)) != 0);
		}
		buf_release(&key);
		buf_release(&now);
	}
}

struct random_edit {
	struct json_change changes[MEMBERS_MAX + 2];
	size_t count;
};

static struct random_edit make_edit(uint32_t *seed)
{
	static const char *const names[] = { "k0", "k1", "k2", "k3", "k4",
					     "k5", "k6", "k7", "n0", "n1" };
	static const char *const values[] = { "2", "[{}]", "{\"k1\": 0}", "\",\"" };
	struct random_edit edit = { .count = 0 };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		uint32_t choice = anytext_random(seed) % 4;
		if (choice < 2)
			continue;
		edit.changes[edit.count++] = (struct json_change){
			names[i], choice == 2 ? NULL : pick(seed, values, ARRAY_LEN(values))
		};
	}
	return edit;
}

static const struct json_change *change_of(const struct random_edit *edit, const char *name)
{
	for (size_t i = 0; i < edit->count; i++) {
		if (strcmp(edit->changes[i].name, name) == 0)
			return &edit->changes[i];
	}
	return NULL;
}

/* Any object of the document; the root where the pick is none. */
static size_t pick_object(uint32_t *seed, const struct json_doc *doc)
{
	size_t node = anytext_random(seed) % doc->count;
	while (node > 0 && doc->nodes[node].kind != JSON_OBJECT)
		node--;
	return node;
}

/* The object is the only node that starts there, before and after. */
static size_t object_at(const struct json_doc *doc, size_t start)
{
	for (size_t i = 0; i < doc->count; i++) {
		if (doc->nodes[i].start == start)
			return i;
	}
	return JSON_NONE;
}

static void check_round(uint32_t *seed)
{
	static const char *const names[] = { "k0", "k1", "k2", "k3", "k4",
					     "k5", "k6", "k7", "n0", "n1" };
	struct json_doc before = { 0 }, after = { 0 };
	struct err err = { 0 };
	struct buf text, out;
	buf_init(&text, TEXT_MAX);
	buf_init(&out, TEXT_MAX);
	add_blanks(seed, &text);
	add_object(seed, &text, 0);
	add_blanks(seed, &text);
	assert_true(json_doc_parse(&before, buf_text(&text), text.len, &err));
	struct random_edit random = make_edit(seed);
	size_t object = pick_object(seed, &before);
	const struct json_edit edit = { .object = object,
					.changes = random.changes,
					.count = random.count };
	assert_true(json_edit_apply(&before, &edit, &out));
	assert_true(json_doc_parse(&after, buf_text(&out), out.len, &err));
	size_t start = before.nodes[object].start, tail = text.len - before.nodes[object].end;
	size_t edited = object_at(&after, start);
	assert_int_not_equal(edited, JSON_NONE);
	/* Everything outside of the object is the same, to the byte. */
	assert_memory_equal(buf_text(&out), buf_text(&text), start);
	assert_int_equal(out.len - after.nodes[edited].end, tail);
	assert_memory_equal(buf_text(&out) + after.nodes[edited].end,
			    buf_text(&text) + before.nodes[object].end, tail);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_member(&before, object, &after, edited, names[i],
			      change_of(&random, names[i]));
	assert_order(&before, object, &after, edited);
	json_doc_release(&before);
	json_doc_release(&after);
	buf_release(&text);
	buf_release(&out);
}

static void edit__keeps_every_other_byte__in_random_documents(void **state)
{
	uint32_t seed = 20261130;
	(void)state;
	for (int i = 0; i < ROUNDS; i++)
		check_round(&seed);
}

/* Drops the members named "x" and the items that are 0, wherever they stand. */
static void assert_pruned(const char *text, const char *expected)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf out;
	buf_init(&out, TEXT_MAX);
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	bool *drop = calloc(doc.count, sizeof(*drop));
	assert_non_null(drop);
	for (size_t node = 1; node < doc.count; node++) {
		const struct json_node *at = &doc.nodes[node];
		drop[node] = at->key_end > at->key_start ? text[at->key_start + 1] == 'x'
							 : text[at->start] == '0';
	}
	assert_true(json_edit_prune(&doc, drop, &out));
	assert_string_equal(buf_text(&out), expected);
	free(drop);
	json_doc_release(&doc);
	buf_release(&out);
}

static void prune__takes_the_right_comma__at_any_depth(void **state)
{
	(void)state;
	assert_pruned(" { \"a\" : 1 ,\"x\":2, \"b\":[ 0, 1,0 ] } ",
		      " { \"a\" : 1 , \"b\":[ 1 ] } ");
	assert_pruned("{\"x\":{\"a\":1}, \"y\":{ \"x\":1 } , \"z\":{\"b\":{\"x\":1,\n\"c\":[]}}}",
		      "{ \"y\":{} , \"z\":{\"b\":{\n\"c\":[]}}}");
	assert_pruned("[0]", "[]");
	assert_pruned("1", "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remove__takes_the_right_comma__at_each_place),
		cmocka_unit_test(replace__keeps_key_and_place__and_all_other_bytes),
		cmocka_unit_test(insert__is_written_like_its_neighbours),
		cmocka_unit_test(prune__takes_the_right_comma__at_any_depth),
		cmocka_unit_test(style__tells_indent_and_unit__of_nested_objects),
		cmocka_unit_test(apply__fails__when_the_text_does_not_fit),
		cmocka_unit_test(edit__keeps_every_other_byte__in_random_documents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
