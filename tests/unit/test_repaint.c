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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data__waits__for_a_tenth_of_a_second),
		cmocka_unit_test(key__is_answered_at_once__whatever_data_comes_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
