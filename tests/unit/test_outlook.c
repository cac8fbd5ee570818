/* The forecast follows the history: jobs learned once, those that wait anew, and runs of a stem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/likely.h"
#include "model/outlook.h"
#include "tests/jobs.h"
#include "tests/prices.h"

#define T0  INT64_C(1700006400000)
#define MIN INT64_C(60000)
#define P5  "ml.p5.48xlarge"
#define P4D "ml.p4d.24xlarge"

static void take(struct history *history, struct job *job, int64_t now_ms)
{
	struct history_figures figures;
	history_figures(job, &virginia, now_ms, &figures);
	history_take(history, job, &figures);
	job_release(job);
}

/* Of a list of P5 x2 and P4D x4: it waits, or, with run_min, ran so long on that rank. */
static void add(struct history *history, const char *name, int64_t created_ms, int64_t wait_min,
		size_t rank, int64_t run_min, int64_t now_ms)
{
	struct job job = described_job(name, created_ms, run_min ? "Completed" : "InProgress",
				       run_min ? "Completed" : "Pending");
	int64_t start_ms = created_ms + wait_min * MIN;
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P5, 2);
	add_entry(&job, P4D, 4);
	add_stretch(&job, "Pending", created_ms / 1000, run_min ? start_ms / 1000 : -1);
	if (run_min) {
		job.selected =
			(struct selected){ .set = true, .rank = rank, .count = 2 * (int64_t)rank };
		snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
			 rank == 1 ? P5 : P4D);
		add_stretch(&job, "Training", start_ms / 1000, start_ms / 1000 + run_min * 60);
		job.started = at(start_ms);
		job.ended = at(start_ms + run_min * MIN);
		job.billable = at(run_min * MIN);
	}
	take(history, &job, now_ms);
}

/* What a spot job ran holds the waits after its interruptions. */
static void add_spot_run(struct history *history, const char *name, int64_t run_min)
{
	struct job job = described_job(name, T0, "Completed", "Completed");
	job.spot = true;
	job.selected = (struct selected){ .set = true, .rank = 1, .count = 2 };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s", P4D);
	add_stretch(&job, "Training", T0 / 1000, T0 / 1000 + run_min * 60);
	job.started = at(T0);
	job.ended = at(T0 + run_min * MIN);
	take(history, &job, T0 + 900 * MIN);
}

static const struct survival *curve(struct outlook *outlook, int64_t now_ms)
{
	const struct wait_key key = { P5, JOB_TRAINING, false, COUNT_2 };
	return wait_curves_find(&outlook->curves, &key, now_ms);
}

static void a_job__is_learned_once__and_while_it_waits_anew(void **state)
{
	struct history history = { 0 }, other = { 0 };
	struct outlook outlook = { 0 };
	int64_t now_ms = T0 + 60 * MIN;
	(void)state;
	outlook_learn(&outlook, &history);
	assert_null(curve(&outlook, now_ms));
	add(&history, "a-1", T0, 20, 1, 30, now_ms);
	add(&history, "a-2", T0 + 30 * MIN, 0, 0, 0, now_ms);
	for (int i = 0; i < 3; i++) {
		outlook_learn(&outlook, &history);
		assert_int_equal(curve(&outlook, now_ms)->seen, 2);
		assert_int_equal(curve(&outlook, now_ms)->starts, 1);
	}
	/* It starts after 35 minutes on #1; nothing waits then. */
	add(&history, "a-2", T0 + 30 * MIN, 35, 1, 10, now_ms + 60 * MIN);
	outlook_learn(&outlook, &history);
	assert_int_equal(curve(&outlook, now_ms)->seen, 2);
	assert_int_equal(curve(&outlook, now_ms)->starts, 2);
	assert_int_equal(curve(&outlook, now_ms)->steps[1].ms, 35 * MIN);
	/* Another account's history takes its place. */
	add(&other, "b-1", T0, 7, 1, 30, now_ms);
	add(&other, "b-2", T0, 7, 1, 30, now_ms);
	add(&other, "b-3", T0, 7, 1, 30, now_ms);
	outlook_learn(&outlook, &other);
	assert_int_equal(curve(&outlook, now_ms)->seen, 3);
	assert_int_equal(curve(&outlook, now_ms)->count, 1);
	outlook_release(&outlook);
	history_release(&history);
	history_release(&other);
}

