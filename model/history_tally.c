#include "model/history_tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/sorting.h"
#include "model/survival.h"
#include "model/times.h"

/* Units of work. */
#define ADD_WORK    20
#define FINISH_WORK 20
#define ROW_WORK    10

/* --- gathering --- */

struct group {
	struct history_sum sum;
	struct times starts, censored, runs;
};

struct groups {
	struct texts keys;
	struct group **items; /* owned, each too; that of key number n is item n - 1 */
	size_t count, capacity;
};

static struct group *group_of(struct groups *groups, const char *key)
{
	uint32_t number = texts_add(&groups->keys, key);
	struct group *group;

	if (number <= groups->count)
		return groups->items[number - 1];
	groups->items = mem_grow(groups->items, &groups->capacity, groups->count + 1,
				 sizeof(struct group *));
	group = groups->items[groups->count++] = mem_new(1, sizeof(*group));
	group->sum.key = mem_copy_text(key);
	return group;
}

static void add_wait(struct group *group, bool started, int64_t wait_ms)
{
	size_t bucket = 0;

	group->sum.waits++;
	times_add(started ? &group->starts : &group->censored, wait_ms);
	if (!started)
		return;
	while (wait_ms >= history_bucket_ms(bucket) && bucket + 1 < HISTORY_BUCKETS)
		bucket++;
	group->sum.buckets[bucket]++;
	group->sum.started++;
}

/* Nothing is nothing in every currency: on a plan there is none. */
static void add_cost(struct group *group, const struct history *history,
		     const struct history_job *job)
{
	struct history_sum *sum = &group->sum;
	const char *currency = texts_at(&history->texts, job->currency);
	bool is_of_sum = currency ? !sum->currency[0] || strcmp(sum->currency, currency) == 0
				  : job->cost_micro == 0;

	if (!job->has_cost || !is_of_sum ||
	    __builtin_add_overflow(sum->cost_micro, job->cost_micro, &sum->cost_micro)) {
		sum->cost_is_partial = true;
		return;
	}
	if (currency)
		(void)snprintf(sum->currency, sizeof(sum->currency), "%s", currency);
	sum->has_cost = true;
	sum->cost_is_estimate |= price_is_approximate((enum price_source)job->price_source);
	sum->costs += currency != NULL;
}

/* Few plans serve many jobs. */
static void add_plan(struct history_sum *sum, uint32_t arn)
{
	size_t i = 0;

	while (i < sum->plan_count && sum->plans[i].arn != arn)
		i++;
	if (i == sum->plan_count) {
		sum->plans = mem_resize(sum->plans, i + 1, sizeof(*sum->plans));
		sum->plans[sum->plan_count++] = (struct history_plan){ .arn = arn };
	}
	sum->plans[i].starts++;
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
	if (job->plan)
		add_plan(sum, job->plan);
}

/* A job as a whole: by what it is counted, its wait and its run. */
static void add_whole(struct group *group, const struct history *history,
		      const struct history_job *job, bool waits, int64_t wait_ms)
{
	group->sum.jobs++;
	group->sum.timeouts += job->outcome == WAIT_TIMED_OUT;
	if (waits)
		add_wait(group, history_has_started(job), wait_ms);
	if (history_has_started(job))
		add_run(group, history, job);
}

static void add_entry(struct group *group, const struct history *history,
		      const struct history_job *job, size_t i)
{
	size_t at;
	bool chosen = history_chosen(job, &at) && at == i;

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
	for (size_t i = 0; i < job->entry_count; i++) {
		const char *key = history_entry_key(history, job, by, i);

		if (key)
			add_entry(group_of(groups, key), history, job, i);
	}
}

static void add_by_whole(struct groups *groups, const struct history *history,
			 const struct history_job *job, enum history_by by, int64_t wait_ms,
			 bool waits)
{
	char room[HISTORY_KEY_SIZE];

	for (size_t n = 0; n < history_key_count(job, by); n++)
		add_whole(group_of(groups, history_whole_key(history, job, by, n, room)), history,
			  job, waits, wait_ms);
}

