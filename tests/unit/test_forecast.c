/*
 * The forecast over a list against the plain sum over everything that can happen: each type's
 * chances by a curve written anew here, every combination of their times, the earliest wins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "model/base/attr.h"
#include "model/forecast.h"
#include "tests/anytext.h"

#define MINUTE  INT64_C(60000)
#define NOW     (100000 * MINUTE)
#define JOBS    30
#define TYPES   4
#define TIMES   8 /* of starts, in steps of 10 minutes from 0 */
#define SEEDS   40
#define NEVER   INT64_MAX
#define MILLION 1000000

static const char *const names[TYPES] = { "ml.a", "ml.b", "ml.c", "ml.d" };

static void assert_near(double actual, double expected)
{
	if (fabs(actual - expected) > 1e-9)
		fail_msg("%.12g is not %.12g", actual, expected);
}

struct wait {
	int64_t ms;
	bool started;
};

static void add(struct wait_curves *curves, const char *type, struct wait wait)
{
	const struct observation job = { .outcome = wait.started ? WAIT_STARTED : WAIT_STOPPED,
					 .entries = { { type, 1, false } },
					 .entry_count = 1,
					 .chosen_rank = wait.started,
					 .wait_ms = wait.ms };
	wait_curves_add(curves, &job);
}

/* The chance of each start of a type, known that it waits longer than after_ms (-1: nothing). */
struct chances {
	int64_t ms[TIMES + 1];
	double chance[TIMES + 1];
	size_t count;
};

static struct chances chances_of(const struct wait waits[JOBS], int64_t after_ms)
{
	struct chances chances = { 0 };
	double left = 1, sum = 0;
	for (int64_t ms = 0; ms < TIMES * 10 * MINUTE; ms += 10 * MINUTE) {
		unsigned at_risk = 0, starts = 0;
		for (size_t i = 0; i < JOBS; i++) {
			at_risk += waits[i].ms >= ms;
			starts += waits[i].started && waits[i].ms == ms;
		}
		if (!starts || ms <= after_ms)
			continue;
		chances.ms[chances.count] = ms;
		chances.chance[chances.count++] = left * starts / at_risk;
		left *= (double)(at_risk - starts) / at_risk;
	}
	for (size_t i = 0; i < chances.count; i++)
		sum += chances.chance[i];
	chances.ms[chances.count] = NEVER;
	chances.chance[chances.count++] = 1 - sum;
	return chances;
}

/* Everything that can happen to a list of up to three: who wins, and when. */
struct outcomes {
	double by[TIMES * 10 + 1]; /* minutes */
	double won[3];
};

static struct outcomes enumerate(const struct chances *lists, size_t count, int64_t after_ms,
				 int64_t limit_ms)
{
	static const struct chances nobody = { { NEVER }, { 1 }, 1 };
	struct outcomes out = { 0 };
	const struct chances *each[3] = { &nobody, &nobody, &nobody };
	for (size_t i = 0; i < count; i++)
		each[i] = &lists[i];
	for (size_t a = 0; a < each[0]->count; a++)
		for (size_t b = 0; b < each[1]->count; b++)
			for (size_t c = 0; c < each[2]->count; c++) {
				int64_t ms[3] = { each[0]->ms[a], each[1]->ms[b], each[2]->ms[c] };
				double chance = each[0]->chance[a] * each[1]->chance[b] *
						each[2]->chance[c];
				size_t first = 0;
				for (size_t i = 1; i < 3; i++)
					if (ms[i] < ms[first])
						first = i;
				if (ms[first] == NEVER)
					continue;
				int64_t from_now = ms[first] - (after_ms < 0 ? 0 : after_ms);
				if (from_now <= limit_ms)
					out.won[first] += chance;
				for (int64_t m = from_now / MINUTE; m <= TIMES * 10; m++)
					out.by[m] += chance;
			}
	return out;
}

static void make_history(struct wait_curves *curves, struct wait waits[TYPES][JOBS], uint32_t seed)
{
	for (size_t t = 0; t < TYPES; t++)
		for (size_t i = 0; i < JOBS; i++) {
			/* 10 starts and the longest wait are always there. */
			bool started = i < 10 || (i < 29 && anytext_random(&seed) % 4);
			int64_t steps = anytext_random(&seed) % (TIMES + 3);
			steps = steps > 3 ? steps - 3 : 0;
			int64_t ms = i < 29 ? steps * 10 * MINUTE : 90 * MINUTE;
			if (!started && ms == 0)
				ms = 6 * MINUTE; /* an end at once says nothing */
			waits[t][i] = (struct wait){ ms, started };
			add(curves, names[t], waits[t][i]);
		}
}

