#include "aws/waits.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/base/mem.h"

void waits_init(struct waits *waits, const struct wait_hooks *hooks, const struct clock *clock)
{
	*waits = (struct waits){ .hooks = *hooks, .clock = clock };
}

void waits_release(struct waits *waits)
{
	free(waits->watches);
	waits->watches = NULL;
	waits->watch_count = waits->watch_capacity = 0;
}

static void arm_earliest(struct waits *waits)
{
	int64_t due_ms = INT64_MAX;
	for (const struct waiter *waiter = waits->waiters; waiter; waiter = waiter->next)
		if (waiter->due_ms < due_ms)
			due_ms = waiter->due_ms;
	int64_t in_ms = due_ms == INT64_MAX ? -1 : due_ms - clock_mono_ms(waits->clock);
	waits->hooks.wake_in(waits->hooks.host, due_ms != INT64_MAX && in_ms < 0 ? 0 : in_ms);
}

static void wake_in(void *host, int64_t ms)
{
	struct waiter *waiter = host;
	waiter->due_ms = ms < 0 ? INT64_MAX : clock_mono_ms(waiter->waits->clock) + ms;
	arm_earliest(waiter->waits);
}

static void forget(struct waits *waits, size_t at)
{
	waits->hooks.watch(waits->hooks.host, waits->watches[at].fd, 0);
	waits->watches[at] = waits->watches[--waits->watch_count];
}

static void watch(void *host, int fd, short events)
{
	struct waiter *waiter = host;
	struct waits *waits = waiter->waits;
	size_t at = 0;
	while (at < waits->watch_count && waits->watches[at].fd != fd)
		at++;
	if (events == 0) {
		/* A number that was closed and opened again may be another's by now. */
		if (at < waits->watch_count && waits->watches[at].waiter == waiter)
			forget(waits, at);
		return;
	}
	if (at == waits->watch_count) {
		waits->watches = mem_grow(waits->watches, &waits->watch_capacity,
					  waits->watch_count + 1, sizeof(*waits->watches));
		waits->watch_count++;
	}
	waits->watches[at].fd = fd;
	waits->watches[at].waiter = waiter;
	waits->hooks.watch(waits->hooks.host, fd, events);
}

struct wait_hooks waits_add(struct waits *waits, struct waiter *waiter)
{
	waiter->waits = waits;
	waiter->due_ms = INT64_MAX;
	waiter->called = false;
	waiter->next = waits->waiters;
	waits->waiters = waiter;
	return (struct wait_hooks){ .watch = watch, .wake_in = wake_in, .host = waiter };
}

void waits_remove(struct waiter *waiter)
{
	struct waits *waits = waiter->waits;
	if (!waits)
		return;
	for (size_t i = waits->watch_count; i > 0; i--)
		if (waits->watches[i - 1].waiter == waiter)
			forget(waits, i - 1);
	struct waiter **at = &waits->waiters;
	while (*at != waiter)
		at = &(*at)->next;
	*at = waiter->next;
	waiter->waits = NULL;
	arm_earliest(waits);
}

void waits_ready(struct waits *waits, int fd, short events)
{
	for (size_t i = 0; i < waits->watch_count; i++) {
		struct waiter *waiter = waits->watches[i].waiter;
		if (waits->watches[i].fd == fd) {
			waiter->ready(waiter->ctx, fd, events);
			return;
		}
	}
}

static struct waiter *take_called(struct waits *waits)
{
	for (struct waiter *waiter = waits->waiters; waiter; waiter = waiter->next) {
		if (waiter->called) {
			waiter->called = false;
			return waiter;
		}
	}
	return NULL;
}

void waits_wake(struct waits *waits)
{
	int64_t now_ms = clock_mono_ms(waits->clock);
	/* Chosen beforehand: one that asks for "at once" each time must not hold up the rest. */
	for (struct waiter *waiter = waits->waiters; waiter; waiter = waiter->next) {
		waiter->called = waiter->due_ms <= now_ms;
		if (waiter->called)
			waiter->due_ms = INT64_MAX;
	}
	for (struct waiter *called; (called = take_called(waits)) != NULL;)
		called->wake(called->ctx);
	arm_earliest(waits);
}
