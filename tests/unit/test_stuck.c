/* Which jobs are marked, and what counts towards a pending limit: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/stuck.h"
#include "tests/jobs.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define P4D    "ml.p4d.24xlarge"
#define G5     "ml.g5.2xlarge"
#define PLAN   "arn:aws:sagemaker:us-east-1:111122223333:training-plan/two"

static const struct opt_ms by_waits = { 0 };

/* A job that started on the type after that many minutes. */
static void remember(struct history *history, const char *type, int minutes)
{
	char name[32];
	(void)snprintf(name, sizeof(name), "past-%zu", history->count);
	struct history_job job = {
		.key = history_key(name),
		.name = texts_add(&history->texts, name),
		.stem = texts_add(&history->texts, "past"),
		.types = { texts_add(&history->texts, type) },
		.counts = { 1 },
		.entry_count = 1,
		.rank = 1,
		.kind = JOB_TRAINING,
		.phase = PHASE_RUNNING,
		.outcome = WAIT_STARTED,
		.first_wait_ms = minutes * MINUTE,
		.has_created = true,
		.has_first_wait = true,
		.has_details = true,
	};
	history_put(history, &job);
}

/* p4d and g5, pending since that many minutes before `now`, 0 being the epoch. */
static struct job waiting(int64_t minutes, int64_t now_ms)
{
	struct job job = described_job("waits", now_ms - minutes * MINUTE, "InProgress", "Pending");
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P4D, 1);
	add_entry(&job, G5, 1);
	job_add_transition(&job, "Pending", NULL, job.created, (struct opt_ms){ 0 });
	return job;
}

/* All jobs from position `from` on. */
static void learn(struct stuck_past *past, const struct history *history, size_t from)
{
	struct observation one;
	for (size_t i = from; i < history->count; i++) {
		assert_true(history_observe(history, i, &one));
		stuck_past_add(past, &one);
	}
	stuck_past_settle(past);
}

static unsigned marks(const struct store *store, const struct job *job, int64_t now_ms)
{
	struct stuck_past past = { 0 };
	learn(&past, &store->history, 0);
	unsigned why = stuck_why(store, &past, job, by_waits, now_ms);
	stuck_past_release(&past);
	return why;
}

/* 19 waits are too few; of 1 to 20 minutes the 19th is the nearest rank of 95 %. */
static void wait_beyond_the_95th_percentile__is_stuck__from_20_waits_on(void **state)
{
	struct store store = { 0 };
	struct stuck_past past = { 0 };
	struct job job = waiting(30, HOUR);
	size_t waits;
	(void)state;
	for (int i = 1; i <= 10; i++)
		remember(&store.history, P4D, i);
	for (int i = 11; i <= 19; i++)
		remember(&store.history, G5, i);
	remember(&store.history, "ml.p5.48xlarge", 500); /* none of its types */
	learn(&past, &store.history, 0);
	assert_int_equal(stuck_threshold_ms(&past, &job, by_waits, &waits), 6 * HOUR);
	assert_int_equal(waits, 19);
	remember(&store.history, G5, 20);
	learn(&past, &store.history, 20);
	assert_int_equal(stuck_threshold_ms(&past, &job, by_waits, &waits), 19 * MINUTE);
	assert_int_equal(waits, 20);
	assert_int_equal(stuck_why(&store, &past, &job, by_waits, HOUR), STUCK_WAITS);
	assert_int_equal(stuck_why(&store, &past, &job, by_waits, HOUR - 11 * MINUTE), 0);
	stuck_past_release(&past);
	job_release(&job);
	store_release(&store);
}

/* Case 066: an hour is no wait to mark by itself; a team may say so. */
static void wait_of_six_hours__is_stuck__or_of_stuck_after(void **state)
{
	struct store store = { 0 };
	const struct stuck_past none = { 0 };
	const struct opt_ms after = { true, 30 * MINUTE };
	struct job job = waiting(60, 10 * HOUR);
	(void)state;
	assert_int_equal(stuck_why(&store, &none, &job, by_waits, 10 * HOUR), 0);
	assert_int_equal(stuck_why(&store, &none, &job, by_waits, 15 * HOUR), 0);
	assert_int_equal(stuck_why(&store, &none, &job, by_waits, 15 * HOUR + 1), STUCK_WAITS);
	assert_int_equal(stuck_why(&store, &none, &job, after, 10 * HOUR), STUCK_WAITS);
	job_release(&job);
}

