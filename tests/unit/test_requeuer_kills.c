/* A program that requeues and is killed, at every moment: nothing is doubled, nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/requeuebench.h"
#include "tests/soak.h"

static void lose_some(struct requeuebench *bench, const struct fake_sent *sent,
		      struct fake_answer *answer, bool answered_already)
{
	(void)sent;
	if (answered_already && bench->calls % 3 == 0)
		requeuebench_lose(answer);
}

/* Runs it until that moment, and another program to the end; returns whether the first had ended
 * before. */
static bool kill_at(struct requeuebench *bench, int64_t ms, bool faults)
{
	bench->meddle = faults ? lose_some : NULL;
	requeuebench_ask(bench);
	requeuebench_run(bench, ms);
	bool ended = bench->ended;
	requeuebench_end(bench);
	bench->steps[0] = '\0';
	requeuebench_begin(bench, true);
	requeuebench_run(bench, 8 * BENCH_MINUTE);
	return ended;
}

/* Every moment in the long form, some in the short. */
static int64_t next_moment(int64_t ms)
{
	bool is_long = soak_seconds(0) > 0;
	return ms + (ms >= 4000 ? 1000 : is_long ? STEP_MS : 3 * STEP_MS);
}

static void kill__loses_and_doubles_nothing__at_any_moment(void **state)
{
	unsigned kills = 0, inside = 0;
	(void)state;
	for (int way = 0; way < 4; way++) {
		bool ended = false;
		for (int64_t ms = STEP_MS; !ended; ms = next_moment(ms)) {
			struct requeuebench bench;
			requeuebench_start(&bench, way & 1);
			ended = kill_at(&bench, ms, way & 2);
			kills++;
			inside += !ended;
			if (requeuebench_lives(&bench, OLD) == requeuebench_lives(&bench, NEW))
				fail_msg("%s first, killed after %d ms: old %d, new %d (%s)",
					 way & 1 ? "stop" : "submit", (int)ms,
					 requeuebench_lives(&bench, OLD),
					 requeuebench_lives(&bench, NEW), bench.steps);
			if (way & 1)
				assert_int_equal(bench.overlap_most_ms, 0);
			assert_int_equal(requeuer_left(bench.requeuer), 0);
			requeuebench_stop(&bench);
		}
	}
	printf("%u kills, %u inside the window\n", kills, inside);
}

/* Killed before anybody has looked whose the job is: the owner is respected by who goes on with it,
 * or where it was typed through not asked about anew. */
static void owner__is_looked_for_once__whoever_goes_on(void **state)
{
	(void)state;
	for (int way = 0; way < 4; way++) {
		struct requeuebench bench;
		requeuebench_start(&bench, way & 1);
		bench.despite_owner = way & 2;
		assert_int_equal(simregion_call(bench.sim, "AddTags",
						"{\"ResourceArn\":\"arn:aws:sagemaker:us-east-1:"
						"111122223333:training-job/" OLD
						"\",\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\","
						"\"Value\":\"STARTED_BY_STEP_FUNCTIONS\"}]}"),
				 200);
		bool ended = kill_at(&bench, STEP_MS, false);
		assert_false(ended);
		assert_true(bench.late);
		if (way & 2)
			assert_int_equal(bench.last, REQUEUE_DONE);
		else
			assert_int_equal(bench.owner, OWNER_STEP_FUNCTIONS);
		assert_int_equal(requeuebench_lives(&bench, OLD), !(way & 2));
		assert_int_equal(requeuebench_lives(&bench, NEW), !!(way & 2));
		requeuebench_stop(&bench);
	}
}

/* A yes of a quarter of an hour ago: nothing is begun with it, and what was begun is asked about.
 */
static void stale__is_left_to_another_yes__after_a_quarter_of_an_hour(void **state)
{
	(void)state;
	for (int64_t ms = STEP_MS; ms < 3000; ms = next_moment(ms)) {
		struct requeuebench bench;
		requeuebench_start(&bench, true);
		requeuebench_ask(&bench);
		requeuebench_run(&bench, ms);
		requeuebench_end(&bench);
		bool begun = !requeuebench_lives(&bench, OLD);
		fake_run(bench.world, JOURNAL_AGREED_MS + BENCH_MINUTE);
		bench.steps[0] = '\0';
		requeuebench_begin(&bench, true);
		requeuebench_run(&bench, 6 * BENCH_MINUTE);
		assert_int_equal(requeuebench_lives(&bench, OLD), !begun);
		assert_false(requeuebench_lives(&bench, NEW));
		assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 0);
		if (bench.steps[0])
			assert_non_null(strstr(bench.steps, "stale"));
		requeuebench_stop(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kill__loses_and_doubles_nothing__at_any_moment),
		cmocka_unit_test(owner__is_looked_for_once__whoever_goes_on),
		cmocka_unit_test(stale__is_left_to_another_yes__after_a_quarter_of_an_hour),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
