/*
 * Whether the forecast's chances come true. Each of 3,000 jobs, after 1,000 to begin with, is
 * forecast at its submission from what is over by then and from who waits. Of the jobs that are
 * given a chance of 10 to 90 % to start in a time, that share should.
 *
 * Seeds 101 and 202 have types that know nothing of each other, as the forecast takes them to be.
 * In 303 they share a slow factor: it is printed beside, with a forecast that keeps the past apart
 * by how much of the last 24 hours' tries of each type were refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/forecast.h"
#include "tests/capacity.h"

#define MINUTE   INT64_C(60000)
#define DAY      (24 * 60 * MINUTE)
#define BURN_IN  1000
#define JUDGED   3000
#define JOBS     (BURN_IN + JUDGED)
#define CHANCES  5
#define NEAR     0.02 /* a curve that jumps farther over a chance does not give it */
#define LEAST_P  0.001
#define POOLED   0.05
#define EACH     0.08
#define REGIMES  4 /* none tried; under a third, under two thirds, more of the tries refused */
#define ANY      "any"
#define HORIZONS 2

static const double chances[CHANCES] = { 0.1, 0.25, 0.5, 0.75, 0.9 };

struct tally {
	unsigned given[CHANCES], came[CHANCES];
	/* Sum of -log of the chance given to what came: within the marginal median, 15 min, 1 h. */
	double score[1 + HORIZONS], marginal[1 + HORIZONS];
	unsigned scored;
};

/* The types of a job's list as they are known by: alone, or with the regime of its submission. */
struct names {
	char text[PREFS_MAX][TYPE_NAME_SIZE];
};

struct run {
	struct capacity_job jobs[JOBS];
	struct names names[JOBS];
	bool over[JOBS];
	struct wait_curves curves;
	struct forecast forecast;
	struct tally tally;
};

/* What of the tries of a type in the last 24 hours was refused: a try is a submission, or a better
 * rank of a list; all of it was known by then. */
static unsigned regime_of(const struct run *run, size_t job, const char *type)
{
	unsigned tries = 0, refused = 0;
	int64_t now_ms = run->jobs[job].observation.submitted_at_ms;
	for (size_t i = job; i-- && run->jobs[i].observation.submitted_at_ms > now_ms - DAY;) {
		const struct observation *past = &run->jobs[i].observation;
		bool at_once = past->outcome == WAIT_STARTED && past->wait_ms == 0;
		for (size_t k = 0; k < past->entry_count; k++) {
			if (strcmp(past->entries[k].instance_type, type) != 0)
				continue;
			if (at_once && k + 1 > past->chosen_rank)
				continue; /* not tried */
			tries++;
			refused += !(at_once && k + 1 == past->chosen_rank);
		}
	}
	if (tries == 0)
		return 0;
	return refused * 3 < tries ? 1 : refused * 3 < 2 * tries ? 2 : 3;
}

static void add_named(struct run *run, size_t i)
{
	struct observation job = run->jobs[i].observation;
	for (size_t k = 0; k < job.entry_count; k++)
		job.entries[k].instance_type = run->names[i].text[k];
	wait_curves_add(&run->curves, &job);
}

/* For the marginal: its wait, whatever its list. */
static void add_any(struct run *run, size_t i)
{
	struct observation job = run->jobs[i].observation;
	job.entries[0].instance_type = ANY;
	job.entry_count = 1;
	job.chosen_rank = job.chosen_rank > 0;
	wait_curves_add(&run->curves, &job);
}

/* What is over by now is added, what still waits is pending. */
static void learn(struct run *run, size_t now, bool refusals)
{
	static struct observation pending[2 * JOBS];
	int64_t now_ms = run->jobs[now].observation.submitted_at_ms;
	size_t count = 0;
	for (size_t i = 0; i < now; i++) {
		if (run->over[i])
			continue;
		if (run->jobs[i].ends_at_ms <= now_ms) {
			wait_curves_add(&run->curves, &run->jobs[i].observation);
			if (refusals)
				add_named(run, i);
			add_any(run, i);
			run->over[i] = true;
			continue;
		}
		struct observation *waits = &pending[count++];
		*waits = run->jobs[i].observation;
		waits->outcome = WAIT_PENDING;
		if (refusals) {
			pending[count] = *waits;
			for (size_t k = 0; k < waits->entry_count; k++)
				pending[count].entries[k].instance_type = run->names[i].text[k];
			count++;
		}
	}
	wait_curves_set_pending(&run->curves, pending, count);
}

/* The curve of the regime, unless too little is known of it. */
static const char *name_of(struct run *run, size_t job, size_t k, bool refusals)
{
	const struct observation *known = &run->jobs[job].observation;
	const struct wait_key key = { run->names[job].text[k], JOB_TRAINING, false, COUNT_1 };
	if (!refusals)
		return known->entries[k].instance_type;
	const struct survival *curve = wait_curves_find(&run->curves, &key, known->submitted_at_ms);
	return curve && curve->starts >= FORECAST_STARTS_MIN ? key.instance_type
							     : known->entries[k].instance_type;
}

static double log_score(double chance, bool came)
{
	chance = fmin(fmax(chance, LEAST_P), 1 - LEAST_P);
	return -log(came ? chance : 1 - chance);
}

