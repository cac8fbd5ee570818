#define _GNU_SOURCE /* ppoll */

#include "tui/loop.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "model/base/attr.h"
#include "model/base/mem.h"

#define WAIT_MAX_MS (24 * 3600 * 1000) /* a turn that finds nothing due is harmless */

struct watch {
	int fd;
	short events;
	uint64_t id; /* tells a new watch on a reused descriptor from the old one */
	loop_ready_fn *ready;
	void *ctx;
};

struct due {
	struct timer *timer;
	uint64_t order; /* of arming: equal times fire in this order */
};

struct signal_handler {
	void (*handle)(int signo, void *ctx);
	void *ctx;
};

/* Those that the loop opens; the first rows are handed out first. */
static const int taken_signals[] = { SIGHUP, SIGTERM, SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD };
#define TAKEN ARRAY_LEN(taken_signals)

struct loop {
	const struct clock *clock;
	struct watch *watches;
	size_t watch_count, watch_capacity;
	struct pollfd *polled; /* a snapshot of the watches for one turn */
	uint64_t *polled_ids;
	size_t polled_capacity, ids_capacity;
	struct due *heap; /* the entry of timer->slot is heap[slot - 1] */
	size_t heap_count, heap_capacity;
	uint64_t next_id, next_order;
	struct signal_handler handlers[TAKEN];
	struct sigaction old_actions[TAKEN], old_pipe, old_size;
	sigset_t old_mask, open_mask;
	bool has_signals, stopped, turning;
};

/* A signal handler is given nothing but the number, so its flags have to be static. */
static volatile sig_atomic_t signal_came[TAKEN];

static void note_signal(int signo)
{
	for (size_t i = 0; i < TAKEN; i++)
		if (taken_signals[i] == signo)
			signal_came[i] = 1;
}

struct loop *loop_new(const struct clock *clock)
{
	struct loop *loop = mem_new(1, sizeof(*loop));

	loop->clock = clock;
	return loop;
}

static void give_signals_back(struct loop *loop)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	/* One that came after the last turn was the loop's: ignoring drops it, where the old
	 * action would end the program in the middle of its own leaving. */
	for (size_t i = 0; i < TAKEN; i++)
		(void)sigaction(taken_signals[i], &ignore, NULL);
	for (size_t i = 0; i < TAKEN; i++)
		(void)sigaction(taken_signals[i], &loop->old_actions[i], NULL);
	(void)sigaction(SIGPIPE, &loop->old_pipe, NULL);
	(void)sigaction(SIGXFSZ, &loop->old_size, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &loop->old_mask, NULL);
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	for (size_t i = 0; i < loop->heap_count; i++)
		loop->heap[i].timer->slot = 0;
	if (loop->has_signals)
		give_signals_back(loop);
	free(loop->watches);
	free(loop->polled);
	free(loop->polled_ids);
	free(loop->heap);
	free(loop);
}

/* watches */

static struct watch *find_watch(struct loop *loop, int fd)
{
	for (size_t i = 0; i < loop->watch_count; i++)
		if (loop->watches[i].fd == fd)
			return &loop->watches[i];
	return NULL;
}

static void forget_watch(struct loop *loop, struct watch *watch)
{
	*watch = loop->watches[--loop->watch_count];
}

void loop_watch(struct loop *loop, int fd, short events, loop_ready_fn *ready, void *ctx)
{
	struct watch *watch = find_watch(loop, fd);

	if (events == 0) {
		if (watch)
			forget_watch(loop, watch);
		return;
	}
	assert(fd >= 0 && ready);
	if (!watch) {
		loop->watches = mem_grow(loop->watches, &loop->watch_capacity,
					 loop->watch_count + 1, sizeof(*loop->watches));
		watch = &loop->watches[loop->watch_count++];
		*watch = (struct watch){ .fd = fd, .id = ++loop->next_id };
	} else if (watch->ready != ready || watch->ctx != ctx) {
		watch->id = ++loop->next_id;
	}
	watch->events = events;
	watch->ready = ready;
	watch->ctx = ctx;
}

static size_t snapshot_watches(struct loop *loop)
{
	size_t count = loop->watch_count;

	loop->polled =
		mem_grow(loop->polled, &loop->polled_capacity, count + 1, sizeof(*loop->polled));
	loop->polled_ids = mem_grow(loop->polled_ids, &loop->ids_capacity, count + 1,
				    sizeof(*loop->polled_ids));
	for (size_t i = 0; i < count; i++) {
		loop->polled[i] = (struct pollfd){ .fd = loop->watches[i].fd,
						   .events = loop->watches[i].events };
		loop->polled_ids[i] = loop->watches[i].id;
	}
	return count;
}

static void dispatch_watches(struct loop *loop, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct pollfd polled = loop->polled[i];
		struct watch *watch = polled.revents ? find_watch(loop, polled.fd) : NULL;

		/* An earlier handler of this turn may have ended or replaced the watch. */
		if (!watch || watch->id != loop->polled_ids[i])
			continue;
		short wanted = (short)(watch->events | POLLERR | POLLHUP | POLLNVAL);
		short events = (short)(polled.revents & wanted);
		if (!events)
			continue;
		struct watch call = *watch;
		if (events & POLLNVAL) /* closed but still watched: it would spin */
			forget_watch(loop, watch);
		call.ready(call.fd, events, call.ctx);
	}
}

/* timers: a binary heap by due time, then by order of arming */

static bool due_before(const struct due *a, const struct due *b)
{
	if (a->timer->due_ms != b->timer->due_ms)
		return a->timer->due_ms < b->timer->due_ms;
	return a->order < b->order;
}