static void runs__are_the_median_of_the_stem_on_that_type_and_count(void **state)
{
	static const int64_t minutes[] = { 50, 10, 30 };
	struct history history = { 0 };
	struct preferences prefs = { 0 };
	struct outlook outlook = { 0 };
	struct opt_ms runs[PREFS_MAX];
	struct err err = { 0 };
	(void)state;
	for (int i = 0; i < 3; i++) {
		char name[16];
		snprintf(name, sizeof(name), "ft-%d", 100 + i);
		add(&history, name, T0, 5, 1, minutes[i], T0 + 900 * MIN);
	}
	add(&history, "ft-200", T0, 5, 2, 80, T0 + 900 * MIN);
	add_spot_run(&history, "ft-400", 500);
	add(&history, "eval-1", T0, 5, 1, 500, T0 + 900 * MIN);
	assert_true(prefs_parse(&prefs, P4D ":4," P5 ":2," P5 ":3," P4D ":2", 0, &err));
	outlook_learn(&outlook, &history);
	outlook_runs(&outlook, &history, "ft", JOB_TRAINING, &prefs, runs);
	assert_int_equal(runs[0].ms, 80 * MIN);
	assert_int_equal(runs[1].ms, 30 * MIN);
	assert_false(runs[2].set || runs[3].set);
	outlook_runs(&outlook, &history, "ft", JOB_PROCESSING, &prefs, runs);
	assert_false(runs[0].set);
	/* One more that runs is none yet; once it has completed the median is that of four. */
	add(&history, "ft-300", T0, 5, 1, 0, T0 + 900 * MIN);
	outlook_learn(&outlook, &history);
	outlook_runs(&outlook, &history, "ft", JOB_TRAINING, &prefs, runs);
	assert_int_equal(runs[1].ms, 30 * MIN);
	add(&history, "ft-300", T0, 5, 1, 40, T0 + 900 * MIN);
	for (int i = 0; i < 2; i++) {
		outlook_learn(&outlook, &history);
		outlook_runs(&outlook, &history, "ft", JOB_TRAINING, &prefs, runs);
		assert_int_equal(runs[1].ms, 40 * MIN);
	}
	outlook_release(&outlook);
	history_release(&history);
}

/* 0 to 3000 minutes in a scattered order (7919 has no factor in common with 3001): the middle one
 * is 1500, however often it is asked on the way. */
static void a_median__is_right__after_thousands_of_runs(void **state)
{
	struct history history = { 0 };
	struct outlook outlook = { 0 };
	struct preferences prefs = { 0 };
	struct opt_ms runs[PREFS_MAX];
	struct err err = { 0 };
	(void)state;
	assert_true(prefs_parse(&prefs, P5 ":2", 0, &err));
	for (int i = 0; i < 3001; i++) {
		char name[16];
		snprintf(name, sizeof(name), "ft-%05d", i);
		add(&history, name, T0, 5, 1, 1 + i * 7919 % 3001, T0 + 9000 * MIN);
		if (i % 700 == 0) {
			outlook_learn(&outlook, &history);
			outlook_runs(&outlook, &history, "ft", JOB_TRAINING, &prefs, runs);
			assert_true(runs[0].set);
		}
	}
	outlook_learn(&outlook, &history);
	outlook_runs(&outlook, &history, "ft", JOB_TRAINING, &prefs, runs);
	assert_int_equal(runs[0].ms, (1 + 1500) * MIN);
	outlook_release(&outlook);
	history_release(&history);
}

/* What was learned in steps, and a job that waits still, as of when it was last read. */
static void sightings__are_of_the_jobs_learned_and_of_those_that_wait(void **state)
{
	struct history history = { 0 };
	struct outlook outlook = { 0 };
	struct sightings p5 = { .instance_type = P5, .since_ms = T0 + 10 * MIN };
	struct sightings spot = p5;
	(void)state;
	spot.spot = true;
	add(&history, "a-1", T0, 2, 1, 30, T0 + 99 * MIN);             /* free, but too long ago */
	add(&history, "a-2", T0 + 20 * MIN, 40, 2, 30, T0 + 99 * MIN); /* #1 not free to the end */
	add(&history, "a-3", T0 + 50 * MIN, 3, 1, 30, T0 + 99 * MIN);
	add(&history, "a-4", T0 + 70 * MIN, 0, 0, 0, T0 + 90 * MIN);
	while (outlook_step(&outlook, &history, 1))
		continue;
	outlook_sight(&outlook, &history, &p5);
	outlook_sight(&outlook, &history, &spot);
	static const struct sighting wanted[] = { { T0 + 90 * MIN, false },
						  { T0 + 70 * MIN, false },
						  { T0 + 60 * MIN, false },
						  { T0 + 50 * MIN, true },
						  { T0 + 20 * MIN, false } };
	assert_int_equal(p5.count, 5);
	for (size_t i = 0; i < p5.count; i++) {
		assert_int_equal(p5.newest[i].at_ms, wanted[i].at_ms);
		assert_int_equal(p5.newest[i].free, wanted[i].free);
	}
	assert_int_equal(spot.count, 0);
	/* What was seen to wait without more of it: from 95 to 97 minutes; of spot it tells
	 * nothing. */
	history_refuse(&history, P5, T0 + 95 * MIN);
	history_refuse(&history, P5, T0 + 97 * MIN);
	outlook_sight(&outlook, &history, &p5);
	outlook_sight(&outlook, &history, &spot);
	assert_int_equal(p5.newest[0].at_ms, T0 + 97 * MIN);
	assert_int_equal(p5.newest[1].at_ms, T0 + 95 * MIN);
	assert_false(p5.newest[0].free || p5.newest[1].free);
	assert_int_equal(spot.count, 0);
	outlook_release(&outlook);
	history_release(&history);
}

