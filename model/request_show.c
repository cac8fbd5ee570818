/* A request as people read it: two blanks a level, secrets hidden. */
#include <string.h>

#include "model/request_parts.h"
#include "model/secret.h"

struct show {
	const struct json_doc *doc;
	struct buf *out;
	bool reveal;
	bool line; /* all on one line, without blanks */
};

static void show_node(const struct show *show, size_t node, size_t depth, bool private);

static void break_line(const struct show *show, size_t depth)
{
	if (show->line)
		return;
	(void)buf_add_char(show->out, '\n');
	for (size_t i = 0; i < depth; i++)
		(void)buf_add_text(show->out, "  ");
}

static void copy_span(const struct show *show, size_t start, size_t end)
{
	(void)buf_add(show->out, show->doc->text + start, end - start);
}

bool request_holds_secrets(const char *key)
{
	return strcmp(key, "Environment") == 0 || strcmp(key, "HyperParameters") == 0;
}

static bool must_hide(const struct show *show, size_t node, const char *key, bool private)
{
	if (show->reveal)
		return false;
	if (private && secret_is_name(key))
		return true;
	if (show->doc->nodes[node].kind != JSON_STRING)
		return false;
	struct buf value;
	buf_init(&value, JSON_TEXT_MAX);
	(void)json_doc_string(show->doc, node, &value);
	/* A NUL would end the search before the secret. */
	bool hide = strlen(buf_text(&value)) != value.len || secret_is_token(buf_text(&value)) ||
		    (private && secret_is_blob(buf_text(&value)));
	buf_wipe(&value);
	return hide;
}

static void show_value(const struct show *show, size_t node, size_t depth, const char *key,
		       bool private)
{
	if (must_hide(show, node, key, private))
		(void)buf_add_text(show->out, "\"" SECRET_MASK "\"");
	else
		show_node(show, node, depth, private || request_holds_secrets(key));
}

static void show_member(const struct show *show, size_t node, size_t depth, bool private)
{
	const struct json_node *member = &show->doc->nodes[node];
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	(void)json_doc_key(show->doc, node, &key);
	copy_span(show, member->key_start, member->key_end);
	(void)buf_add_text(show->out, show->line ? ":" : ": ");
	show_value(show, node, depth, buf_text(&key), private);
	buf_release(&key);
}

/* Depth is bounded by JSON_DEPTH_MAX. */
static void show_node(const struct show *show, size_t node, size_t depth, bool private)
{
	const struct json_node *value = &show->doc->nodes[node];
	size_t child = json_doc_child(show->doc, node);
	if (child == JSON_NONE && value->kind != JSON_OBJECT && value->kind != JSON_ARRAY) {
		copy_span(show, value->start, value->end);
		return;
	}
	bool object = value->kind == JSON_OBJECT;
	(void)buf_add_char(show->out, object ? '{' : '[');
	for (bool first = true; child != JSON_NONE; first = false) {
		if (!first)
			(void)buf_add_char(show->out, ',');
		break_line(show, depth + 1);
		if (object)
			show_member(show, child, depth + 1, private);
		else
			show_value(show, child, depth + 1, "", private);
		child = json_doc_next(show->doc, child);
	}
	if (json_doc_child(show->doc, node) != JSON_NONE)
		break_line(show, depth);
	(void)buf_add_char(show->out, object ? '}' : ']');
}

static void show_request(const struct request *request, const struct show *how)
{
	struct show show = *how;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	/* What cannot be read cannot be masked, so nothing of it is shown. */
	if (request_parse(request, &doc, &err)) {
		show.doc = &doc;
		show_node(&show, 0, 0, false);
	} else {
		(void)buf_addf(show.out, "(not shown: %s)", err_text(&err));
	}
	err_clear(&err);
	json_doc_release(&doc);
}

void request_show(const struct request *request, bool reveal, struct buf *out)
{
	const struct show show = { .out = out, .reveal = reveal };
	show_request(request, &show);
	(void)buf_add_char(out, '\n');
}

void request_show_line(const struct request *request, bool reveal, struct buf *out)
{
	const struct show show = { .out = out, .reveal = reveal, .line = true };
	show_request(request, &show);
}

void request_show_value(const struct json_doc *doc, size_t node, const char *key, bool is_private,
			struct buf *out)
{
	const struct show show = { .doc = doc, .out = out, .line = true };
	show_value(&show, node, 0, key, is_private);
}