static void compare(struct wait_curves *curves, struct wait waits[TYPES][JOBS], size_t count,
		    int64_t waited_ms, uint32_t *seed)
{
	struct chances lists[3];
	struct forecast forecast = { 0 };
	struct forecast_ask ask = { .count = count,
				    .waited = { waited_ms >= 0, waited_ms },
				    .limit = { true, 40 * MINUTE },
				    .within_ms = { 15 * MINUTE, 60 * MINUTE, 20 * MINUTE },
				    .within_count = 3 };
	size_t type = anytext_random(seed) % TYPES;
	double cost = 0, all = 0;
	for (size_t i = 0; i < count; i++, type = (type + 1) % TYPES) {
		lists[i] = chances_of(waits[type], waited_ms);
		ask.choices[i] = (struct forecast_choice){
			.instance_type = names[type],
			.count = 1,
			.likely_cost = { true, (int64_t)(i + 1) * MILLION },
		};
	}
	struct outcomes expected = enumerate(lists, count, waited_ms, 40 * MINUTE);
	forecast_make(&forecast, curves, &ask, NOW);
	for (size_t i = 0; i < 3; i++)
		assert_near(forecast.within[i].chance, expected.by[ask.within_ms[i] / MINUTE]);
	for (size_t i = 0; i < count; i++) {
		assert_near(forecast.entries[i].chance, expected.won[i]);
		cost += expected.won[i] * (double)(i + 1);
		all += expected.won[i];
	}
	assert_true(forecast.complete && forecast.expected_cost.set);
	assert_near((double)forecast.expected_cost.micro, (double)llround(cost / all * MILLION));
	assert_near(forecast.at_once, waited_ms < 0 ? expected.by[0] : 0);
	assert_true(forecast.p50.set == (expected.by[TIMES * 10] >= 0.5));
	if (forecast.p50.set) {
		assert_true(expected.by[forecast.p50.ms / MINUTE] >= 0.5 - 1e-9);
		assert_true(forecast.p50.ms == 0 ||
			    expected.by[forecast.p50.ms / MINUTE - 1] <= 0.5 + 1e-9);
	}
	forecast_release(&forecast);
}

static void a_list__is_the_sum_over_everything_that_can_happen(void **state)
{
	(void)state;
	for (uint32_t s = 1; s <= SEEDS; s++) {
		struct wait waits[TYPES][JOBS];
		struct wait_curves curves = { 0 };
		uint32_t seed = s;
		make_history(&curves, waits, s);
		for (size_t count = 1; count <= 3; count++)
			compare(&curves, waits, count, -1, &seed);
		wait_curves_release(&curves);
	}
}

/* Given a wait of eight minutes all that started at once are out of the question. */
static void a_job_that_waits_already__is_judged_by_those_who_waited_so_long(void **state)
{
	(void)state;
	for (uint32_t s = 1; s <= SEEDS; s++) {
		struct wait waits[TYPES][JOBS];
		struct wait_curves curves = { 0 };
		struct forecast forecast = { 0 };
		uint32_t seed = s;
		make_history(&curves, waits, s);
		for (size_t t = 0; t < TYPES; t++) /* so that ten starts are later */
			for (size_t i = 0; i < 10; i++)
				waits[t][i].ms = 10 * MINUTE * (int64_t)(1 + i % 7);
		wait_curves_release(&curves);
		for (size_t t = 0; t < TYPES; t++)
			for (size_t i = 0; i < JOBS; i++)
				add(&curves, names[t], waits[t][i]);
		for (size_t count = 1; count <= 3; count++)
			compare(&curves, waits, count, 8 * MINUTE, &seed);
		forecast_release(&forecast);
		wait_curves_release(&curves);
	}
}

/* Twelve jobs: six start at once, six after ten minutes. */
static void make_twelve(struct wait_curves *curves)
{
	for (int i = 0; i < 12; i++)
		add(curves, "ml.a", (struct wait){ i < 6 ? 0 : 10 * MINUTE, true });
}

static struct forecast_ask ask_one(void)
{
	return (struct forecast_ask){ .choices = { { .instance_type = "ml.a", .count = 1 } },
				      .count = 1,
				      .within_ms = { 8 * MINUTE },
				      .within_count = 1 };
}

