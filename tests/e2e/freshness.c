/*
 * What gpuq asks of a busy region, and how soon it shows what happened there. The short form takes
 * half a minute; GPUQ_SOAK_SECONDS=600 makes it the ten minutes that the bounds are stated for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/job.h"
#include "tests/byhand.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/rows.h"
#include "tests/screen.h"
#include "tests/soak.h"
#include "tests/watcher.h"

#define SHORT_S       24
#define LATE_MS       15000
#define COLD_PAGES    8
#define COLD_MS       15000
#define OPEN_MAX      16
#define TEN_MINUTES_S 600
#define LOOK_MS       500
#define TURN_MS       50
#define COLUMNS       160
#define MOST_LINES    500 /* of a terminal: what can change is among the first rows */

/* A job of the region and the changes of its phase that are not shown yet. */
struct tracked {
	char name[JOB_NAME_SIZE];
	bool known;
	enum phase phase;
	struct {
		enum phase phase;
		int64_t at_ms;
	} open[OPEN_MAX];
	size_t open_count;
};

/* The phase that is shown of a job; false if it is not shown. */
typedef bool shown_fn(const void *ctx, const char *name, enum phase *phase);

struct tracking {
	const char *where;
	shown_fn *shown;
	struct tracked *jobs;
	size_t count, capacity;
	unsigned changes, late;
	int64_t worst_ms;
};

static struct tracked *track(struct tracking *tracking, size_t *hint, const char *name)
{
	/* The region tells its jobs in one order, to which new ones are added. */
	for (; *hint < tracking->count; (*hint)++) {
		if (strcmp(tracking->jobs[*hint].name, name) == 0)
			return &tracking->jobs[(*hint)++];
	}
	tracking->jobs = mem_grow(tracking->jobs, &tracking->capacity, tracking->count + 1,
				  sizeof(*tracking->jobs));

	struct tracked *job = &tracking->jobs[tracking->count++];

	*job = (struct tracked){ 0 };
	snprintf(job->name, sizeof(job->name), "%.63s", name);
	*hint = tracking->count;
	return job;
}

static void note_change(struct tracking *tracking, struct tracked *job, enum phase phase,
			int64_t now_ms)
{
	job->known = true;
	job->phase = phase;
	assert_true(job->open_count < OPEN_MAX);
	job->open[job->open_count].phase = phase;
	job->open[job->open_count++].at_ms = now_ms;
	tracking->changes++;
}

static bool store_shows(const void *ctx, const char *name, enum phase *phase)
{
	const struct job *job = store_find_name(ctx, name);

	if (job)
		*phase = job_phase(job);
	return job != NULL;
}

static bool screen_shows(const void *ctx, const char *name, enum phase *phase)
{
	return rows_phase(ctx, name, phase);
}

/* A change is shown when its phase is, or that of a later one. */
static void settle(struct tracking *tracking, struct tracked *job, const void *ctx, int64_t now_ms)
{
	enum phase phase = PHASE_UNKNOWN;
	size_t done = 0;

	if (job->open_count == 0 || !tracking->shown(ctx, job->name, &phase))
		return;
	for (size_t i = 0; i < job->open_count; i++) {
		if (phase == job->open[i].phase)
			done = i + 1;
	}
	for (size_t i = 0; i < done; i++) {
		int64_t took = now_ms - job->open[i].at_ms;

		tracking->late += took > LATE_MS;
		tracking->worst_ms = took > tracking->worst_ms ? took : tracking->worst_ms;
	}
	memmove(job->open, job->open + done, (job->open_count - done) * sizeof(job->open[0]));
	job->open_count -= done;
}

/* Compares the region with what is shown; what is there at the first look counts as no change. */
static void compare(struct tracking *tracking, const struct region_state *state, const void *ctx,
		    int64_t now_ms)
{
	bool first = tracking->count == 0;
	size_t jobs = json_doc_member(&state->doc, 0, "jobs"), hint = 0;

	for (size_t at = json_doc_child(&state->doc, jobs); at != JSON_NONE;
	     at = json_doc_next(&state->doc, at)) {
		struct tracked *job = track(tracking, &hint, region_text(state, at, "name"));
		enum phase phase = byhand_phase(state, at);

		if (first) {
			job->known = true;
			job->phase = phase;
		} else if (!job->known || job->phase != phase) {
			note_change(tracking, job, phase, now_ms);
		}
		settle(tracking, job, ctx, now_ms);
	}
}

