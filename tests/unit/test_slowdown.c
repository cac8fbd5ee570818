#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "aws/slowdown.h"

static void pace__is_halved_by_each_throttle__to_an_eighth(void **state)
{
	struct slowdown slowdown = { 0 };

	(void)state;
	assert_int_equal(slowdown_pace(&slowdown, 5), 1000);
	assert_int_equal(slowdown_stretch(&slowdown, 5000, 5), 5000);
	slowdown_note_throttled(&slowdown, 1, 0);
	assert_int_equal(slowdown_pace(&slowdown, 0), 500);
	assert_int_equal(slowdown_stretch(&slowdown, 5000, 0), 10000);
	slowdown_note_throttled(&slowdown, 1, 0);
	assert_int_equal(slowdown_pace(&slowdown, 0), 250);
	slowdown_note_throttled(&slowdown, 1000, 0);
	assert_int_equal(slowdown_pace(&slowdown, 0), 125);
	assert_int_equal(slowdown_stretch(&slowdown, 5000, 0), 40000);
}

static void pace__comes_back_by_a_tenth_a_minute__with_time_alone(void **state)
{
	struct slowdown slowdown = { 0 };

	(void)state;
	assert_true(slowdown_over_ms(&slowdown) < 0);
	slowdown_note_throttled(&slowdown, 1, 7000);
	assert_int_equal(slowdown_pace(&slowdown, 7000 + 60000), 600);
	assert_int_equal(slowdown_pace(&slowdown, 7000 + 4 * 60000), 900);
	assert_int_equal(slowdown_pace(&slowdown, 7000 + 5 * 60000 - 1), 999);
	assert_int_equal(slowdown_pace(&slowdown, 7000 + 5 * 60000), 1000);
	assert_int_equal(slowdown_pace(&slowdown, 900000000), 1000);
	assert_int_equal(slowdown_over_ms(&slowdown), 7000 + 5 * 60000);
	/* Another throttle halves what had come back. */
	slowdown_note_throttled(&slowdown, 1, 7000 + 60000);
	assert_int_equal(slowdown_pace(&slowdown, 7000 + 60000), 300);
	assert_int_equal(slowdown_over_ms(&slowdown), 7000 + 8 * 60000);
}

/* A job described before a throttle is asked about again at the pace that came after. */
static void pace__is_that_of_the_throttle__before_it(void **state)
{
	struct slowdown slowdown = { 0 };

	(void)state;
	slowdown_note_throttled(&slowdown, 1000, 60000);
	for (int64_t before = 60000; before >= 0; before -= SLOWDOWN_STEP_MS) {
		assert_int_equal(slowdown_pace(&slowdown, before), 125);
		assert_int_equal(slowdown_stretch(&slowdown, 5000, before), 40000);
	}
}

static void of_two__the_slower__is_taken(void **state)
{
	struct slowdown mine = { 0 }, other = { 0 };

	(void)state;
	slowdown_note_throttled(&other, 1, 1000);
	slowdown_join(&mine, &other, 2000);
	assert_int_equal(slowdown_pace(&mine, 1000), 500);
	/* Halved twice, and older: slower still. */
	slowdown_note_throttled(&mine, 1, 1000);
	slowdown_note_throttled(&other, 1, 400000);
	slowdown_join(&mine, &other, 400000);
	assert_int_equal(slowdown_pace(&mine, 400000), 500);
	other = (struct slowdown){ 0 };
	slowdown_join(&mine, &other, 400000);
	assert_int_equal(slowdown_pace(&mine, 400000), 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pace__is_halved_by_each_throttle__to_an_eighth),
		cmocka_unit_test(pace__comes_back_by_a_tenth_a_minute__with_time_alone),
		cmocka_unit_test(pace__is_that_of_the_throttle__before_it),
		cmocka_unit_test(of_two__the_slower__is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
