/*
 * SIGKILL at each write, flush, rename, link, unlink, send and receive between the yes and the
 * settled record of `gpuq submit`: strace strikes before the call acts, so that the next one stands
 * for after. Whatever dies, the next run finds out: one job comes of it where the intent was on
 * disk, none where it was not, and its secrets are gone from the disk once it is settled.
 *
 * Then runs under answers that are lost, late or cut, with and without a kill: eight, or in the
 * long form (GPUQ_SOAK_SECONDS) a hundred, and every call of the whole run is struck. GPUQ_SEED
 * repeats.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/soak.h"
#include "tests/struck.h"

#define AT_ONCE 20 /* they wait more than they work */
#define FEW     8
#define TRIES   6 /* of a run that got no answer, under faults */

/* Kills, and what had been written down by then. */
struct tally {
	unsigned died, in_window, unsent, made;
};

static int start_bench(void **state)
{
	static struct struck_bench bench;

	struck_start(&bench);
	*state = &bench;
	return 0;
}

static int stop_bench(void **state)
{
	struck_stop(*state);
	return 0;
}

/* What stands in the log before what, at the first time of each. */
static void want_order(const char *log, const char *const *marks)
{
	const char *at = log;

	for (; *marks; marks++) {
		const char *found = strstr(at, *marks);

		if (!found)
			fail_msg("no '%s' after what comes before it", *marks);
		at = found + strlen(*marks);
	}
}

static void skip_or_go_on(void)
{
	if (struck_is_possible())
		return;
	printf("skipped: strace is missing, or may not trace here\n");
	skip();
}

/* The order of things on which all of it rests: a kill alone does not show that a flush is missing.
 */
static void intent__is_flushed__before_the_request_is_sent(void **state)
{
	static const char *const marks[] = {
		"\\\"state\\\": \\\"intended\\\"", /* write */
		"fsync(",
		"linkat(",
		"fsync(",
		"X-Amz-Target: SageMaker.CreateTrainingJob", /* sendto */
		"\\\"state\\\": \\\"submitted\\\"",
		"fsync(",
		"renameat(",
		"fsync(",
		NULL
	};
	const struct struck_bench *bench = *state;
	struct struck_run run = { 0 };
	char path[160];
	const char *before[] = { struck_strace(), "-f", "-qq", "-s", "2000", "-e",
				 STRUCK_TRACE,    "-o", path,  NULL };

	skip_or_go_on();
	struck_prepare(bench, &run, "order");
	snprintf(path, sizeof(path), "%s/trace", run.home);
	struck_begin_as(bench, &run, before);
	struck_end(&run);
	assert_int_equal(run.status, 0);
	char *log = struck_read(path);

	want_order(log, marks);
	free(log);
}

/* The next run is that of the same file, or of another one that finds the record in the journal. */
static void settle(const struct struck_bench *bench, struct struck_run *runs, size_t count)
{
	struct struck_run *others = calloc(count, sizeof(*others));

	assert_non_null(others);
	for (size_t i = 0; i < count; i++) {
		struct struck_run *other = &others[i];

		*other = runs[i];
		if (runs[i].by_other) {
			char name[48];

			snprintf(name, sizeof(name), "next-%s", runs[i].name + 5);
			struck_prepare(bench, other, name);
			memcpy(other->home, runs[i].home, sizeof(other->home));
		}
		struck_begin_as(bench, other, NULL);
	}
	for (size_t i = 0; i < count; i++) {
		struck_end(&others[i]);
		if (runs[i].by_other)
			assert_int_equal(others[i].status, 0);
	}
	free(others);
}

static void strike_all(const struct struck_bench *bench, struct struck_run *runs, size_t count,
		       struct tally *tally)
{
	for (size_t i = 0; i < count; i++)
		struck_begin(bench, &runs[i]);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i]);
		struck_look(&runs[i]);
		struck_want_jobs(bench, &runs[i], 0, 1);
		tally->died += runs[i].died;
		tally->in_window += runs[i].died && runs[i].had_intent;
		tally->unsent += runs[i].died && !runs[i].had_intent && !runs[i].was_settled;
	}
	settle(bench, runs, count);
	for (size_t i = 0; i < count; i++) {
		bool must = runs[i].had_intent || runs[i].was_settled || !runs[i].by_other;

		struck_want_jobs(bench, &runs[i], must, must);
		tally->made += must;
		struck_want_no_secret(&runs[i]);
	}
}

/* Case 076 */
static void submit__makes_one_job__wherever_it_is_killed(void **state)
{
	struct struck_bench *bench = *state;
	struct struck_run runs[AT_ONCE];
	bool is_long = soak_seconds(0) > 0;
	struct tally tally = { 0 };
	size_t count;

	skip_or_go_on();
	struck_plan(bench, is_long);
	/* In the short form every other one in each way. */
	for (size_t at = 0; at < bench->count * (is_long ? 2 : 1); at += count) {
		count = 0;
		memset(runs, 0, sizeof(runs));
		for (; count < AT_ONCE && at + count < bench->count * (is_long ? 2 : 1); count++) {
			struct struck_run *run = &runs[count];
			size_t i = at + count;
			char name[32];

			snprintf(name, sizeof(name), "kill-%zu", i);
			run->strike = bench->strikes[i % bench->count];
			run->by_other = is_long ? i >= bench->count : i % 2;
			struck_prepare(bench, run, name);
		}
		strike_all(bench, runs, count, &tally);
	}
	printf("%zu calls, %u kills: %u while the intent was open, %u before it was written; "
	       "%u submissions made one job each\n",
	       bench->count, tally.died, tally.in_window, tally.unsent, tally.made);
	assert_true(tally.in_window >= 8);
	assert_true(tally.unsent > 0);
}