static void count_lost(struct tracking *tracking, int64_t now_ms)
{
	for (size_t i = 0; i < tracking->count; i++) {
		const struct tracked *job = &tracking->jobs[i];

		for (size_t k = 0; k < job->open_count; k++) {
			if (now_ms - job->open[k].at_ms <= LATE_MS)
				continue;
			tracking->late++;
			printf("late on the %s: %s %s\n", tracking->where, job->name,
			       phase_word(job->open[k].phase));
		}
	}
}

static void check_changes(struct tracking *tracking, int64_t now_ms)
{
	count_lost(tracking, now_ms);
	printf("%u changes of phase, %u late on the %s, the slowest took %lld ms\n",
	       tracking->changes, tracking->late, tracking->where, (long long)tracking->worst_ms);
	assert_true(tracking->changes > 0);
	assert_true(tracking->late * 20 <= tracking->changes);
	free(tracking->jobs);
}

static unsigned sent(const struct watcher *watcher, const char *name)
{
	return watcher_op(watcher, name).sent;
}

static void check_cold_start(struct watcher *watcher, const struct region *region)
{
	struct region_state state;
	int64_t start_ms = clock_mono_ms(&watcher->clock);

	while (!watcher->store.sources[SOURCE_TRAINING].loaded ||
	       !watcher->store.sources[SOURCE_PROCESSING].loaded) {
		watcher_run(watcher, 20);
		assert_true(clock_mono_ms(&watcher->clock) - start_ms < COLD_MS);
	}

	unsigned pages = sent(watcher, "Search") + sent(watcher, "ListTrainingJobs") +
			 sent(watcher, "ListProcessingJobs");

	printf("cold start: %zu jobs, %u pages, %lld ms\n", watcher->store.count, pages,
	       (long long)(clock_mono_ms(&watcher->clock) - start_ms));
	assert_true(pages <= COLD_PAGES);
	region_state(region, &state);
	/* One may have come since the lists. */
	assert_true(json_doc_length(&state.doc, json_doc_member(&state.doc, 0, "jobs")) <=
		    watcher->store.count + 2);
	assert_true(watcher->store.count >= 513);
	region_state_release(&state);
}

static void check_calls(const struct watcher *watcher, const struct region *region, long seconds)
{
	static const char *const lists[] = { "Search", "ListTrainingJobs", "ListProcessingJobs" };
	struct region_state state;
	unsigned training = sent(watcher, "Search") + sent(watcher, "ListTrainingJobs");
	unsigned processing = sent(watcher, "ListProcessingJobs");
	unsigned describes =
		sent(watcher, "DescribeTrainingJob") + sent(watcher, "DescribeProcessingJob");
	/* At ten minutes the bounds themselves; before that what the first load takes is more. */
	long part = seconds >= TEN_MINUTES_S ? 0 : 1;

	printf("in %ld s: %u training lists and Searches, %u processing lists, %u Describes\n",
	       seconds, training, processing, describes);
	assert_true(training <= 260 * seconds / TEN_MINUTES_S + part * COLD_PAGES);
	assert_true(processing <= 130 * seconds / TEN_MINUTES_S + part * 3);
	assert_true(describes <= 600 * seconds / TEN_MINUTES_S + part * 60);
	for (size_t i = 0; i < 3; i++) {
		/* A millisecond is the clock's own rounding. */
		if (watcher_op(watcher, lists[i]).shortest_ms < 999)
			fail_msg("%s after %lld ms", lists[i],
				 (long long)watcher_op(watcher, lists[i]).shortest_ms);
	}
	region_state(region, &state);
	for (size_t i = 0; i < 3; i++) {
		char path[64];

		snprintf(path, sizeof(path), "calls.%s.throttled", lists[i]);
		assert_int_equal(region_number(&state, path, -1), 0);
	}
	region_state_release(&state);
}

