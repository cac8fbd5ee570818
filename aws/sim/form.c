#include "aws/sim/form.h"

#include <string.h>

static int digit_of(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) & 15 : -1;
}

static bool decode(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i] == '+' ? ' ' : text[i];
		if (c == '%') {
			int high = i + 2 < len ? digit_of(text[i + 1]) : -1;
			int low = i + 2 < len ? digit_of(text[i + 2]) : -1;
			if (high < 0 || low < 0)
				return false;
			c = (char)(high << 4 | low);
			i += 2;
		}
		if (c == '\0' || !buf_add_char(out, c))
			return false;
	}
	return true;
}

bool sim_form_value(const char *form, size_t len, const char *name, struct buf *out)
{
	size_t name_len = strlen(name);
	for (size_t at = 0; at < len;) {
		const char *field = form + at, *end = memchr(field, '&', len - at);
		size_t field_len = end ? (size_t)(end - field) : len - at;
		if (field_len > name_len && field[name_len] == '=' &&
		    memcmp(field, name, name_len) == 0)
			return decode(field + name_len + 1, field_len - name_len - 1, out);
		at += field_len + 1;
	}
	return false;
}
