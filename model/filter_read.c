/* Reads the text of a filter; what is wrong is kept with its place. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/config_value.h"
#include "model/filter_parts.h"

#define BLANKS       " \t\r\n"
#define COUNT_MOST   1000000
#define MONEY_MOST   1000000000
#define NEAR_LIMIT   2 /* letters that are off */
#define MS_PER_S     1000
#define SPELLED_SIZE 24

/* A walk over the text: [at, at + len) is the part that is looked at. */
struct reader {
	struct filter *filter;
	const char *text;
	size_t at;
};

static void PRINTF_LIKE(4, 5)
	say_wrong(struct reader *reader, size_t at, size_t len, const char *format, ...)
{
	struct filter *filter = reader->filter;
	va_list args;
	if (filter->is_wrong)
		return;
	filter->is_wrong = true;
	filter->wrong.at = at;
	filter->wrong.len = len;
	va_start(args, format);
	(void)vsnprintf(filter->wrong.text, sizeof(filter->wrong.text), format, args);
	va_end(args);
}

/* Keeps a text of a term; there is room for all that one filter can hold. */
static char *keep(struct filter *filter, const char *text, size_t len)
{
	char *kept = filter->texts + filter->texts_len;
	memcpy(kept, text, len);
	kept[len] = '\0';
	filter->texts_len += len + 1;
	return kept;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* --- values --- */

static bool read_figure(const struct field *field, const char *text, int64_t *out)
{
	static const struct value_rule money = { VALUE_MONEY, 0, MONEY_MOST, NULL };
	static const struct value_rule count = { VALUE_COUNT, 0, COUNT_MOST, NULL };
	if (field->unit == UNIT_MONEY)
		return value_read(&money, text, out, NULL);
	if (field->unit == UNIT_COUNT)
		return value_read(&count, text, out, NULL);
	return duration_parse(text, out) && !__builtin_mul_overflow(*out, MS_PER_S, out);
}

/* A quoted text (the rest, while its end is not typed yet), or what stands before a blank. */
static size_t read_value(struct reader *reader, const char **value)
{
	const char *at = reader->text + reader->at;
	bool quoted = *at == '"';
	size_t len = quoted ? strcspn(at + 1, "\"") : strcspn(at, BLANKS);
	*value = quoted ? at + 1 : at;
	reader->at += len;
	if (quoted)
		reader->at += at[1 + len] == '"' ? 2 : 1;
	return len;
}

/* --- terms with a field --- */

static const struct {
	const char *spelled;
	enum term_operator op;
} operators[] = {
	{ ">=", OP_FROM }, { "<=", OP_UP_TO }, { "!=", OP_IS_NOT }, { ">", OP_ABOVE },
	{ "<", OP_BELOW }, { ":", OP_IS },     { "=", OP_IS },      { "~", OP_HOLDS },
};

static size_t operator_at(const char *text, enum term_operator *op)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		size_t len = strlen(operators[i].spelled);
		if (strncmp(text, operators[i].spelled, len) != 0)
			continue;
		*op = operators[i].op;
		return len;
	}
	return 0;
}

static const struct field *find_field(const char *name, size_t len)
{
	for (size_t i = 0; i < filter_field_count; i++)
		if (strncasecmp(filter_fields[i].row.name, name, len) == 0 &&
		    filter_fields[i].row.name[len] == '\0')
			return &filter_fields[i];
	return NULL;
}

static void say_unknown(struct reader *reader, size_t at, size_t len)
{
	char name[SPELLED_SIZE];
	const char *near = NULL;
	size_t best = NEAR_LIMIT + 1;
	(void)snprintf(name, sizeof(name), "%.*s", (int)(len < 20 ? len : 20), reader->text + at);
	for (size_t i = 0; i < filter_field_count; i++) {
		size_t off = text_distance(name, filter_fields[i].row.name, NEAR_LIMIT);
		if (off < best) {
			best = off;
			near = filter_fields[i].row.name;
		}
	}
	if (near)
		say_wrong(reader, at, len, "no field %s; %s?", name, near);
	else
		say_wrong(reader, at, len, "no field %s", name);
}

/* Texts have no order, and figures hold no text. */
static bool suits(const struct field *field, enum term_operator op)
{
	bool text = field->unit == UNIT_TEXT || field->unit == UNIT_TAG;
	return op == OP_IS || op == OP_IS_NOT || (op == OP_HOLDS) == text;
}

