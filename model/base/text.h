/*
 * Text from outside, made safe and measured. Strings are UTF-8. Every byte that reaches a
 * terminal passes text_sanitise; only tui/draw.c and the plain-output writer call it.
 */
#ifndef GPUQ_BASE_TEXT_H
#define GPUQ_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"

#define TEXT_BAD UINT32_C(0xFFFD)

enum text_mode {
	TEXT_CELL, /* one line for a table: newlines, tabs and doubtful widths become one mark */
	TEXT_PAGE, /* a pager: '\n' is kept, tabs become blanks, doubtful widths are kept, but
		    * without what selects or joins them (code_is_selector) */
	TEXT_FILE, /* plain output to a file or pipe: '\n' and '\t' kept, other controls marked */
};

/*
 * Decodes one code point at text[0..len); returns the bytes used (at least 1 when len > 0). Bad
 * UTF-8 (overlong, surrogate, cut) gives TEXT_BAD and uses one byte.
 */
size_t text_decode(const char *text, size_t len, uint32_t *code);

/* Columns of one code point: 0 combining, 1, 2 wide; controls count 1 (they are shown as a mark).
 */
int text_code_width(uint32_t code);

/* Columns of sanitised text. */
int text_width(const char *text);
/* The same of its first len bytes. */
int text_columns(const char *text, size_t len);

/*
 * Appends a harmless form: C0, DEL, C1, bidirectional controls, line separators and bad UTF-8
 * each become one visible mark ('?' if ascii, else U+00B7 or U+FFFD). With ascii every
 * character above U+007E becomes '?' (box drawing has twins elsewhere).
 */
void text_sanitise(struct buf *out, const char *text, size_t len, enum text_mode mode, bool ascii);

/*
 * Appends sanitised text cut to at most columns columns, with an ellipsis when cut ('~' if ascii);
 * pads with blanks to columns when pad. Never cuts a wide character in half.
 */
void text_fit(struct buf *out, const char *sanitised, int columns, bool pad, bool ascii);

/* The bytes of the longest start of text with at most max bytes that does not end inside a
 * character. */
size_t text_whole_len(const char *text, size_t max);

/* Case-insensitive (ASCII) substring test. */
bool text_contains(const char *text, const char *word);

/* The value of a hexadecimal digit, or -1. */
int text_hex_value(char c);

/* Copies what fits, terminated. NULL leaves out as it is. */
void text_copy_cut(char *out, size_t size, const char *text);

/* Levenshtein distance with an early end above limit (then limit + 1). For near names. */
unsigned text_distance(const char *a, const char *b, unsigned limit);

/* Appends text as a JSON string with its quotes; bad UTF-8 becomes U+FFFD. */
void text_add_json(struct buf *out, const char *text);

/* 1,240 or 12.34: money of micro units, with thousands marks; decimals 0 to 6. */
void text_add_money(struct buf *out, int64_t micro, int decimals);

#endif
