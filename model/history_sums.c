#include "model/history_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/survival.h"

#define HOUR_MS   INT64_C(3600000)
#define MINUTE_MS INT64_C(60000)
#define NO_TAG    "(no tag seen)"
#define SINGLE    "single"

static const char *const words[HISTORY_BY_COUNT] = { "type", "rank", "stem", "hour", "tag" };

bool history_by_parse(const char *word, enum history_by *by)
{
	for (size_t i = 0; i < HISTORY_BY_COUNT; i++) {
		if (strcmp(words[i], word) == 0) {
			*by = (enum history_by)i;
			return true;
		}
	}
	return false;
}

const char *history_by_word(enum history_by by)
{
	return words[by];
}

static const int64_t bucket_ends[HISTORY_BUCKETS] = { MINUTE_MS,      5 * MINUTE_MS, 15 * MINUTE_MS,
						      30 * MINUTE_MS, HOUR_MS,       2 * HOUR_MS,
						      4 * HOUR_MS,    8 * HOUR_MS,   24 * HOUR_MS,
						      48 * HOUR_MS,   168 * HOUR_MS, INT64_MAX };

int64_t history_bucket_ms(size_t bucket)
{
	return bucket_ends[bucket];
}

/* --- gathering --- */

struct times {
	int64_t *items; /* owned */
	size_t count, capacity;
};

static void times_add(struct times *times, int64_t ms)
{
	times->items =
		mem_grow(times->items, &times->capacity, times->count + 1, sizeof(*times->items));
	times->items[times->count++] = ms;
}

struct group {
	struct history_sum sum;
	struct times starts, censored, runs;
};

struct groups {
	struct texts keys;
	struct group *items; /* owned; that of key number n is item n - 1 */
	size_t count, capacity;
};

static struct group *group_of(struct groups *groups, const char *key)
{
	uint32_t number = texts_add(&groups->keys, key);

	if (number <= groups->count)
		return &groups->items[number - 1];
	groups->items = mem_grow(groups->items, &groups->capacity, groups->count + 1,
				 sizeof(*groups->items));
	groups->items[groups->count] = (struct group){ .sum.key = mem_copy_text(key) };
	return &groups->items[groups->count++];
}

static void add_wait(struct group *group, bool started, int64_t wait_ms)
{
	size_t bucket = 0;

	group->sum.waits++;
	times_add(started ? &group->starts : &group->censored, wait_ms);
	if (!started)
		return;
	while (wait_ms >= bucket_ends[bucket] && bucket + 1 < HISTORY_BUCKETS)
		bucket++;
	group->sum.buckets[bucket]++;
	group->sum.started++;
}

static void add_cost(struct group *group, const struct history *history,
		     const struct history_job *job)
{
	struct history_sum *sum = &group->sum;
	const char *currency = texts_at(&history->texts, job->currency);

	if (!job->has_cost || !currency ||
	    (sum->currency[0] && strcmp(sum->currency, currency) != 0) ||
	    __builtin_add_overflow(sum->cost_micro, job->cost_micro, &sum->cost_micro)) {
		sum->cost_is_partial = true;
		return;
	}
	(void)snprintf(sum->currency, sizeof(sum->currency), "%s", currency);
	sum->has_cost = true;
	sum->costs++;
}

/* What became of one that started in this group. */
static void add_run(struct group *group, const struct history *history,
		    const struct history_job *job)
{
	struct history_sum *sum = &group->sum;

	if (job->is_list && job->rank > 0) {
		sum->fallback.of++;
		sum->fallback.part += job->rank > 1;
	}
	sum->completed += job->phase == PHASE_COMPLETED;
	sum->failed += job->phase == PHASE_FAILED;
	sum->stopped += job->phase == PHASE_STOPPED;
	if (job->phase == PHASE_COMPLETED && job->has_run)
		times_add(&group->runs, job->run_ms);
	add_cost(group, history, job);
}

static bool has_started(const struct history_job *job)
{
	return job->outcome == WAIT_STARTED;
}

/* A job as a whole: by what it is counted, its wait and its run. */
static void add_whole(struct group *group, const struct history *history,
		      const struct history_job *job, bool waits, int64_t wait_ms)
{
	group->sum.jobs++;
	group->sum.timeouts += job->outcome == WAIT_TIMED_OUT;
	if (waits)
		add_wait(group, has_started(job), wait_ms);
	if (has_started(job))
		add_run(group, history, job);
}