static bool read_field(struct reader *reader, size_t name_len, size_t op_len, enum term_operator op,
		       struct term *term)
{
	size_t at = reader->at;
	const struct field *field = find_field(reader->text + at, name_len);
	const char *value;
	if (!field)
		say_unknown(reader, at, name_len);
	else if (!suits(field, op))
		say_wrong(reader, at + name_len, op_len, "%s is used as in %s", field->row.name,
			  field->row.example);
	reader->at += name_len + op_len;
	size_t value_at = reader->at, len = read_value(reader, &value);
	if (!field || !suits(field, op))
		return false;
	if (len == 0) {
		say_wrong(reader, value_at, 1, "a value is missing, as in %s", field->row.example);
		return false;
	}
	term->kind = TERM_FIELD;
	term->field = field;
	term->op = op;
	term->text = keep(reader->filter, value, len);
	if (field->unit == UNIT_TEXT || field->unit == UNIT_TAG ||
	    read_figure(field, term->text, &term->figure))
		return true;
	say_wrong(reader, value_at, len, "%s takes %s, as in %s", field->row.name,
		  field->unit == UNIT_DURATION ? "a duration"
		  : field->unit == UNIT_MONEY  ? "an amount"
					       : "a number",
		  field->row.example);
	return false;
}

/* --- regular expressions --- */

static bool read_regex(struct reader *reader, struct term *term)
{
	const char *from = reader->text + reader->at + 1, *end = from, *why = NULL;
	while (*end && *end != '/')
		end += *end == '\\' && end[1] ? 2 : 1;
	size_t at = reader->at + 1, len = (size_t)(end - from), where = 0;
	reader->at += len + (*end == '/' ? 2 : 1);
	if (len == 0)
		return false; /* nothing is asked for yet */
	term->kind = TERM_REGEX;
	term->text = keep(reader->filter, from, len);
	term->pattern = pattern_new(term->text, &where, &why);
	if (!term->pattern)
		say_wrong(reader, at + where, where < len ? 1 : len - where + 1, "%s", why);
	return term->pattern != NULL;
}

/* --- the whole --- */

/* "s3://..." and "arn:aws:..." are words, whatever they look like. */
static bool is_address(const char *text, size_t name_len)
{
	return strncmp(text + name_len, "://", 3) == 0 ||
	       (name_len == 3 && strncasecmp(text, "arn:", 4) == 0);
}

static bool read_term(struct reader *reader, struct term *term)
{
	const char *text = reader->text + reader->at, *value;
	enum term_operator op;
	size_t name_len = 0;
	if (text[0] == '/')
		return read_regex(reader, term);
	while (is_letter(text[name_len]))
		name_len++;
	size_t op_len = name_len > 0 ? operator_at(text + name_len, &op) : 0;
	if (op_len > 0 && !is_address(text, name_len))
		return read_field(reader, name_len, op_len, op, term);
	size_t len = read_value(reader, &value);
	if (len == 0)
		return false;
	char *word = keep(reader->filter, value, len);
	for (size_t i = 0; i < len; i++)
		word[i] = filter_small(word[i]);
	term->kind = TERM_WORD;
	term->text = word;
	return true;
}

static void read_all(struct reader *reader)
{
	struct filter *filter = reader->filter;
	for (;;) {
		struct term term = { 0 };
		reader->at += strspn(reader->text + reader->at, BLANKS);
		if (!reader->text[reader->at])
			return;
		term.exclude = reader->text[reader->at] == '!';
		reader->at += term.exclude ? 1 : 0;
		if (filter->count == FILTER_TERMS_MAX) {
			say_wrong(reader, reader->at, 1, "more than %d terms", FILTER_TERMS_MAX);
			return;
		}
		if (read_term(reader, &term))
			filter->terms[filter->count++] = term;
	}
}

struct filter *filter_new(const char *text)
{
	struct filter *filter = mem_new(1, sizeof(*filter));
	char cut[FILTER_SIZE];
	struct reader reader = { .filter = filter, .text = cut };
	size_t len = text_whole_len(text, sizeof(cut) - 1);
	memcpy(cut, text, len);
	cut[len] = '\0';
	if (text[len])
		say_wrong(&reader, len, 1, "longer than %zu bytes", sizeof(cut) - 1);
	read_all(&reader);
	return filter;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->count; i++)
		pattern_free(filter->terms[i].pattern);
	free(filter);
}

const struct filter_wrong *filter_wrong(const struct filter *filter)
{
	return filter && filter->is_wrong ? &filter->wrong : NULL;
}