/* --- retries --- */

/* One that was given up while it waited, and the next of its stem soon after. */
static bool is_retried_by(const struct history_job *job, const struct history_job *next)
{
	return next && next->stem == job->stem && next->kind == job->kind && job->has_created &&
	       next->has_created && job->has_first_wait && job->has_ended &&
	       !history_has_started(job) &&
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

/* --- step by step --- */

/* The rows that stand beside the groups. */
enum whole { WHOLE_ALL, WHOLE_LISTS, WHOLE_SINGLES, WHOLE_COUNT };

static const char *const whole_keys[WHOLE_COUNT] = { "all", "lists", "singles" };

/* A job to be counted: where it is and what it is sorted by. */
struct mark {
	int64_t created_ms;
	uint64_t key;
	uint32_t stem, position;
};

/* A group's place among the rows. */
struct place {
	const char *key; /* the group's */
	size_t jobs;
	struct group *group;
};

enum stage {
	STAGE_COLLECT, /* those of the time that is asked for */
	STAGE_SORT,    /* by stem and time: the tries of one work stand together */
	STAGE_ADD,     /* to their groups */
	STAGE_FINISH,  /* the figures of each group */
	STAGE_ORDER,   /* of the groups */
	STAGE_ROWS,
	STAGE_CLEAR, /* the groups go */
	STAGE_DONE,
};

struct history_tally {
	enum history_by by;
	int64_t since_ms;
	uint64_t first_key; /* of the history */
	enum stage stage;
	size_t at;             /* in the stage */
	struct mark *marks;    /* owned until they are sorted */
	struct place *places;  /* owned until they are sorted */
	struct survival curve; /* of one group after the other */
	size_t mark_count;
	struct sorting jobs, order;
	struct chain chain;
	struct groups groups;
	struct group wholes[WHOLE_COUNT];
	struct history_sums sums;
};

static uint64_t first_key(const struct history *history)
{
	return history->count ? history->jobs[0].key : 0;
}

struct history_tally *history_tally_new(const struct history *history, enum history_by by,
					int64_t since_ms)
{
	struct history_tally *tally = mem_new(1, sizeof(*tally));

	tally->by = by;
	tally->since_ms = since_ms;
	tally->first_key = first_key(history);
	tally->marks = mem_new(history->count, sizeof(*tally->marks));
	tally->mark_count = history->count;
	if (by == HISTORY_BY_STEM || by == HISTORY_BY_TAG) /* each job may have one of its own */
		texts_expect(&tally->groups.keys, history->count);
	return tally;
}

static void release_group(struct group *group)
{
	history_sum_release(&group->sum);
	times_release(&group->starts);
	times_release(&group->censored);
	times_release(&group->runs);
}

static void free_group(struct group *group)
{
	if (group)
		release_group(group);
	free(group);
}

void history_tally_free(struct history_tally *tally)
{
	if (!tally)
		return;
	for (size_t i = 0; i < tally->groups.count; i++)
		free_group(tally->groups.items[i]);
	for (size_t i = 0; i < WHOLE_COUNT; i++)
		release_group(&tally->wholes[i]);
	free(tally->groups.items);
	texts_release(&tally->groups.keys);
	free(tally->marks);
	free(tally->places);
	survival_release(&tally->curve);
	sorting_release(&tally->jobs);
	sorting_release(&tally->order);
	history_sums_release(&tally->sums);
	free(tally);
}

static void next_stage(struct history_tally *tally)
{
	tally->stage++;
	tally->at = 0;
}

/* True while the stage has items left and there is work for them. */
static bool may_work(const struct history_tally *tally, size_t count, const size_t *work)
{
	return *work > 0 && tally->at < count;
}

static void spend(size_t *work, size_t units)
{
	*work -= units < *work ? units : *work;
}

static int compare_marks(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->stem != y->stem)
		return x->stem < y->stem ? -1 : 1;
	if (x->created_ms != y->created_ms)
		return x->created_ms < y->created_ms ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void collect(struct history_tally *tally, const struct history *history, size_t *work)
{
	size_t total = tally->mark_count, *count = &tally->jobs.count;

	for (; tally->marks && may_work(tally, total, work); tally->at++, spend(work, 1)) {
		const struct history_job *job = &history->jobs[tally->at];

		if (!job->has_created || job->created_ms >= tally->since_ms)
			tally->marks[(*count)++] = (struct mark){ job->created_ms, job->key,
								  job->stem, (uint32_t)tally->at };
	}
	if (tally->at < total)
		return;
	tally->mark_count = *count;
	sorting_begin(&tally->jobs, tally->marks, *count, sizeof(*tally->marks), compare_marks);
	tally->marks = NULL;
	next_stage(tally);
}

static const struct history_job *job_at(const struct history_tally *tally,
					const struct history *history, size_t i)
{
	const struct mark *marks = (const void *)tally->jobs.items;

	return i < tally->mark_count ? &history->jobs[marks[i].position] : NULL;
}

static void add_job(struct history_tally *tally, const struct history *history,
		    const struct history_job *job, const struct history_job *next)
{
	struct group *wholes = tally->wholes;
	bool retried = is_retried_by(job, next), known = job->has_first_wait && job->has_created;
	int64_t wait_ms = known ? chain_wait(&tally->chain, job) : 0;
	bool waits = known && !retried;

	tally->chain.goes_on = retried;
	add_whole(&wholes[WHOLE_ALL], history, job, waits, wait_ms);
	if (job->is_list || job->entry_count == 1)
		add_whole(&wholes[job->is_list ? WHOLE_LISTS : WHOLE_SINGLES], history, job, waits,
			  wait_ms);
	if (history_by_is_of_entries(tally->by))
		add_by_entry(&tally->groups, history, job, tally->by);
	else
		add_by_whole(&tally->groups, history, job, tally->by, wait_ms, waits);
}

static void add_jobs(struct history_tally *tally, const struct history *history, size_t *work)
{
	for (; may_work(tally, tally->mark_count, work); tally->at++, spend(work, ADD_WORK))
		add_job(tally, history, job_at(tally, history, tally->at),
			job_at(tally, history, tally->at + 1));
	if (tally->at == tally->mark_count) {
		sorting_release(&tally->jobs);
		next_stage(tally);
	}
}

static struct opt_ms nearest_rank(const struct times *times, size_t percent)
{
	size_t at = (times->count * percent + 99) / 100;

	if (times->count == 0)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ .set = true, .ms = times->ms[at > 0 ? at - 1 : 0] };
}

