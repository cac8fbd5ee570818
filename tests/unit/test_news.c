/* What rules are for, derived from a store by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/news.h"
#include "tests/jobs.h"

#define TEXT_MAX 4096
#define MINUTE   INT64_C(60000)
#define HOUR     (60 * MINUTE)
#define NOW      (1000 * HOUR)
#define ALL      ((1u << RULE_EVENTS) - 1)

struct bench {
	struct store store;
	struct phases phases;
	struct stuck_past past;
	struct news_ask ask;
	struct buf told;
};

static int start(void **state)
{
	struct bench *bench = mem_new(1, sizeof(*bench));
	buf_init(&bench->told, TEXT_MAX);
	bench->ask = (struct news_ask){
		.store = &bench->store, .past = &bench->past, .events = ALL, .now_ms = NOW
	};
	store_note_loaded(&bench->store, SOURCE_TRAINING, 0);
	store_note_loaded(&bench->store, SOURCE_PROCESSING, 0);
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;
	phases_release(&bench->phases);
	store_release(&bench->store);
	buf_release(&bench->told);
	free(bench);
	return 0;
}

static void note(void *ctx, const struct news *news)
{
	struct bench *bench = ctx;
	buf_addf(&bench->told, "%s: ", rule_event_word(news->event));
	news_add_words(&bench->told, news, &bench->ask, true);
	buf_add_char(&bench->told, '\n');
}

static void expect(struct bench *bench, const char *told)
{
	buf_clear(&bench->told);
	news_look(&bench->phases, &bench->ask, note, bench);
	assert_string_equal(buf_text(&bench->told), told);
}

/* One that was created so long ago and has been pending since. */
static struct job pending(const char *name, int64_t ago_ms)
{
	struct job job = described_job(name, NOW - ago_ms, "InProgress", "Pending");
	add_stretch(&job, "Pending", (NOW - ago_ms) / 1000, -1);
	return job;
}

static void starts_and_fallbacks__are_moments(void **state)
{
	struct bench *bench = *state;
	struct job job = pending("a", HOUR);
	store_take_described(&bench->store, &job);
	expect(bench, "");
	job = described_job("a", NOW - HOUR, "InProgress", "Downloading");
	add_stretch(&job, "Pending", (NOW - HOUR) / 1000, NOW / 1000 - 60);
	add_stretch(&job, "Downloading", NOW / 1000 - 60, -1);
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 2, 2 };
	store_take_described(&bench->store, &job);
	expect(bench, "start: a has started on #2 ml.p4d.24xlarge x2 after a wait of 59m\n"
		      "fallback: a fell back to #2 ml.p4d.24xlarge x2\n");
	expect(bench, "");
}

/* Of a reason the first word alone: the rest may quote a command line. */
static void failures__are_told__and_stops_by_people_are_not(void **state)
{
	struct bench *bench = *state;
	static const char *const names[] = { "a", "b", "c", "d" };
	for (size_t i = 0; i < 4; i++) {
		struct job job = pending(names[i], HOUR);
		store_take_described(&bench->store, &job);
	}
	expect(bench, "");
	struct job job = described_job("a", NOW - HOUR, "Failed", "Failed");
	job.failure_reason =
		mem_copy_text("AlgorithmError: train.py --token hunter2, exit code: 1");
	store_take_described(&bench->store, &job);
	expect(bench, "fail: a has failed (AlgorithmError)\n");
	job = described_job("b", NOW - HOUR, "Stopped", "Stopped");
	job.started = at(NOW - MINUTE);
	store_take_described(&bench->store, &job);
	expect(bench, "");
	job = described_job("c", NOW - HOUR, "Stopped", "MaxRuntimeExceeded");
	job.started = at(NOW - MINUTE);
	store_take_described(&bench->store, &job);
	expect(bench, "fail: c was stopped by MaxRuntimeInSeconds\n");
	job = described_job("d", NOW - HOUR, "Stopped", "MaxPendingTimeExceeded");
	store_take_described(&bench->store, &job);
	expect(bench, "fail: d was stopped by its pending limit\n");
}