/* 19 of the 20 waits are not longer than 19 minutes, in whatever steps they were learned. */
static void usual_waits__are_those_of_the_jobs_that_started(void **state)
{
	struct history history = { 0 };
	struct outlook outlook = { 0 };
	struct job job = described_job("a-99", T0, "InProgress", "Pending");
	size_t waits;
	(void)state;
	add_entry(&job, P5, 2);
	for (int i = 0; i < 20; i++) {
		char name[16];
		snprintf(name, sizeof(name), "a-%d", i);
		add(&history, name, T0, 1 + i * 7 % 20, 1, 30, T0 + 99 * MIN);
		if (i % 6 == 0)
			while (outlook_step(&outlook, &history, 4))
				continue;
	}
	add(&history, "a-20", T0, 0, 0, 0, T0 + 99 * MIN); /* it waits */
	while (outlook_step(&outlook, &history, 4))
		continue;
	assert_int_equal(stuck_threshold_ms(&outlook.waits, &job, (struct opt_ms){ 0 }, &waits),
			 19 * MIN);
	assert_int_equal(waits, 20);
	job_release(&job);
	outlook_release(&outlook);
	history_release(&history);
}

/* T0 is a Wednesday's midnight by UTC. #1 is free twice and refused once in its first hour, and
 * refused in the second; of #2 the two that came to it say that it was refused. */
static void a_week__is_of_the_jobs_learned_and_of_those_that_wait(void **state)
{
	static const struct {
		const char *type;
		struct week_cell first, second;
	} rows[] = { { P5, { 3, 2 }, { 1, 0 } }, { P4D, { 1, 0 }, { 1, 0 } } };
	struct history history = { 0 };
	struct outlook outlook = { 0 };
	(void)state;
	assert_int_equal(setenv("TZ", "CET-1", 1), 0);
	tzset();
	add(&history, "a-1", T0, 2, 1, 30, T0 + 99 * MIN);
	add(&history, "a-2", T0 + 20 * MIN, 40, 2, 30, T0 + 99 * MIN);
	add(&history, "a-3", T0 + 50 * MIN, 3, 1, 30, T0 + 99 * MIN);
	add(&history, "a-4", T0 + 70 * MIN, 0, 0, 0, T0 + 90 * MIN);
	for (int turn = 0; turn < 2; turn++) {
		while (outlook_step(&outlook, &history, 1))
			continue;
		for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
			bool utc = i % 2 == 0;
			const struct week_of of = { rows[i / 2].type, JOB_TRAINING, false, utc };
			struct week_pattern week = outlook_week(&outlook, &history, &of);
			struct week_pattern whole = { 0 };
			assert_memory_equal(&week.cells[2][!utc], &rows[i / 2].first,
					    sizeof(struct week_cell));
			assert_memory_equal(&week.cells[2][1 + !utc], &rows[i / 2].second,
					    sizeof(struct week_cell));
			week_pattern_learn(&whole, &history, &of);
			assert_memory_equal(&week, &whole, sizeof(week));
		}
		/* That it has started on #2 since says no more than that it waited. */
		add(&history, "a-4", T0 + 70 * MIN, 35, 2, 30, T0 + 300 * MIN);
	}
	assert_int_equal(outlook.pending_count, 0);
	struct week_of of = { P5, JOB_TRAINING, true, true };
	assert_int_equal(outlook_week(&outlook, &history, &of).all.tries, 0);
	of = (struct week_of){ "ml.trn1.32xlarge", JOB_TRAINING, false, true };
	assert_int_equal(outlook_week(&outlook, &history, &of).all.tries, 0);
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
	outlook_release(&outlook);
	history_release(&history);
}