/* Returns its work. */
static size_t finish(struct history_tally *tally, struct group *group)
{
	struct history_sum *sum = &group->sum;
	struct survival *curve = &tally->curve;
	size_t work = group->starts.count + group->censored.count + FINISH_WORK;

	times_sort(&group->starts);
	times_sort(&group->censored);
	times_sort(&group->runs);
	if (group->starts.count >= HISTORY_STARTS_MIN) {
		survival_build(curve, group->starts.ms, group->starts.count, group->censored.ms,
			       group->censored.count);
		sum->wait_p50.set = survival_quantile(curve, 0.5, &sum->wait_p50.ms);
		sum->wait_p90.set = survival_quantile(curve, 0.9, &sum->wait_p90.ms);
	}
	sum->run_p50 = nearest_rank(&group->runs, 50);
	sum->run_p90 = nearest_rank(&group->runs, 90);
	times_release(&group->starts);
	times_release(&group->censored);
	times_release(&group->runs);
	return work;
}

static int compare_by_jobs(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return strcmp(x->key, y->key);
}

static int compare_by_key(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->key, ((const struct place *)b)->key);
}

/* The wholes, and behind them the groups: the many small pieces that groups leave would have the
 * allocator tidy up while the longest curve is made. */
static void finish_groups(struct history_tally *tally, size_t *work)
{
	size_t count = tally->groups.count;
	bool by_key = tally->by == HISTORY_BY_RANK || tally->by == HISTORY_BY_HOUR;

	if (!tally->places)
		tally->places = mem_new(count, sizeof(*tally->places));
	for (; may_work(tally, WHOLE_COUNT, work); tally->at++)
		spend(work, finish(tally, &tally->wholes[tally->at]));
	for (; may_work(tally, WHOLE_COUNT + count, work); tally->at++) {
		size_t i = tally->at - WHOLE_COUNT;
		struct group *group = tally->groups.items[i];

		tally->places[i] = (struct place){ group->sum.key, group->sum.jobs, group };
		spend(work, finish(tally, group));
	}
	if (tally->at < WHOLE_COUNT + count)
		return;
	sorting_begin(&tally->order, tally->places, count, sizeof(*tally->places),
		      by_key ? compare_by_key : compare_by_jobs);
	tally->places = NULL;
	next_stage(tally);
}

