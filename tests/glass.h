/*
 * A terminal inside this process: the program's own writer (tui/term.h) on a pty, libvterm on its
 * other side. What is drawn goes both through it and onto a surface that is on no terminal; what
 * libvterm shows is compared with that surface cell by cell, and the bytes in between are read by
 * a scanner of its own. One at a time (curses is global).
 */
#ifndef GPUQ_TESTS_GLASS_H
#define GPUQ_TESTS_GLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw.h"

struct glass;

/* Sets TERM to xterm-256color and LC_CTYPE to C.UTF-8. Never NULL: what cannot be set up ends the
 * test with a message. */
struct glass *glass_new(int columns, int lines);
void glass_free(struct glass *glass);

typedef void glass_draw_fn(const void *ctx, struct surface *out);

/*
 * One frame, drawn twice: for the terminal and for the surface. False: a cell or the cursor is
 * another one on the terminal than on the surface, or a byte went there that has no business
 * there. It is OSC other than 52, 9 and 777, DCS, APC, PM and SOS, controls of C0 and C1 but for
 * those that curses places its cursor by, broken UTF-8, and what turns the direction of text.
 */
bool glass_show(struct glass *glass, glass_draw_fn *draw, const void *ctx);
/* What the last glass_show found, with both lines. Borrowed until the next one. */
const char *glass_why(struct glass *glass);

/* The surface that is on no terminal. */
struct surface *glass_surface(struct glass *glass);
/* Bytes of the program's own, before the next frame. */
void glass_send(struct glass *glass, const char *bytes, size_t len);
/*
 * Whether a pager is in sight, which shows characters whose width terminals disagree on as they are
 * (product.md). A line that differs because libvterm's tables are older than the C library's is
 * passed over there, and counted; everywhere else it is an error as any.
 */
void glass_expect_page(struct glass *glass, bool is_page);
unsigned long glass_doubtful(const struct glass *glass);
/* OSC sequences seen so far. */
unsigned long glass_sequences(const struct glass *glass);

#endif
