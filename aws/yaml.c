#include "aws/yaml.h"

#include <string.h>
#include <yaml.h>

#include "model/base/jsontext.h"

/* A container that is open. */
struct level {
	bool is_map, has_any, wants_value;
};

struct reader {
	struct loose *out;
	struct err *err;
	struct level levels[JSON_DEPTH_MAX + 1];
	size_t depth;
};

static bool fail(struct reader *reader, const yaml_mark_t *mark, const char *what)
{
	err_set(reader->err, ERR_PARSE, "line %zu, column %zu: %s", mark->line + 1,
		mark->column + 1, what);
	return false;
}

/* The comma or colon before what comes next; *is_key: it is the name of a member. */
static void put_before(struct reader *reader, bool *is_key)
{
	struct level *level = reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
	*is_key = level && level->is_map && !level->wants_value;
	if (!level)
		return;
	if (level->wants_value)
		buf_add_char(&reader->out->json, ':');
	else
		buf_add_text(&reader->out->json, level->has_any ? "," : "");
	level->has_any = true;
	level->wants_value = *is_key;
}

static bool note(struct reader *reader, const yaml_mark_t *mark)
{
	return loose_note(reader->out, mark->line + 1, mark->column + 1, false) ||
	       fail(reader, mark, "it has too many values");
}

/* A scalar without quotes may be a number or one of a few words; else it is a text. */
static bool add_plain(struct loose *out, const char *text, size_t len)
{
	static const char *const words[][2] = {
		{ "true", "true" },   { "True", "true" },   { "TRUE", "true" },
		{ "false", "false" }, { "False", "false" }, { "FALSE", "false" },
		{ "null", "null" },   { "Null", "null" },   { "NULL", "null" },
		{ "~", "null" },      { "", "null" },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(words[i][0], text) == 0)
			return buf_add_text(&out->json, words[i][1]);
	return loose_add_number(out, text, len) || loose_add_string(out, text, len);
}

static bool add_scalar(struct reader *reader, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;
	bool is_key;
	put_before(reader, &is_key);
	if (!is_key && !note(reader, &event->start_mark))
		return false;
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !is_key;
	return (plain ? add_plain(reader->out, text, len)
		      : loose_add_string(reader->out, text, len)) ||
	       fail(reader, &event->start_mark, "a text that is none");
}

static bool open(struct reader *reader, const yaml_event_t *event, bool is_map)
{
	bool is_key;
	put_before(reader, &is_key);
	if (is_key)
		return fail(reader, &event->start_mark, "a list stands where a name should");
	if (reader->depth == JSON_DEPTH_MAX)
		return fail(reader, &event->start_mark, "it is nested too deep");
	reader->levels[reader->depth++] = (struct level){ .is_map = is_map };
	return note(reader, &event->start_mark) &&
	       buf_add_char(&reader->out->json, is_map ? '{' : '[');
}

static bool take(struct reader *reader, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return add_scalar(reader, event);
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		return open(reader, event, event->type == YAML_MAPPING_START_EVENT);
	case YAML_MAPPING_END_EVENT:
		reader->depth--;
		return buf_add_char(&reader->out->json, '}');
	case YAML_SEQUENCE_END_EVENT:
		reader->depth--;
		return buf_add_char(&reader->out->json, ']');
	case YAML_ALIAS_EVENT:
		return fail(reader, &event->start_mark, "aliases (*name) are not read");
	default: /* of the stream and its documents */
		return true;
	}
}

/* Documents stand in an array, whose brackets are taken away where there is one alone. */
static bool read_events(struct reader *reader, yaml_parser_t *parser, size_t *documents)
{
	yaml_event_t event;
	bool more = true;
	while (more) {
		if (!yaml_parser_parse(parser, &event))
			return fail(reader, &parser->problem_mark,
				    parser->problem ? parser->problem : "it is no YAML");
		if (event.type == YAML_DOCUMENT_START_EVENT) {
			buf_add_text(&reader->out->json, *documents > 0 ? "," : "");
			++*documents;
		}
		bool ok = take(reader, &event);
		more = event.type != YAML_STREAM_END_EVENT;
		if (ok && reader->out->json.failed)
			ok = fail(reader, &event.start_mark, "it is too large");
		yaml_event_delete(&event);
		if (!ok)
			return false;
	}
	return true;
}

bool yaml_read(struct loose *loose, const char *text, size_t len, struct err *err)
{
	struct reader reader = { .out = loose, .err = err };
	yaml_parser_t parser;
	size_t documents = 0;
	if (!yaml_parser_initialize(&parser)) {
		err_set(err, ERR_PARSE, "libyaml has no memory");
		return false;
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	const yaml_mark_t start = { 0 };
	bool ok = note(&reader, &start) && buf_add_char(&loose->json, '[') &&
		  read_events(&reader, &parser, &documents);
	buf_add_char(&loose->json, ']');
	yaml_parser_delete(&parser);
	if (ok && documents == 1)
		loose_unwrap(loose);
	return ok && (!loose->json.failed || fail(&reader, &start, "it is too large"));
}