static void what_lasts__is_told_each_time(void **state)
{
	struct bench *bench = *state;
	struct job job = pending("a", HOUR);
	store_take_described(&bench->store, &job);
	bench->ask.stuck_after = at(2 * HOUR);
	expect(bench, "");
	bench->ask.stuck_after = at(HOUR - 1);
	for (int i = 0; i < 2; i++)
		expect(bench, "stuck: a is pending: stuck: it waits longer than stuck_after "
			      "(59m)\n");
	bench->ask.past = NULL; /* what is usual is not known yet */
	expect(bench, "");
	bench->ask.past = &bench->past;
	bench->ask.events = ALL & ~(1u << RULE_STUCK);
	expect(bench, "");
}

/* 80 % of 10 h are 8 h; 1000 h after 1970 it is 16:00. */
static void limit__is_told_at_80_percent(void **state)
{
	struct bench *bench = *state;
	struct job job = pending("a", 8 * HOUR);
	job.max_pending = at(10 * HOUR);
	bench->ask.stuck_after = at(100 * HOUR);
	store_take_described(&bench->store, &job);
	expect(bench, "limit: a has used over 80 % of its pending limit, which stops it at 18:00 "
		      "UTC\n");
	bench->ask.now_ms -= 2000;
	expect(bench, "");
}

static void processing_jobs__tell_how_long_they_wait(void **state)
{
	struct bench *bench = *state;
	struct job job = described_job("p", NOW - 5 * HOUR, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	bench->ask.stuck_after = at(100 * HOUR);
	store_take_described(&bench->store, &job);
	expect(bench, "processing-pending: p has been pending for 5h00m\n");
	job = described_job("p", NOW - 5 * HOUR, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	job.started = at(NOW);
	store_take_described(&bench->store, &job);
	expect(bench, "start: p has started after a wait of 5h00m\n");
}

static void plans__are_told_half_an_hour_before(void **state)
{
	static const struct {
		int64_t start_in, end_in;
		const char *told;
	} rows[] = {
		{ 31 * MINUTE, 90 * HOUR, "" },
		{ 30 * MINUTE, 90 * HOUR,
		  "plan-start: training plan week (ml.p5.48xlarge) opens at 16:30 UTC, in 30m\n" },
		{ -HOUR, 31 * MINUTE, "" },
		{ -HOUR, 30 * MINUTE,
		  "plan-end: training plan week (ml.p5.48xlarge) is over for now at 16:30 UTC, in "
		  "30m\n" },
		{ -2 * HOUR, -HOUR, "" },
	};
	struct bench *bench = *state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct plan *plan = mem_new(1, sizeof(*plan));
		const struct plan_window window = { .start = at(NOW + rows[i].start_in),
						    .end = at(NOW + rows[i].end_in) };
		plan->arn = mem_copy_text("arn:aws:sagemaker:us-east-1:1:training-plan/week");
		plan->status = mem_copy_text(rows[i].start_in > 0 ? "Scheduled" : "Active");
		(void)snprintf(plan->name, sizeof(plan->name), "week");
		(void)snprintf(plan->instance_type, sizeof(plan->instance_type), "ml.p5.48xlarge");
		plan_add_window(plan, &window);
		store_take_plans(&bench->store, plan, 1);
		expect(bench, rows[i].told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(starts_and_fallbacks__are_moments, start, stop),
		cmocka_unit_test_setup_teardown(failures__are_told__and_stops_by_people_are_not,
						start, stop),
		cmocka_unit_test_setup_teardown(what_lasts__is_told_each_time, start, stop),
		cmocka_unit_test_setup_teardown(limit__is_told_at_80_percent, start, stop),
		cmocka_unit_test_setup_teardown(processing_jobs__tell_how_long_they_wait, start,
						stop),
		cmocka_unit_test_setup_teardown(plans__are_told_half_an_hour_before, start, stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