static void add_entry(struct group *group, const struct history *history,
		      const struct history_job *job, size_t i)
{
	bool chosen = has_started(job) && (job->rank == i + 1 || job->entry_count == 1);

	group->sum.jobs++;
	group->sum.timeouts += job->outcome == WAIT_TIMED_OUT;
	if (job->has_first_wait)
		add_wait(group, chosen, job->first_wait_ms);
	if (chosen)
		add_run(group, history, job);
}

static void add_by_entry(struct groups *groups, const struct history *history,
			 const struct history_job *job, enum history_by by)
{
	char key[16];

	if (job->has_groups) /* its entries start together */
		return;
	for (size_t i = 0; i < job->entry_count; i++) {
		const char *type = texts_at(&history->texts, job->types[i]);

		(void)snprintf(key, sizeof(key), "%zu", i + 1);
		if (by == HISTORY_BY_RANK)
			add_entry(group_of(groups, job->is_list ? key : SINGLE), history, job, i);
		else if (type)
			add_entry(group_of(groups, type), history, job, i);
	}
}

static void add_by_whole(struct groups *groups, const struct history *history,
			 const struct history_job *job, enum history_by by, int64_t wait_ms,
			 bool waits)
{
	const char *stem = texts_at(&history->texts, job->stem);
	char key[16];

	if (by == HISTORY_BY_STEM) {
		add_whole(group_of(groups, stem ? stem : ""), history, job, waits, wait_ms);
	} else if (by == HISTORY_BY_HOUR && job->has_created && job->created_ms >= 0) {
		(void)snprintf(key, sizeof(key), "%02d", (int)(job->created_ms / HOUR_MS % 24));
		add_whole(group_of(groups, key), history, job, waits, wait_ms);
	} else if (by == HISTORY_BY_TAG) {
		for (size_t i = 0; i < job->tag_count; i++) {
			const char *tag = texts_at(&history->texts, history->tags[job->tag_at + i]);

			add_whole(group_of(groups, tag ? tag : NO_TAG), history, job, waits,
				  wait_ms);
		}
		if (job->tag_count == 0)
			add_whole(group_of(groups, NO_TAG), history, job, waits, wait_ms);
	}
}

/* --- retries --- */

static int compare_by_stem(const void *a, const void *b)
{
	const struct history_job *x = *(const struct history_job *const *)a;
	const struct history_job *y = *(const struct history_job *const *)b;

	if (x->stem != y->stem)
		return x->stem < y->stem ? -1 : 1;
	if (x->created_ms != y->created_ms)
		return x->created_ms < y->created_ms ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* One that was given up while it waited, and the next of its stem soon after. */
static bool is_retried_by(const struct history_job *job, const struct history_job *next)
{
	return next && next->stem == job->stem && next->kind == job->kind && job->has_created &&
	       next->has_created && job->has_first_wait && job->has_ended && !has_started(job) &&
	       next->created_ms - job->ended_ms <= HISTORY_RETRY_GAP_MS;
}

/* The part of a wait that no earlier one of its chain has counted: with "submit first" the two
 * overlap. */
struct chain {
	int64_t wait_ms, counted_to_ms;
	bool goes_on;
};

static int64_t chain_wait(struct chain *chain, const struct history_job *job)
{
	int64_t from_ms = job->created_ms, to_ms = job->created_ms + job->first_wait_ms;

	if (!chain->goes_on)
		*chain = (struct chain){ .counted_to_ms = INT64_MIN };
	if (from_ms < chain->counted_to_ms)
		from_ms = chain->counted_to_ms;
	if (to_ms > from_ms)
		chain->wait_ms += to_ms - from_ms;
	if (to_ms > chain->counted_to_ms)
		chain->counted_to_ms = to_ms;
	return chain->wait_ms;
}

/* --- all of it --- */

/* The rows that stand beside the groups. */
enum whole { WHOLE_ALL, WHOLE_LISTS, WHOLE_SINGLES, WHOLE_COUNT };

static const char *const whole_keys[WHOLE_COUNT] = { "all", "lists", "singles" };

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_times(struct times *times)
{
	if (times->count > 1)
		qsort(times->items, times->count, sizeof(*times->items), compare_ms);
}

static struct opt_ms nearest_rank(const struct times *times, size_t percent)
{
	size_t at = (times->count * percent + 99) / 100;

	if (times->count == 0)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ .set = true, .ms = times->items[at > 0 ? at - 1 : 0] };
}

