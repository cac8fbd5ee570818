/* What is worked out of a job for the history, against figures by hand; and the list of all jobs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/history.h"
#include "tests/jobs.h"
#include "tests/prices.h"

#define T0   INT64_C(1700000000000)
#define T0_S (T0 / 1000)

/* Its figures five hours after T0; gives the job back. */
static struct history_figures figures_of(struct job *job)
{
	struct history_figures figures;
	history_figures(job, &virginia, T0 + 5 * 3600000, &figures);
	job_release(job);
	return figures;
}

/* Waited 2 h, prepared 10 min, was interrupted after 1 h for 30 min, ran on for 20 min. */
static void test_a_start_and_an_interruption(void **state)
{
	(void)state;
	struct job job = described_job("spot", T0, "Completed", "Completed");
	add_stretch(&job, "Starting", T0_S, T0_S + 60);
	add_stretch(&job, "Pending", T0_S + 60, T0_S + 7200);
	add_stretch(&job, "Downloading", T0_S + 7200, T0_S + 7800);
	add_stretch(&job, "Training", T0_S + 7800, T0_S + 11400);
	add_stretch(&job, "Interrupted", T0_S + 11400, T0_S + 13200);
	add_stretch(&job, "Training", T0_S + 13200, T0_S + 14400);
	job.started = at(T0 + 7200000);
	job.ended = at(T0 + 14400000);
	struct history_figures figures = figures_of(&job);
	assert_int_equal(figures.outcome, WAIT_STARTED);
	assert_int_equal(figures.first_wait.ms, 7200000);
	assert_int_equal(figures.wait.ms, 7200000 + 1800000);
	assert_true(figures.wait_final);
	assert_int_equal(figures.run.ms, 7200000);
}

/* Two instances for an hour, and half an hour more in which they stood ready for the next job. */
static void test_a_warm_pool_is_billed_beside(void **state)
{
	(void)state;
	struct job job = described_job("warm", T0, "Completed", "Completed");
	int64_t hour = price_find(&virginia, JOB_TRAINING, "ml.p4d.24xlarge").per_hour_micro;
	add_stretch(&job, "Training", T0_S, T0_S + 3600);
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 2, 1 };
	job.started = at(T0);
	job.ended = at(T0 + 3600000);
	job.billable = at(3600000);
	job.keep_alive_seconds = 1800;
	job.pool.status = mem_copy_text("Terminated");
	job.pool.retained = at(1800000);
	struct history_figures figures = figures_of(&job);
	assert_int_equal(figures.cost.micro, hour * 2 + hour);
}

static void test_one_that_waits(void **state)
{
	(void)state;
	struct job job = described_job("waits", T0, "InProgress", "Pending");
	add_stretch(&job, "Pending", T0_S + 10, -1);
	struct history_figures figures = figures_of(&job);
	assert_int_equal(figures.outcome, WAIT_PENDING);
	assert_int_equal(figures.first_wait.ms, 5 * 3600000);
	assert_false(figures.wait_final);
	assert_false(figures.run.set);
}

static struct job ended_in_wait(const char *status, const char *secondary)
{
	struct job job = described_job("gave-up", T0, status, secondary);
	add_stretch(&job, "Pending", T0_S, T0_S + 7200);
	job.ended = at(T0 + 7200000);
	return job;
}

static void test_waits_that_end_without_a_start(void **state)
{
	(void)state;
	struct job stopped = ended_in_wait("Stopped", "Stopped");
	struct job told = ended_in_wait("Stopped", "MaxPendingTimeExceeded");
	struct job untold = ended_in_wait("Stopped", "Stopped");
	struct job capacity = ended_in_wait("Failed", "Failed");
	struct job failed = ended_in_wait("Failed", "Failed");
	untold.max_pending = at(7200000);
	capacity.failure_reason = mem_copy_text("CapacityError: no instances");
	failed.failure_reason = mem_copy_text("ClientError: no such image");
	struct history_figures figures = figures_of(&stopped);
	assert_int_equal(figures.outcome, WAIT_STOPPED);
	assert_int_equal(figures.first_wait.ms, 7200000);
	assert_int_equal(figures_of(&told).outcome, WAIT_TIMED_OUT);
	assert_int_equal(figures_of(&untold).outcome, WAIT_TIMED_OUT);
	assert_int_equal(figures_of(&capacity).outcome, WAIT_TIMED_OUT);
	assert_int_equal(figures_of(&failed).outcome, WAIT_FAILED);
}

/* A run that was cut by its limit is none of a wait. */
static void test_a_run_that_is_cut(void **state)
{
	(void)state;
	struct job job = described_job("long", T0, "Stopped", "MaxRuntimeExceeded");
	job.started = at(T0 + 60000);
	job.ended = at(T0 + 3660000);
	job.billable = at(3600000);
	struct history_figures figures = figures_of(&job);
	assert_int_equal(figures.outcome, WAIT_STARTED);
	assert_int_equal(figures.first_wait.ms, 60000);
	assert_int_equal(figures.run.ms, 3600000);
	assert_true(figures.cost.set);
}

static void take(struct history *history, struct job *job)
{
	struct history_figures figures;
	history_figures(job, &virginia, T0 + 5 * 3600000, &figures);
	history_take(history, job, &figures);
	job_release(job);
}

