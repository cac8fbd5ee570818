/*
 * What a container wrote, made into lines to be shown: an event is cut at its line ends, a progress
 * bar that draws itself over and over becomes its last state, the colours of terminals (SGR) become
 * inks, and other CSI sequences, which move a cursor, go. What is left is still text from outside:
 * the pen makes it harmless. Source of the sequences: ECMA-48, 8.3.117 and 5.4.
 */
#ifndef GPUQ_LOG_TEXT_H
#define GPUQ_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"

#define LOG_TEXT_MAX (1u << 20) /* bytes of a line; what is over is cut, and said */
#define LOG_INKS_MAX 256        /* changes of colour in one line; further ones are passed over */

/* The colour of a part of a line; bright ones are their plain twins. */
enum log_ink {
	LOG_INK_PLAIN,
	LOG_INK_STRONG,
	LOG_INK_DIM,
	LOG_INK_RED,
	LOG_INK_GREEN,
	LOG_INK_YELLOW,
	LOG_INK_BLUE,
	LOG_INK_MAGENTA,
	LOG_INK_CYAN,
	LOG_INK_COUNT
};

/* From a byte of the line on. */
struct log_span {
	uint32_t at;
	enum log_ink ink;
};

/* One line read from an event. */
struct log_piece {
	struct buf text;                     /* without escape sequences, line end and NUL */
	struct log_span spans[LOG_INKS_MAX]; /* by their places; none: all of it is plain */
	size_t span_count;
	size_t states;     /* of a bar that were drawn over; 0 = it is none */
	bool begins_over;  /* it draws over the line before it */
	bool cut;          /* it was longer than LOG_TEXT_MAX: */
	size_t whole_size; /* bytes that it had */
};

void log_piece_init(struct log_piece *piece);
void log_piece_release(struct log_piece *piece);

/* Reads one line: without its \n, but a \r before that may be there. */
void log_piece_read(struct log_piece *piece, const char *text, size_t len);

#endif
