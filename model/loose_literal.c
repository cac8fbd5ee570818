/* JSON with comments and Python literals, told apart by nothing: each is read where it stands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/base/text.h"
#include "model/loose.h"

#define NUMBER_MAX 64 /* digits that a number may have */

struct reader {
	struct loose *out;
	struct err *err;
	const char *text;
	size_t len, at;
	size_t line, line_start; /* of at */
	int depth;
};

static bool fail(struct reader *r, const char *what)
{
	if (!r->err->code)
		err_set(r->err, ERR_PARSE, "line %zu, column %zu: %s", r->line,
			r->at - r->line_start + 1, what);
	return false;
}

static int peek(const struct reader *r)
{
	return r->at < r->len ? (unsigned char)r->text[r->at] : -1;
}

static bool starts(const struct reader *r, const char *word)
{
	size_t len = strlen(word);
	return r->len - r->at >= len && memcmp(r->text + r->at, word, len) == 0;
}

static void step(struct reader *r)
{
	if (r->text[r->at] == '\n') {
		r->line++;
		r->line_start = r->at + 1;
	}
	r->at++;
}

static void skip_to(struct reader *r, const char *end)
{
	while (r->at < r->len && !starts(r, end))
		step(r);
	for (size_t i = 0; i < strlen(end) && r->at < r->len; i++)
		step(r);
}

/* Blanks, line breaks (with Python's backslash before them) and comments. */
static void skip_space(struct reader *r)
{
	for (;;) {
		int c = peek(r);
		if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
			step(r);
		else if (c == '#' || starts(r, "//"))
			skip_to(r, "\n");
		else if (starts(r, "/*"))
			skip_to(r, "*/");
		else if (starts(r, "\\\n"))
			step(r);
		else
			return;
	}
}

static bool is_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* --- strings --- */

/* The letters before a quote (r, b, f, u in any case, two at most) and the quote; 0: none here. */
static size_t prefix_len(const struct reader *r)
{
	size_t i = 0;
	while (i < 2 && r->at + i < r->len && strchr("rRbBfFuU", r->text[r->at + i]))
		i++;
	bool quote =
		r->at + i < r->len && (r->text[r->at + i] == '"' || r->text[r->at + i] == '\'');
	return quote ? i + 1 : 0;
}

static void add_code(struct buf *out, uint32_t code)
{
	if (code < 0x80) {
		buf_add_char(out, (char)code);
	} else if (code < 0x800) {
		buf_add_char(out, (char)(0xC0 | (code >> 6)));
		buf_add_char(out, (char)(0x80 | (code & 0x3F)));
	} else {
		buf_add_char(out, (char)(0xE0 | (code >> 12)));
		buf_add_char(out, (char)(0x80 | ((code >> 6) & 0x3F)));
		buf_add_char(out, (char)(0x80 | (code & 0x3F)));
	}
}

/* Behind a backslash. Those that a request has; of all others the backslash stays, as in Python. */
static bool read_escape(struct reader *r, struct buf *out)
{
	static const char plain[] = "\"'\\/", letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
	int c = peek(r);
	const char *letter = c > 0 ? strchr(letters, c) : NULL;
	uint32_t code = 0;
	if (c < 0)
		return fail(r, "the string is not closed");
	if (c == '\n') {
		step(r);
		return true;
	}
	if (c == 'u' || c == 'x') {
		int digits = c == 'u' ? 4 : 2;
		r->at++;
		for (int i = 0; i < digits; i++, r->at++) {
			int value = peek(r) < 0 ? -1 : text_hex_value(r->text[r->at]);
			if (value < 0)
				return fail(r, "a hexadecimal digit is missing");
			code = code * 16 + (uint32_t)value;
		}
		if (code == 0 || (code >= 0xD800 && code < 0xE000))
			return fail(r, "a character that is not read");
		add_code(out, code);
		return true;
	}
	if (letter) {
		buf_add_char(out, meant[letter - letters]);
	} else {
		if (!strchr(plain, c))
			buf_add_char(out, '\\');
		buf_add_char(out, (char)c);
	}
	r->at++;
	return true;
}

/* One string with its quotes; *formatted: Python would put values into it. */
static bool read_piece(struct reader *r, struct buf *out, bool *formatted)
{
	size_t letters = prefix_len(r) - 1;
	bool raw = false, has_values = false;
	for (size_t i = 0; i < letters; i++, r->at++) {
		raw = raw || r->text[r->at] == 'r' || r->text[r->at] == 'R';
		has_values = has_values || r->text[r->at] == 'f' || r->text[r->at] == 'F';
	}
	char end[4] = { r->text[r->at], '\0' };
	r->out->is_python = r->out->is_python || letters > 0 || end[0] == '\'';
	if (r->len - r->at >= 3 && r->text[r->at + 1] == end[0] && r->text[r->at + 2] == end[0])
		end[1] = end[2] = end[0];
	r->at += strlen(end);
	while (!starts(r, end)) {
		int c = peek(r);
		if (c < 0)
			return fail(r, "the string is not closed");
		*formatted = *formatted || (has_values && c == '{');
		if (c == '\n' && !end[1])
			return fail(r, "a line break within a string");
		if (c != '\\' || raw) {
			buf_add_char(out, (char)c);
			step(r);
			continue;
		}
		r->at++;
		if (!read_escape(r, out))
			return false;
	}
	r->at += strlen(end);
	return !out->failed || fail(r, "it is too large");
}