static void judge_chances(struct tally *tally, const struct survival *curve, int64_t wait_ms)
{
	for (size_t c = 0; c < CHANCES; c++) {
		size_t i = 0;
		while (i < curve->count && 1 - curve->steps[i].waiting < chances[c])
			i++;
		if (i == curve->count || 1 - curve->steps[i].waiting > chances[c] + NEAR)
			continue;
		tally->given[c]++;
		/* Kept as at once, but known to the minute. */
		tally->came[c] += wait_ms <= curve->steps[i].ms ||
				  (curve->steps[i].ms == 0 && wait_ms <= WAIT_AT_ONCE_MS);
	}
}

static void judge_scores(struct run *run, size_t job)
{
	const struct wait_key key = { ANY, JOB_TRAINING, false, COUNT_1 };
	const struct capacity_job *known = &run->jobs[job];
	int64_t within[1 + HORIZONS] = { 0, 15 * MINUTE, 60 * MINUTE };
	const struct survival *any =
		wait_curves_find(&run->curves, &key, known->observation.submitted_at_ms);
	assert_non_null(any);
	assert_true(survival_quantile(any, 0.5, &within[0]));
	for (size_t i = 0; i < ARRAY_LEN(within); i++) {
		bool came = known->true_wait_ms <=
			    (within[i] > WAIT_AT_ONCE_MS ? within[i] : WAIT_AT_ONCE_MS);
		run->tally.score[i] +=
			log_score(1 - survival_waiting(&run->forecast.curve, within[i]), came);
		run->tally.marginal[i] += log_score(1 - survival_waiting(any, within[i]), came);
	}
	run->tally.scored++;
}

static struct tally judge(uint32_t seed, bool common, bool refusals)
{
	struct run *run = calloc(1, sizeof(*run));
	struct capacity *capacity = capacity_new(seed, common);
	for (size_t i = 0; i < JOBS; i++) {
		run->jobs[i] = capacity_next(capacity);
		const struct observation *job = &run->jobs[i].observation;
		struct forecast_ask ask = { .count = job->entry_count };
		for (size_t k = 0; k < job->entry_count && refusals; k++)
			snprintf(run->names[i].text[k], TYPE_NAME_SIZE, "%s/%u",
				 job->entries[k].instance_type,
				 regime_of(run, i, job->entries[k].instance_type));
		if (i < BURN_IN)
			continue;
		learn(run, i, refusals);
		for (size_t k = 0; k < job->entry_count; k++)
			ask.choices[k] = (struct forecast_choice){
				.instance_type = name_of(run, i, k, refusals), .count = 1
			};
		forecast_make(&run->forecast, &run->curves, &ask, job->submitted_at_ms);
		assert_true(run->forecast.complete);
		judge_chances(&run->tally, &run->forecast.curve, run->jobs[i].true_wait_ms);
		judge_scores(run, i);
	}
	struct tally tally = run->tally;
	forecast_release(&run->forecast);
	wait_curves_release(&run->curves);
	capacity_free(capacity);
	free(run);
	return tally;
}

static double share(const struct tally *tally, size_t c)
{
	return (double)tally->came[c] / tally->given[c];
}

static void print(const char *what, const struct tally *tally)
{
	static const char *const within[] = { "the marginal median", "15 min", "1 h" };
	printf("%s\n  given  jobs  came true\n", what);
	for (size_t c = 0; c < CHANCES; c++)
		printf("  %3.0f %%  %4u  %5.1f %%\n", 100 * chances[c], tally->given[c],
		       100 * share(tally, c));
	for (size_t i = 0; i < ARRAY_LEN(within); i++)
		printf("  log score within %s: %.4f, marginal %.4f\n", within[i],
		       tally->score[i] / tally->scored, tally->marginal[i] / tally->scored);
}

static void chances_come_true(void **state)
{
	struct tally first = judge(101, false, false), second = judge(202, false, false);
	struct tally both = first;
	(void)state;
	print("seed 101", &first);
	print("seed 202", &second);
	for (size_t c = 0; c < CHANCES; c++) {
		both.given[c] += second.given[c];
		both.came[c] += second.came[c];
	}
	for (size_t i = 0; i <= HORIZONS; i++) {
		both.score[i] += second.score[i];
		both.marginal[i] += second.marginal[i];
	}
	both.scored += second.scored;
	print("both", &both);
	for (size_t c = 0; c < CHANCES; c++) {
		assert_true(fabs(share(&first, c) - chances[c]) <= EACH);
		assert_true(fabs(share(&second, c) - chances[c]) <= EACH);
		assert_true(fabs(share(&both, c) - chances[c]) <= POOLED);
	}
	for (size_t i = 0; i <= HORIZONS; i++) {
		assert_true(first.score[i] < first.marginal[i]);
		assert_true(second.score[i] < second.marginal[i]);
	}
}

static void types_that_share_a_factor__are_printed_beside(void **state)
{
	struct tally plain = judge(303, true, false), knows = judge(303, true, true);
	(void)state;
	print("seed 303, a slow common factor", &plain);
	print("seed 303, with the last 24 h of refusals", &knows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chances_come_true),
		cmocka_unit_test(types_that_share_a_factor__are_printed_beside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