#define PLAN "arn:aws:sagemaker:us-east-1:1:training-plan/a"

/* Bound to an entry, or to the whole job: then it serves the entry of its type. */
static void a_list__is_asked_with_its_counts_and_plans(void **state)
{
	char arn[] = PLAN, active[] = "Active";
	const struct plan plan = {
		.arn = arn, .status = active, .instance_type = P5, .available = { true, 2 }
	};
	struct preferences prefs = { 0 };
	struct forecast_ask ask;
	struct err err = { 0 };
	(void)state;
	assert_true(prefs_parse(&prefs, P5 ":2@" PLAN "," P4D ":4", 0, &err));
	outlook_ask(&ask, &prefs, JOB_TRAINING, true);
	assert_int_equal(ask.count, 2);
	assert_true(ask.spot);
	assert_int_equal(ask.choices[0].plan.when, PLAN_STARTS_UNKNOWN);
	assert_int_equal(ask.choices[1].plan.when, PLAN_STARTS_NOT_ASKED);
	assert_string_equal(ask.choices[1].instance_type, P4D);
	assert_int_equal(ask.choices[1].count, 4);
	outlook_ask_plans(&ask, &prefs, NULL, 0, T0);
	assert_int_equal(ask.choices[0].plan.when, PLAN_STARTS_UNKNOWN);
	outlook_ask_plans(&ask, &prefs, &plan, 1, T0);
	assert_int_equal(ask.choices[0].plan.when, PLAN_STARTS_IN);
	assert_int_equal(ask.choices[1].plan.when, PLAN_STARTS_NOT_ASKED);
	assert_true(prefs_parse(&prefs, P4D ":4," P5 ":2", 0, &err));
	memcpy(prefs.job_plan_arn, PLAN, sizeof(PLAN));
	outlook_ask(&ask, &prefs, JOB_TRAINING, false);
	outlook_ask_plans(&ask, &prefs, NULL, 0, T0);
	assert_true(ask.plan_unread);
	outlook_ask_plans(&ask, &prefs, &plan, 1, T0);
	assert_false(ask.plan_unread);
	assert_int_equal(ask.choices[0].plan.when, PLAN_STARTS_NOT_ASKED);
	assert_int_equal(ask.choices[1].plan.when, PLAN_STARTS_IN);
	assert_true(prefs_parse(&prefs, P5, 0, &err));
	outlook_ask(&ask, &prefs, JOB_TRAINING, false);
	assert_int_equal(ask.choices[0].count, 0);
}

/* On a plan nothing more; of spot, or where a plan serves one of them, nobody knows. */
static void costs__are_those_that_aws_bills(void **state)
{
	const struct likely likely = { .cost = { { true, 5 }, { true, 7 } } };
	struct forecast_ask ask = { .count = 2 };
	(void)state;
	ask.choices[0].plan.when = PLAN_STARTS_IN;
	likely_ask(&likely, &ask);
	assert_true(ask.choices[0].likely_cost.set && ask.choices[1].likely_cost.set);
	assert_int_equal(ask.choices[0].likely_cost.micro, 0);
	ask.choices[0].plan = (struct plan_start){ PLAN_STARTS_UNKNOWN, 0, true };
	likely_ask(&likely, &ask);
	assert_false(ask.choices[0].likely_cost.set);
	assert_int_equal(ask.choices[1].likely_cost.micro, 7);
	ask.plan_unread = true;
	likely_ask(&likely, &ask);
	assert_false(ask.choices[1].likely_cost.set);
	ask.plan_unread = false;
	ask.spot = true;
	likely_ask(&likely, &ask);
	assert_false(ask.choices[1].likely_cost.set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job__is_learned_once__and_while_it_waits_anew),
		cmocka_unit_test(runs__are_the_median_of_the_stem_on_that_type_and_count),
		cmocka_unit_test(a_median__is_right__after_thousands_of_runs),
		cmocka_unit_test(sightings__are_of_the_jobs_learned_and_of_those_that_wait),
		cmocka_unit_test(usual_waits__are_those_of_the_jobs_that_started),
		cmocka_unit_test(a_week__is_of_the_jobs_learned_and_of_those_that_wait),
		cmocka_unit_test(a_list__is_asked_with_its_counts_and_plans),
		cmocka_unit_test(costs__are_those_that_aws_bills),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
