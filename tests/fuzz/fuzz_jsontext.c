/*
 * Any bytes through the JSON parser and every getter. What parses must hold: spans nest, lie within
 * the text and parse again by themselves; what does not must say where.
 */
#include <string.h>

#include "model/base/jsontext.h"
#include "tests/fuzz/fuzz.h"

static void check_node(const struct json_doc *doc, size_t index)
{
	const struct json_node *node = &doc->nodes[index];
	struct json_doc part;
	struct buf text;
	struct err err = { 0 };
	int64_t value;

	assert(node->start < node->end && node->end <= doc->len && node->line >= 1);
	if (node->parent != JSON_NONE)
		assert(node->start > doc->nodes[node->parent].start &&
		       node->end < doc->nodes[node->parent].end && node->parent < index);
	assert(json_doc_parse(&part, doc->text + node->start, node->end - node->start, &err));
	assert(part.nodes[0].kind == node->kind);
	json_doc_release(&part);
	buf_init(&text, doc->len);
	assert(json_doc_string(doc, index, &text) == (node->kind == JSON_STRING));
	/* A decoded string is a whole C string. */
	assert(strlen(buf_text(&text)) == text.len);
	buf_clear(&text);
	if (json_doc_key(doc, index, &text))
		assert(json_doc_member(doc, node->parent, buf_text(&text)) == index);
	buf_release(&text);
	(void)!json_doc_integer(doc, index, &value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc doc;
	struct err err = { 0 };
	const char *text = (const char *)data;

	if (json_doc_parse(&doc, text, size, &err)) {
		for (size_t i = 0; i < doc.count; i++)
			check_node(&doc, i);
	} else {
		assert(doc.count == 0 && doc.bad_line >= 1 && doc.bad_column >= 1);
		assert(doc.bad_column <= size + 1 && strncmp(err_text(&err), "line ", 5) == 0);
	}
	err_clear(&err);
	json_doc_release(&doc);
	return 0;
}
