/* gpuq jobs: the order of its list, for a person and for a script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/jobs.h"
#include "views/text/command.h"

#define OUT_MAX  (1u << 20)
#define EIGHT_S  INT64_C(1796068800) /* 2026-11-30T20:00:00Z */
#define MINUTE_S 60

/* A job created that many minutes after eight, pending until started (negative: still). */
static struct job job_of(const char *name, int created, int started, const char *status)
{
	struct job job = listed_job(name, (EIGHT_S + created * MINUTE_S) * 1000, status,
				    started < 0 ? "Pending" : "Training");
	job.described = true;
	add_stretch(&job, "Pending", EIGHT_S + created * MINUTE_S,
		    started < 0 ? -1 : EIGHT_S + started * MINUTE_S);
	if (started >= 0)
		job.started = at((EIGHT_S + started * MINUTE_S) * 1000);
	return job;
}

static void fill(struct store *store)
{
	struct job jobs[] = {
		job_of("ended-1", 0, 5, "Completed"),
		job_of("waits-long", 10, -1, "InProgress"),
		job_of("runs", 20, 30, "InProgress"),
		job_of("ended-2", 25, 30, "Failed"),
		job_of("waits-short", 50, -1, "InProgress"),
	};
	jobs[0].ended = at((EIGHT_S + 59 * MINUTE_S) * 1000);
	jobs[3].ended = at((EIGHT_S + 40 * MINUTE_S) * 1000);
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++)
		store_take_described(store, &jobs[i]);
}

/* The names in the order of the output are those, each found behind the one before. */
static void assert_order(enum report_format format, const char *const *names)
{
	struct store store = { 0 };
	struct clock clock = clock_system();
	struct options options = { .format = format };
	struct buf out, messages;
	buf_init(&out, OUT_MAX);
	buf_init(&messages, OUT_MAX);
	store_note_date(&store, (EIGHT_S + 60 * MINUTE_S) * 1000, clock_mono_ms(&clock));
	fill(&store);
	struct command_run what = { .options = &options,
				    .store = &store,
				    .clock = &clock,
				    .region = "us-east-1",
				    .out = &out,
				    .messages = &messages };
	assert_int_equal(command_jobs.run(&what), 0);
	const char *from = buf_text(&out);
	for (; *names; names++) {
		from = strstr(from, *names);
		if (!from)
			fail_msg("%s is not where it belongs:\n%s", *names, buf_text(&out));
	}
	buf_release(&out);
	buf_release(&messages);
	store_release(&store);
}

static void table__begins_with_the_longest_wait(void **state)
{
	static const char *const names[] = { "waits-long", "waits-short", "runs",
					     "ended-1",    "ended-2",     NULL };
	(void)state;
	assert_order(REPORT_TABLE, names);
}

static void scripts__get_the_newest_first(void **state)
{
	static const char *const names[] = { "waits-short", "ended-2", "runs",
					     "waits-long",  "ended-1", NULL };
	(void)state;
	assert_order(REPORT_JSON, names);
	assert_order(REPORT_JSONL, names);
	assert_order(REPORT_CSV, names);
}

/* Told with its column, before AWS is asked anything. */
static void filter__that_is_wrong__is_refused_with_its_place(void **state)
{
	struct options options = { .filter = "llm wat>2h" };
	struct buf out, messages;
	(void)state;
	buf_init(&out, OUT_MAX);
	buf_init(&messages, OUT_MAX);
	struct command_run what = { .options = &options, .out = &out, .messages = &messages };
	assert_int_equal(command_jobs.check(&what), 2);
	assert_non_null(strstr(buf_text(&messages), "--filter: column 5: no field wat; wait?"));
	options.filter = "llm wait>2h";
	assert_int_equal(command_jobs.check(&what), 0);
	options.filter = NULL;
	assert_int_equal(command_jobs.check(&what), 0);
	buf_release(&out);
	buf_release(&messages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filter__that_is_wrong__is_refused_with_its_place),
		cmocka_unit_test(table__begins_with_the_longest_wait),
		cmocka_unit_test(scripts__get_the_newest_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