/* Strings side by side are one. */
static bool read_strings(struct reader *r, struct buf *out, bool *formatted)
{
	for (;;) {
		if (!read_piece(r, out, formatted))
			return false;
		struct reader behind = *r;
		skip_space(&behind);
		if (prefix_len(&behind) == 0)
			return true;
		*r = behind;
	}
}

static bool read_string(struct reader *r)
{
	struct buf value;
	bool formatted = false;
	buf_init(&value, JSON_TEXT_MAX);
	bool ok = read_strings(r, &value, &formatted);
	if (ok && formatted) {
		r->out->places[r->out->count - 1].is_unknown = true;
		buf_add_text(&r->out->json, LOOSE_UNKNOWN);
	} else if (ok) {
		ok = loose_add_string(r->out, buf_text(&value), value.len) ||
		     fail(r, "a string that is no text");
	}
	buf_wipe(&value);
	buf_release(&value);
	return ok;
}

/* --- numbers and words --- */

/* Without Python's underscores; false where it does not fit. */
static bool take_number(struct reader *r, char out[NUMBER_MAX])
{
	size_t len = 0;
	char last = 'e'; /* behind which a sign may stand */
	if (peek(r) == '+')
		r->at++;
	for (;; r->at++) {
		int c = peek(r);
		bool sign = (c == '-' || c == '+') && (last == 'e' || last == 'E');
		if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && c != '_' && !sign)
			break;
		if (len + 1 >= NUMBER_MAX)
			return false;
		last = (char)c;
		if (c != '_')
			out[len++] = last;
	}
	out[len] = '\0';
	return len > 0;
}

static bool as_integer(const char *number, int64_t *value)
{
	char *end = NULL;
	if (strlen(number) > 18)
		return false;
	*value = strtoll(number, &end, 10);
	return *end == '\0';
}

/* 24 * 60 * 60 is worked out: people write durations so. */
static bool read_number(struct reader *r)
{
	char number[NUMBER_MAX], more[NUMBER_MAX];
	int64_t value, factor;
	if (!take_number(r, number))
		return fail(r, "a number that is too long");
	for (;;) {
		struct reader behind = *r;
		skip_space(&behind);
		if (peek(&behind) != '*')
			break;
		behind.at++;
		skip_space(&behind);
		if (!is_digit(peek(&behind)) || !take_number(&behind, more) ||
		    !as_integer(number, &value) || !as_integer(more, &factor) ||
		    __builtin_mul_overflow(value, factor, &value))
			break; /* an expression, then */
		snprintf(number, sizeof(number), "%" PRId64, value);
		*r = behind;
	}
	return loose_add_number(r->out, number, strlen(number)) || fail(r, "a number is odd");
}

static bool read_word(struct reader *r)
{
	static const char *const words[][2] = { { "true", "true" },   { "True", "true" },
						{ "false", "false" }, { "False", "false" },
						{ "null", "null" },   { "None", "null" } };
	size_t len = 0;
	while (r->at + len < r->len && is_word((unsigned char)r->text[r->at + len]))
		len++;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i][0]) == len && starts(r, words[i][0])) {
			r->at += len;
			r->out->is_python =
				r->out->is_python || strcmp(words[i][0], words[i][1]) != 0;
			buf_add_text(&r->out->json, words[i][1]);
			return true;
		}
	return false; /* a name: whoever called goes on with an expression */
}

/* What a running program would work out: to the comma or the bracket that ends it. */
static bool skip_expression(struct reader *r)
{
	int depth = 0;
	for (;;) {
		skip_space(r);
		int c = peek(r);
		if (c < 0)
			return depth == 0 || fail(r, "a bracket is not closed");
		if (prefix_len(r) > 0) {
			struct buf ignored;
			bool formatted = false;
			buf_init(&ignored, JSON_TEXT_MAX);
			bool ok = read_piece(r, &ignored, &formatted);
			buf_wipe(&ignored);
			buf_release(&ignored);
			if (!ok)
				return false;
			continue;
		}
		bool closes = strchr(")]}", c) != NULL;
		if (depth == 0 && (closes || c == ','))
			return true;
		if (depth == 0 && (c == ':' || c == '='))
			return fail(r, "a comma is missing");
		if (strchr("([{", c) && ++depth > JSON_DEPTH_MAX)
			return fail(r, "it is nested too deep");
		depth -= closes;
		if (is_word(c))
			while (is_word(peek(r)))
				r->at++;
		else
			step(r);
	}
}

