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

static void gap__is_stretched__after_a_throttle(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 1000, 0, 0);
	budget_note_start(&budget, 0);
	slowdown_note_throttled(&budget.slowdown, 1, 0);
	assert_int_equal(budget_ready_ms(&budget, 0), 2000);
	slowdown_note_throttled(&budget.slowdown, 1, 0);
	assert_int_equal(budget_ready_ms(&budget, 0), 4000);
}

static void steady_rate__slows_too__after_a_throttle(void **state)
{
	struct budget budget;

	(void)state;
	budget_init(&budget, 0, 1000, 1);
	slowdown_note_throttled(&budget.slowdown, 3, 0);
	/* An eighth of one a second at first, coming back by a tenth a minute. */
	assert_in_range(start_all(&budget, 0, 16000), 2, 3);
	assert_in_range(start_all(&budget, 600000, 610000), 10, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gap__is_kept__from_the_second_start_on),
		cmocka_unit_test(gap__is_stretched__after_a_throttle),
		cmocka_unit_test(burst__goes_first__then_the_steady_rate),
		cmocka_unit_test(steady_rate__slows_too__after_a_throttle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