static void finish(struct group *group)
{
	struct history_sum *sum = &group->sum;
	struct survival curve = { 0 };

	sort_times(&group->starts);
	sort_times(&group->censored);
	sort_times(&group->runs);
	if (group->starts.count >= HISTORY_STARTS_MIN) {
		survival_build(&curve, group->starts.items, group->starts.count,
			       group->censored.items, group->censored.count);
		sum->wait_p50.set = survival_quantile(&curve, 0.5, &sum->wait_p50.ms);
		sum->wait_p90.set = survival_quantile(&curve, 0.9, &sum->wait_p90.ms);
	}
	sum->run_p50 = nearest_rank(&group->runs, 50);
	sum->run_p90 = nearest_rank(&group->runs, 90);
	survival_release(&curve);
	free(group->starts.items);
	free(group->censored.items);
	free(group->runs.items);
}

static int compare_by_jobs(const void *a, const void *b)
{
	const struct history_sum *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return strcmp(x->key, y->key);
}

static int compare_by_key(const void *a, const void *b)
{
	return strcmp(((const struct history_sum *)a)->key, ((const struct history_sum *)b)->key);
}

static void add_all(const struct history *history, const struct history_job *const *jobs,
		    size_t count, enum history_by by, struct groups *groups,
		    struct group wholes[WHOLE_COUNT])
{
	struct chain chain = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct history_job *job = jobs[i];
		const struct history_job *next = i + 1 < count ? jobs[i + 1] : NULL;
		bool retried = is_retried_by(job, next);
		int64_t wait_ms =
			job->has_first_wait && job->has_created ? chain_wait(&chain, job) : 0;
		bool waits = job->has_first_wait && job->has_created && !retried;

		chain.goes_on = retried;
		add_whole(&wholes[WHOLE_ALL], history, job, waits, wait_ms);
		if (job->is_list || job->entry_count == 1)
			add_whole(&wholes[job->is_list ? WHOLE_LISTS : WHOLE_SINGLES], history, job,
				  waits, wait_ms);
		if (by == HISTORY_BY_TYPE || by == HISTORY_BY_RANK)
			add_by_entry(groups, history, job, by);
		else
			add_by_whole(groups, history, job, by, wait_ms, waits);
	}
}

void history_sums_make(const struct history *history, enum history_by by, int64_t since_ms,
		       struct history_sums *out)
{
	const struct history_job **jobs =
		mem_new(history->count + 1, sizeof(const struct history_job *));
	struct groups groups = { 0 };
	struct group wholes[WHOLE_COUNT] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < history->count; i++) {
		const struct history_job *job = &history->jobs[i];

		if (!job->has_created || job->created_ms >= since_ms)
			jobs[count++] = job;
	}
	if (count > 1)
		qsort(jobs, count, sizeof(const struct history_job *), compare_by_stem);
	add_all(history, jobs, count, by, &groups, wholes);
	free(jobs);
	*out = (struct history_sums){ .count = groups.count };
	out->rows = mem_new(groups.count + 1, sizeof(*out->rows));
	for (size_t i = 0; i < groups.count; i++) {
		finish(&groups.items[i]);
		out->rows[i] = groups.items[i].sum;
	}
	for (size_t i = 0; i < WHOLE_COUNT; i++) {
		wholes[i].sum.key = mem_copy_text(whole_keys[i]);
		finish(&wholes[i]);
	}
	out->all = wholes[WHOLE_ALL].sum;
	out->lists = wholes[WHOLE_LISTS].sum;
	out->singles = wholes[WHOLE_SINGLES].sum;
	if (out->count > 1)
		qsort(out->rows, out->count, sizeof(*out->rows),
		      by == HISTORY_BY_RANK || by == HISTORY_BY_HOUR ? compare_by_key
								     : compare_by_jobs);
	texts_release(&groups.keys);
	free(groups.items);
}

void history_sums_release(struct history_sums *sums)
{
	if (!sums)
		return;
	for (size_t i = 0; i < sums->count; i++)
		free(sums->rows[i].key);
	free(sums->rows);
	free(sums->all.key);
	free(sums->lists.key);
	free(sums->singles.key);
	*sums = (struct history_sums){ 0 };
}