/* --- under faults --- */

/* Again until it is known; the last tries are undisturbed, in the short form all of these. */
static void insist(struct struck_bench *bench, struct struck_run *runs, size_t count, size_t total)
{
	for (int try = 0; try < TRIES; try++) {
		bool open = false;

		if (try == TRIES / 2 || total < AT_ONCE)
			struck_calm(&bench->region);
		for (size_t i = 0; i < count; i++)
			if (runs[i].status != 0)
				struck_begin_as(bench, &runs[i], NULL);
		for (size_t i = 0; i < count; i++) {
			if (runs[i].status == 0)
				continue;
			struck_end(&runs[i]);
			/* Told by the run that was killed after it was settled. */
			if (runs[i].was_settled && runs[i].status == 1)
				runs[i].status = 0;
			struck_look(&runs[i]);
			open = open || runs[i].status != 0;
			struck_want_jobs(bench, &runs[i], 0, 1);
		}
		if (!open)
			return;
	}
}

static void submit__makes_one_job__killed_under_faults(void **state)
{
	struct struck_bench *bench = *state;
	struct struck_run runs[AT_ONCE];
	int seed = soak_seed(11);
	size_t total = soak_seconds(0) > 0 ? 100 : FEW;
	unsigned died = 0, open = 0;
	struct struck_run undisturbed = { .name = "" };

	skip_or_go_on();
	srand((unsigned)seed);
	/* In both forms struck where it matters: from the intent on. */
	bench->count = 0;
	struck_prepare(bench, &undisturbed, "fault-plan");
	struck_plan_run(bench, &undisturbed, "training-fault-plan.json", false);
	for (size_t at = 0; at < total; at += AT_ONCE) {
		size_t count = total - at < AT_ONCE ? total - at : AT_ONCE;

		memset(runs, 0, sizeof(runs));
		struck_disturb(&bench->region, "CreateTrainingJob", seed + (int)at);
		struck_disturb(&bench->region, "DescribeTrainingJob", seed + (int)at + 1);
		for (size_t i = 0; i < count; i++) {
			char name[32];

			snprintf(name, sizeof(name), "fault-%zu", at + i);
			if (rand() % 4)
				runs[i].strike = bench->strikes[(size_t)rand() % bench->count];
			struck_prepare(bench, &runs[i], name);
			struck_begin(bench, &runs[i]);
		}
		for (size_t i = 0; i < count; i++) {
			struck_end(&runs[i]);
			struck_look(&runs[i]);
			died += runs[i].died;
			open += runs[i].had_intent;
			struck_want_jobs(bench, &runs[i], 0, 1);
		}
		insist(bench, runs, count, total);
		struck_calm(&bench->region);
		for (size_t i = 0; i < count; i++) {
			struck_want_jobs(bench, &runs[i], 1, 1);
			struck_want_no_secret(&runs[i]);
		}
	}
	printf("%zu submissions under faults with seed %d: %u killed, %u open after the first run; "
	       "one job each\n",
	       total, seed, died, open);
}

/* --- two programs, and a user who does not want it any more --- */

static void two_programs__on_one_request__make_one_job(void **state)
{
	const struct struck_bench *bench = *state;
	struct struck_run runs[2] = { { .name = "" } };

	struck_prepare(bench, &runs[0], "twice");
	runs[1] = runs[0];
	for (size_t i = 0; i < 2; i++)
		struck_begin(bench, &runs[i]);
	for (size_t i = 0; i < 2; i++)
		struck_end(&runs[i]);
	struck_want_jobs(bench, &runs[0], 1, 1);
	assert_int_equal(runs[0].status + runs[1].status, 1);
	char *said = struck_output(&runs[0]);

	assert_true(strstr(said, "another gpuq is submitting it (process ") ||
		    strstr(said, "gpuq has submitted it before"));
	free(said);
}

static void interrupt__takes_back__what_has_not_arrived(void **state)
{
	const struct struck_bench *bench = *state;
	struct struck_run run = { .name = "" }, next = { .name = "" };

	region_control(&bench->region, "fault",
		       "{\"operation\":\"CreateTrainingJob\","
		       "\"delay_ms\":20000,\"drop\":true}");
	struck_prepare(bench, &run, "unwanted");
	struck_begin(bench, &run);
	for (int i = 0; i < 2000 && !run.had_intent; i++) {
		const struct timespec pause = { .tv_nsec = 10000000 };

		nanosleep(&pause, NULL);
		struck_look(&run);
	}
	assert_true(run.had_intent);
	assert_int_equal(kill(run.pid, SIGINT), 0);
	struck_end(&run);
	assert_int_equal(run.status, 130);
	char *said = struck_output(&run);
	assert_non_null(strstr(said, "interrupted: it may have been submitted already"));
	free(said);
	/* The next run finds that it was not, and does not send it. */
	struck_prepare(bench, &next, "wanted");
	memcpy(next.home, run.home, sizeof(next.home));
	struck_begin(bench, &next);
	struck_end(&next);
	assert_int_equal(next.status, 0);
	said = struck_output(&run);
	assert_non_null(strstr(said, "unwanted was not submitted"));
	free(said);
	struck_want_jobs(bench, &run, 0, 0);
	struck_want_jobs(bench, &next, 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intent__is_flushed__before_the_request_is_sent),
		cmocka_unit_test(submit__makes_one_job__wherever_it_is_killed),
		cmocka_unit_test(submit__makes_one_job__killed_under_faults),
		cmocka_unit_test(two_programs__on_one_request__make_one_job),
		cmocka_unit_test(interrupt__takes_back__what_has_not_arrived),
	};

	return cmocka_run_group_tests(tests, start_bench, stop_bench);
}
