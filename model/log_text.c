#include "model/log_text.h"

#include <string.h>

#include "model/base/attr.h"

#define ESCAPE       '\x1b'
#define SEQUENCE_MAX 64 /* bytes of a CSI sequence; a longer one is none */
#define PIECE_MAX    (LOG_TEXT_MAX + 64)

void log_piece_init(struct log_piece *piece)
{
	*piece = (struct log_piece){ 0 };
	buf_init(&piece->text, PIECE_MAX);
}

void log_piece_release(struct log_piece *piece)
{
	buf_release(&piece->text);
}

/* --- the last state --- */

/* What stands last on the line: behind the last \r that something follows. */
static size_t last_state(const char *text, size_t len, size_t *states)
{
	size_t from = 0;
	*states = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\r')
			continue;
		while (i + 1 < len && text[i + 1] == '\r')
			i++;
		if (i + 1 == len)
			break;
		++*states;
		from = i + 1;
	}
	return from;
}

/* --- escape sequences --- */

/* Bytes of the CSI sequence that stands at text, its last one included; 0: there is none. */
static size_t sequence_len(const char *text, size_t len)
{
	if (len < 3 || text[0] != ESCAPE || text[1] != '[')
		return 0;
	for (size_t i = 2; i < len && i < SEQUENCE_MAX; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c >= 0x40 && c <= 0x7e)
			return i + 1;
		if (c < 0x20 || c > 0x3f)
			return 0;
	}
	return 0;
}

struct pen {
	bool strong, dim;
	enum log_ink colour; /* LOG_INK_PLAIN: the terminal's own */
};

static enum log_ink ink_of(const struct pen *pen)
{
	if (pen->colour != LOG_INK_PLAIN)
		return pen->colour;
	return pen->strong ? LOG_INK_STRONG : pen->dim ? LOG_INK_DIM : LOG_INK_PLAIN;
}

/* 30 to 37; the last of them, and black, read on no background for sure. */
static enum log_ink colour_of(unsigned number)
{
	static const enum log_ink colours[] = { LOG_INK_DIM,    LOG_INK_RED,  LOG_INK_GREEN,
						LOG_INK_YELLOW, LOG_INK_BLUE, LOG_INK_MAGENTA,
						LOG_INK_CYAN,   LOG_INK_PLAIN };
	return colours[number % ARRAY_LEN(colours)];
}

/* The colours of 256 that are the eight and their bright twins; the rest is plain. */
static enum log_ink colour_of_256(unsigned number)
{
	return number < 16 ? colour_of(number % 8) : LOG_INK_PLAIN;
}

#define PARAMETERS_MAX 16

static size_t read_parameters(const char *text, size_t len, unsigned out[PARAMETERS_MAX])
{
	size_t count = 0;
	unsigned value = 0;
	for (size_t i = 0; i <= len && count < PARAMETERS_MAX; i++) {
		if (i < len && text[i] >= '0' && text[i] <= '9') {
			value = value < 1000 ? value * 10 + (unsigned)(text[i] - '0') : value;
		} else {
			out[count++] = value;
			value = 0;
		}
	}
	return count;
}

/* Parameters that 38 and 48 have behind them. */
static size_t extended(const unsigned *values, size_t left, enum log_ink *colour)
{
	*colour = LOG_INK_PLAIN;
	if (left >= 3 && values[1] == 5)
		*colour = colour_of_256(values[2]);
	if (left < 2)
		return 0;
	return values[1] == 5 ? 2 : values[1] == 2 ? 4 : 0;
}

static void set_pen(struct pen *pen, const char *text, size_t len)
{
	unsigned values[PARAMETERS_MAX];
	enum log_ink colour;
	size_t count = read_parameters(text, len, values);
	for (size_t i = 0; i < count; i++) {
		unsigned value = values[i];
		if (value == 0)
			*pen = (struct pen){ .colour = LOG_INK_PLAIN };
		else if (value == 1)
			pen->strong = true;
		else if (value == 2)
			pen->dim = true;
		else if (value == 22)
			pen->strong = pen->dim = false;
		else if (value == 39)
			pen->colour = LOG_INK_PLAIN;
		else if (value >= 30 && value <= 37)
			pen->colour = colour_of(value - 30);
		else if (value == 90)
			pen->colour = LOG_INK_DIM;
		else if (value > 90 && value <= 97)
			pen->colour = colour_of(value - 90);
		else if (value == 38 || value == 48) {
			i += extended(&values[i], count - i, &colour);
			pen->colour = value == 38 ? colour : pen->colour;
		}
	}
}

static void note_ink(struct log_piece *piece, const struct pen *pen)
{
	enum log_ink ink = ink_of(pen);
	size_t count = piece->span_count;
	enum log_ink now = count > 0 ? piece->spans[count - 1].ink : LOG_INK_PLAIN;
	if (ink == now)
		return;
	/* Two changes with nothing between them are one. */
	if (count > 0 && piece->spans[count - 1].at == piece->text.len)
		count--;
	if (count < LOG_INKS_MAX)
		piece->spans[count++] =
			(struct log_span){ .at = (uint32_t)piece->text.len, .ink = ink };
	piece->span_count = count;
}

/* A string ends at a NUL: the picture of one stands for it (U+2400). Anything else that is no
 * sequence is left to the pen, which shows a mark. */
static size_t add_special(struct log_piece *piece, struct pen *pen, const char *text, size_t len)
{
	size_t used = sequence_len(text, len);
	if (text[0] == '\0') {
		piece->cut |= !buf_add_text(&piece->text, "\xe2\x90\x80");
		return 1;
	}
	if (used == 0) {
		piece->cut |= !buf_add(&piece->text, text, 1);
		return 1;
	}
	if (text[used - 1] == 'm') {
		set_pen(pen, text + 2, used - 3);
		note_ink(piece, pen);
	}
	return used;
}

static void add_plain(struct log_piece *piece, const char *text, size_t len)
{
	struct pen pen = { .colour = LOG_INK_PLAIN };
	for (size_t at = 0; at < len;) {
		size_t from = at;
		while (at < len && text[at] != '\0' && text[at] != ESCAPE)
			at++;
		piece->cut |= !buf_add(&piece->text, text + from, at - from);
		if (at < len)
			at += add_special(piece, &pen, text + at, len - at);
	}
}

/* At most so many bytes, and no character in half. */
static size_t whole_len(const char *text, size_t max)
{
	size_t end = max;
	while (end > 0 && max - end < 4 && ((unsigned char)text[end] & 0xC0) == 0x80)
		end--;
	return ((unsigned char)text[end] & 0xC0) == 0x80 ? max : end;
}

void log_piece_read(struct log_piece *piece, const char *text, size_t len)
{
	len -= len > 0 && text[len - 1] == '\r';
	size_t from = last_state(text, len, &piece->states);
	buf_clear(&piece->text);
	piece->span_count = 0;
	piece->begins_over = len > 0 && text[0] == '\r' && piece->states > 0;
	piece->whole_size = len - from;
	piece->cut = piece->whole_size > LOG_TEXT_MAX;
	text += from;
	len = piece->cut ? whole_len(text, LOG_TEXT_MAX) : piece->whole_size;
	add_plain(piece, text, len);
}
