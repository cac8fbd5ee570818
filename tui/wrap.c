#include "tui/wrap.h"

#include <stdint.h>

#include "model/base/text.h"

/* Bytes that fit; at least one whole character, so that a caller always gets on. */
static size_t bytes_that_fit(const char *text, size_t len, int columns)
{
	size_t at = 0;

	while (at < len) {
		uint32_t code;
		size_t used = text_decode(text + at, len - at, &code);
		int width = text_code_width(code);
		if (width > columns && at > 0)
			break;
		columns -= width;
		at += used;
	}
	return at;
}

size_t wrap_line(const char *text, size_t len, int columns, size_t *next)
{
	size_t end = bytes_that_fit(text, len, columns);

	if (end < len && text[end] != ' ') {
		size_t at = end;
		while (at > 0 && text[at - 1] != ' ')
			at--;
		size_t word = at; /* where the word that did not fit begins */
		while (at > 0 && text[at - 1] == ' ')
			at--;
		if (at > 0) { /* else the blanks are the indentation: cut the word */
			*next = word;
			return at;
		}
	}
	*next = end;
	if (end == len)
		return end;
	while (*next < len && text[*next] == ' ')
		(*next)++;
	while (end > 0 && text[end - 1] == ' ')
		end--;
	return end;
}
