/* Several users behind one set of wait_hooks: who is called, and what the loop is asked for. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "aws/waits.h"
#include "model/base/clock.h"

struct loop_side {
	int fd;
	short events;
	int64_t in_ms;
};

static void note_watch(void *host, int fd, short events)
{
	struct loop_side *side = host;
	side->fd = fd;
	side->events = events;
}

static void note_wake(void *host, int64_t ms)
{
	((struct loop_side *)host)->in_ms = ms;
}

struct user {
	struct waiter waiter;
	struct wait_hooks hooks;
	int woken, ready_fd;
	bool again, leaves;
};

static void on_ready(void *ctx, int fd, short events)
{
	(void)events;
	((struct user *)ctx)->ready_fd = fd;
}

static void on_wake(void *ctx)
{
	struct user *user = ctx;
	user->woken++;
	if (user->again)
		user->hooks.wake_in(user->hooks.host, 0);
	if (user->leaves)
		waits_remove(&user->waiter);
}

static int64_t read_ms(void *self)
{
	return *(const int64_t *)self;
}

struct bench {
	int64_t now_ms;
	struct clock clock;
	struct loop_side side;
	struct waits waits;
	struct user a, b;
};

static void join(struct bench *bench, struct user *user)
{
	user->waiter = (struct waiter){ .ready = on_ready, .wake = on_wake, .ctx = user };
	user->hooks = waits_add(&bench->waits, &user->waiter);
}

static void set_up(struct bench *bench)
{
	*bench = (struct bench){ .side = { .in_ms = -2 } };
	bench->clock = (struct clock){ read_ms, read_ms, &bench->now_ms };
	struct wait_hooks hooks = { note_watch, note_wake, &bench->side };
	waits_init(&bench->waits, &hooks, &bench->clock);
	join(bench, &bench->a);
	join(bench, &bench->b);
}

static void tear_down(struct bench *bench)
{
	waits_remove(&bench->a.waiter);
	waits_remove(&bench->b.waiter);
	waits_release(&bench->waits);
}

static void test_earliest_time_wins(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	bench.a.hooks.wake_in(bench.a.hooks.host, 500);
	assert_int_equal(bench.side.in_ms, 500);
	bench.b.hooks.wake_in(bench.b.hooks.host, 200);
	assert_int_equal(bench.side.in_ms, 200);
	bench.now_ms = 200;
	waits_wake(&bench.waits);
	assert_int_equal(bench.a.woken, 0);
	assert_int_equal(bench.b.woken, 1);
	assert_int_equal(bench.side.in_ms, 300);
	bench.a.hooks.wake_in(bench.a.hooks.host, -1);
	assert_int_equal(bench.side.in_ms, -1);
	tear_down(&bench);
}

/* One that wants to go on at once is called once a turn, and the other has its turn too. */
static void test_at_once_holds_nobody_up(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	bench.a.again = bench.b.again = true;
	bench.a.hooks.wake_in(bench.a.hooks.host, 0);
	bench.b.hooks.wake_in(bench.b.hooks.host, 0);
	waits_wake(&bench.waits);
	assert_int_equal(bench.a.woken, 1);
	assert_int_equal(bench.b.woken, 1);
	assert_int_equal(bench.side.in_ms, 0);
	tear_down(&bench);
}

static void test_descriptors_go_to_their_owner(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	bench.a.hooks.watch(bench.a.hooks.host, 7, POLLIN);
	bench.b.hooks.watch(bench.b.hooks.host, 8, POLLIN);
	waits_ready(&bench.waits, 8, POLLIN);
	assert_int_equal(bench.a.ready_fd, 0);
	assert_int_equal(bench.b.ready_fd, 8);
	/* Not the owner's: nothing is forgotten. */
	bench.a.hooks.watch(bench.a.hooks.host, 8, 0);
	assert_int_equal(bench.side.events, POLLIN);
	waits_remove(&bench.b.waiter);
	assert_int_equal(bench.side.fd, 8);
	assert_int_equal(bench.side.events, 0);
	bench.b.ready_fd = 0;
	waits_ready(&bench.waits, 8, POLLIN);
	assert_int_equal(bench.b.ready_fd, 0);
	tear_down(&bench);
}

static void test_leaving_from_inside_a_call(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	bench.a.leaves = bench.b.leaves = true;
	bench.a.hooks.wake_in(bench.a.hooks.host, 0);
	bench.b.hooks.wake_in(bench.b.hooks.host, 0);
	waits_wake(&bench.waits);
	assert_int_equal(bench.a.woken + bench.b.woken, 2);
	assert_int_equal(bench.side.in_ms, -1);
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_earliest_time_wins),
		cmocka_unit_test(test_at_once_holds_nobody_up),
		cmocka_unit_test(test_descriptors_go_to_their_owner),
		cmocka_unit_test(test_leaving_from_inside_a_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
