/* The table of turns: who starts when, by which rule, and what its text may say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/turns.h"

#define NOW INT64_C(5000000)

static int64_t take(struct turns *turns, const char *op, int64_t now_ms)
{
	int64_t at_ms;

	assert_true(turns_take(turns, op, 1000, now_ms, &at_ms));
	return at_ms - NOW;
}

/* One process begins with one page of each of its lists, and goes on as if it were alone. */
static void four_lists__start_at_once__and_more_of_them_later(void **state)
{
	struct turns turns = { 0 };

	(void)state;
	assert_int_equal(take(&turns, "Search", NOW), 0);
	assert_int_equal(take(&turns, "ListTrainingJobs", NOW), 0);
	assert_int_equal(take(&turns, "ListProcessingJobs", NOW), 0);
	assert_int_equal(take(&turns, "Search", NOW + 1000), 1000);
	assert_int_equal(take(&turns, "ListProcessingJobs", NOW + 1000), 2500);
	turns = (struct turns){ 0 };
	assert_int_equal(take(&turns, "Search", NOW), 0);
	assert_int_equal(take(&turns, "ListTrainingJobs", NOW), 0);
	assert_int_equal(take(&turns, "ListProcessingJobs", NOW), 0);
	assert_int_equal(take(&turns, "ListTrainingPlans", NOW), 0);
	assert_int_equal(take(&turns, "Search", NOW + 50), 2500);
}

static void one_operation__starts_a_second_apart__whoever_asks(void **state)
{
	struct turns turns = { 0 };

	(void)state;
	for (int i = 0; i < 12; i++)
		assert_int_equal(take(&turns, "Search", NOW), i * 1000);
	/* What they leave free between them is there for other operations: 0, 0, 1, 2, 2.5, 3, 4,
	 * 4.5, 5 s. */
	assert_int_equal(take(&turns, "ListTrainingJobs", NOW), 0);
	assert_int_equal(take(&turns, "ListTrainingJobs", NOW), 2500);
	assert_int_equal(take(&turns, "ListProcessingJobs", NOW), 4500);
}

/* The promise, counted without the table: never five starts within 2.5 s, and never two of one
 * operation within a second. */
static void check_rules(const int64_t *starts, const int *ops, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned near = 0;

		for (size_t k = 0; k < count; k++) {
			int64_t after = starts[k] - starts[i];

			near += after >= 0 && after < 2500;
			if (k != i && ops[k] == ops[i])
				assert_true(llabs(after) >= 1000);
		}
		assert_true(near <= 4);
	}
}

/* Twelve processes that want three lists each as often as they can. */
static void twelve__share_less_than_two_a_second__in_turn(void **state)
{
	static const char *const names[] = { "Search", "ListTrainingJobs", "ListProcessingJobs" };
	static int64_t starts[1000];
	static int ops[1000];
	int64_t next[12][3] = { { 0 } };
	unsigned of_each[12] = { 0 };
	struct turns turns = { 0 };
	size_t count = 0;

	(void)state;
	for (int64_t now = NOW; now < NOW + 120000; now += 10) {
		char *text;
		struct buf written;

		for (int i = 0; i < 36; i++) {
			int process = i / 3, op = i % 3;

			if (next[process][op] > now)
				continue;
			assert_true(count < 1000);
			ops[count] = op;
			starts[count] = NOW + take(&turns, names[op], now);
			next[process][op] = starts[count++];
			of_each[process]++;
		}
		/* Each of them writes the table, and the next one reads it. */
		buf_init(&written, TURNS_TEXT_MAX);
		turns_write(&turns, "b", &written);
		text = buf_take(&written);
		assert_true(turns_read(&turns, text, strlen(text), "b", now));
		free(text);
	}
	check_rules(starts, ops, count);
	/* 120 s, and what they have taken for later: 36. */
	assert_in_range(count, 185, 192 + 4 + 36);
	for (int i = 0; i < 12; i++)
		assert_in_range(of_each[i], 16, 22);
}

static void a_faster_pace__is_faster__in_all_it_does(void **state)
{
	struct turns turns = { 0 };
	int64_t at_ms;

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_true(turns_take(&turns, "Search", 250, NOW, &at_ms));
		assert_int_equal(at_ms, NOW + i * 250);
	}
	assert_true(turns_take(&turns, "ListTrainingJobs", 250, NOW, &at_ms));
	assert_int_equal(at_ms, NOW);
	/* A slower one waits by itself: the table's gap stays. */
	turns = (struct turns){ 0 };
	assert_true(turns_take(&turns, "Search", 100000, NOW, &at_ms));
	assert_true(turns_take(&turns, "Search", 100000, NOW, &at_ms));
	assert_int_equal(at_ms, NOW + 1000);
}