/* Until launching would be over a young job may have started at once; its clock goes on. */
static void a_young_job__may_yet_have_started_at_once(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_one();
	(void)state;
	make_twelve(&curves);
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.within[0].chance, 0.5);
	assert_near(forecast.at_once, 0.5);
	assert_int_equal(forecast.entries[0].p90.ms, 10 * MINUTE);
	ask.waited = (struct opt_ms){ true, 3 * MINUTE }; /* 8 from now is 11 from its start */
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.within[0].chance, 1);
	assert_near(forecast.at_once, 0.5);
	assert_int_equal(forecast.entries[0].p90.ms, 7 * MINUTE);
	assert_int_equal(forecast.p90.ms, 7 * MINUTE);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

static void under_ten_starts__the_number_is_all_that_is_told(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_one();
	(void)state;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_false(forecast.any || forecast.complete);
	assert_int_equal(forecast.n, 0);
	make_twelve(&curves);
	ask.waited = (struct opt_ms){ true, 6 * MINUTE }; /* six of the twelve waited so long */
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_false(forecast.any);
	assert_int_equal(forecast.n, 6);
	assert_int_equal(forecast.entries[0].n, 6);
	for (int i = 0; i < 9; i++)
		add(&curves, "ml.b", (struct wait){ 20 * MINUTE, true });
	ask.waited.set = false;
	ask.choices[1] = (struct forecast_choice){ .instance_type = "ml.b", .count = 1 };
	ask.choices[2] = (struct forecast_choice){ .instance_type = "ml.a",
						   .count = 1,
						   .plan = { .when = PLAN_STARTS_UNKNOWN } };
	ask.count = 3;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.any && !forecast.complete);
	assert_int_equal(forecast.n, 9);
	assert_int_equal(forecast.entries[1].n, 9);
	assert_false(forecast.entries[1].known || forecast.entries[2].known);
	assert_near(forecast.within[0].chance, 0.5); /* at least, by the one that is known */
	assert_false(forecast.expected_cost.set);
	add(&curves, "ml.b", (struct wait){ 20 * MINUTE, true });
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.entries[1].known);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

/*
 * Of ml.a five started at once and ten after 20 minutes; a job waits for it for 8 already, so that
 * a copy of the job gets it in 12. Of ml.b half start at once, half after 30 minutes.
 */
static void what_is_known_not_to_be_free__does_not_start_a_copy_at_once(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_one();
	(void)state;
	for (int i = 0; i < 15; i++)
		add(&curves, "ml.a", (struct wait){ i < 5 ? 0 : 20 * MINUTE, true });
	for (int i = 0; i < 12; i++)
		add(&curves, "ml.b", (struct wait){ i < 6 ? 0 : 30 * MINUTE, true });
	ask.choices[0].not_free = (struct opt_ms){ true, 8 * MINUTE };
	ask.choices[1] = (struct forecast_choice){ .instance_type = "ml.b", .count = 1 };
	ask.count = 2;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.complete);
	assert_int_equal(forecast.n, 10);
	assert_near(forecast.at_once, 0.5);
	assert_near(forecast.within[0].chance, 0.5);
	assert_near(forecast.entries[0].chance, 0.5);
	assert_near(forecast.entries[1].chance, 0.5);
	assert_int_equal(forecast.entries[0].p50.ms, 12 * MINUTE);
	assert_int_equal(forecast.p90.ms, 12 * MINUTE);
	/* So short a wait tells nothing: launching takes as long. */
	ask.choices[0].not_free.ms = 5 * MINUTE;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.at_once, 1 - 10.0 / 15 * 0.5);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

/* A plan's window opens in so many minutes; on the other entry 10 of 15 start at once, 5 after an
 * hour. */
static struct forecast_ask ask_beside_plan(struct wait_curves *curves, int64_t minutes)
{
	struct forecast_ask ask = ask_one();
	for (int i = 0; i < 15; i++)
		add(curves, "ml.b", (struct wait){ i < 10 ? 0 : 60 * MINUTE, true });
	ask.choices[0].plan = (struct plan_start){ PLAN_STARTS_IN, minutes * MINUTE, false };
	ask.choices[0].likely_cost = (struct money){ true, 0 };
	ask.choices[1] = (struct forecast_choice){ .instance_type = "ml.b",
						   .count = 1,
						   .likely_cost = { true, 6 * MILLION } };
	ask.count = 2;
	return ask;
}

