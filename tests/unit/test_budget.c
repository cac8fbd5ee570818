#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "aws/budget.h"

static void gap__is_kept__from_the_second_start_on(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 1000, 0, 0);
	assert_true(budget_ready_ms(&budget, 5000) <= 5000);
	budget_note_start(&budget, 5000);
	assert_int_equal(budget_ready_ms(&budget, 5000), 6000);
	assert_int_equal(budget_ready_ms(&budget, 5900), 6000);
	budget_init(&budget, 0, 0, 0);
	budget_note_start(&budget, 5000);
	assert_true(budget_ready_ms(&budget, 5000) <= 5000);
}

static void pace__is_halved_by_each_throttle__to_an_eighth(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 1000, 0, 0);
	budget_note_start(&budget, 0);
	budget_note_throttled(&budget, 1, 0);
	assert_int_equal(budget_pace(&budget, 0), 500);
	assert_int_equal(budget_ready_ms(&budget, 0), 2000);
	assert_int_equal(budget_stretch(&budget, 5000, 0), 10000);
	budget_note_throttled(&budget, 1, 0);
	assert_int_equal(budget_ready_ms(&budget, 0), 4000);
	budget_note_throttled(&budget, 1000, 0);
	assert_int_equal(budget_pace(&budget, 0), 125);
	assert_int_equal(budget_ready_ms(&budget, 0), 8000);
}

static void pace__comes_back_slowly__with_time_alone(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 1000, 0, 0);
	budget_note_throttled(&budget, 1, 7000);
	/* A sixteenth of the full pace (62.5 permille) in ten seconds. */
	assert_int_equal(budget_pace(&budget, 17000), 562);
	assert_int_equal(budget_pace(&budget, 86000), 993);
	assert_int_equal(budget_pace(&budget, 87000), 1000);
	assert_int_equal(budget_pace(&budget, 900000), 1000);
	/* Another throttle halves what had come back. */
	budget_note_throttled(&budget, 1, 47000);
	assert_int_equal(budget_pace(&budget, 47000), 375);
}

/* A job described before a throttle is asked about again at the pace that came after. */
static void pace__is_that_of_the_throttle__before_it(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 1000, 0, 0);
	budget_note_throttled(&budget, 1000, 60000);
	for (int64_t before = 60000; before >= 0; before -= BUDGET_RECOVERY_STEP) {
		assert_int_equal(budget_pace(&budget, before), 125);
		assert_int_equal(budget_stretch(&budget, 5000, before), 40000);
	}
}

/* Starts as early as the budget allows for so long; returns how many. */
static unsigned start_all(struct budget *budget, int64_t from_ms, int64_t until_ms)
{
	unsigned starts = 0;

	for (int64_t now = from_ms; now < until_ms;) {
		int64_t ready = budget_ready_ms(budget, now);

		if (ready > now) {
			now = ready;
			continue;
		}
		budget_note_start(budget, now);
		starts++;
	}
	return starts;
}

static void burst__goes_first__then_the_steady_rate(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 500, 1000, 10);
	/* Two a second spend ten and what comes back meanwhile: ten in 5 s, five of them back, ...
	 */
	assert_in_range(start_all(&budget, 0, 10000), 19, 20);
	assert_in_range(start_all(&budget, 10000, 20000), 9, 11);
	/* Rest gives the burst back, and no more than that. */
	assert_in_range(start_all(&budget, 1000000, 1010000), 19, 20);
	assert_in_range(start_all(&budget, 1010000, 1110000), 99, 101);
}

static void steady_rate__slows_too__after_a_throttle(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 0, 1000, 1);
	budget_note_throttled(&budget, 3, 0);
	/* An eighth of one a second at first, coming back. */
	assert_in_range(start_all(&budget, 0, 16000), 2, 4);
	assert_in_range(start_all(&budget, 400000, 410000), 10, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gap__is_kept__from_the_second_start_on),
		cmocka_unit_test(pace__is_halved_by_each_throttle__to_an_eighth),
		cmocka_unit_test(pace__comes_back_slowly__with_time_alone),
		cmocka_unit_test(pace__is_that_of_the_throttle__before_it),
		cmocka_unit_test(burst__goes_first__then_the_steady_rate),
		cmocka_unit_test(steady_rate__slows_too__after_a_throttle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
