/*
 * When the screen is painted: the answer to a key at once, data alone at most ten times a second
 * (product.md). Pure; the owner has the timer and the pen. Times are monotonic milliseconds.
 */
#ifndef GPUQ_REPAINT_H
#define GPUQ_REPAINT_H

#include <stdbool.h>
#include <stdint.h>

#define REPAINT_DATA_MS 100 /* between two frames for data */
#define REPAINT_HELD_MS 500 /* between two whole frames while a key is held down */

/* {0}: nothing is wanted, nothing was painted. */
struct repaint {
	bool wanted, urgent;
	bool painted;
	int64_t painted_ms; /* the newest whole frame */
	int64_t newest_ms;  /* the newest of all */
};

/* Something on the screen has changed; urgent where somebody waits for it. What comes later never
 * puts off a frame that is due. */
void repaint_want(struct repaint *repaint, bool urgent);
/* How long the frame has to wait; negative = none is wanted. */
int64_t repaint_wait_ms(const struct repaint *repaint, int64_t now_ms);
/* It has been painted. */
void repaint_done(struct repaint *repaint, int64_t now_ms);

/* Somebody waits who had a frame a moment ago, as with a key held down: what the key moves may be
 * painted alone, so that a slow link keeps up with it. */
bool repaint_may_hurry(const struct repaint *repaint, int64_t now_ms);
/* That has been painted; the rest follows when the keys pause, or after REPAINT_HELD_MS. */
void repaint_hurried(struct repaint *repaint, int64_t now_ms);

#endif
