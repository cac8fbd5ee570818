#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/attr.h"
#include "tui/loop.h"

struct fixture {
	int64_t now_ms;
	struct clock clock;
	struct loop *loop;
	int pipes[2][2]; /* read, write */
	char log[256];   /* a letter for each call, in order */
};

static int64_t fake_now(void *self)
{
	return ((struct fixture *)self)->now_ms;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return 1;
	f->now_ms = 1000;
	f->clock = (struct clock){ .mono_ms = fake_now, .wall_ms = fake_now, .self = f };
	f->loop = loop_new(&f->clock);
	*state = f;
	return pipe(f->pipes[0]) != 0 || pipe(f->pipes[1]) != 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	loop_free(f->loop);
	for (int i = 0; i < 4; i++)
		(void)close(f->pipes[i / 2][i % 2]);
	free(f);
	return 0;
}

static void note(struct fixture *f, char letter)
{
	size_t len = strlen(f->log);

	if (len + 1 < sizeof(f->log))
		f->log[len] = letter;
}

static void put_byte(int fd)
{
	assert_int_equal(write(fd, "x", 1), 1);
}

static void take_byte(int fd)
{
	char byte;

	assert_int_equal(read(fd, &byte, 1), 1);
}

/* descriptors */

static void on_a(int fd, short events, void *ctx)
{
	(void)fd;
	note(ctx, events & POLLIN ? 'a' : events & POLLHUP ? 'h' : events & POLLNVAL ? 'n' : '?');
}

static void on_b(int fd, short events, void *ctx)
{
	(void)fd;
	(void)events;
	note(ctx, 'b');
}

static void watch__is_called_each_turn__while_readable(void **state)
{
	struct fixture *f = *state;

	loop_watch(f->loop, f->pipes[0][0], POLLIN, on_a, f);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "");
	put_byte(f->pipes[0][1]);
	assert_true(loop_turn(f->loop, -1));
	assert_true(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "aa");
	take_byte(f->pipes[0][0]);
	assert_true(loop_turn(f->loop, 0));
	loop_watch(f->loop, f->pipes[0][0], 0, NULL, NULL);
	put_byte(f->pipes[0][1]);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "aa");
}

static void watch__takes_other_events__when_watched_again(void **state)
{
	struct fixture *f = *state;

	loop_watch(f->loop, f->pipes[0][1], POLLOUT, on_b, f);
	assert_true(loop_turn(f->loop, 0));
	loop_watch(f->loop, f->pipes[0][1], POLLIN, on_b, f);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "b");
}

static void watch__hears_of_a_hang_up__unasked(void **state)
{
	struct fixture *f = *state;

	loop_watch(f->loop, f->pipes[0][0], POLLIN, on_a, f);
	(void)close(f->pipes[0][1]);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "h");
	f->pipes[0][1] = -1;
}

static void watch__is_told_once_and_forgotten__when_the_descriptor_is_closed(void **state)
{
	struct fixture *f = *state;

	loop_watch(f->loop, f->pipes[0][0], POLLIN, on_a, f);
	(void)close(f->pipes[0][0]);
	f->pipes[0][0] = -1;
	assert_true(loop_turn(f->loop, 0));
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "n");
}

/* Whoever comes first ends the other's watch. */
static void end_both(int fd, short events, void *ctx)
{
	struct fixture *f = ctx;

	(void)fd;
	(void)events;
	note(f, 'e');
	loop_watch(f->loop, f->pipes[0][0], 0, NULL, NULL);
	loop_watch(f->loop, f->pipes[1][0], 0, NULL, NULL);
}

static void watch__is_not_called__when_ended_earlier_in_the_turn(void **state)
{
	struct fixture *f = *state;

	put_byte(f->pipes[0][1]);
	put_byte(f->pipes[1][1]);
	loop_watch(f->loop, f->pipes[0][0], POLLIN, end_both, f);
	loop_watch(f->loop, f->pipes[1][0], POLLIN, end_both, f);
	assert_true(loop_turn(f->loop, 0));
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "e");
}

/* The number of a closed descriptor comes back at once, for something else. */
static void reuse_other(int fd, short events, void *ctx)
{
	struct fixture *f = ctx;
	int other = fd == f->pipes[0][0] ? f->pipes[1][0] : f->pipes[0][0];

	(void)events;
	note(f, 'r');
	loop_watch(f->loop, fd, 0, NULL, NULL);
	loop_watch(f->loop, other, 0, NULL, NULL);
	loop_watch(f->loop, other, POLLIN, on_b, f);
}

static void watch__is_not_taken_for_the_old_one__when_the_number_is_reused(void **state)
{
	struct fixture *f = *state;

	put_byte(f->pipes[0][1]);
	put_byte(f->pipes[1][1]);
	loop_watch(f->loop, f->pipes[0][0], POLLIN, reuse_other, f);
	loop_watch(f->loop, f->pipes[1][0], POLLIN, reuse_other, f);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "r");
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "rb");
}