/* What is moved to the rows is not the group's any more. */
static struct history_sum take_sum(struct group *group)
{
	struct history_sum sum = group->sum;

	group->sum.key = NULL;
	group->sum.plans = NULL;
	return sum;
}

static void lay_rows(struct history_tally *tally, size_t *work)
{
	const struct place *places = (const void *)tally->order.items;
	struct history_sums *sums = &tally->sums;
	struct history_sum *wholes[] = { &sums->all, &sums->lists, &sums->singles };

	if (!sums->rows)
		sums->rows = mem_new(tally->groups.count, sizeof(*sums->rows));
	for (; may_work(tally, tally->groups.count, work); tally->at++, spend(work, ROW_WORK))
		sums->rows[sums->count++] = take_sum(places[tally->at].group);
	if (tally->at < tally->groups.count)
		return;
	for (size_t i = 0; i < WHOLE_COUNT; i++) {
		*wholes[i] = take_sum(&tally->wholes[i]);
		wholes[i]->key = mem_copy_text(whole_keys[i]);
	}
	next_stage(tally);
}

static void clear(struct history_tally *tally, size_t *work)
{
	for (; may_work(tally, tally->groups.count, work); tally->at++, spend(work, ROW_WORK)) {
		free_group(tally->groups.items[tally->at]);
		tally->groups.items[tally->at] = NULL;
	}
	if (tally->at == tally->groups.count)
		next_stage(tally);
}

bool history_tally_step(struct history_tally *tally, const struct history *history, size_t work)
{
	bool reads = tally->stage <= STAGE_ADD;

	if (reads && (tally->first_key != first_key(history) || tally->mark_count > history->count))
		tally->stage = STAGE_DONE;
	while (work > 0 && tally->stage != STAGE_DONE) {
		if (tally->stage == STAGE_COLLECT)
			collect(tally, history, &work);
		else if (tally->stage == STAGE_SORT && sorting_step(&tally->jobs, &work))
			next_stage(tally);
		else if (tally->stage == STAGE_ADD)
			add_jobs(tally, history, &work);
		else if (tally->stage == STAGE_FINISH)
			finish_groups(tally, &work);
		else if (tally->stage == STAGE_ORDER && sorting_step(&tally->order, &work))
			next_stage(tally);
		else if (tally->stage == STAGE_ROWS)
			lay_rows(tally, &work);
		else if (tally->stage == STAGE_CLEAR)
			clear(tally, &work);
	}
	return tally->stage == STAGE_DONE;
}

void history_tally_take(struct history_tally *tally, struct history_sums *out)
{
	*out = tally->sums;
	tally->sums = (struct history_sums){ 0 };
}
