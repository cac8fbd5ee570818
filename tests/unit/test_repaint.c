#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/repaint.h"

static void data__waits__for_a_tenth_of_a_second(void **state)
{
	struct repaint repaint = { 0 };

	(void)state;
	assert_true(repaint_wait_ms(&repaint, 50) < 0);
	repaint_want(&repaint, false);
	assert_int_equal(repaint_wait_ms(&repaint, 50), 0); /* the first frame */
	repaint_done(&repaint, 50);
	assert_true(repaint_wait_ms(&repaint, 1000) < 0);
	repaint_want(&repaint, false);
	assert_int_equal(repaint_wait_ms(&repaint, 51), 99);
	assert_int_equal(repaint_wait_ms(&repaint, 149), 1);
	assert_int_equal(repaint_wait_ms(&repaint, 150), 0);
	assert_int_equal(repaint_wait_ms(&repaint, 9000), 0);
}

/* A key and an answer of AWS in one turn, in either order; and a frame that could not be written.
 */
static void key__is_answered_at_once__whatever_data_comes_with_it(void **state)
{
	struct repaint repaint = { 0 };

	(void)state;
	repaint_done(&repaint, 1000);
	repaint_want(&repaint, true);
	assert_int_equal(repaint_wait_ms(&repaint, 1001), 0);
	repaint_want(&repaint, false);
	assert_int_equal(repaint_wait_ms(&repaint, 1001), 0);
	assert_int_equal(repaint_wait_ms(&repaint, 1002), 0);
	repaint_done(&repaint, 1002);
	repaint_want(&repaint, false);
	assert_int_equal(repaint_wait_ms(&repaint, 1003), 99);
	repaint_want(&repaint, true);
	assert_int_equal(repaint_wait_ms(&repaint, 1003), 0);
	repaint_done(&repaint, 1003);
	assert_true(repaint_wait_ms(&repaint, 1003) < 0);
}

/* A key every 30 ms from 1,000 on, each wanted at once: the first frame is whole, then those of
 * the list alone, whole again at 1,500, and once more 100 ms after the last key. */
static void held_key__paints_whole_frames__twice_a_second_and_at_its_end(void **state)
{
	struct repaint repaint = { 0 };
	int64_t whole[8], now_ms = 1000, last_ms = 1600;
	size_t count = 0;

	(void)state;
	repaint_done(&repaint, 0);
	for (; now_ms <= last_ms; now_ms += 30) {
		repaint_want(&repaint, true);
		assert_int_equal(repaint_wait_ms(&repaint, now_ms), 0);
		if (repaint_may_hurry(&repaint, now_ms)) {
			repaint_hurried(&repaint, now_ms);
		} else {
			repaint_done(&repaint, now_ms);
			assert_true(count < 8);
			whole[count++] = now_ms;
		}
	}
	assert_int_equal(count, 2);
	assert_int_equal(whole[0], 1000);
	assert_int_equal(whole[1], 1510); /* the first key 500 ms later */
	assert_int_equal(repaint_wait_ms(&repaint, last_ms), 100);
	repaint_want(&repaint, false); /* data that comes meanwhile puts nothing off */
	assert_int_equal(repaint_wait_ms(&repaint, last_ms + 99), 1);
	assert_int_equal(repaint_wait_ms(&repaint, last_ms + 100), 0);
	assert_false(repaint_may_hurry(&repaint, last_ms + 100));
	repaint_done(&repaint, last_ms + 100);
	assert_true(repaint_wait_ms(&repaint, last_ms + 5000) < 0);
}

/* The keys pause for 60 ms right before the whole frame is due. */
static void whole_frame__comes_within_half_a_second(void **state)
{
	struct repaint repaint = { 0 };

	(void)state;
	repaint_done(&repaint, 1000);
	for (int64_t now_ms = 1050; now_ms <= 1450; now_ms += 50) {
		repaint_want(&repaint, true);
		assert_true(repaint_may_hurry(&repaint, now_ms));
		repaint_hurried(&repaint, now_ms);
	}
	assert_int_equal(repaint_wait_ms(&repaint, 1450), 50);
	repaint_want(&repaint, true);
	assert_false(repaint_may_hurry(&repaint, 1500));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data__waits__for_a_tenth_of_a_second),
		cmocka_unit_test(key__is_answered_at_once__whatever_data_comes_with_it),
		cmocka_unit_test(held_key__paints_whole_frames__twice_a_second_and_at_its_end),
		cmocka_unit_test(whole_frame__comes_within_half_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
