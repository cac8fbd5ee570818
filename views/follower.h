/*
 * Lets a command that goes on (wait, watch) look at the store whenever that has changed, and puts
 * out what it writes as it comes. While the reader of its output takes nothing it does not look:
 * what happens meanwhile is told in one once it reads again.
 */
#ifndef GPUQ_FOLLOWER_H
#define GPUQ_FOLLOWER_H

#include "tui/spout.h"
#include "views/text/runner.h"

/* {0} with the first two set. */
struct follower {
	struct loop *loop;     /* borrowed */
	struct runner *runner; /* borrowed */
	/* of follower.c */
	bool is_on;
	struct spout out, messages;
	struct buf typed; /* of a line that has not ended yet */
	struct timer timer;
};

void follower_start(struct follower *follower);
/* The store has changed. Nothing before the start. */
void follower_changed(struct follower *follower);
/* What was said since the last look goes out. */
void follower_flush(struct follower *follower);
/* {0} is accepted. */
void follower_stop(struct follower *follower);

#endif