static void throttles__slow_one_operation__for_all(void **state)
{
	struct turns turns = { 0 };
	struct slowdown slowdown;

	(void)state;
	assert_int_equal(take(&turns, "Search", NOW), 0);
	turns_note_throttled(&turns, "Search", 1, NOW);
	slowdown = turns_slowdown(&turns, "Search");
	assert_int_equal(slowdown_pace(&slowdown, NOW), 500);
	assert_int_equal(take(&turns, "Search", NOW), 2000);
	turns_note_throttled(&turns, "Search", 5, NOW);
	assert_int_equal(take(&turns, "Search", NOW), 10000);
	assert_int_equal(take(&turns, "ListTrainingJobs", NOW), 0);
	slowdown = turns_slowdown(&turns, "ListTrainingJobs");
	assert_int_equal(slowdown_pace(&slowdown, NOW), 1000);
	/* A tenth a minute: 525 of 1000 after four. */
	assert_int_equal(take(&turns, "Search", NOW + 240000), 240000);
	assert_int_equal(take(&turns, "Search", NOW + 240000), 240000 + 1904);
}

static void turn_at_once__is_one_more__and_counts(void **state)
{
	struct turns turns = { 0 };
	int64_t at_ms;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(take(&turns, "Search", NOW), i * 1000);
	turns_take_now(&turns, "Search", NOW + 500);
	assert_int_equal(turns.count, 4);
	assert_int_equal(turns.turns[1].at_ms, NOW + 500);
	assert_int_equal(turns_started(&turns, NOW + 600), 2);
	turns_take_now(&turns, "Search", NOW + 2500);
	assert_true(turns_take(&turns, "Search", 1000, NOW + 2500, &at_ms));
	assert_int_equal(at_ms, NOW + 3500);
	turns_take_now(&turns, "no name", NOW);
	assert_int_equal(turns.count, 6);
	while (turns.count < TURNS_TABLE_MAX)
		turns_take_now(&turns, "Search", NOW);
	turns_take_now(&turns, "Search", NOW);
	assert_int_equal(turns.count, TURNS_TABLE_MAX);
}

static void queue__has_an_end__and_nothing_is_taken_behind_it(void **state)
{
	struct turns turns = { 0 };
	int64_t at_ms;

	(void)state;
	turns_note_throttled(&turns, "Search", 3, NOW);
	for (int i = 0; i < 8; i++)
		assert_int_equal(take(&turns, "Search", NOW), i * 8000);
	for (int i = 0; i < 3; i++) {
		assert_false(turns_take(&turns, "Search", 1000, NOW, &at_ms));
		assert_int_equal(at_ms, NOW + 64000);
	}
	assert_int_equal(turns.count, 8);
	assert_int_equal(turns_started(&turns, NOW), 1);
	assert_int_equal(turns_started(&turns, NOW + 8000), 2);
	assert_int_equal(turns_started(&turns, NOW + 56000), 2);
}

static void check_read(const char *text, int64_t now_ms, bool sound, size_t count)
{
	struct turns turns;

	if (turns_read(&turns, text, strlen(text), "boot-1", now_ms) != sound ||
	    turns.count != count)
		fail_msg("%s", text);
}

static void text__reads_back__without_what_is_over(void **state)
{
	struct turns turns = { 0 };
	struct buf text;

	(void)state;
	turns_note_throttled(&turns, "Search", 1, NOW);
	take(&turns, "Search", NOW);
	take(&turns, "ListTrainingJobs", NOW + 500);
	buf_init(&text, TURNS_TEXT_MAX);
	turns_write(&turns, "boot-1", &text);
	assert_string_equal(buf_text(&text), "gpuq-pace 1 boot-1\n"
					     "slow Search 500 5000000\n"
					     "turn 5000000 Search\n"
					     "turn 5000500 ListTrainingJobs\n"
					     "end\n");
	/* A longer table was there before. */
	buf_add_text(&text, "turn 7 Se");
	check_read(buf_text(&text), NOW + 1000, true, 2);
	check_read(buf_text(&text), NOW + 10001, true, 1);
	check_read(buf_text(&text), NOW + 400000, true, 0);
	assert_true(turns_read(&turns, buf_text(&text), text.len, "boot-1", NOW + 60000));
	assert_int_equal(turns.op_count, 1);
	assert_int_equal(turns.ops[0].slowdown.lost, 500);
	assert_true(turns_read(&turns, buf_text(&text), text.len, "boot-1", NOW + 300000));
	assert_int_equal(turns.op_count, 0);
	/* Another start of the machine counts from zero. */
	assert_true(turns_read(&turns, buf_text(&text), text.len, "boot-2", 1000));
	assert_int_equal(turns.count + turns.op_count, 0);
	buf_release(&text);
}

