#include "aws/sim/validate.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/text.h"

#define FOUND_MAX     12   /* constraints told in one answer */
#define QUOTED_MAX    1024 /* bytes of a value told back */
#define PATTERN_BYTES 4096 /* longer texts are refused by their length alone */
#define PATH_BYTES    2048
#define MESSAGE_BYTES ERR_TEXT_MAX

struct walk {
	const struct json_doc *doc;
	struct buf path;  /* resourceConfig.instancePreferences.1.member.instanceType */
	struct buf found; /* constraints that failed, joined */
	unsigned count;
	struct err *err;
};

bool sim_refuse(struct err *err, int status, const char *code, const char *format, ...)
{
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	va_list args;
	va_start(args, format);
	bool whole = buf_vaddf(&text, format, args);
	va_end(args);
	err_set(err, ERR_REFUSED, "%s", whole ? buf_text(&text) : "Invalid request");
	err->http_status = status;
	int len = snprintf(err->aws_code, sizeof(err->aws_code), "%s", code);
	if (len < 0)
		err->aws_code[0] = '\0';
	buf_release(&text);
	return false;
}

/* The value as the message quotes it: 'text', null, or the start of its JSON. */
static void add_quoted(struct walk *walk, size_t node)
{
	const struct json_node *value = &walk->doc->nodes[node];
	struct buf text;
	buf_init(&text, JSON_TEXT_MAX);
	if (value->kind == JSON_STRING)
		(void)json_doc_string(walk->doc, node, &text);
	else
		buf_add(&text, walk->doc->text + value->start, value->end - value->start);
	size_t len = text.len < QUOTED_MAX ? text.len : QUOTED_MAX;
	while (len > 0 && len < text.len && ((unsigned char)text.data[len] & 0xC0) == 0x80)
		len--;
	buf_add_char(&walk->found, '\'');
	buf_add(&walk->found, buf_text(&text), len);
	buf_add_text(&walk->found, len < text.len ? "...'" : "'");
	buf_release(&text);
}

/* Notes one constraint that failed; node JSON_NONE is a member that is not there. */
static void fail(struct walk *walk, size_t node, const char *format, ...) PRINTF_LIKE(3, 4);
static void fail(struct walk *walk, size_t node, const char *format, ...)
{
	walk->count++;
	if (walk->count > FOUND_MAX)
		return;
	if (walk->found.len > 0)
		buf_add_text(&walk->found, "; ");
	buf_add_text(&walk->found, "Value ");
	if (node == JSON_NONE)
		buf_add_text(&walk->found, "null");
	else
		add_quoted(walk, node);
	buf_addf(&walk->found, " at '%s' failed to satisfy constraint: ", buf_text(&walk->path));
	va_list args;
	va_start(args, format);
	buf_vaddf(&walk->found, format, args);
	va_end(args);
}

static void fail_words(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	struct buf words;
	buf_init(&words, MESSAGE_BYTES);
	for (size_t i = 0; i < shape->word_count; i++)
		buf_addf(&words, "%s%s", i == 0 ? "" : ", ", shape->words[i]);
	fail(walk, node, "Member must satisfy enum value set: [%s]", buf_text(&words));
	buf_release(&words);
}

/* Adds ".memberName" to the path; returns the length to go back to. */
static size_t enter(struct walk *walk, const char *name)
{
	size_t back = walk->path.len;
	if (back > 0)
		buf_add_char(&walk->path, '.');
	buf_add_char(&walk->path, (char)tolower((unsigned char)name[0]));
	buf_add_text(&walk->path, name[0] ? name + 1 : "");
	return back;
}

static void leave(struct walk *walk, size_t back)
{
	if (walk->path.data) {
		walk->path.len = back;
		walk->path.data[back] = '\0';
	}
}

