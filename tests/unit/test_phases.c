/* Changes of phase, by hand: what is told, and what is no news. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/phases.h"
#include "tests/jobs.h"

#define TEXT_MAX 4096

struct bench {
	struct store store;
	struct phases phases;
	int64_t mono_ms;
	struct buf told;
};

static int start(void **state)
{
	struct bench *bench = mem_new(1, sizeof(*bench));
	buf_init(&bench->told, TEXT_MAX);
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

static void note(void *ctx, const struct phase_change *change)
{
	struct bench *bench = ctx;
	buf_addf(&bench->told, "%s:%s>%s ", change->job->name,
		 change->has_from ? phase_word(change->from) : "-", phase_word(change->to));
}

/* Looks, and wants exactly this to be told. */
static void expect(struct bench *bench, const char *told)
{
	buf_clear(&bench->told);
	phases_look(&bench->phases, &bench->store, bench->mono_ms, note, bench);
	assert_string_equal(buf_text(&bench->told), told);
}

static void list(struct bench *bench, const char *name, const char *status, const char *secondary,
		 int64_t modified_ms)
{
	struct job job = listed_job(name, 1000, status, secondary);
	job.modified = at(modified_ms);
	store_take_summary(&bench->store, &job);
}

static void describe(struct bench *bench, const char *name, const char *status,
		     const char *secondary, int64_t modified_ms)
{
	struct job job = described_job(name, 1000, status, secondary);
	job.modified = at(modified_ms);
	store_take_described(&bench->store, &job);
}

static void lists_are_complete(struct bench *bench)
{
	store_note_loaded(&bench->store, SOURCE_TRAINING, bench->mono_ms);
	store_note_loaded(&bench->store, SOURCE_PROCESSING, bench->mono_ms);
}

static void what_is_there_at_first__is_no_news__but_its_changes_are(void **state)
{
	struct bench *bench = *state;
	describe(bench, "a", "InProgress", "Pending", 2000);
	expect(bench, "");
	describe(bench, "b", "InProgress", "Training", 2000);
	lists_are_complete(bench);
	expect(bench, "");
	expect(bench, "");
	describe(bench, "a", "InProgress", "Starting", 4000); /* still a wait */
	expect(bench, "");
	describe(bench, "a", "InProgress", "Downloading", 6000);
	describe(bench, "b", "Completed", "Completed", 6000);
	expect(bench, "b:running>completed a:pending>starting ");
	expect(bench, "");
}

/* Seen with one phase before the lists were complete, and with another after. */
static void a_change_while_lists_load__is_told(void **state)
{
	struct bench *bench = *state;
	describe(bench, "a", "InProgress", "Pending", 2000);
	expect(bench, "");
	describe(bench, "a", "InProgress", "Training", 4000);
	expect(bench, "a:pending>running ");
}

static void new_jobs__come_from_nothing(void **state)
{
	struct bench *bench = *state;
	lists_are_complete(bench);
	expect(bench, "");
	describe(bench, "a", "InProgress", "Pending", 2000);
	expect(bench, "a:->pending ");
	/* A processing job of a list alone may wait or run. */
	struct job job = listed_job("p", 5000, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	store_take_summary(&bench->store, &job);
	expect(bench, "");
	job = described_job("p", 5000, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	store_take_described(&bench->store, &job);
	expect(bench, "p:->pending ");
}

/* Selection and wait come with the description, which is given a moment. */
static void a_change_by_a_list__waits_for_the_details(void **state)
{
	struct bench *bench = *state;
	describe(bench, "a", "InProgress", "Pending", 2000);
	lists_are_complete(bench);
	expect(bench, "");
	list(bench, "a", "Completed", NULL, 9000);
	assert_int_equal(phases_wait_ms(&bench->phases, bench->mono_ms), -1);
	expect(bench, "");
	assert_int_equal(phases_wait_ms(&bench->phases, bench->mono_ms), PHASES_HOLD_MS);
	describe(bench, "a", "Completed", "Completed", 9000);
	expect(bench, "a:pending>completed ");
	assert_int_equal(phases_wait_ms(&bench->phases, bench->mono_ms), -1);
	/* They do not come. */
	describe(bench, "b", "InProgress", "Pending", 2000);
	expect(bench, "b:->pending ");
	list(bench, "b", "Stopped", NULL, 9000);
	expect(bench, "");
	bench->mono_ms += PHASES_HOLD_MS - 1;
	expect(bench, "");
	bench->mono_ms += 1;
	expect(bench, "b:pending>stopped ");
	expect(bench, "");
}

static void what_an_earlier_run_knew__is_no_news_when_it_has_changed(void **state)
{
	struct bench *bench = *state;
	struct job job = described_job("a", 1000, "InProgress", "Pending");
	store_take_recorded(&bench->store, &job, 3000);
	job = described_job("b", 1000, "InProgress", "Pending");
	store_take_recorded(&bench->store, &job, 3000);
	expect(bench, "");
	describe(bench, "a", "InProgress", "Training", 9000);
	expect(bench, "");
	lists_are_complete(bench);
	expect(bench, "");
	describe(bench, "b", "InProgress", "Training", 9000);
	describe(bench, "a", "Failed", "Failed", 9900);
	expect(bench, "b:pending>running a:running>failed ");
}

static void jobs_that_go__leave_no_trace(void **state)
{
	struct bench *bench = *state;
	char name[JOB_NAME_SIZE];
	lists_are_complete(bench);
	expect(bench, "");
	for (int i = 0; i < 1000; i++) {
		struct buf told;
		(void)snprintf(name, sizeof(name), "job-%d", i);
		describe(bench, name, "InProgress", "Pending", 2000);
		buf_init(&told, TEXT_MAX);
		buf_addf(&told, "%s:->pending ", name);
		expect(bench, buf_text(&told));
		buf_release(&told);
		store_forget(&bench->store, name);
	}
	assert_in_range(bench->phases.size, 1, 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_is_there_at_first__is_no_news__but_its_changes_are, start, stop),
		cmocka_unit_test_setup_teardown(a_change_while_lists_load__is_told, start, stop),
		cmocka_unit_test_setup_teardown(new_jobs__come_from_nothing, start, stop),
		cmocka_unit_test_setup_teardown(a_change_by_a_list__waits_for_the_details, start,
						stop),
		cmocka_unit_test_setup_teardown(
			what_an_earlier_run_knew__is_no_news_when_it_has_changed, start, stop),
		cmocka_unit_test_setup_teardown(jobs_that_go__leave_no_trace, start, stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
