#include "model/base/jsontext.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsonstring.h"
#include "model/base/mem.h"
#include "model/base/text.h"

struct parser {
	struct json_doc *doc;
	struct err *err;
	const char *text;
	size_t len, at;
	size_t line, line_start; /* of at */
	size_t parent;           /* the open container, or JSON_NONE */
	size_t last;             /* the newest child of it, or JSON_NONE */
	size_t depth;
};

PRINTF_LIKE(3, 4)
static bool fail_at(struct parser *p, size_t at, const char *format, ...)
{
	struct buf what;
	va_list args;

	buf_init(&what, ERR_TEXT_MAX);
	va_start(args, format);
	buf_vaddf(&what, format, args);
	va_end(args);
	p->doc->bad_line = p->line;
	p->doc->bad_column = at - p->line_start + 1;
	err_set(p->err, ERR_PARSE, "line %zu, column %zu: %s", p->doc->bad_line, p->doc->bad_column,
		buf_text(&what));
	buf_release(&what);
	return false;
}

/* The byte at the place of reading; -1 at the end, which no comparison with a character meets. */
static int peek(const struct parser *p)
{
	return p->at < p->len ? (unsigned char)p->text[p->at] : -1;
}

/* Only here may a line end: a raw line break within a string is an error. */
static void skip_space(struct parser *p)
{
	for (;; p->at++) {
		int c = peek(p);

		if (c == '\n') {
			p->line++;
			p->line_start = p->at + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

static bool is_word_char(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* Whether word stands here; one that ends in a letter must be a whole word. */
static bool starts_with(const struct parser *p, const char *word)
{
	size_t len = strlen(word), left = p->len - p->at;
	char last = word[len - 1];

	if (len > left || memcmp(p->text + p->at, word, len) != 0)
		return false;
	return last < 'A' || last > 'z' || len == left ||
	       !is_word_char((unsigned char)p->text[p->at + len]);
}

struct foreign_row {
	const char *start; /* what stands where JSON cannot go on */
	const char *says;
};

/* What people paste instead of JSON, told by its first bytes; the first row that fits is said. */
static const struct foreign_row foreign[] = {
	{ "#", "comments are not JSON" },
	{ "//", "comments are not JSON" },
	{ "/*", "comments are not JSON" },
	{ "'", "not JSON (looks like Python): strings take double quotes" },
	{ "True", "not JSON (looks like Python): write true" },
	{ "False", "not JSON (looks like Python): write false" },
	{ "None", "not JSON (looks like Python): write null" },
	{ "datetime.", "not JSON (looks like Python): a time is a number or a string" },
	{ "...", "not JSON: \"...\" stands where something was left out" },
	{ "\xE2\x80\xA6", "not JSON: an ellipsis stands where something was left out" },
	{ "\xE2\x80\x9C", "typographic quotes are not JSON: write \"" },
	{ "\xE2\x80\x9D", "typographic quotes are not JSON: write \"" },
	{ "\xE2\x80\x98", "typographic quotes are not JSON: write \"" },
	{ "\xE2\x80\x99", "typographic quotes are not JSON: write \"" },
	{ "\xC2\xA0", "a no-break space is no JSON: write a plain space" },
	{ "\xEF\xBB\xBF", "a byte order mark is no JSON: save the file as UTF-8 without it" },
	{ "\xFF\xFE", "not JSON (looks like UTF-16): save the file as UTF-8" },
	{ "\xFE\xFF", "not JSON (looks like UTF-16): save the file as UTF-8" },
	{ "NaN", "NaN is no JSON number" },
	{ "nan", "NaN is no JSON number" },
	{ "Infinity", "Infinity is no JSON number" },
	{ "inf", "Infinity is no JSON number" },
	{ "-Infinity", "Infinity is no JSON number" },
	{ "-inf", "Infinity is no JSON number" },
	{ "+", "a number takes no plus sign" },
	{ ".", "a number starts with a digit" },
	{ "undefined", "undefined is no JSON: write null" },
	{ "---", "not JSON (looks like YAML)" },
	{ "- ", "not JSON (looks like YAML)" },
	{ "<", "not JSON (looks like XML, HTML or a placeholder)" },
	{ "$", "not JSON (looks like a variable that was not replaced)" },
	{ "`", "strings take double quotes" },
};

/*
 * A bare word: a key without quotes, YAML, or a value without quotes. The word is not said: it may
 * be a secret.
 */
static bool fail_word(struct parser *p, const char *wanted)
{
	size_t end = p->at;

	while (end < p->len && is_word_char((unsigned char)p->text[end]))
		end++;
	while (end < p->len && (p->text[end] == ' ' || p->text[end] == '\t'))
		end++;
	if (p->parent == JSON_NONE && end < p->len && p->text[end] == ':')
		return fail_at(p, p->at, "not JSON (looks like YAML): %s expected", wanted);
	return fail_at(p, p->at, "%s expected, not a word without quotes", wanted);
}

/* The place of reading holds nothing that JSON allows there. */
static bool fail_unexpected(struct parser *p, const char *wanted)
{
	const struct json_node *open;
	uint32_t code;
	int c = peek(p);

	if (c < 0 && p->parent == JSON_NONE)
		return fail_at(p, p->at, "%s expected, but the text ends", wanted);
	if (c < 0) {
		open = &p->doc->nodes[p->parent];
		return fail_at(
			p, p->at,
			"%s expected, but the text ends: the '%c' of line %zu, column %zu is not "
			"closed",
			wanted, p->text[open->start], open->line, open->column);
	}
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
		if (starts_with(p, foreign[i].start))
			return fail_at(p, p->at, "%s", foreign[i].says);
	}
	if (is_word_char(c) && (c < '0' || c > '9') && c != '-')
		return fail_word(p, wanted);
	if (c > 0x20 && c < 0x7F)
		return fail_at(p, p->at, "%s expected, not '%c'", wanted, c);
	if (text_decode(p->text + p->at, p->len - p->at, &code) == 1 && code == TEXT_BAD)
		return fail_at(p, p->at, "%s expected, not the byte 0x%02X", wanted, (unsigned)c);
	return fail_at(p, p->at, "%s expected, not U+%04X", wanted, (unsigned)code);
}

/* Says why the inside of a string that starts at start cannot go on at the place of reading. */
static bool fail_string(struct parser *p, size_t start)
{
	int c = peek(p);

	if (c < 0)
		return fail_at(p, start, "the string that starts here is not closed");
	if (c == '\n' || c == '\r')
		return fail_at(p, p->at,
			       "a line break within a string: write \\n, or close the string of "
			       "column %zu",
			       start - p->line_start + 1);
	if (c == '\t')
		return fail_at(p, p->at, "a tab within a string: write \\t");
	if (c < 0x20)
		return fail_at(p, p->at, "a control character within a string: write \\u%04x",
			       (unsigned)c);
	if (c != '\\')
		return fail_at(p, p->at, "the byte 0x%02X is not UTF-8", (unsigned)c);
	if (p->len - p->at < 2)
		return fail_at(p, start, "the string that starts here is not closed");
	if (p->text[p->at + 1] == 'u')
		return fail_at(p, p->at,
			       "\\u takes four hexadecimal digits, and surrogates come in pairs");
	return fail_at(p, p->at, "no such escape: write \\\\ for a backslash");
}

/* Reads a string with its quotes; its span is [start, end). */
static bool read_string(struct parser *p, size_t *start, size_t *end)
{
	*start = p->at++;
	while (peek(p) != '"') {
		uint32_t code = 0;
		size_t used = 0;

		if (p->at < p->len)
			used = json_string_step(p->text + p->at, p->len - p->at, &code);
		if (used == 0)
			return fail_string(p, *start);
		if (code == 0)
			return fail_at(p, p->at, "the character U+0000 within a string");
		p->at += used;
	}
	*end = ++p->at;
	return true;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool read_digits(struct parser *p)
{
	if (!is_digit(peek(p)))
		return fail_at(p, p->at, "a digit is missing in a number");
	while (is_digit(peek(p)))
		p->at++;
	return true;
}

static bool read_number(struct parser *p)
{
	if (peek(p) == '-')
		p->at++;
	if (peek(p) == '0') {
		p->at++;
		if (is_digit(peek(p)))
			return fail_at(p, p->at - 1, "a number takes no leading zero");
	} else if (!read_digits(p)) {
		return false;
	}
	if (peek(p) == '.') {
		p->at++;
		if (!read_digits(p))
			return false;
	}
	if (peek(p) == 'e' || peek(p) == 'E') {
		p->at++;
		if (peek(p) == '+' || peek(p) == '-')
			p->at++;
		if (!read_digits(p))
			return false;
	}
	return true;
}

static bool read_literal(struct parser *p, struct json_node *node)
{
	static const struct {
		const char *word;
		enum json_kind kind;
	} literals[] = { { "true", JSON_TRUE }, { "false", JSON_FALSE }, { "null", JSON_NULL } };

	for (size_t i = 0; i < ARRAY_LEN(literals); i++) {
		if (starts_with(p, literals[i].word)) {
			node->kind = literals[i].kind;
			p->at += strlen(literals[i].word);
			return true;
		}
	}
	return fail_unexpected(p, "a value");
}

static bool add_node(struct parser *p, const struct json_node *node)
{
	struct json_doc *doc = p->doc;

	if (doc->count >= JSON_NODES_MAX)
		return fail_at(p, node->start, "more than %u values", JSON_NODES_MAX);
	doc->nodes = mem_grow(doc->nodes, &doc->capacity, doc->count + 1, sizeof(*doc->nodes));
	doc->nodes[doc->count] = *node;
	if (p->last != JSON_NONE)
		doc->nodes[p->last].next = doc->count;
	else if (p->parent != JSON_NONE)
		doc->nodes[p->parent].child = doc->count;
	p->last = doc->count++;
	return true;
}

static bool read_key(struct parser *p, struct json_node *node)
{
	if (peek(p) != '"')
		return fail_unexpected(p, "a key in double quotes");
	if (!read_string(p, &node->key_start, &node->key_end))
		return false;
	skip_space(p);
	if (peek(p) != ':')
		return fail_unexpected(p, "a colon after the key");
	p->at++;
	skip_space(p);
	return true;
}

static bool open_container(struct parser *p, const struct json_node *node)
{
	if (p->depth == JSON_DEPTH_MAX)
		return fail_at(p, p->at, "nested deeper than %d levels", JSON_DEPTH_MAX);
	if (!add_node(p, node))
		return false;
	p->depth++;
	p->parent = p->last;
	p->last = JSON_NONE;
	p->at++;
	return true;
}

/*
 * Reads one value, after its key within an object. A container is opened, and *opened set; its
 * content is for the caller.
 */
static bool read_value(struct parser *p, bool *opened)
{
	struct json_node node = { .parent = p->parent, .child = JSON_NONE, .next = JSON_NONE };
	bool read;
	int c;

	*opened = false;
	if (p->parent != JSON_NONE && p->doc->nodes[p->parent].kind == JSON_OBJECT &&
	    !read_key(p, &node))
		return false;
	c = peek(p);
	node.start = p->at;
	node.line = p->line;
	node.column = p->at - p->line_start + 1;
	if (c == '{' || c == '[') {
		node.kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		*opened = true;
		return open_container(p, &node);
	}
	if (c == '"') {
		node.kind = JSON_STRING;
		return read_string(p, &node.start, &node.end) && add_node(p, &node);
	}
	if (is_digit(c) || (c == '-' && p->at + 1 < p->len && is_digit(p->text[p->at + 1]))) {
		node.kind = JSON_NUMBER;
		read = read_number(p);
	} else {
		read = read_literal(p, &node);
	}
	node.end = p->at;
	return read && add_node(p, &node);
}

struct key_ref {
	const char *text; /* without the quotes */
	size_t len, node;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key_ref *x = a, *y = b;
	int order = json_string_compare(x->text, x->len, y->text, y->len);

	return order ? order : (x->node > y->node) - (x->node < y->node);
}

static bool fail_duplicate(struct parser *p, size_t first, size_t second)
{
	const struct json_node *a = &p->doc->nodes[first], *b = &p->doc->nodes[second];
	size_t len = b->key_end - b->key_start;
	size_t line_start = b->key_start;

	/* The place of reading is past the object: go back to the key. */
	p->line = 1;
	for (size_t i = 0; i < b->key_start; i++)
		p->line += p->text[i] == '\n';
	while (line_start && p->text[line_start - 1] != '\n')
		line_start--;
	p->line_start = line_start;
	return fail_at(p, b->key_start,
		       "the key %.*s stands twice, first with the value of line %zu",
		       len > 128 ? 128 : (int)len, p->text + b->key_start, a->line);
}

/* Sorting keeps an object of very many keys from taking quadratic time. */
static bool check_keys(struct parser *p, size_t object)
{
	struct json_node *nodes = p->doc->nodes;
	size_t count = json_doc_length(p->doc, object), used = 0;
	size_t first = JSON_NONE, second = JSON_NONE;
	struct key_ref *keys;

	if (count < 2)
		return true;
	keys = mem_new(count, sizeof(*keys));
	for (size_t i = nodes[object].child; i != JSON_NONE; i = nodes[i].next)
		keys[used++] = (struct key_ref){
			.text = p->text + nodes[i].key_start + 1,
			.len = nodes[i].key_end - nodes[i].key_start - 2,
			.node = i,
		};
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < count; i++) {
		if (keys[i].node < second && json_string_compare(keys[i - 1].text, keys[i - 1].len,
								 keys[i].text, keys[i].len) == 0) {
			first = keys[i - 1].node;
			second = keys[i].node;
		}
	}
	free(keys);
	return second == JSON_NONE || fail_duplicate(p, first, second);
}

static bool close_container(struct parser *p)
{
	size_t closed = p->parent;

	p->doc->nodes[closed].end = ++p->at;
	p->depth--;
	p->parent = p->doc->nodes[closed].parent;
	p->last = closed;
	return p->doc->nodes[closed].kind != JSON_OBJECT || check_keys(p, closed);
}

static int closer(const struct parser *p)
{
	return p->doc->nodes[p->parent].kind == JSON_OBJECT ? '}' : ']';
}

/* After a value: closes what ends here, and stops after a comma or after the root. */
static bool finish_value(struct parser *p)
{
	while (p->parent != JSON_NONE) {
		skip_space(p);
		if (peek(p) == ',') {
			size_t comma = p->at++;
			size_t line = p->line, line_start = p->line_start;

			skip_space(p);
			if (peek(p) != closer(p))
				return true;
			p->line = line;
			p->line_start = line_start;
			return fail_at(p, comma, "no comma before '%c'", closer(p));
		}
		if (peek(p) != closer(p))
			return fail_unexpected(p, closer(p) == '}' ? "a comma or '}'"
								   : "a comma or ']'");
		if (!close_container(p))
			return false;
	}
	return true;
}

static bool parse(struct parser *p)
{
	bool opened;

	skip_space(p);
	if (p->at == p->len)
		return fail_at(p, p->at, "the text is empty");
	do {
		if (!read_value(p, &opened))
			return false;
		if (opened) {
			skip_space(p);
			if (peek(p) != closer(p))
				continue;
			if (!close_container(p))
				return false;
		}
		if (!finish_value(p))
			return false;
	} while (p->parent != JSON_NONE);
	skip_space(p);
	return p->at == p->len || fail_unexpected(p, "the end of the text");
}

bool json_doc_parse(struct json_doc *doc, const char *text, size_t len, struct err *err)
{
	struct parser p = {
		.doc = doc,
		.err = err,
		.text = text,
		.len = len,
		.line = 1,
		.parent = JSON_NONE,
		.last = JSON_NONE,
	};
	bool parsed;

	*doc = (struct json_doc){ .text = text, .len = len };
	if (len > JSON_TEXT_MAX)
		return fail_at(&p, 0, "more than %u MiB of text", JSON_TEXT_MAX >> 20);
	parsed = parse(&p);
	if (!parsed) {
		free(doc->nodes);
		doc->nodes = NULL;
		doc->count = doc->capacity = 0;
	}
	return parsed;
}

void json_doc_release(struct json_doc *doc)
{
	if (!doc)
		return;
	free(doc->nodes);
	*doc = (struct json_doc){ 0 };
}
