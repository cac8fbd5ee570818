#include "aws/sim/emit.h"

#include <string.h>

#include "model/base/clock.h"
#include "model/base/text.h"

#define THIRTEEN_DIGITS INT64_C(1000000000000) /* milliseconds from 2001 to 2286 */

void sim_emit_comma(struct buf *out)
{
	char last = out->len > 0 ? out->data[out->len - 1] : '{';
	if (last != '{' && last != '[')
		buf_add_char(out, ',');
}

void sim_emit_key(struct buf *out, const char *name)
{
	sim_emit_comma(out);
	text_add_json(out, name);
	buf_add_char(out, ':');
}

void sim_emit_text(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	sim_emit_key(out, name);
	text_add_json(out, text);
}

void sim_emit_item(struct buf *out, const char *text)
{
	if (text[0] == '\0')
		return;
	sim_emit_comma(out);
	text_add_json(out, text);
}

void sim_emit_integer(struct buf *out, const char *name, int64_t value)
{
	sim_emit_key(out, name);
	buf_addf(out, "%lld", (long long)value);
}

void sim_emit_time(struct buf *out, const char *name, int64_t ms)
{
	int64_t seconds = ms / 1000;
	sim_emit_key(out, name);
	if (ms % 1000 == 0 && seconds % 3 == 0)
		buf_addf(out, "%lld", (long long)seconds);
	else if (seconds % 7 == 4 && ms >= THIRTEEN_DIGITS && ms < 10 * THIRTEEN_DIGITS)
		buf_addf(out, "%lld.%012lldE9", (long long)(ms / THIRTEEN_DIGITS),
			 (long long)(ms % THIRTEEN_DIGITS));
	else
		buf_addf(out, "%lld.%03d", (long long)seconds, (int)(ms % 1000));
}

void sim_emit_instant(struct buf *out, const char *name, int64_t ms)
{
	char text[TIME_TEXT_SIZE];
	time_format_iso(ms, text);
	sim_emit_text(out, name, text);
}

static bool is_skipped(const char *const *skipped, const char *name)
{
	for (; skipped && *skipped; skipped++) {
		if (strcmp(*skipped, name) == 0)
			return true;
	}
	return false;
}

void sim_emit_members(struct buf *out, const struct json_doc *doc, size_t node,
		      const struct sim_shape *shape, const char *const *skipped)
{
	for (size_t i = 0; i < shape->member_count; i++) {
		const struct sim_member *member = &shape->members[i];
		size_t child = json_doc_member(doc, node, member->name);
		if (child == JSON_NONE || doc->nodes[child].kind == JSON_NULL ||
		    is_skipped(skipped, member->name))
			continue;
		sim_emit_key(out, member->name);
		sim_emit_value(out, doc, child, &sim_shapes[member->shape]);
	}
}

/* Decoded and written anew: what comes back is clean UTF-8 whatever escapes were sent. */
static void emit_string(struct buf *out, const struct json_doc *doc, size_t node, bool key)
{
	struct buf text;
	buf_init(&text, JSON_TEXT_MAX);
	bool known = key ? json_doc_key(doc, node, &text) : json_doc_string(doc, node, &text);
	text_add_json(out, known ? buf_text(&text) : "");
	buf_release(&text);
}

static void emit_items(struct buf *out, const struct json_doc *doc, size_t node,
		       const struct sim_shape *shape)
{
	for (size_t child = json_doc_child(doc, node); child != JSON_NONE;
	     child = json_doc_next(doc, child)) {
		sim_emit_comma(out);
		if (shape->kind == SIM_MAP) {
			emit_string(out, doc, child, true);
			buf_add_char(out, ':');
		}
		sim_emit_value(out, doc, child, &sim_shapes[shape->value]);
	}
}

void sim_emit_value(struct buf *out, const struct json_doc *doc, size_t node,
		    const struct sim_shape *shape)
{
	const struct json_node *value = &doc->nodes[node];
	if (value->kind == JSON_STRING) {
		emit_string(out, doc, node, false);
	} else if (value->kind == JSON_OBJECT && shape->kind == SIM_STRUCTURE) {
		buf_add_char(out, '{');
		sim_emit_members(out, doc, node, shape, NULL);
		buf_add_char(out, '}');
	} else if (value->kind == JSON_OBJECT || value->kind == JSON_ARRAY) {
		buf_add_char(out, value->kind == JSON_OBJECT ? '{' : '[');
		emit_items(out, doc, node, shape);
		buf_add_char(out, value->kind == JSON_OBJECT ? '}' : ']');
	} else {
		buf_add(out, doc->text + value->start, value->end - value->start);
	}
}

void sim_emit_element(struct buf *out, const char *name, const char *text)
{
	buf_addf(out, "<%s>", name);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '<')
			buf_add_text(out, "&lt;");
		else if (c == '>')
			buf_add_text(out, "&gt;");
		else if (c == '&')
			buf_add_text(out, "&amp;");
		else
			buf_add_char(out, c < ' ' && c != '\n' && c != '\t' ? '?' : *text);
	}
	buf_addf(out, "</%s>", name);
}