static void test_taken_again_in_its_place(void **state)
{
	(void)state;
	struct history history = { 0 };
	char team[] = "team", nlp[] = "nlp";
	const struct tag tag = { team, nlp };
	struct job first = described_job("run-0001", T0, "InProgress", "Pending");
	struct job again = ended_in_wait("Stopped", "Stopped");
	struct job summary = listed_job("other", T0, "InProgress", "Pending");
	struct observation seen;
	mem_set_text(&again.arn, "run-0001");
	memcpy(again.name, "run-0001", sizeof("run-0001"));
	first.tags = tag_list_new(&tag, 1);
	take(&history, &first);
	take(&history, &again);
	take(&history, &summary);
	assert_int_equal(history.count, 2);
	const struct history_job *kept = history_find(&history, history_key("run-0001"));
	assert_non_null(kept);
	assert_int_equal(kept->outcome, WAIT_STOPPED);
	assert_int_equal(kept->tag_count, 1);
	assert_string_equal(texts_at(&history.texts, history.tags[kept->tag_at]), "team=nlp");
	assert_string_equal(texts_at(&history.texts, kept->stem), "run");
	/* A list that comes later tells less. */
	summary = listed_job("run-0001", T0, "Stopped", "Stopped");
	take(&history, &summary);
	assert_true(history_find(&history, history_key("run-0001"))->has_details);
	assert_true(history_observe(&history, 0, &seen));
	assert_string_equal(seen.name, "run-0001");
	assert_int_equal(seen.entry_count, 1);
	assert_int_equal(seen.entries[0].count, 2);
	assert_false(history_observe(&history, 1, &seen)); /* its list is not known */
	assert_null(history_find(&history, history_key("nobody")));
	history_release(&history);
}

static void take_at(struct history *history, const char *status, enum price_source source,
		    int64_t cost_micro)
{
	bool live = strcmp(status, "InProgress") == 0;
	struct job job = described_job("run-0001", T0, status, live ? "Training" : status);
	struct history_figures figures = { .cost = { source != PRICE_NONE, cost_micro },
					   .currency = "USD",
					   .price_source = source };
	job.modified = at(T0 + 3600000);
	history_take(history, &job, &figures);
	job_release(&job);
}

static void expect_cost(const struct history *history, enum price_source source, int64_t cost_micro)
{
	const struct history_job *kept = history_find(history, history_key("run-0001"));
	assert_non_null(kept);
	assert_true(kept->has_cost);
	assert_int_equal(kept->price_source, source);
	assert_int_equal(kept->cost_micro, cost_micro);
	assert_string_equal(texts_at(&history->texts, kept->currency), "USD");
}

/* The cost so far grows by whatever is known; the final one is not made less sure. */
static void test_a_surer_cost_stays(void **state)
{
	(void)state;
	struct history history = { 0 };
	take_at(&history, "InProgress", PRICE_LIST, 1000000);
	take_at(&history, "InProgress", PRICE_TABLE, 3000000);
	expect_cost(&history, PRICE_TABLE, 3000000);
	take_at(&history, "Completed", PRICE_LIST, 2000000);
	expect_cost(&history, PRICE_LIST, 2000000);
	take_at(&history, "Completed", PRICE_TABLE, 5000000);
	expect_cost(&history, PRICE_LIST, 2000000);
	take_at(&history, "Completed", PRICE_NONE, 0);
	expect_cost(&history, PRICE_LIST, 2000000);
	take_at(&history, "Completed", PRICE_LIST, 2100000);
	expect_cost(&history, PRICE_LIST, 2100000);
	history_release(&history);
}

/* As many as there may be, all found again. */
static void test_many(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_job job = { 0 };
	for (uint64_t key = 1; key <= HISTORY_JOBS_MAX + 10; key++) {
		job.key = key * UINT64_C(0x9e3779b97f4a7c15);
		history_put(&history, &job);
	}
	assert_int_equal(history.count, HISTORY_JOBS_MAX);
	for (uint64_t key = 1; key <= HISTORY_JOBS_MAX; key++)
		assert_non_null(history_find(&history, key * UINT64_C(0x9e3779b97f4a7c15)));
	history_release(&history);
}

static void test_texts_are_kept_once(void **state)
{
	(void)state;
	struct texts texts = { 0 };
	char text[16];
	assert_int_equal(texts_add(&texts, NULL), 0);
	assert_int_equal(texts_find(&texts, "a"), 0);
	uint32_t a = texts_add(&texts, "a");
	assert_true(a > 0);
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "t%d", i % 500);
		texts_add(&texts, text);
	}
	assert_int_equal(texts.count, 502);
	assert_int_equal(texts_add(&texts, "a"), a);
	assert_string_equal(texts_at(&texts, texts_find(&texts, "t499")), "t499");
	assert_null(texts_at(&texts, 0));
	assert_null(texts_at(&texts, 100000));
	texts_release(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_start_and_an_interruption),
		cmocka_unit_test(test_a_warm_pool_is_billed_beside),
		cmocka_unit_test(test_one_that_waits),
		cmocka_unit_test(test_waits_that_end_without_a_start),
		cmocka_unit_test(test_a_run_that_is_cut),
		cmocka_unit_test(test_taken_again_in_its_place),
		cmocka_unit_test(test_a_surer_cost_stays),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_texts_are_kept_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
