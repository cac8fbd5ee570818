/*
 * When the screen is painted: the answer to a key at once, data alone at most ten times a second
 * (product.md). Pure; the owner has the timer and the pen. Times are monotonic milliseconds.
 */
#ifndef GPUQ_REPAINT_H
#define GPUQ_REPAINT_H

#include <stdbool.h>
#include <stdint.h>

#define REPAINT_DATA_MS 100 /* between two frames for data */

/* {0}: nothing is wanted, nothing was painted. */
struct repaint {
	bool wanted, urgent;
	bool painted;
	int64_t painted_ms; /* the newest frame */
};

/* Something on the screen has changed; urgent where somebody waits for it. What comes later never
 * puts off a frame that is due. */
void repaint_want(struct repaint *repaint, bool urgent);
/* How long the frame has to wait; negative = none is wanted. */
int64_t repaint_wait_ms(const struct repaint *repaint, int64_t now_ms);
/* It has been painted. */
void repaint_done(struct repaint *repaint, int64_t now_ms);

#endif