static void add_watches(int fd, short events, void *ctx)
{
	struct fixture *f = ctx;

	(void)events;
	take_byte(fd);
	for (int i = 100; i < 164; i++)
		assert_int_equal(dup2(f->pipes[1][0], i), i);
	for (int i = 100; i < 164; i++)
		loop_watch(f->loop, i, POLLIN, on_b, f);
}

static void watch__may_be_added__by_a_handler(void **state)
{
	struct fixture *f = *state;

	put_byte(f->pipes[0][1]);
	put_byte(f->pipes[1][1]);
	loop_watch(f->loop, f->pipes[0][0], POLLIN, add_watches, f);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "");
	assert_true(loop_turn(f->loop, 0));
	assert_int_equal(strlen(f->log), 64);
	for (int i = 100; i < 164; i++)
		(void)close(i);
}

/* timers */

struct tick {
	struct timer timer;
	struct fixture *f;
	char letter;
	int64_t again_ms;    /* rearms itself; negative = not */
	struct timer *other; /* disarmed when it fires */
};

static void on_tick(void *ctx)
{
	struct tick *tick = ctx;

	note(tick->f, tick->letter);
	if (tick->again_ms >= 0)
		loop_arm(tick->f->loop, &tick->timer, tick->again_ms);
	if (tick->other)
		loop_arm(tick->f->loop, tick->other, -1);
}

static struct tick tick_of(struct fixture *f, char letter)
{
	return (struct tick){
		.timer = { .fire = on_tick }, .f = f, .letter = letter, .again_ms = -1
	};
}

static void arm(struct tick *tick, int64_t in_ms)
{
	tick->timer.ctx = tick;
	loop_arm(tick->f->loop, &tick->timer, in_ms);
}

static void timer__fires_once__when_due(void **state)
{
	struct fixture *f = *state;
	struct tick tick = tick_of(f, 't');

	arm(&tick, 50);
	f->now_ms += 49;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "");
	f->now_ms += 1;
	assert_true(loop_turn(f->loop, -1));
	f->now_ms += 1000;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "t");
	assert_int_equal(tick.timer.slot, 0);
}

static void timer__fires_in_order__of_due_times_then_of_arming(void **state)
{
	struct fixture *f = *state;
	static const int delays[] = { 30, 10, 20, 10, 0, 30, 20 };
	struct tick ticks[ARRAY_LEN(delays)];

	for (size_t i = 0; i < ARRAY_LEN(delays); i++) {
		ticks[i] = tick_of(f, (char)('a' + i));
		arm(&ticks[i], delays[i]);
	}
	f->now_ms += 100;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "ebdcgaf");
}

static void timer__moves__when_armed_again(void **state)
{
	struct fixture *f = *state;
	struct tick a = tick_of(f, 'a'), b = tick_of(f, 'b');

	arm(&a, 10);
	arm(&b, 20);
	arm(&a, 30);
	f->now_ms += 25;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "b");
	f->now_ms += 10;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "ba");
}

static void timer__does_not_fire__when_disarmed(void **state)
{
	struct fixture *f = *state;
	struct tick a = tick_of(f, 'a'), b = tick_of(f, 'b');

	arm(&a, 10);
	arm(&a, -1);
	arm(&a, -1);
	arm(&b, 5);
	b.other = &a.timer; /* in the same turn, just before its time */
	arm(&a, 10);
	f->now_ms += 100;
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "b");
}

static void timer__waits_for_the_next_turn__when_it_rearms_itself_at_zero(void **state)
{
	struct fixture *f = *state;
	struct tick a = tick_of(f, 'a'), b = tick_of(f, 'b');

	a.again_ms = 0;
	arm(&a, 0);
	arm(&b, 0);
	assert_true(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "ab");
	assert_true(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "aba");
	arm(&a, -1);
}

static void timer__never_wraps__when_far_in_the_future(void **state)
{
	struct fixture *f = *state;
	struct tick a = tick_of(f, 'a');

	arm(&a, INT64_MAX);
	assert_true(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "");
	assert_true(a.timer.due_ms == INT64_MAX);
	arm(&a, -1);
}

/* Against a sorted list, over many random armings, moves and disarmings. */
static void timer__agrees_with_a_plain_list__over_random_changes(void **state)
{
	struct fixture *f = *state;
	enum { COUNT = 40 };
	struct tick ticks[COUNT];
	int64_t due[COUNT];
	uint32_t seed = 12345;

	for (int i = 0; i < COUNT; i++) {
		ticks[i] = tick_of(f, (char)('0' + i));
		due[i] = -1;
	}
	for (int round = 0; round < 20000; round++) {
		seed = seed * 1664525 + 1013904223;
		int which = (int)(seed >> 16) % COUNT;
		int64_t delay = (int64_t)(seed >> 8 & 127) - 16;
		arm(&ticks[which], delay < 0 ? -1 : delay);
		due[which] = delay < 0 ? -1 : f->now_ms + delay;
		if (round % 3)
			continue;
		f->now_ms += 1 + (int64_t)(seed & 7);
		memset(f->log, 0, sizeof(f->log));
		assert_true(loop_turn(f->loop, 0));
		int fired = 0;
		int64_t last = 0;
		for (const char *at = f->log; *at; at++, fired++) {
			int index = *at - '0';
			assert_true(due[index] >= 0 && due[index] <= f->now_ms);
			assert_true(due[index] >= last);
			last = due[index];
			due[index] = -1;
		}
		for (int i = 0; i < COUNT; i++)
			assert_true(due[i] < 0 || due[i] > f->now_ms);
	}
	for (int i = 0; i < COUNT; i++)
		arm(&ticks[i], -1);
}

