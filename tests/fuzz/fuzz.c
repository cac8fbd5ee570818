#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/base/text.h"

char *fuzz_copy(const void *data, size_t size)
{
	char *copy = malloc(size + 1);

	assert(copy);
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

unsigned fuzz_byte(struct fuzz_bytes *bytes)
{
	if (bytes->left == 0)
		return 0;
	bytes->left--;
	return *bytes->at++;
}

char *fuzz_line(struct fuzz_bytes *bytes)
{
	const uint8_t *end = bytes->left ? memchr(bytes->at, '\n', bytes->left) : NULL;
	size_t len = end ? (size_t)(end - bytes->at) : bytes->left;
	char *line = fuzz_copy(bytes->at, len);

	bytes->at += len + (end != NULL);
	bytes->left -= len + (end != NULL);
	return line;
}

static bool steers(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
	       (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

void fuzz_want_harmless(const char *text, size_t len, const char *kept)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		size_t used = text_decode(text + at, len - at, &code);

		assert(code != TEXT_BAD || used == 3);
		assert(!steers(code) || (code > 0 && code < 0x80 && strchr(kept, (int)code)));
		at += used;
	}
}

static void want_json(const char *text, size_t len, enum json_kind kind, size_t count)
{
	struct json_doc doc;
	struct err err = { 0 };
	bool ok = json_doc_parse(&doc, text, len, &err);

	assert(ok && doc.nodes[0].kind == kind);
	assert(kind == JSON_OBJECT || json_doc_length(&doc, 0) == count);
	json_doc_release(&doc);
	err_clear(&err);
}

static void want_lines(const char *text, size_t count)
{
	size_t lines = 0;

	for (; *text; lines++) {
		size_t len = strcspn(text, "\n");

		want_json(text, len, JSON_OBJECT, 0);
		assert(text[len] == '\n');
		text += len + 1;
	}
	assert(lines == count);
}

static bool is_number(const char *text, size_t len)
{
	return len > 0 && strspn(text, "-.0123456789") >= len;
}

/* One field of CSV and the mark behind it. */
static const char *take_field(const char *at, char *mark)
{
	const char *start = at;

	if (*at == '"') {
		start = ++at;
		while (*at != '"' || at[1] == '"') {
			assert(*at);
			at += *at == '"' ? 2 : 1;
		}
		assert(!strchr("=+-@\t\r", *start));
		at++;
	} else {
		at += strcspn(at, ",\n\"");
		assert(at == start || !strchr("=+-@\t\r", *start) ||
		       is_number(start, (size_t)(at - start)));
	}
	*mark = *at;
	assert(*mark == ',' || *mark == '\n');
	return at + 1;
}

static void want_csv(const char *at, size_t count)
{
	size_t records = 0, titles = 0;

	for (; *at; records++) {
		size_t fields = 0;
		char mark = ',';

		for (; mark == ','; fields++)
			at = take_field(at, &mark);
		if (records == 0)
			titles = fields;
		assert(fields == titles);
	}
	assert(records == count + 1);
}

static void want_table(const char *at, int columns)
{
	for (; *at; at += strcspn(at, "\n") + 1) {
		char *line = fuzz_copy(at, strcspn(at, "\n"));

		assert(columns == 0 || text_width(line) <= columns);
		free(line);
	}
}

void fuzz_want_report(const struct buf *out, const struct report_context *context, size_t count)
{
	const char *text = buf_text(out);

	assert(!out->failed && strlen(text) == out->len);
	switch (context->format) {
	case REPORT_TABLE:
		fuzz_want_harmless(text, out->len, "\n\t");
		want_table(text, context->columns);
		break;
	case REPORT_JSON:
		fuzz_want_harmless(text, out->len, "\n");
		want_json(text, out->len, JSON_ARRAY, count);
		break;
	case REPORT_JSONL:
		fuzz_want_harmless(text, out->len, "\n");
		want_lines(text, count);
		break;
	case REPORT_CSV:
		fuzz_want_harmless(text, out->len, "\n\t");
		want_csv(text, count);
		break;
	}
}
