#include "model/request_tags.h"

#include <string.h>

#include "model/base/text.h"
#include "model/request_parts.h"

/* Source of the characters: the service model's TagValue, of which ASCII alone is used. */
static bool fits(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_.:/=+-@", c));
}

void request_tag_value(const char *words, char out[REQUEST_TAG_SIZE])
{
	size_t len = 0;
	for (; *words && len < REQUEST_TAG_SIZE - 1; words++) {
		if (fits(*words))
			out[len++] = *words;
		else if (len > 0 && out[len - 1] != ' ')
			out[len++] = ' ';
	}
	while (len > 0 && out[len - 1] == ' ')
		len--;
	out[len] = '\0';
}

static bool key_is(const struct json_doc *doc, size_t tag, const char *key)
{
	struct buf name;
	buf_init(&name, JSON_TEXT_MAX);
	bool same = json_doc_string(doc, json_doc_member(doc, tag, "Key"), &name) &&
		    strcmp(buf_text(&name), key) == 0;
	buf_release(&name);
	return same;
}

static size_t find_tag(const struct json_doc *doc, size_t tags, const char *key)
{
	size_t tag = json_doc_child(doc, tags);
	while (tag != JSON_NONE && !key_is(doc, tag, key))
		tag = json_doc_next(doc, tag);
	return tag;
}

/* The list with one tag more, in the bytes that it has. */
static void add_longer(const struct json_doc *doc, size_t tags, const char *tag, struct buf *out)
{
	size_t last = JSON_NONE, at;
	bool some = tags != JSON_NONE && doc->nodes[tags].kind == JSON_ARRAY;
	for (at = some ? json_doc_child(doc, tags) : JSON_NONE; at != JSON_NONE;
	     at = json_doc_next(doc, at))
		last = at;
	if (last == JSON_NONE) {
		buf_addf(out, "[%s]", tag);
		return;
	}
	const struct json_node *list = &doc->nodes[tags];
	size_t end = doc->nodes[last].end;
	buf_add(out, doc->text + list->start, end - list->start);
	buf_addf(out, ", %s", tag);
	buf_add(out, doc->text + end, list->end - end);
}

static bool apply_tag(struct request *request, const struct json_doc *doc, const char *key,
		      const char *value, struct err *err)
{
	size_t tags = json_doc_member(doc, 0, "Tags"), old;
	struct buf text, list;
	if (tags != JSON_NONE && doc->nodes[tags].kind != JSON_ARRAY &&
	    doc->nodes[tags].kind != JSON_NULL)
		return err_set(err, ERR_RULE, "Tags must be a list");
	buf_init(&text, JSON_TEXT_MAX);
	buf_init(&list, JSON_TEXT_MAX);
	old = find_tag(doc, tags, key);
	if (old == JSON_NONE) {
		buf_add_text(&text, "{\"Key\": ");
		text_add_json(&text, key);
		buf_add_text(&text, ", \"Value\": ");
		text_add_json(&text, value);
		buf_add_char(&text, '}');
		add_longer(doc, tags, buf_text(&text), &list);
	} else {
		text_add_json(&text, value);
	}
	const struct json_change add = { "Tags", buf_text(&list) };
	const struct json_change set = { "Value", buf_text(&text) };
	const struct json_edit edit = { .object = old == JSON_NONE ? 0 : old,
					.changes = old == JSON_NONE ? &add : &set,
					.count = 1 };
	bool ok = request_apply(request, doc, &edit, err);
	buf_release(&text);
	buf_release(&list);
	return ok;
}

bool request_set_tag(struct request *request, const char *key, const char *value, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err) && apply_tag(request, &doc, key, value, err);
	json_doc_release(&doc);
	return ok;
}
