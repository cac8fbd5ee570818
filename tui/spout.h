/*
 * Text for a descriptor that a shell or another program holds too: a pipe, a terminal, a file. It
 * is written as it is taken, and nothing waits for a reader that has stopped. O_NONBLOCK is not
 * set, since it would be everybody's.
 */
#ifndef GPUQ_SPOUT_H
#define GPUQ_SPOUT_H

#include "model/base/buf.h"
#include "model/base/err.h"
#include "tui/loop.h"

#define SPOUT_MAX (8u << 20) /* bytes that wait; what is more is dropped */

/* {0} with the first five set. */
struct spout {
	struct loop *loop;          /* borrowed */
	int fd;                     /* borrowed */
	void (*drained)(void *ctx); /* all is written: later, never from inside of add */
	/* Nothing is written any more; err NULL: the reader has gone, which is no error. */
	void (*gone)(void *ctx, const struct err *err);
	void *ctx;
	/* of spout.c */
	struct buf text;
	bool is_open, is_tty;
};

void spout_open(struct spout *spout);
/* Copies. */
void spout_add(struct spout *spout, const char *text, size_t len);
/* Something is left to be written. */
bool spout_is_full(const struct spout *spout);
/* What is left is dropped but for what is taken at once. {0} is accepted. */
void spout_close(struct spout *spout);

#endif
