/*
 * The one pen. Nothing outside draw.c puts text on the screen. All text is sanitised, cut to its
 * rectangle and never leaves it.
 */
#ifndef GPUQ_DRAW_H
#define GPUQ_DRAW_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "tui/layout.h"
#include "model/base/buf.h"
#include "tui/style.h"

struct surface; /* a curses window or pad with a clip rectangle */

/* Wraps a curses window (void * so that no other header needs curses); ascii replaces box drawing,
 * charts and marks by their twins. Free with draw_surface_free (the window stays the caller's). */
struct surface *draw_surface_new(void *window, bool ascii);
/* The theme of what is drawn from now on, as style_start gave it; mono at first. */
void draw_set_theme(struct surface *surface, enum theme theme);
enum theme draw_theme(const struct surface *surface);
void draw_surface_free(struct surface *surface);
void draw_surface_resize(struct surface *surface, int columns, int lines);
struct rect draw_bounds(const struct surface *surface);
bool draw_is_ascii(const struct surface *surface);

void draw_clear(struct surface *surface, struct rect at);
/* One line at (at.y, at.x), cut with an ellipsis to at.w columns, padded with blanks. */
void draw_text(struct surface *surface, struct rect at, enum style style, const char *text);
/* The same, right-aligned. */
void draw_text_right(struct surface *surface, struct rect at, enum style style, const char *text);
/* One line of a pager: characters whose width terminals disagree on are kept (draw_text marks
 * them), so nothing may stand to the right of it. */
void draw_page_line(struct surface *surface, struct rect at, enum style style, const char *text);
/* printf into one line; at most 1,024 bytes. */
void draw_textf(struct surface *surface, struct rect at, enum style style, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* Wraps at blanks into at, and breaks at '\n'; returns the lines used (may exceed at.h: what did
 * not fit). */
int draw_wrapped(struct surface *surface, struct rect at, enum style style, const char *text);
/* A frame with a title in the upper rule and a note right-aligned in it; focus shows as '*' too. */
void draw_frame(struct surface *surface, struct rect at, const char *title, const char *note,
		bool focused);
/* One cell, in a mark of one column of the toolkit's own (chart.c): never a text from outside. */
void draw_mark(struct surface *surface, int x, int y, enum style style, const char *mark);
/* Paints a style over one line without changing the text (a selected row). */
void draw_highlight(struct surface *surface, struct rect at, enum style style);
/* Places the terminal's cursor (a prompt); hidden unless called during the frame. */
void draw_cursor(struct surface *surface, int x, int y);
/* For term.c: a new frame begins without a cursor; where the last draw_cursor put it, false if
 * nowhere. */
void draw_cursor_forget(struct surface *surface);
bool draw_cursor_at(const struct surface *surface, int *x, int *y);

/* Twins chosen by ascii: the mark of a row cursor, an ellipsis, dots and arrows. In texts drawn
 * with ascii they are replaced by themselves, so a text may hold them as they are. */
enum glyph {
	GLYPH_CURSOR,
	GLYPH_ELLIPSIS,
	GLYPH_DOT,
	GLYPH_CHECK,
	GLYPH_CROSS,
	GLYPH_ARROW_UP,
	GLYPH_ARROW_DOWN,
	GLYPH_DASH,
	GLYPH_TIMES,
	GLYPH_LIVE,
	GLYPH_STALE,
	GLYPH_COUNT
};
const char *draw_glyph(const struct surface *surface, enum glyph glyph);

/* Appends a page as it is painted, with its line breaks: made safe, marks in the surface's set. */
void draw_safe_page(const struct surface *surface, struct buf *out, const char *text);

#endif