/* --- containers --- */

static bool read_value(struct reader *r);

static bool read_key(struct reader *r)
{
	struct buf key;
	bool formatted = false;
	if (prefix_len(r) == 0)
		return fail(r, "a key in quotes is missing");
	buf_init(&key, JSON_TEXT_MAX);
	bool ok =
		read_piece(r, &key, &formatted) &&
		(!formatted || fail(r, "a key that is not known")) &&
		(loose_add_string(r->out, buf_text(&key), key.len) || fail(r, "a key is no text"));
	buf_release(&key);
	skip_space(r);
	if (ok && peek(r) != ':')
		return fail(r, "a colon is missing");
	r->at += ok;
	buf_add_char(&r->out->json, ':');
	return ok;
}

static bool read_container(struct reader *r)
{
	bool object = peek(r) == '{';
	char close = object ? '}' : ']';
	bool any = false;
	if (r->depth == JSON_DEPTH_MAX)
		return fail(r, "it is nested too deep");
	r->depth++;
	r->at++;
	buf_add_char(&r->out->json, object ? '{' : '[');
	for (;;) {
		skip_space(r);
		if (peek(r) == close)
			break;
		buf_add_text(&r->out->json, any ? "," : "");
		any = true;
		if ((object && !read_key(r)) || !read_value(r))
			return false;
		skip_space(r);
		if (peek(r) == ',')
			r->at++;
		else if (peek(r) != close)
			return fail(r, "a comma or the end of the list is missing");
	}
	r->at++;
	r->depth--;
	buf_add_char(&r->out->json, close);
	return true;
}

static bool read_simple(struct reader *r)
{
	int c = peek(r);
	if (c == '{' || c == '[')
		return read_container(r);
	if (prefix_len(r) > 0)
		return read_string(r);
	if (is_digit(c) || c == '-' || c == '+')
		return read_number(r);
	return is_word(c) && read_word(r);
}

/* "(" begins an expression, unless strings alone stand in it. */
static bool read_bracketed(struct reader *r)
{
	struct reader inside = *r;
	inside.at++;
	skip_space(&inside);
	if (prefix_len(&inside) == 0 || !read_string(&inside))
		return false;
	skip_space(&inside);
	if (peek(&inside) != ')')
		return false;
	inside.at++;
	*r = inside;
	return true;
}

static bool ends_here(struct reader *r)
{
	skip_space(r);
	int c = peek(r);
	return c < 0 || strchr(",}])", c) || (r->depth == 0 && r->err->code == 0);
}

static bool read_value(struct reader *r)
{
	skip_space(r);
	const struct reader start = *r;
	size_t len = r->out->json.len, places = r->out->count;
	if (!loose_note(r->out, r->line, r->at - r->line_start + 1, false))
		return fail(r, "it has too many values");
	bool ok = peek(r) == '(' ? read_bracketed(r) : read_simple(r);
	if (ok && ends_here(r))
		return !r->out->json.failed || fail(r, "it is too large");
	if (r->err->code || start.depth == 0)
		return fail(r, "a value is missing");
	/* An expression; what was read of it is taken back. */
	*r = start;
	loose_take_back(r->out, len, places);
	if (peek(r) < 0 || strchr(",}])", peek(r)))
		return fail(r, "a value is missing");
	if (!loose_note(r->out, r->line, r->at - r->line_start + 1, true))
		return fail(r, "it has too many values");
	r->out->is_python = true;
	buf_add_text(&r->out->json, LOOSE_UNKNOWN);
	return skip_expression(r);
}

/* NAME = */
static void skip_assignment(struct reader *r)
{
	struct reader ahead = *r;
	if (!is_word(peek(&ahead)) || is_digit(peek(&ahead)))
		return;
	while (is_word(peek(&ahead)))
		ahead.at++;
	skip_space(&ahead);
	if (peek(&ahead) != '=')
		return;
	ahead.at++;
	*r = ahead;
	r->out->is_python = true;
}

bool loose_read_literal(struct loose *loose, const char *text, size_t len, struct err *err)
{
	struct reader r = { .out = loose, .err = err, .text = text, .len = len, .line = 1 };
	skip_space(&r);
	skip_assignment(&r);
	skip_space(&r);
	if (peek(&r) != '{' && peek(&r) != '[')
		return fail(&r, "no list of members");
	if (!read_value(&r))
		return fail(&r, "it cannot be read");
	skip_space(&r);
	return r.at == len || fail(&r, "something stands behind it");
}