static void heap_put(struct loop *loop, size_t at, struct due due)
{
	loop->heap[at] = due;
	due.timer->slot = at + 1;
}

static void heap_up(struct loop *loop, size_t at)
{
	struct due due = loop->heap[at];

	while (at > 0 && due_before(&due, &loop->heap[(at - 1) / 2])) {
		heap_put(loop, at, loop->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_put(loop, at, due);
}

static void heap_down(struct loop *loop, size_t at)
{
	struct due due = loop->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= loop->heap_count)
			break;
		if (child + 1 < loop->heap_count &&
		    due_before(&loop->heap[child + 1], &loop->heap[child]))
			child++;
		if (!due_before(&loop->heap[child], &due))
			break;
		heap_put(loop, at, loop->heap[child]);
		at = child;
	}
	heap_put(loop, at, due);
}

static void disarm(struct loop *loop, struct timer *timer)
{
	size_t at = timer->slot - 1;
	struct due last = loop->heap[--loop->heap_count];

	timer->slot = 0;
	if (at == loop->heap_count)
		return;
	heap_put(loop, at, last);
	heap_up(loop, at);
	heap_down(loop, last.timer->slot - 1);
}

void loop_arm(struct loop *loop, struct timer *timer, int64_t in_ms)
{
	if (timer->slot != 0)
		disarm(loop, timer);
	if (in_ms < 0)
		return;
	int64_t now = clock_mono_ms(loop->clock);
	timer->due_ms = in_ms > INT64_MAX - now ? INT64_MAX : now + in_ms;
	loop->heap = mem_grow(loop->heap, &loop->heap_capacity, loop->heap_count + 1,
			      sizeof(*loop->heap));
	heap_put(loop, loop->heap_count,
		 (struct due){ .timer = timer, .order = loop->next_order++ });
	heap_up(loop, loop->heap_count++);
}

static void fire_due(struct loop *loop)
{
	int64_t now = clock_mono_ms(loop->clock);
	uint64_t limit = loop->next_order; /* what is armed from here on is for the next turn */

	while (loop->heap_count > 0) {
		struct due first = loop->heap[0];
		if (first.timer->due_ms > now || first.order >= limit)
			break;
		disarm(loop, first.timer);
		first.timer->fire(first.timer->ctx);
	}
}

/* signals */

void loop_take_signals(struct loop *loop)
{
	struct sigaction action = { .sa_handler = note_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t taken;

	if (loop->has_signals)
		return;
	loop->has_signals = true;
	(void)sigemptyset(&taken);
	(void)sigfillset(&action.sa_mask);
	for (size_t i = 0; i < TAKEN; i++)
		(void)sigaddset(&taken, taken_signals[i]);
	(void)pthread_sigmask(SIG_BLOCK, &taken, &loop->old_mask);
	loop->open_mask = loop->old_mask;
	for (size_t i = 0; i < TAKEN; i++) {
		signal_came[i] = 0;
		(void)sigdelset(&loop->open_mask, taken_signals[i]);
		(void)sigaction(taken_signals[i], &action, &loop->old_actions[i]);
	}
	(void)sigaction(SIGPIPE, &ignore, &loop->old_pipe);
	(void)sigaction(SIGXFSZ, &ignore, &loop->old_size);
}

void loop_on_signal(struct loop *loop, int signo, void (*handle)(int signo, void *ctx), void *ctx)
{
	for (size_t i = 0; i < TAKEN; i++)
		if (taken_signals[i] == signo)
			loop->handlers[i] = (struct signal_handler){ handle, ctx };
}

/* ppoll leaves pending signals alone when a descriptor is ready at once, which a busy one can be
 * for ever: then they are let in here. */
static void dispatch_signals(struct loop *loop, bool let_in)
{
	sigset_t closed;

	if (let_in && pthread_sigmask(SIG_SETMASK, &loop->open_mask, &closed) == 0)
		(void)pthread_sigmask(SIG_SETMASK, &closed, NULL);
	for (size_t i = 0; i < TAKEN; i++) {
		if (!signal_came[i])
			continue;
		signal_came[i] = 0;
		if (loop->handlers[i].handle)
			loop->handlers[i].handle(taken_signals[i], loop->handlers[i].ctx);
	}
}

/* the turn */

static int64_t wait_for(const struct loop *loop, int64_t max_wait_ms)
{
	int64_t wait = max_wait_ms;

	if (loop->heap_count > 0) {
		int64_t due = loop->heap[0].timer->due_ms;
		int64_t now = clock_mono_ms(loop->clock);
		int64_t left = due > now ? due - now : 0;
		if (wait < 0 || left < wait)
			wait = left;
	}
	return wait > WAIT_MAX_MS ? WAIT_MAX_MS : wait;
}

bool loop_turn(struct loop *loop, int64_t max_wait_ms)
{
	if (loop->stopped)
		return false;
	assert(!loop->turning);
	loop->turning = true;
	int64_t wait = wait_for(loop, max_wait_ms);
	struct timespec timeout = { .tv_sec = (time_t)(wait / 1000),
				    .tv_nsec = (long)(wait % 1000) * 1000000L };
	size_t count = snapshot_watches(loop);
	int ready = ppoll(loop->polled, (nfds_t)count, wait < 0 ? NULL : &timeout,
			  loop->has_signals ? &loop->open_mask : NULL);
	if (loop->has_signals)
		dispatch_signals(loop, ready > 0);
	if (ready > 0)
		dispatch_watches(loop, count);
	fire_due(loop);
	loop->turning = false;
	return !loop->stopped;
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}
