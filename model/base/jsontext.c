#include "model/base/jsontext.h"

#include <string.h>

#include "model/base/jsonstring.h"

/* The node, or NULL for an index that is none. */
static const struct json_node *node_at(const struct json_doc *doc, size_t node)
{
	return node < doc->count ? &doc->nodes[node] : NULL;
}

size_t json_doc_child(const struct json_doc *doc, size_t node)
{
	const struct json_node *at = node_at(doc, node);

	return at ? at->child : JSON_NONE;
}

size_t json_doc_next(const struct json_doc *doc, size_t node)
{
	const struct json_node *at = node_at(doc, node);

	return at ? at->next : JSON_NONE;
}

size_t json_doc_length(const struct json_doc *doc, size_t node)
{
	size_t length = 0;

	for (size_t i = json_doc_child(doc, node); i != JSON_NONE; i = json_doc_next(doc, i))
		length++;
	return length;
}

/* Appends a code point as UTF-8. */
static bool add_code(struct buf *out, uint32_t code)
{
	char bytes[4];
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const uint32_t lead[] = { 0, 0x00, 0xC0, 0xE0, 0xF0 };

	for (size_t i = len - 1; i > 0; i--) {
		bytes[i] = (char)(0x80 | (code & 0x3F));
		code >>= 6;
	}
	bytes[0] = (char)(lead[len] | code);
	return buf_add(out, bytes, len);
}

/* Decodes the span of a string with its quotes. */
static bool add_decoded(const struct json_doc *doc, size_t start, size_t end, struct buf *out)
{
	const char *at = doc->text + start + 1, *stop = doc->text + end - 1;

	while (at < stop) {
		uint32_t code = 0;
		size_t left = (size_t)(stop - at);
		const char *escape = memchr(at, '\\', left);
		size_t plain = escape ? (size_t)(escape - at) : left;

		/* What is no escape stands as it is: the parser let valid UTF-8 through alone. */
		if (!buf_add(out, at, plain))
			return false;
		at += plain;
		if (at == stop)
			break;
		size_t used = json_string_step(at, (size_t)(stop - at), &code);

		if (used == 0 || !add_code(out, code))
			return false;
		at += used;
	}
	/* So that an empty string too tells that the buffer had failed before. */
	return buf_add(out, "", 0);
}

bool json_doc_string(const struct json_doc *doc, size_t node, struct buf *out)
{
	const struct json_node *at = node_at(doc, node);

	return at && at->kind == JSON_STRING && add_decoded(doc, at->start, at->end, out);
}

bool json_doc_key(const struct json_doc *doc, size_t node, struct buf *out)
{
	const struct json_node *at = node_at(doc, node);

	return at && at->key_start < at->key_end &&
	       add_decoded(doc, at->key_start, at->key_end, out);
}

/* Whether a key, given with its quotes, spells the plain name. */
static bool key_is(const char *key, size_t key_len, const char *name, size_t len)
{
	const char *at = key + 1;
	size_t left = key_len - 2;
	struct buf decoded;
	bool same;

	if (!memchr(at, '\\', left))
		return left == len && memcmp(at, name, len) == 0;
	buf_init(&decoded, left);
	while (left) {
		uint32_t code = 0;
		size_t used = json_string_step(at, left, &code);

		if (used == 0 || !add_code(&decoded, code))
			break;
		at += used;
		left -= used;
	}
	same = left == 0 && decoded.len == len && memcmp(buf_text(&decoded), name, len) == 0;
	buf_release(&decoded);
	return same;
}

static size_t member(const struct json_doc *doc, size_t object, const char *name, size_t len)
{
	const struct json_node *at = node_at(doc, object);

	if (!at || at->kind != JSON_OBJECT)
		return JSON_NONE;
	for (size_t i = at->child; i != JSON_NONE; i = doc->nodes[i].next) {
		const struct json_node *child = &doc->nodes[i];

		if (key_is(doc->text + child->key_start, child->key_end - child->key_start, name,
			   len))
			return i;
	}
	return JSON_NONE;
}