#define HEAD "gpuq-pace 1 boot-1\n"

static void text__that_cannot_be__is_refused(void **state)
{
	static const char *const damaged[] = {
		"",
		"gpuq-pace 1 boot-1",
		"gpuq-pace 2 boot-1\nend\n",
		"gpuq-pace 1 \nend\n",
		"[default]\nregion = us-east-1\n",
		HEAD,
		HEAD "end",
		HEAD "turn 5000000 Search\n",
		HEAD "turn 5000000 Search end\n",
		HEAD "turn 5000000  Search\nend\n",
		HEAD "turn 5000000 Se-arch\nend\n",
		HEAD "turn 4000000 Se-arch\nend\n",
		HEAD "turn 5000000 \nend\n",
		HEAD "turn -1 Search\nend\n",
		HEAD "turn 99999999999999999999 Search\nend\n",
		HEAD "turn 5061001 Search\nend\n", /* nobody takes one so far off */
		HEAD "slow Search 876 5000000\nend\n",
		HEAD "slow Search 500 5001001\nend\n",
		HEAD "slow Search 500\nend\n",
		HEAD "turn 5000000 "
		     "A23456789012345678901234567890123456789012345678901234567890abcd\nend\n",
		"gpuq-pace 1 boot-1\nturn 5000000 Search\xff\nend\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		check_read(damaged[i], NOW, false, 0);
	check_read(HEAD "turn 5061000 Search\nturn 5000000 B\nend\n", NOW, true, 2);
	check_read(HEAD "slow Search 875 5001000\nend\n", NOW, true, 0);
}

static void text__of_too_many__is_refused(void **state)
{
	struct buf text;

	(void)state;
	buf_init(&text, TURNS_TEXT_MAX);
	buf_add_text(&text, HEAD);
	for (int i = 0; i < TURNS_TABLE_MAX; i++)
		buf_addf(&text, "turn %d Search\n", 5000000 + i);
	size_t full = text.len;
	buf_add_text(&text, "end\n");
	check_read(buf_text(&text), NOW, true, TURNS_TABLE_MAX);

	/* Whoever wants one more has to wait. */
	struct turns turns;
	int64_t at_ms;

	assert_true(turns_read(&turns, buf_text(&text), text.len, "boot-1", NOW));
	assert_false(turns_take(&turns, "B", 1000, NOW, &at_ms));
	assert_int_equal(turns.count, TURNS_TABLE_MAX);
	text.len = full;
	buf_add_text(&text, "turn 5000000 Search\nend\n");
	check_read(buf_text(&text), NOW, false, 0);

	buf_clear(&text);
	buf_add_text(&text, HEAD);
	for (int i = 0; i < TURNS_OPS_MAX + 1; i++)
		buf_addf(&text, "slow Op%d 500 5000000\n", i);
	buf_add_text(&text, "end\n");
	check_read(buf_text(&text), NOW, false, 0);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_lists__start_at_once__and_more_of_them_later),
		cmocka_unit_test(one_operation__starts_a_second_apart__whoever_asks),
		cmocka_unit_test(twelve__share_less_than_two_a_second__in_turn),
		cmocka_unit_test(a_faster_pace__is_faster__in_all_it_does),
		cmocka_unit_test(throttles__slow_one_operation__for_all),
		cmocka_unit_test(turn_at_once__is_one_more__and_counts),
		cmocka_unit_test(queue__has_an_end__and_nothing_is_taken_behind_it),
		cmocka_unit_test(text__reads_back__without_what_is_over),
		cmocka_unit_test(text__that_cannot_be__is_refused),
		cmocka_unit_test(text__of_too_many__is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
