/*
 * What a forecast costs at a key of the editor, and a suggestion, with 50,000 recorded jobs: both
 * promised (under 5 ms, under 1 s). Processor time; the bounds fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/base/attr.h"
#include "model/forecast.h"
#include "model/suggest.h"
#include "tests/anytext.h"

#define MINUTE     INT64_C(60000)
#define HOUR       (60 * MINUTE)
#define JOBS       50000
#define PENDING    500
#define TYPES      20
#define NOW        (INT64_C(20000) * 24 * HOUR)
#define KEYS       200
#define KEY_MS     5.0
#define SUGGEST_MS 1000.0
#define STEP_WORK  50000
#define STEP_MS    10.0
#define MILLION    1000000

static char names[TYPES][16];
static uint32_t seed = 1;

static double spent_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double uniform(void)
{
	return (anytext_random(&seed) + 0.5) / (1 << 24);
}

/* Lists of one to five of the types, so many times each; the first is the scarcest. */
static struct observation any_job(size_t types)
{
	struct observation job = { .outcome = WAIT_STARTED, .submitted_at_ms = NOW };
	size_t first = anytext_random(&seed) % types;
	job.entry_count = types == 1 ? 1 : 1 + anytext_random(&seed) % PREFS_MAX;
	for (size_t i = 0; i < job.entry_count; i++)
		job.entries[i] = (struct observation_entry){ names[(first + i) % types], 1, false };
	job.chosen_rank = 1 + anytext_random(&seed) % job.entry_count;
	double scale = (double)HOUR * (double)(1 + (first + job.chosen_rank) % 5);
	job.wait_ms = uniform() < 0.3 ? 0 : (int64_t)(-log(uniform()) * scale);
	if (uniform() < 0.15) {
		job.outcome = WAIT_STOPPED;
		job.chosen_rank = 0;
	}
	return job;
}

static void fill(struct wait_curves *curves, size_t types)
{
	static struct observation pending[PENDING];
	double start = spent_ms();
	for (size_t i = 0; i < TYPES; i++)
		snprintf(names[i], sizeof(names[i]), "ml.t%zu.xlarge", i);
	for (size_t i = 0; i < JOBS; i++) {
		struct observation job = any_job(types);
		wait_curves_add(curves, &job);
	}
	for (size_t i = 0; i < PENDING; i++) {
		pending[i] = any_job(types);
		pending[i].outcome = WAIT_PENDING;
		pending[i].submitted_at_ms = NOW - pending[i].wait_ms;
	}
	wait_curves_set_pending(curves, pending, PENDING);
	double added = spent_ms(), most = 0;
	for (double before = added; wait_curves_settle(curves, NOW); before = spent_ms())
		most = spent_ms() - before > most ? spent_ms() - before : most;
	printf("bench: %d jobs, %2zu types     %.1f ms to take in, %.1f to settle, a turn %.1f at "
	       "most\n",
	       JOBS, types, added - start, spent_ms() - added, most);
}

/* A key swaps two entries of a list of five (or asks for the one type again); a minute goes by at
 * every tenth, so that the curves are made anew. */
static void measure_keys(size_t types)
{
	struct wait_curves curves = { 0 };
	struct forecast forecast = { 0 };
	struct forecast_ask ask = { .count = types < PREFS_MAX ? types : PREFS_MAX,
				    .within_ms = { 15 * MINUTE, HOUR, 9 * HOUR },
				    .within_count = 3 };
	double most = 0, sum = 0, first = 0;
	int64_t now_ms = NOW;
	fill(&curves, types);
	forecast_reserve(&forecast, &curves);
	for (size_t i = 0; i < PREFS_MAX; i++)
		ask.choices[i] = (struct forecast_choice){ .instance_type = names[i],
							   .count = 1,
							   .likely_cost = { true, 1 } };
	for (size_t key = 0; key < KEYS; key++) {
		size_t last = ask.count - 1;
		struct forecast_choice kept = ask.choices[key % ask.count];
		ask.choices[key % ask.count] = ask.choices[last];
		ask.choices[last] = kept;
		now_ms += key % 10 ? 1 : MINUTE;
		double start = spent_ms();
		forecast_make(&forecast, &curves, &ask, now_ms);
		double took = spent_ms() - start;
		assert_true(forecast.complete);
		first = key == 0 ? took : first;
		sum += took;
		most = took > most ? took : most;
	}
	printf("bench: forecast at a key        %.2f ms in the mean, the first %.2f, %.2f at most "
	       "(bound %.0f), %zu steps\n",
	       sum / KEYS, first, most, KEY_MS, forecast.curve.count);
	assert_true(most < KEY_MS);
	forecast_release(&forecast);
	wait_curves_release(&curves);
}

static void a_key__takes_less_than_five_milliseconds(void **state)
{
	(void)state;
	measure_keys(TYPES);
	measure_keys(PREFS_MAX); /* all jobs on five types: as many steps as there can be */
	measure_keys(1);
}

static void measure_suggest(struct wait_curves *curves, enum suggest_by by)
{
	struct suggest_ask ask = {
		.count = TYPES, .deadline_ms = 12 * HOUR, .by = by, .least_chance = 0.9
	};
	const struct suggestion *best;
	double most = 0;
	for (size_t i = 0; i < TYPES; i++)
		ask.candidates[i] =
			(struct suggest_candidate){ names[i],
						    1,
						    (int64_t)(1 + i % 7) * HOUR,
						    { true, (int64_t)(3 + i * 7 % 20) * MILLION } };
	double start = spent_ms();
	struct suggest *suggest = suggest_new(curves, &ask, NOW);
	double begun = spent_ms(), before = begun;
	for (bool done = false; !done;) {
		done = suggest_step(suggest, STEP_WORK);
		double now = spent_ms();
		most = now - before > most ? now - before : most;
		before = now;
	}
	double took = spent_ms() - start;
	assert_true(suggest_best(suggest, &best) == SUGGEST_BEST_MAX);
	printf("bench: suggest of %d by %-6s   %.0f ms (bound %.0f), a step %.1f ms at most (bound "
	       "%.0f); best %.4f for %.2f\n",
	       TYPES, by == SUGGEST_BY_COST ? "cost" : "chance", took, SUGGEST_MS, most, STEP_MS,
	       best[0].chance, (double)best[0].expected_cost.micro / MILLION);
	suggest_free(suggest);
	assert_true(took < SUGGEST_MS);
	assert_true(most < STEP_MS);
}

static void a_suggestion_of_twenty__takes_less_than_a_second(void **state)
{
	struct wait_curves curves = { 0 };
	(void)state;
	fill(&curves, TYPES);
	measure_suggest(&curves, SUGGEST_BY_CHANCE);
	measure_suggest(&curves, SUGGEST_BY_COST);
	wait_curves_release(&curves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key__takes_less_than_five_milliseconds),
		cmocka_unit_test(a_suggestion_of_twenty__takes_less_than_a_second),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
