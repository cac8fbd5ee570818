#include "model/jsonedit.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

struct writer {
	const struct json_doc *doc;
	const struct json_edit *edit;
	struct json_style style;
	struct buf *out;
	bool has_written;  /* a member, so that the next one needs a comma */
	bool has_inserted; /* the new members */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void copy(struct writer *writer, size_t start, size_t end)
{
	(void)buf_add(writer->out, writer->doc->text + start, end - start);
}

/* Where the part of a member ends: at the comma after it, or at the end of the last one's value. */
static size_t part_end(const struct json_doc *doc, size_t node)
{
	size_t end = doc->nodes[node].end;
	if (json_doc_next(doc, node) == JSON_NONE)
		return end;
	while (is_blank(doc->text[end]))
		end++;
	return end;
}

static bool key_is(const struct json_doc *doc, size_t node, const char *name)
{
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	bool same = json_doc_key(doc, node, &key) && key.len == strlen(name) &&
		    memcmp(buf_text(&key), name, key.len) == 0;
	buf_release(&key);
	return same;
}

static const struct json_change *change_of(const struct writer *writer, size_t node)
{
	for (size_t i = 0; i < writer->edit->count; i++) {
		if (key_is(writer->doc, node, writer->edit->changes[i].name))
			return &writer->edit->changes[i];
	}
	return NULL;
}

static void write_comma(struct writer *writer)
{
	if (writer->has_written)
		(void)buf_add_char(writer->out, ',');
	writer->has_written = true;
}

/* What stands before a new member: as before the others. */
static void write_lead(struct writer *writer)
{
	if (writer->style.lines)
		(void)buf_addf(writer->out, "%s%s", writer->style.newline, writer->style.indent);
	else if (writer->has_written && strchr(writer->style.colon, ' '))
		(void)buf_add_char(writer->out, ' ');
}

/* The new members; the first one stands behind lead bytes of the text at lead_start. */
static void insert_new(struct writer *writer, size_t lead_start, size_t lead_end)
{
	const struct json_edit *edit = writer->edit;
	for (size_t i = 0; i < edit->count; i++) {
		const struct json_change *change = &edit->changes[i];
		if (!change->value ||
		    json_doc_member(writer->doc, edit->object, change->name) != JSON_NONE)
			continue;
		bool had_written = writer->has_written;
		if (had_written)
			(void)buf_add_char(writer->out, ',');
		if (lead_end > lead_start)
			copy(writer, lead_start, lead_end);
		else
			write_lead(writer);
		writer->has_written = true;
		lead_end = lead_start;
		text_add_json(writer->out, change->name);
		(void)buf_addf(writer->out, "%s%s", writer->style.colon, change->value);
	}
	writer->has_inserted = true;
}

static void write_member(struct writer *writer, size_t start, size_t node)
{
	const struct json_node *member = &writer->doc->nodes[node];
	const struct json_change *change = change_of(writer, node);
	bool drop = writer->edit->drop && writer->edit->drop[node];
	if (drop || (change && !change->value)) {
		if (!writer->has_inserted)
			insert_new(writer, start, member->key_start);
		return;
	}
	write_comma(writer);
	if (!change) {
		copy(writer, start, part_end(writer->doc, node));
		return;
	}
	copy(writer, start, member->start);
	(void)buf_add_text(writer->out, change->value);
	copy(writer, member->end, part_end(writer->doc, node));
}

bool json_edit_apply(const struct json_doc *doc, const struct json_edit *edit, struct buf *out)
{
	const struct json_node *object = &doc->nodes[edit->object];
	struct writer writer = { .doc = doc, .edit = edit, .out = out };
	writer.style = json_style_of(doc, edit->object);
	copy(&writer, 0, object->start + 1);
	size_t start = object->start + 1;
	for (size_t node = json_doc_child(doc, edit->object); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		write_member(&writer, start, node);
		start = part_end(doc, node);
		if (json_doc_next(doc, node) != JSON_NONE)
			start++; /* the comma, written again before the next member that stays */
	}
	if (!writer.has_inserted)
		insert_new(&writer, 0, 0);
	/* Blanks before the brace: those of the text, but not behind members that are gone. */
	bool was_empty = json_doc_child(doc, edit->object) == JSON_NONE;
	if (writer.has_written != was_empty)
		copy(&writer, start, object->end - 1);
	copy(&writer, object->end - 1, doc->len);
	return !out->failed;
}

/* Depth is bounded by JSON_DEPTH_MAX. */
static void prune(const struct json_doc *doc, size_t node, const bool *drop, struct buf *out)
{
	const struct json_node *value = &doc->nodes[node];
	size_t start = value->start + 1;
	bool has_written = false;
	if (json_doc_child(doc, node) == JSON_NONE) {
		(void)buf_add(out, doc->text + value->start, value->end - value->start);
		return;
	}
	(void)buf_add_char(out, doc->text[value->start]);
	for (size_t child = json_doc_child(doc, node); child != JSON_NONE;
	     child = json_doc_next(doc, child)) {
		const struct json_node *part = &doc->nodes[child];
		size_t end = part_end(doc, child);
		if (!drop[child]) {
			if (has_written)
				(void)buf_add_char(out, ',');
			(void)buf_add(out, doc->text + start, part->start - start);
			prune(doc, child, drop, out);
			(void)buf_add(out, doc->text + part->end, end - part->end);
			has_written = true;
		}
		start = json_doc_next(doc, child) == JSON_NONE ? end : end + 1; /* the comma */
	}
	/* Blanks before the bracket: those of the text, but not behind parts that are gone. */
	size_t last = has_written ? start : value->end - 1;
	(void)buf_add(out, doc->text + last, value->end - last);
}

bool json_edit_prune(const struct json_doc *doc, const bool *drop, struct buf *out)
{
	(void)buf_add(out, doc->text, doc->nodes[0].start);
	prune(doc, 0, drop, out);
	(void)buf_add(out, doc->text + doc->nodes[0].end, doc->len - doc->nodes[0].end);
	return !out->failed;
}

static void set_text(char *field, size_t size, const char *bytes, size_t len)
{
	if (len >= size)
		len = size - 1;
	memcpy(field, bytes, len);
	field[len] = '\0';
}

/* The blanks between a line's start and the key of an object's first member. */
static void read_indent(const struct json_doc *doc, size_t object, struct json_style *style)
{
	size_t child = json_doc_child(doc, object);
	style->lines = false;
	style->newline = "\n";
	style->indent[0] = '\0';
	if (child == JSON_NONE)
		return;
	size_t key = doc->nodes[child].key_start, start = key;
	while (start > 0 && is_blank(doc->text[start - 1]) && doc->text[start - 1] != '\n')
		start--;
	style->lines = start > 0 && doc->text[start - 1] == '\n';
	if (style->lines)
		set_text(style->indent, sizeof(style->indent), doc->text + start, key - start);
	if (style->lines && start > 1 && doc->text[start - 2] == '\r')
		style->newline = "\r\n";
}

static void read_colon(const struct json_doc *doc, size_t object, struct json_style *style)
{
	size_t child = json_doc_child(doc, object);
	(void)snprintf(style->colon, sizeof(style->colon), ": ");
	if (child == JSON_NONE)
		return;
	const struct json_node *member = &doc->nodes[child];
	size_t len = member->start - member->key_end;
	const char *bytes = doc->text + member->key_end;
	if (len < sizeof(style->colon) && !memchr(bytes, '\n', len))
		set_text(style->colon, sizeof(style->colon), bytes, len);
}

struct json_style json_style_of(const struct json_doc *doc, size_t object)
{
	struct json_style style = { .newline = "\n" }, parent = { 0 };
	size_t above = doc->nodes[object].parent;
	if (json_doc_child(doc, object) == JSON_NONE && above != JSON_NONE) {
		/* Without members of its own it is written on one line, in its parent's manner. */
		read_colon(doc, above, &style);
		return style;
	}
	read_indent(doc, object, &style);
	read_colon(doc, object, &style);
	if (above != JSON_NONE && doc->nodes[above].kind == JSON_OBJECT)
		read_indent(doc, above, &parent);
	size_t shared = strlen(parent.indent);
	const char *unit = style.indent;
	if (shared < strlen(unit) && memcmp(unit, parent.indent, shared) == 0)
		unit += shared;
	set_text(style.unit, sizeof(style.unit), unit, strlen(unit));
	return style;
}