static struct pty *start_gpuq(const struct region *region)
{
	char url[96];
	const char *argv[] = { region_program("gpuq"), NULL };
	const char *env[] = { url, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };

	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = MOST_LINES });
}

/* Both read what comes, in turn. */
static void run_both(struct watcher *watcher, struct pty *pty, int64_t until_ms)
{
	do {
		watcher_run(watcher, TURN_MS);
		pty_run(pty, TURN_MS);
	} while (clock_mono_ms(&watcher->clock) < until_ms);
}

/* Looks twice a second at the region, the store and the screen. */
static void follow(struct tracking trackings[2], const struct region *region,
		   struct watcher *watcher, struct pty *pty, int64_t until_ms)
{
	for (int64_t next_ms = clock_mono_ms(&watcher->clock); next_ms < until_ms;
	     next_ms += LOOK_MS) {
		struct region_state state;
		int64_t now_ms;

		region_state(region, &state);
		now_ms = clock_mono_ms(&watcher->clock);
		compare(&trackings[0], &state, &watcher->store, now_ms);
		compare(&trackings[1], &state, pty_text(pty), now_ms);
		region_state_release(&state);
		run_both(watcher, pty, next_ms + LOOK_MS);
	}
}

static void busy_region__is_followed__within_the_budget(void **unused)
{
	struct tracking trackings[] = { { .where = "store", .shown = store_shows },
					{ .where = "screen", .shown = screen_shows } };
	struct region region;
	struct watcher watcher;
	struct pty *pty;
	long seconds = soak_seconds(SHORT_S);
	int64_t start_ms, end_ms;
	char seed[16];

	(void)unused;
	snprintf(seed, sizeof(seed), "%d", soak_seed(5));
	printf("seed %s\n", seed);
	/* Two ask, each of whom may twice a second. */
	region_start(&region, (const char *const[]){ "--scenario", "busy", "--seed", seed, "--rate",
						     "4", NULL });
	watcher_start(&watcher, region.url);
	pty = start_gpuq(&region);
	check_cold_start(&watcher, &region);
	assert_true(pty_wait_text(pty, "live", COLD_MS));
	pty_type(pty, "z");
	sync_select(watcher.sync, store_at(&watcher.store, 0)->arn);
	start_ms = clock_mono_ms(&watcher.clock);
	follow(trackings, &region, &watcher, pty, start_ms + seconds * 1000);
	end_ms = clock_mono_ms(&watcher.clock);
	check_changes(&trackings[0], end_ms);
	check_changes(&trackings[1], end_ms);
	check_calls(&watcher, &region, (end_ms - start_ms) / 1000);
	watcher_stop(&watcher);
	pty_stop(pty);
	region_stop(&region);
}

static void ten_thousand_jobs__are_loaded__in_few_calls_and_little_memory(void **unused)
{
	static const char *const many[] = { "--scenario", "busy",   "--seed", "5", "--jobs",
					    "10000",      "--rate", "0",      NULL };
	struct region region;
	struct process_result result;
	struct rusage usage;

	(void)unused;
	region_start(&region, many);

	const char *argv[] = { region_program("gpuq"),
			       "jobs",
			       "--endpoint-url",
			       region.url,
			       "--pace",
			       "0",
			       "--since",
			       "400d",
			       "--status",
			       "running",
			       NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", "LANG=C.UTF-8", NULL };

	process_run(&result, argv, env, NULL);
	if (result.status != 0)
		fail_msg("%d %s", result.status, result.err);
	/* Of programs that have ended: so far the command alone. */
	assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);

	long calls = region_calls(&region, "");

	printf("10,000 jobs: %ld calls, %ld KiB\n", calls, usage.ru_maxrss);
	/* 102 pages, and the lists that come due while they are read. */
	assert_true(calls > 100 && calls < 140);
#ifndef __SANITIZE_ADDRESS__
	assert_true(usage.ru_maxrss < 64 * 1024);
#endif
	process_release(&result);
	region_stop(&region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_thousand_jobs__are_loaded__in_few_calls_and_little_memory),
		cmocka_unit_test(busy_region__is_followed__within_the_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
