/*
 * Text into the hands of who sits at the terminal. Inside tmux by `tmux load-buffer -w -`: tmux
 * keeps it as its buffer and hands it on (it drops what programs send themselves by default). Else
 * by OSC 52, of which no terminal tells whether it was taken. facts/peers.md; one at a time.
 */
#ifndef GPUQ_CLIPBOARD_H
#define GPUQ_CLIPBOARD_H

#include <sys/types.h>

#include "model/base/buf.h"
#include "tui/term.h"

/* Bytes of text that OSC 52 carries: 100,000 in Base64, above which terminals drop it. */
#define CLIPBOARD_OSC_MAX 74994
#define CLIPBOARD_TMUX_MS 10000 /* that tmux has for it */

/* {0} with the first four set. */
struct clipboard {
	struct loop *loop; /* borrowed */
	struct term *term; /* borrowed */
	/* What was done, in a line; ok: as far as can be known. Later, never from inside of copy.
	 */
	void (*told)(void *ctx, bool ok, const char *text);
	void *ctx;
	/* of clipboard.c */
	struct buf text; /* what tmux has not read yet begins at: */
	size_t at;
	pid_t pid; /* of tmux; 0 = none runs */
	int input; /* of it; valid while pid */
	struct timer timer;
	int64_t left_ms;
};

/* Copies text. False with err: another copy is under way, it is too long, or tmux cannot be
 * started. */
bool clipboard_copy(struct clipboard *clipboard, const char *text, size_t len,
		    struct err *err) MUST_CHECK;
/* Ends a tmux that is still at it. {0} is accepted. */
void clipboard_release(struct clipboard *clipboard);

/* Appends the sequence of OSC 52 for a text. */
void clipboard_add_osc(struct buf *out, const char *text, size_t len);

#endif