static void turn__does_nothing__after_stop(void **state)
{
	struct fixture *f = *state;
	struct tick tick = tick_of(f, 't');

	put_byte(f->pipes[0][1]);
	loop_watch(f->loop, f->pipes[0][0], POLLIN, on_a, f);
	arm(&tick, 0);
	loop_stop(f->loop);
	assert_false(loop_turn(f->loop, 0));
	assert_string_equal(f->log, "");
	arm(&tick, -1);
}

static void stop_from_handler(int fd, short events, void *ctx)
{
	struct fixture *f = ctx;

	(void)fd;
	(void)events;
	note(f, 's');
	loop_stop(f->loop);
}

static void turn__is_the_last__when_a_handler_stops_the_loop(void **state)
{
	struct fixture *f = *state;
	struct tick tick = tick_of(f, 't');

	put_byte(f->pipes[0][1]);
	loop_watch(f->loop, f->pipes[0][0], POLLIN, stop_from_handler, f);
	arm(&tick, 0);
	assert_false(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "st");
	assert_false(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "st");
}

/* signals */

static void on_signal(int signo, void *ctx)
{
	note(ctx, signo == SIGWINCH ? 'W' : signo == SIGHUP ? 'H' : '?');
}

static void signals__are_handled_in_the_turn__and_coalesced(void **state)
{
	struct fixture *f = *state;

	loop_take_signals(f->loop);
	loop_on_signal(f->loop, SIGWINCH, on_signal, f);
	loop_on_signal(f->loop, SIGHUP, on_signal, f);
	for (int i = 0; i < 100; i++)
		assert_int_equal(raise(SIGWINCH), 0);
	assert_string_equal(f->log, "");
	assert_true(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "W");
	assert_int_equal(raise(SIGWINCH), 0);
	assert_int_equal(raise(SIGHUP), 0);
	(void)loop_turn(f->loop, -1);
	(void)loop_turn(f->loop, 0);
	assert_string_equal(f->log, "WHW");
}

/* ppoll alone leaves signals pending as long as some descriptor is ready. */
static void signals__are_not_starved__by_a_busy_descriptor(void **state)
{
	struct fixture *f = *state;

	loop_take_signals(f->loop);
	loop_on_signal(f->loop, SIGWINCH, on_signal, f);
	loop_watch(f->loop, f->pipes[0][1], POLLOUT, on_b, f);
	assert_int_equal(raise(SIGWINCH), 0);
	assert_true(loop_turn(f->loop, -1));
	assert_string_equal(f->log, "Wb");
}

static void signals__go_back__when_the_loop_is_freed(void **state)
{
	struct fixture *f = *state;
	struct sigaction action;
	sigset_t mask;
	struct loop *loop = loop_new(&f->clock);

	loop_take_signals(loop);
	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_IGN);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGTERM), 1);
	assert_int_equal(raise(SIGHUP), 0); /* too late for the loop: it must not kill */
	loop_free(loop);
	assert_int_equal(sigaction(SIGWINCH, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_DFL);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGTERM), 0);
}

#define LOOP_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP_TEST(watch__is_called_each_turn__while_readable),
		LOOP_TEST(watch__takes_other_events__when_watched_again),
		LOOP_TEST(watch__hears_of_a_hang_up__unasked),
		LOOP_TEST(watch__is_told_once_and_forgotten__when_the_descriptor_is_closed),
		LOOP_TEST(watch__is_not_called__when_ended_earlier_in_the_turn),
		LOOP_TEST(watch__is_not_taken_for_the_old_one__when_the_number_is_reused),
		LOOP_TEST(watch__may_be_added__by_a_handler),
		LOOP_TEST(timer__fires_once__when_due),
		LOOP_TEST(timer__fires_in_order__of_due_times_then_of_arming),
		LOOP_TEST(timer__moves__when_armed_again),
		LOOP_TEST(timer__does_not_fire__when_disarmed),
		LOOP_TEST(timer__waits_for_the_next_turn__when_it_rearms_itself_at_zero),
		LOOP_TEST(timer__never_wraps__when_far_in_the_future),
		LOOP_TEST(timer__agrees_with_a_plain_list__over_random_changes),
		LOOP_TEST(turn__does_nothing__after_stop),
		LOOP_TEST(turn__is_the_last__when_a_handler_stops_the_loop),
		LOOP_TEST(signals__are_handled_in_the_turn__and_coalesced),
		LOOP_TEST(signals__are_not_starved__by_a_busy_descriptor),
		LOOP_TEST(signals__go_back__when_the_loop_is_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