size_t json_doc_member(const struct json_doc *doc, size_t object, const char *name)
{
	return member(doc, object, name, strlen(name));
}

/* Reads "[12]" and goes to that element; JSON_NONE if it is not well formed or not there. */
static size_t element(const struct json_doc *doc, size_t array, const char **path)
{
	const struct json_node *at = node_at(doc, array);
	const char *digit = *path + 1;
	size_t index = 0, i;

	if (!at || at->kind != JSON_ARRAY || *digit < '0' || *digit > '9')
		return JSON_NONE;
	for (; *digit >= '0' && *digit <= '9'; digit++) {
		index = index * 10 + (size_t)(*digit - '0');
		if (index > JSON_NODES_MAX)
			return JSON_NONE;
	}
	if (*digit != ']')
		return JSON_NONE;
	*path = digit + 1;
	for (i = at->child; i != JSON_NONE && index > 0; index--)
		i = doc->nodes[i].next;
	return i;
}

size_t json_doc_path(const struct json_doc *doc, const char *path)
{
	size_t node = doc->count ? 0 : JSON_NONE;
	bool first = true;

	while (*path && node != JSON_NONE) {
		size_t len;

		if (*path == '[') {
			node = element(doc, node, &path);
			first = false;
			continue;
		}
		if (*path == '.' && !first)
			path++;
		else if (!first)
			return JSON_NONE;
		first = false;
		len = strcspn(path, ".[");
		if (len == 0)
			return JSON_NONE;
		node = member(doc, node, path, len);
		path += len;
	}
	return node;
}

/* A number as digits times a power of ten; the digits are those of the text, without the point. */
struct decimal {
	const char *text;
	size_t len; /* to the exponent */
	bool negative;
	int64_t exponent;
};

/* Far above any number of digits in a text, and far from overflow. */
#define EXPONENT_MAX INT64_C(1000000000)

static int64_t read_exponent(const char *text, size_t len)
{
	bool negative = len && text[0] == '-';
	int64_t exponent = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] >= '0' && text[i] <= '9' && exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (text[i] - '0');
	}
	return negative ? -exponent : exponent;
}

static struct decimal split_number(const char *text, size_t len)
{
	struct decimal number = { .text = text, .len = len, .negative = text[0] == '-' };
	bool fraction = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == 'e' || text[i] == 'E') {
			number.len = i;
			number.exponent += read_exponent(text + i + 1, len - i - 1);
			break;
		}
		number.exponent -= fraction;
		fraction = fraction || text[i] == '.';
	}
	return number;
}

bool json_doc_integer(const struct json_doc *doc, size_t node, int64_t *value)
{
	const struct json_node *at = node_at(doc, node);
	struct decimal number;
	int64_t total = 0, zeros = 0;

	if (!at || at->kind != JSON_NUMBER)
		return false;
	number = split_number(doc->text + at->start, at->end - at->start);
	/*
	 * Zeros are held back until a digit follows them: those at the end may be cancelled by a
	 * negative exponent. Counted downwards, since INT64_MIN has no positive twin.
	 */
	for (size_t i = 0; i < number.len; i++) {
		int digit = number.text[i] - '0';

		if (digit == 0 && total != 0)
			zeros++;
		if (digit < 1 || digit > 9)
			continue;
		for (; zeros > 0; zeros--) {
			if (__builtin_mul_overflow(total, 10, &total))
				return false;
		}
		if (__builtin_mul_overflow(total, 10, &total) ||
		    __builtin_sub_overflow(total, digit, &total))
			return false;
	}
	if (total == 0) {
		*value = 0;
		return true;
	}
	number.exponent += zeros;
	if (number.exponent < 0)
		return false;
	for (; number.exponent > 0; number.exponent--) {
		if (__builtin_mul_overflow(total, 10, &total))
			return false;
	}
	if (!number.negative && __builtin_sub_overflow(0, total, &total))
		return false;
	*value = total;
	return true;
}