static bool wrong_type(struct walk *walk, size_t node, const char *wanted)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "START_OBJECT", [JSON_ARRAY] = "START_ARRAY",
		[JSON_STRING] = "STRING_VALUE", [JSON_NUMBER] = "NUMBER_VALUE",
		[JSON_TRUE] = "TRUE_VALUE",     [JSON_FALSE] = "FALSE_VALUE",
		[JSON_NULL] = "NULL_VALUE",
	};
	return sim_refuse(walk->err, 400, "SerializationException",
			  "%s can not be converted to %s at '%s'",
			  names[walk->doc->nodes[node].kind], wanted, buf_text(&walk->path));
}

static size_t characters(const char *text, size_t len)
{
	size_t count = 0;
	for (size_t i = 0; i < len; i++)
		count += ((unsigned char)text[i] & 0xC0) != 0x80;
	return count;
}

/* NUL is a character like any other to the service, so the text's own end is used. */
static bool matches(const char *posix, const struct buf *text)
{
	regex_t compiled;
	if (regcomp(&compiled, posix, REG_EXTENDED) != 0)
		return true;
	regmatch_t span = { .rm_so = 0, .rm_eo = (regoff_t)text->len };
	bool found = regexec(&compiled, buf_text(text), 1, &span, REG_STARTEND) == 0;
	regfree(&compiled);
	return found;
}

static void check_size(struct walk *walk, size_t node, const struct sim_shape *shape, int64_t size)
{
	const char *what = shape->kind == SIM_INTEGER || shape->kind == SIM_LONG ? "value greater"
										 : "length greater";
	if (shape->has_min && size < shape->min)
		fail(walk, node, "Member must have %s than or equal to %lld", what,
		     (long long)shape->min);
	what = shape->kind == SIM_INTEGER || shape->kind == SIM_LONG ? "value less" : "length less";
	if (shape->has_max && size > shape->max)
		fail(walk, node, "Member must have %s than or equal to %lld", what,
		     (long long)shape->max);
}

static bool check_text(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	if (walk->doc->nodes[node].kind != JSON_STRING)
		return wrong_type(walk, node, "a String");
	struct buf text;
	buf_init(&text, JSON_TEXT_MAX);
	(void)json_doc_string(walk->doc, node, &text);
	check_size(walk, node, shape, (int64_t)characters(buf_text(&text), text.len));
	if (shape->posix && text.len <= PATTERN_BYTES && !matches(shape->posix, &text))
		fail(walk, node, "Member must satisfy regular expression pattern: %s",
		     shape->pattern);
	bool cut = strlen(buf_text(&text)) != text.len;
	if (shape->word_count > 0 && (cut || !sim_shape_has_word(shape, buf_text(&text))))
		fail_words(walk, node, shape);
	buf_release(&text);
	return true;
}

static bool check_whole(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	int64_t value = 0;
	bool is_int = shape->kind == SIM_INTEGER;
	if (!json_doc_integer(walk->doc, node, &value) ||
	    (is_int && (value > INT32_MAX || value < INT32_MIN)))
		return wrong_type(walk, node, is_int ? "an Integer" : "a Long");
	check_size(walk, node, shape, value);
	return true;
}

static bool check_value(struct walk *walk, size_t node, const struct sim_shape *shape);

static bool check_structure(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	if (walk->doc->nodes[node].kind != JSON_OBJECT)
		return wrong_type(walk, node, "a Structure");
	for (size_t i = 0; i < shape->member_count; i++) {
		const struct sim_member *member = &shape->members[i];
		size_t child = json_doc_member(walk->doc, node, member->name);
		bool there = child != JSON_NONE && walk->doc->nodes[child].kind != JSON_NULL;
		size_t back = enter(walk, member->name);
		if (!there && member->required)
			fail(walk, JSON_NONE, "Member must not be null");
		bool fine = !there || check_value(walk, child, &sim_shapes[member->shape]);
		leave(walk, back);
		if (!fine)
			return false;
	}
	return true;
}

