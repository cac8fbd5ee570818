/*
 * The terminal: curses writes into a pipe, the loop copies the pipe to the tty without blocking.
 * While bytes are left over no new frame is made: frames are dropped, never queued. Restores the
 * terminal on every way out, a crash included. One per process (curses is global).
 */
#ifndef GPUQ_TERM_H
#define GPUQ_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "tui/draw.h"
#include "tui/input.h"
#include "tui/loop.h"

struct term;

struct term_options {
	int in_fd, out_fd; /* a tty */
	struct loop *loop; /* borrowed */
	const struct clock *clock;
	bool ascii;
	enum theme theme;
	void (*on_key)(void *ctx, struct key key,
		       const char *paste); /* paste: only with that key */
	void (*on_mouse)(void *ctx, const struct mouse *mouse);
	void (*on_resize)(void *ctx);
	void (*on_gone)(void *ctx);  /* EOF, EIO or SIGHUP: leave within a second */
	void (*on_ready)(void *ctx); /* the leftover is written: a frame may be drawn again */
	void *ctx;
};

/* Whether the locale set by setlocale(LC_CTYPE) can show UTF-8. */
bool term_locale_is_utf8(void);

/* Unknown TERM: tries xterm-256color, xterm, ansi, vt100; then ERR_IO, as with no terminal or one
 * that cannot place its cursor (TERM=dumb). Takes SIGWINCH, SIGTSTP, SIGCONT and SIGHUP of the
 * loop. The caller has set LC_CTYPE. */
struct term *term_start(const struct term_options *options, struct err *err);
/* Restores the terminal and frees, within a second even if the reader has stopped. Never from
 * within one of the callbacks. NULL is accepted. */
void term_stop(struct term *term);

/* The surface to draw the next frame on, or NULL while the last one is still being written. */
struct surface *term_frame(struct term *term);
/* The same, with the last frame on it. */
struct surface *term_frame_over(struct term *term);
/* Sends the difference since the last frame. */
void term_show(struct term *term);

/* The terminfo entry in use; another than TERM is worth a notice. Borrowed. */
const char *term_name(const struct term *term);

void term_size(const struct term *term, int *columns, int *lines);
/* Throws away typed keys that have not been handed out. */
void term_discard_input(struct term *term);
/* Lets the mouse be told of, or leaves it to the terminal (selecting text); off at first. False:
 * this terminal has none. */
bool term_set_mouse(struct term *term, bool on);
/* Another theme, from the next frame on, which draws everything. */
void term_set_theme(struct term *term, enum theme theme);
/* Redraws everything with the next frame. */
void term_redraw(struct term *term);
/* Bytes of our own for the terminal, whole, before the next frame; copied. */
void term_send(struct term *term, const char *bytes, size_t len);
/* Bytes written to the tty so far. */
uint64_t term_bytes(const struct term *term);
/* What C-z does: restores the terminal, stops this process as SIGTSTP does by itself (not where
 * nobody could continue it), and on SIGCONT comes back with on_resize. */
void term_suspend(struct term *term);

/*
 * Another program has the terminal until it is taken back: nothing is read, written or drawn.
 * Meanwhile C-z stops this process with it, and nothing else comes of the keys. Taking it back puts
 * modes and screen right, whatever has become of them, with on_resize.
 */
void term_lend(struct term *term);
void term_take_back(struct term *term);
bool term_is_lent(const struct term *term);

#endif