static void limit_of_which_80_percent_are_counted__is_marked(void **state)
{
	struct store store = { 0 };
	struct job job = waiting(95, 10 * HOUR);
	(void)state;
	job.max_pending = (struct opt_ms){ true, 2 * HOUR };
	assert_int_equal(marks(&store, &job, 10 * HOUR), 0);
	assert_int_equal(marks(&store, &job, 10 * HOUR + MINUTE), STUCK_NEAR_LIMIT);
	struct pending_clock clock = pending_clock(&store, &job, 10 * HOUR);
	assert_true(clock.has_limit && !clock.stands && clock.deadline.set);
	assert_int_equal(clock.deadline.ms, 10 * HOUR + 25 * MINUTE);
	job_release(&job);
}

/* Case 079. A plan from 12:00 to 14:00 and from 20:00 on, a job since 10:00: of the time until noon
 * nothing counts, of the window all, and then nothing until 20:00. */
static void limit__counts_open_windows_alone__of_a_plan(void **state)
{
	struct store store = { 0 };
	struct plan *plan = mem_new(1, sizeof(*plan));
	struct job job = waiting(0, 10 * HOUR);
	static const struct {
		int64_t now_ms, counted_ms;
		bool stands;
	} rows[] = {
		{ 11 * HOUR, 0, true },         { 13 * HOUR, HOUR, false },
		{ 14 * HOUR, 2 * HOUR, true },  { 19 * HOUR, 2 * HOUR, true },
		{ 21 * HOUR, 3 * HOUR, false },
	};
	(void)state;
	plan->arn = mem_copy_text(PLAN);
	plan->status = mem_copy_text("Scheduled");
	memcpy(plan->instance_type, P4D, sizeof(P4D));
	plan_add_window(plan,
			&(struct plan_window){ .start = at(12 * HOUR), .end = at(14 * HOUR) });
	plan_add_window(plan,
			&(struct plan_window){ .start = at(20 * HOUR), .end = at(40 * HOUR) });
	store_take_plans(&store, plan, 1);
	job_edit_prefs(&job)->length = 1;
	assert_true(prefs_set_plan(job_edit_prefs(&job), 0, PLAN));
	job.max_pending = (struct opt_ms){ true, 4 * HOUR };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pending_clock clock = pending_clock(&store, &job, rows[i].now_ms);
		assert_int_equal(clock.counted_ms, rows[i].counted_ms);
		assert_int_equal(clock.stands, rows[i].stands);
		assert_int_equal(clock.deadline.set, !rows[i].stands);
	}
	assert_int_equal(pending_clock(&store, &job, 19 * HOUR).resumes.ms, 20 * HOUR);
	assert_int_equal(pending_clock(&store, &job, 21 * HOUR).deadline.ms, 22 * HOUR);
	assert_int_equal(marks(&store, &job, 19 * HOUR), 0);
	assert_int_equal(marks(&store, &job, 21 * HOUR + 15 * MINUTE), STUCK_NEAR_LIMIT);
	job_release(&job);
	store_release(&store);
}

static void stop_over_an_hour__run_near_its_end__and_lost_model__are_marked(void **state)
{
	struct store store = { 0 };
	struct job stops = described_job("stops", HOUR, "Stopping", "Stopping");
	struct job runs = described_job("runs", HOUR, "InProgress", "Training");
	struct job lost = described_job("lost", HOUR, "Stopped", "MaxRuntimeExceeded");
	struct buf text;
	(void)state;
	job_add_transition(&stops, "Stopping", NULL, at(2 * HOUR), (struct opt_ms){ 0 });
	assert_int_equal(marks(&store, &stops, 3 * HOUR), 0);
	assert_int_equal(marks(&store, &stops, 3 * HOUR + 1), STUCK_STOPPING);
	runs.started = at(HOUR);
	runs.max_runtime = (struct opt_ms){ true, 10 * HOUR };
	assert_int_equal(marks(&store, &runs, 10 * HOUR - 1), 0);
	assert_int_equal(marks(&store, &runs, 10 * HOUR), STUCK_NEAR_END);
	assert_int_equal(marks(&store, &lost, 10 * HOUR), STUCK_MODEL_LOST);
	buf_init(&text, 1024);
	stuck_add_words(&text, &store, &(struct stuck_past){ 0 }, &lost, by_waits, 10 * HOUR);
	assert_string_equal(buf_text(&text), "MaxRuntimeInSeconds ended it: what it had not saved "
					     "is lost. ");
	buf_release(&text);
	job_release(&stops);
	job_release(&runs);
	job_release(&lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wait_beyond_the_95th_percentile__is_stuck__from_20_waits_on),
		cmocka_unit_test(wait_of_six_hours__is_stuck__or_of_stuck_after),
		cmocka_unit_test(limit_of_which_80_percent_are_counted__is_marked),
		cmocka_unit_test(limit__counts_open_windows_alone__of_a_plan),
		cmocka_unit_test(stop_over_an_hour__run_near_its_end__and_lost_model__are_marked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
