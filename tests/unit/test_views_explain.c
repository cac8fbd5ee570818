/* x: why a job is as it is, on the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/homescreen.h"

static int start(void **state)
{
	return homescreen_setup(state, 120, 60);
}

static void ended_without_a_start__is_capacity__with_its_entries(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "never-lucky");
	homescreen_keys(home, "x");
	homescreen_want(home, "  capacity");
	homescreen_want(home, "SecondaryStatus: MaxPendingTimeExceeded");
	homescreen_want(home, "✗ #1 ml.p5.48xlarge ×8  refused: never free in the whole count");
	homescreen_want(home, "P o X   resubmit: a copy with a longer list may start");
	homescreen_keys(home, "q");
	homescreen_want_not(home, "SecondaryStatus: MaxPendingTimeExceeded");
}

static void failed_run__is_failed__with_the_reason_as_a_hint(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "x");
	homescreen_want(home, "  failed");
	homescreen_want(home, "FailureReason: AlgorithmError: CUDA out of memory");
	homescreen_want(home, "a hint: nothing rests on it");
	homescreen_want(home, "✓ #1 ml.p4d.24xlarge ×1  taken: chosen");
	homescreen_want(home, "L       open-logs: the first error");
}

/* A job with a history of waits like this one is marked once its wait goes beyond six hours. */
static void job_that_waits_too_long__is_marked__and_said_why(void **state)
{
	struct homescreen *home = *state;
	homescreen_pass(home, INT64_C(6) * 3600 * 1000);
	homescreen_want(home, " !");
	homescreen_want(home, "stuck: it waits longer than 6h00m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			ended_without_a_start__is_capacity__with_its_entries, start,
			homescreen_teardown),
		cmocka_unit_test_setup_teardown(failed_run__is_failed__with_the_reason_as_a_hint,
						start, homescreen_teardown),
		cmocka_unit_test_setup_teardown(job_that_waits_too_long__is_marked__and_said_why,
						start, homescreen_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
