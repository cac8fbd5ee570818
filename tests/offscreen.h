/*
 * A surface without a terminal: curses on /dev/null and a pad, read back as text, style roles and
 * cursor. Views and widgets draw on it as on the real one. One at a time (curses is global).
 */
#ifndef GPUQ_TESTS_OFFSCREEN_H
#define GPUQ_TESTS_OFFSCREEN_H

#include <stdbool.h>

#include "model/base/buf.h"
#include "tui/draw.h"

struct offscreen_options {
	int columns, lines;
	bool ascii, no_color;
	enum theme theme; /* without no_color; mono stands for dark */
	const char *term; /* NULL = xterm-256color */
};

struct offscreen;

/* Sets LC_CTYPE to C.UTF-8. Never NULL: what cannot be set up ends the test with a message. */
struct offscreen *offscreen_new(int columns, int lines);
struct offscreen *offscreen_open(const struct offscreen_options *options);
void offscreen_free(struct offscreen *offscreen);

/* Where to draw; the content stays until it is drawn over or cleared. */
struct surface *offscreen_surface(struct offscreen *offscreen);
/* Blank again, and without a cursor: as a frame begins. */
void offscreen_clear(struct offscreen *offscreen);

/* All lines, without the blanks at their ends, each ended by '\n'. Borrowed until the next call
 * of the two. */
const char *offscreen_text(struct offscreen *offscreen);
/* The look of each cell as a letter, line by line: '.' is the terminal's own; below them what each
 * letter is: colours of the palette (-1: own) and traits. Borrowed as the text. */
const char *offscreen_looks(struct offscreen *offscreen);
/* One line of it, without '\n'. */
const char *offscreen_line(struct offscreen *offscreen, int y);

/* Whether the cell at (x, y) looks as this role does. Roles may look alike. */
bool offscreen_has_style(const struct offscreen *offscreen, int x, int y, enum style style);
/* Those of a role in the theme in use. */
unsigned offscreen_style(const struct offscreen *offscreen, enum style style);
/* A cell's curses attributes. */
unsigned offscreen_attributes(const struct offscreen *offscreen, int x, int y);

/* Where a text begins; false if it stands nowhere. x in columns. */
bool offscreen_find(struct offscreen *offscreen, const char *text, int *x, int *y);

/* Where the cursor was asked for, false if nowhere. */
bool offscreen_cursor(const struct offscreen *offscreen, int *x, int *y);

#endif
