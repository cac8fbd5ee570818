/*
 * Many users of one set of wait_hooks: each gets hooks of its own, and what the loop reports is
 * handed to the one who asked for it. The loop's side sees the earliest of all wanted times.
 */
#ifndef GPUQ_WAITS_H
#define GPUQ_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/transport.h"
#include "model/base/clock.h"

/* Embedded in its user, which removes it before it goes away. */
struct waiter {
	/* A watched descriptor has poll events; NULL for one that watches none. */
	void (*ready)(void *ctx, int fd, short events);
	/* The wanted time has come. */
	void (*wake)(void *ctx);
	void *ctx;
	/* of waits.c */
	struct waits *waits;
	int64_t due_ms; /* monotonic; INT64_MAX = none */
	bool called;    /* by the wake-up under way */
	struct waiter *next;
};

struct waits {
	struct wait_hooks hooks;
	const struct clock *clock;
	struct waiter *waiters;
	struct {
		int fd;
		struct waiter *waiter;
	} * watches;
	size_t watch_count, watch_capacity;
};

/* The clock is borrowed. */
void waits_init(struct waits *waits, const struct wait_hooks *hooks, const struct clock *clock);
/* All waiters are gone by then. */
void waits_release(struct waits *waits);

/* Adds it and returns its hooks, good until it is removed. */
struct wait_hooks waits_add(struct waits *waits, struct waiter *waiter);
/* Forgets its descriptors and its time. One that was never added is accepted. */
void waits_remove(struct waiter *waiter);

/* From the loop. Handlers may add and remove waiters at will, themselves included. */
void waits_ready(struct waits *waits, int fd, short events);
void waits_wake(struct waits *waits);

#endif