/* It takes what has not started before, surely, and costs nothing more: 2/3 x $6. */
static void a_plan__starts_with_its_window__and_at_once_where_it_is_free(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_beside_plan(&curves, 30);
	(void)state;
	ask.within_ms[1] = 30 * MINUTE;
	ask.within_count = 2;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.complete && forecast.entries[0].known);
	assert_int_equal(forecast.n, 15);
	assert_int_equal(forecast.entries[0].n, 0);
	assert_int_equal(forecast.entries[0].p50.ms, 30 * MINUTE);
	assert_near(forecast.entries[0].chance, 1.0 / 3);
	assert_near(forecast.entries[1].chance, 2.0 / 3);
	assert_near(forecast.within[0].chance, 2.0 / 3);
	assert_near(forecast.within[1].chance, 1);
	assert_true(forecast.within[1].low > 0.999999);
	assert_int_equal(forecast.p50.ms, 0);
	assert_int_equal(forecast.p90.ms, 30 * MINUTE);
	assert_int_equal(forecast.expected_cost.micro, 4 * MILLION);
	/* Waiting for a plan does not count: the limit of 5 minutes ends in 35. */
	ask.limit = (struct opt_ms){ true, 5 * MINUTE };
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.entries[0].chance, 1.0 / 3);
	ask.choices[0].plan.in_ms = 0; /* the better rank */
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.at_once, 1);
	assert_near(forecast.entries[0].chance, 1);
	assert_int_equal(forecast.p90.ms, 0);
	assert_int_equal(forecast.expected_cost.micro, 0);
	ask.choices[0].plan.when = PLAN_STARTS_NEVER;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.complete);
	assert_near(forecast.entries[0].chance, 0);
	assert_false(forecast.entries[0].p50.set);
	assert_int_equal(forecast.expected_cost.micro, 6 * MILLION);
	ask.choices[1].plan.when = PLAN_STARTS_NEVER; /* none can */
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_false(forecast.any || forecast.complete);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

/* A job that waits for 30 minutes: nothing more of ml.b in 20, its plan opens in 20 or at once. */
static void a_plan__starts_a_job_that_waits__by_the_clock(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_beside_plan(&curves, 20);
	(void)state;
	for (int i = 0; i < 5; i++)
		add(&curves, "ml.b", (struct wait){ 60 * MINUTE, true });
	ask.waited = (struct opt_ms){ true, 30 * MINUTE };
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.complete);
	assert_int_equal(forecast.n, 10);
	assert_near(forecast.entries[0].chance, 1);
	assert_int_equal(forecast.p50.ms, 20 * MINUTE);
	ask.choices[0].plan.in_ms = 0;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_int_equal(forecast.p50.ms, 0);
	assert_int_equal(forecast.entries[0].p90.ms, 0);
	/* Behind the 30 minutes in which ml.b starts. */
	ask.choices[0].plan.in_ms = 40 * MINUTE;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_near(forecast.entries[1].chance, 1);
	assert_int_equal(forecast.p50.ms, 30 * MINUTE);
	ask.count = 1; /* the plan alone */
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.complete);
	assert_int_equal(forecast.n, 0);
	assert_int_equal(forecast.p90.ms, 40 * MINUTE);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

/* An entry that cannot win needs no cost, one that can does. */
static void the_expected_cost__is_unknown__without_the_cost_of_one_that_can_win(void **state)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = ask_one();
	(void)state;
	make_twelve(&curves);
	for (int i = 0; i < 10; i++)
		add(&curves, "ml.b", (struct wait){ 20 * MINUTE, true });
	ask.choices[0].likely_cost = (struct money){ true, 7 * MILLION };
	ask.choices[1] = (struct forecast_choice){ .instance_type = "ml.b", .count = 1 };
	ask.count = 2;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_true(forecast.expected_cost.set);
	assert_int_equal(forecast.expected_cost.micro, 7 * MILLION);
	ask.choices[0].likely_cost.set = false;
	forecast_make(&forecast, &curves, &ask, NOW);
	assert_false(forecast.expected_cost.set);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list__is_the_sum_over_everything_that_can_happen),
		cmocka_unit_test(a_job_that_waits_already__is_judged_by_those_who_waited_so_long),
		cmocka_unit_test(a_young_job__may_yet_have_started_at_once),
		cmocka_unit_test(what_is_known_not_to_be_free__does_not_start_a_copy_at_once),
		cmocka_unit_test(under_ten_starts__the_number_is_all_that_is_told),
		cmocka_unit_test(a_plan__starts_with_its_window__and_at_once_where_it_is_free),
		cmocka_unit_test(a_plan__starts_a_job_that_waits__by_the_clock),
		cmocka_unit_test(
			the_expected_cost__is_unknown__without_the_cost_of_one_that_can_win),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