static bool check_list(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	if (walk->doc->nodes[node].kind != JSON_ARRAY)
		return wrong_type(walk, node, "a List");
	size_t length = json_doc_length(walk->doc, node);
	check_size(walk, node, shape, (int64_t)length);
	if (shape->has_max && length > (size_t)shape->max)
		return true; /* its items are not looked at */
	size_t number = 0;
	for (size_t child = json_doc_child(walk->doc, node); child != JSON_NONE;
	     child = json_doc_next(walk->doc, child)) {
		size_t back = walk->path.len;
		buf_addf(&walk->path, ".%zu.member", ++number);
		bool fine = true;
		if (walk->doc->nodes[child].kind == JSON_NULL)
			fail(walk, JSON_NONE, "Member must not be null");
		else
			fine = check_value(walk, child, &sim_shapes[shape->value]);
		leave(walk, back);
		if (!fine)
			return false;
	}
	return true;
}

static void check_map_key(struct walk *walk, size_t child, const struct sim_shape *shape)
{
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	(void)json_doc_key(walk->doc, child, &key);
	int64_t length = (int64_t)characters(buf_text(&key), key.len);
	if (shape->has_max && length > shape->max)
		fail(walk, child,
		     "Map keys must satisfy constraint: [Member must have length less than or "
		     "equal to %lld]",
		     (long long)shape->max);
	if (shape->posix && key.len <= PATTERN_BYTES && !matches(shape->posix, &key))
		fail(walk, child,
		     "Map keys must satisfy constraint: [Member must satisfy regular expression "
		     "pattern: %s]",
		     shape->pattern);
	buf_release(&key);
}

static bool check_map(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	if (walk->doc->nodes[node].kind != JSON_OBJECT)
		return wrong_type(walk, node, "a Map");
	size_t length = json_doc_length(walk->doc, node);
	check_size(walk, node, shape, (int64_t)length);
	if (shape->has_max && length > (size_t)shape->max)
		return true;
	for (size_t child = json_doc_child(walk->doc, node); child != JSON_NONE;
	     child = json_doc_next(walk->doc, child)) {
		check_map_key(walk, child, &sim_shapes[shape->key]);
		if (walk->doc->nodes[child].kind != JSON_NULL &&
		    !check_value(walk, child, &sim_shapes[shape->value]))
			return false;
	}
	return true;
}

static bool check_value(struct walk *walk, size_t node, const struct sim_shape *shape)
{
	enum json_kind kind = walk->doc->nodes[node].kind;
	switch (shape->kind) {
	case SIM_STRUCTURE:
		return check_structure(walk, node, shape);
	case SIM_LIST:
		return check_list(walk, node, shape);
	case SIM_MAP:
		return check_map(walk, node, shape);
	case SIM_TEXT:
		return check_text(walk, node, shape);
	case SIM_INTEGER:
	case SIM_LONG:
		return check_whole(walk, node, shape);
	case SIM_BOOLEAN:
		return kind == JSON_TRUE || kind == JSON_FALSE ||
		       wrong_type(walk, node, "a Boolean");
	case SIM_TIME:
		return kind == JSON_NUMBER || wrong_type(walk, node, "a Timestamp");
	case SIM_NUMBER:
		return kind == JSON_NUMBER || wrong_type(walk, node, "a Double");
	}
	return true;
}

bool sim_validate(const struct json_doc *doc, const struct sim_shape *shape, struct err *err)
{
	struct walk walk = { .doc = doc, .err = err };
	buf_init(&walk.path, PATH_BYTES);
	buf_init(&walk.found, MESSAGE_BYTES - 64);
	bool fine = check_value(&walk, 0, shape);
	if (fine && walk.count > 0)
		fine = sim_refuse(err, 400, "ValidationException",
				  "%u validation error%s detected: %s", walk.count,
				  walk.count == 1 ? "" : "s", buf_text(&walk.found));
	buf_release(&walk.path);
	buf_release(&walk.found);
	return fine;
}
