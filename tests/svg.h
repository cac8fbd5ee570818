/*
 * A terminal's screen as an SVG image: text in runs of one style, each at its own place, and
 * frames, bars and marks as shapes, so that columns line up and lines meet whatever font the viewer
 * has.
 */
#ifndef GPUQ_TESTS_SVG_H
#define GPUQ_TESTS_SVG_H

#include <stdbool.h>

#include "model/base/buf.h"
#include "tests/screen.h"

#define SVG_CELL_WIDTH  9
#define SVG_CELL_HEIGHT 18
#define SVG_LEFT        14 /* from the image's edge to the first cell */
#define SVG_TOP         32

struct svg_picture {
	const char *title;
	const struct pty_cell *cells; /* row by row */
	int columns, lines;
	bool has_cursor;
	int cursor_x, cursor_y;
};

/* Appends the whole file; the same picture gives the same bytes. */
void svg_write(const struct svg_picture *picture, struct buf *out);

/* The terminal as it stands now. */
void svg_write_terminal(const struct pty *pty, int columns, int lines, const char *title,
			struct buf *out);

#endif
