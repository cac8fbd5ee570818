/*
 * The event loop: descriptors, timers, signals and child processes behind one ppoll. A turn is:
 * nearest timer -> ppoll (signals are open only there) -> signals that came -> ready descriptors
 * -> due timers.
 * Everything runs on the calling thread.
 */
#ifndef GPUQ_LOOP_H
#define GPUQ_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/clock.h"

struct loop;

/* Embedded in its owner, {0} is disarmed. The owner disarms it before it goes away. */
struct timer {
	void (*fire)(void *ctx);
	void *ctx;
	int64_t due_ms; /* the loop's */
	size_t slot;    /* the loop's; 0 = not armed */
};

/* The clock is borrowed for the loop's life. Never NULL. */
struct loop *loop_new(const struct clock *clock);
void loop_free(struct loop *loop);

typedef void loop_ready_fn(int fd, short events, void *ctx);

/* Calls ready when fd has one of events (POLLIN, POLLOUT; errors always); events 0 forgets it.
 * Handlers may change watches at will, their own included. */
void loop_watch(struct loop *loop, int fd, short events, loop_ready_fn *ready, void *ctx);

/* Fires once in in_ms (0 = next turn); moves an armed one; negative disarms. */
void loop_arm(struct loop *loop, struct timer *timer, int64_t in_ms);

/* Blocks the signals except inside ppoll and remembers which came. SIGPIPE and
 * SIGXFSZ are ignored: the write that they are about says so itself. Call
 * before any other thread starts (curl's resolver). */
void loop_take_signals(struct loop *loop);
/* Called on this thread, in the turn in which the signal came: SIGWINCH, SIGTERM, SIGINT, SIGHUP,
 * SIGTSTP, SIGCONT, SIGCHLD. One handler a signal; NULL removes it. */
void loop_on_signal(struct loop *loop, int signo, void (*handle)(int signo, void *ctx), void *ctx);

/* One turn, waiting at most max_wait_ms (negative = until something happens). False after
 * loop_stop. */
bool loop_turn(struct loop *loop, int64_t max_wait_ms);
void loop_stop(struct loop *loop);

#endif
