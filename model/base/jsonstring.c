#include "model/base/jsonstring.h"

#include "model/base/text.h"

#define UNICODE_ESCAPE_LEN 6 /* \u and four digits */

/* Reads \u and four digits; false if it is none. */
static bool read_unit(const char *text, size_t len, uint32_t *unit)
{
	if (len < UNICODE_ESCAPE_LEN || text[0] != '\\' || text[1] != 'u')
		return false;
	*unit = 0;
	for (size_t i = 2; i < UNICODE_ESCAPE_LEN; i++) {
		int value = text_hex_value(text[i]);

		if (value < 0)
			return false;
		*unit = *unit << 4 | (uint32_t)value;
	}
	return true;
}

static size_t unicode_escape(const char *text, size_t len, uint32_t *code)
{
	uint32_t low;

	if (!read_unit(text, len, code) || (*code >= 0xDC00 && *code <= 0xDFFF))
		return 0;
	if (*code < 0xD800 || *code > 0xDBFF)
		return UNICODE_ESCAPE_LEN;
	text += UNICODE_ESCAPE_LEN;
	len -= UNICODE_ESCAPE_LEN;
	if (!read_unit(text, len, &low) || low < 0xDC00 || low > 0xDFFF)
		return 0;
	*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
	return (size_t)2 * UNICODE_ESCAPE_LEN;
}

static size_t escape(const char *text, size_t len, uint32_t *code)
{
	static const char names[] = "\"\"\\\\//b\bf\fn\nr\rt\t";

	if (len < 2)
		return 0;
	if (text[1] == 'u')
		return unicode_escape(text, len, code);
	for (size_t i = 0; names[i]; i += 2) {
		if (text[1] == names[i]) {
			*code = (unsigned char)names[i + 1];
			return 2;
		}
	}
	return 0;
}

size_t json_string_step(const char *text, size_t len, uint32_t *code)
{
	size_t used;

	if (text[0] == '\\')
		return escape(text, len, code);
	if ((unsigned char)text[0] < 0x20)
		return 0;
	used = text_decode(text, len, code);
	/* U+FFFD in the text itself takes three bytes; a bad byte takes one. */
	return *code == TEXT_BAD && used == 1 ? 0 : used;
}

int json_string_compare(const char *a, size_t len_a, const char *b, size_t len_b)
{
	while (len_a && len_b) {
		uint32_t code_a = 0, code_b = 0;
		size_t used_a = json_string_step(a, len_a, &code_a);
		size_t used_b = json_string_step(b, len_b, &code_b);

		if (code_a != code_b)
			return code_a < code_b ? -1 : 1;
		if (used_a == 0 || used_b == 0)
			return 0;
		a += used_a;
		len_a -= used_a;
		b += used_b;
		len_b -= used_b;
	}
	return (len_a > 0) - (len_b > 0);
}
