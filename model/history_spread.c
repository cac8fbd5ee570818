#include "model/history_spread.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/sorting.h"
#include "model/times.h"

/* Units of work, as those of model/history_tally.h. */
#define JOB_WORK   10
#define GROUP_WORK 20

/* --- what is usual on the first choice --- */

/* A run or a cost of the work that `of` stands for. */
struct sample {
	uint64_t of;
	int64_t value;
};

struct samples {
	struct sample *items; /* owned */
	size_t count, capacity;
};

static void samples_add(struct samples *samples, uint64_t of, int64_t value)
{
	samples->items = mem_grow(samples->items, &samples->capacity, samples->count + 1,
				  sizeof(*samples->items));
	samples->items[samples->count++] = (struct sample){ of, value };
}

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* The first position whose `of` is not below that. */
static size_t first_of(const struct samples *samples, uint64_t of)
{
	size_t low = 0, high = samples->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (samples->items[middle].of < of)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of each work the middle one, by the nearest rank, in place of its sorted samples; of too few
 * none.
 */
static void keep_usual(struct samples *samples)
{
	size_t kept = 0, to;

	for (size_t from = 0; from < samples->count; from = to) {
		for (to = from + 1; to < samples->count; to++) {
			if (samples->items[to].of != samples->items[from].of)
				break;
		}
		if (to - from >= HISTORY_FIRSTS_MIN)
			samples->items[kept++] = samples->items[from + (to - from - 1) / 2];
	}
	samples->count = kept;
}

/* What keep_usual has kept of that work; false: nothing. */
static bool usual(const struct samples *samples, uint64_t of, int64_t *value)
{
	size_t at = first_of(samples, of);

	if (at == samples->count || samples->items[at].of != of)
		return false;
	*value = samples->items[at].value;
	return true;
}

static uint64_t run_of(const struct history_job *job)
{
	return (uint64_t)job->stem << 1 | (job->kind & 1u);
}

/* Amounts of two currencies do not compare. A history of HISTORY_JOBS_MAX jobs has fewer texts than
 * 2^31. */
static uint64_t cost_of(const struct history_job *job)
{
	return run_of(job) << 31 | (job->currency & 0x7fffffffu);
}

/* --- groups --- */

struct group {
	const char *key; /* borrowed from the texts */
	struct times runs, costs, certified;
};

/* A certified entry with its type as the history has it. */
struct certified {
	struct check_certified entry; /* its texts are the config's */
	uint32_t type;
};

enum stage {
	STAGE_LEARN, /* the runs on the first choice */
	STAGE_RUNS,  /* sorted */
	STAGE_COSTS,
	STAGE_COMPARE,
	STAGE_FINISH, /* the figures of each group */
	STAGE_DONE,
};

struct history_comparison {
	enum history_by by;
	int64_t since_ms;
	uint64_t first_key; /* of the history */
	size_t count;       /* of its jobs */
	enum stage stage;
	size_t at; /* in the stage */
	struct sorting sorting;
	struct samples runs, costs; /* on the first choice */
	struct certified *certified;
	size_t certified_count;
	struct texts keys;
	struct group *groups; /* owned; that of key number n is item n - 1 */
	size_t group_count, capacity;
	struct history_spreads spreads;
};

static struct group *group_of(struct history_comparison *making, const char *key)
{
	uint32_t number = texts_add(&making->keys, key);

	if (number <= making->group_count)
		return &making->groups[number - 1];
	making->groups = mem_grow(making->groups, &making->capacity, making->group_count + 1,
				  sizeof(*making->groups));
	making->groups[making->group_count] =
		(struct group){ .key = texts_at(&making->keys, number) };
	return &making->groups[making->group_count++];
}

/* What one run came to; 0 = there is nothing to hold it against. */
struct ratios {
	int64_t run, cost, certified;
};

static void add_to(struct group *group, const struct ratios *ratios)
{
	if (ratios->run > 0)
		times_add(&group->runs, ratios->run);
	if (ratios->cost > 0)
		times_add(&group->costs, ratios->cost);
	if (ratios->certified > 0)
		times_add(&group->certified, ratios->certified);
}

static void add_to_groups(struct history_comparison *making, const struct history *history,
			  const struct history_job *job, size_t chosen, const struct ratios *ratios)
{
	char room[HISTORY_KEY_SIZE];
	const char *key;

	if (history_by_is_of_entries(making->by)) {
		key = history_entry_key(history, job, making->by, chosen);
		if (key)
			add_to(group_of(making, key), ratios);
		return;
	}
	for (size_t n = 0; n < history_key_count(job, making->by); n++) {
		key = history_whole_key(history, job, making->by, n, room);
		add_to(group_of(making, key), ratios);
	}
}

/* --- jobs --- */

/* In thousandths, to the nearest; 0 where it cannot be said. */
static int64_t ratio(int64_t part, int64_t of)
{
	int64_t many;

	if (part <= 0 || of <= 0 || __builtin_mul_overflow(part, INT64_C(1000), &many) ||
	    __builtin_add_overflow(many, of / 2, &many))
		return 0;
	return many / of;
}

static bool is_comparable(const struct history_job *job, int64_t since_ms, size_t *chosen)
{
	return (!job->has_created || job->created_ms >= since_ms) && !job->spot && job->has_run &&
	       job->phase == PHASE_COMPLETED && history_chosen(job, chosen);
}

static void learn_first(struct history_comparison *making, const struct history_job *job)
{
	size_t chosen;

	if (!is_comparable(job, making->since_ms, &chosen) || !job->is_list || chosen > 0)
		return;
	samples_add(&making->runs, run_of(job), job->run_ms);
	if (job->has_cost)
		samples_add(&making->costs, cost_of(job), job->cost_micro);
}

static void learn_certified(struct history_comparison *making, const struct history *history,
			    const struct check_known *known)
{
	size_t count = known ? known->certified_count : 0;

	making->certified = mem_new(count + 1, sizeof(*making->certified));
	for (size_t i = 0; i < count; i++) {
		const struct check_certified *entry = &known->certified[i];
		uint32_t type = texts_find(&history->texts, entry->instance_type);

		if (entry->run.set && type > 0)
			making->certified[making->certified_count++] =
				(struct certified){ *entry, type };
	}
}

/* Numbers are compared before texts: there are many jobs. */
static int64_t certified_ratio(const struct history_comparison *making,
			       const struct history *history, const struct history_job *job,
			       size_t chosen)
{
	const char *stem = texts_at(&history->texts, job->stem);

	for (size_t i = 0; i < making->certified_count && stem; i++) {
		const struct certified *certified = &making->certified[i];

		if (certified->type == job->types[chosen] &&
		    (!certified->entry.has_count ||
		     certified->entry.count == job->counts[chosen]) &&
		    check_certified_is_of(&certified->entry, stem))
			return ratio(job->run_ms, certified->entry.run.ms);
	}
	return 0;
}

static void compare_job(struct history_comparison *making, const struct history *history,
			const struct history_job *job)
{
	struct ratios ratios = { 0 };
	int64_t first;
	size_t chosen;

	if (!is_comparable(job, making->since_ms, &chosen))
		return;
	ratios.certified = certified_ratio(making, history, job, chosen);
	if (job->is_list && chosen > 0) {
		if (usual(&making->runs, run_of(job), &first))
			ratios.run = ratio(job->run_ms, first);
		if (job->has_cost && usual(&making->costs, cost_of(job), &first))
			ratios.cost = ratio(job->cost_micro, first);
	}
	if (ratios.run > 0 || ratios.cost > 0 || ratios.certified > 0)
		add_to_groups(making, history, job, chosen, &ratios);
}

static int64_t at_rank(const struct times *times, size_t percent)
{
	size_t rank = (times->count * percent + 99) / 100;

	return times->count > 0 ? times->ms[rank > 0 ? rank - 1 : 0] : 0;
}

static struct history_ratio finish(struct times *times)
{
	struct history_ratio ratio = { .count = times->count };

	times_sort(times);
	ratio.p50 = at_rank(times, 50);
	ratio.p90 = at_rank(times, 90);
	times_release(times);
	return ratio;
}

static void finish_group(struct history_comparison *making, struct group *group)
{
	struct history_spreads *spreads = &making->spreads;

	if (!spreads->rows)
		spreads->rows = mem_new(making->group_count, sizeof(*spreads->rows));
	spreads->rows[spreads->count++] = (struct history_spread){
		.key = mem_copy_text(group->key),
		.run_to_first = finish(&group->runs),
		.cost_to_first = finish(&group->costs),
		.run_to_certified = finish(&group->certified),
	};
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct history_spread *)a)->key,
		      ((const struct history_spread *)b)->key);
}

/* --- step by step --- */

static void next_stage(struct history_comparison *making)
{
	making->stage++;
	making->at = 0;
}

static void spend(size_t *work, size_t units)
{
	*work -= units < *work ? units : *work;
}

static void sort_samples(struct history_comparison *making, struct samples *samples, size_t *work)
{
	if (making->at++ == 0) {
		sorting_begin(&making->sorting, samples->items, samples->count,
			      sizeof(struct sample), compare_samples);
		samples->items = NULL;
	}
	if (!sorting_step(&making->sorting, work))
		return;
	samples->items = (void *)making->sorting.items;
	making->sorting.items = NULL;
	sorting_release(&making->sorting);
	keep_usual(samples);
	next_stage(making);
}

static void walk(struct history_comparison *making, const struct history *history, size_t *work)
{
	for (; *work > 0 && making->at < making->count; making->at++) {
		const struct history_job *job = &history->jobs[making->at];

		if (making->stage == STAGE_LEARN)
			learn_first(making, job);
		else
			compare_job(making, history, job);
		spend(work, JOB_WORK);
	}
	if (making->at == making->count)
		next_stage(making);
}

static void finish_groups(struct history_comparison *making, size_t *work)
{
	struct history_spreads *spreads = &making->spreads;

	for (; *work > 0 && making->at < making->group_count; making->at++) {
		finish_group(making, &making->groups[making->at]);
		spend(work, GROUP_WORK);
	}
	if (making->at < making->group_count)
		return;
	if (spreads->count > 1)
		qsort(spreads->rows, spreads->count, sizeof(*spreads->rows), compare_keys);
	next_stage(making);
}

static uint64_t first_key(const struct history *history)
{
	return history->count ? history->jobs[0].key : 0;
}

struct history_comparison *history_comparison_new(const struct history *history, enum history_by by,
						  int64_t since_ms, const struct check_known *known)
{
	struct history_comparison *making = mem_new(1, sizeof(*making));

	making->by = by;
	making->since_ms = since_ms;
	making->first_key = first_key(history);
	making->count = history->count;
	learn_certified(making, history, known);
	return making;
}

void history_comparison_free(struct history_comparison *making)
{
	if (!making)
		return;
	for (size_t i = 0; i < making->group_count; i++) {
		times_release(&making->groups[i].runs);
		times_release(&making->groups[i].costs);
		times_release(&making->groups[i].certified);
	}
	free(making->groups);
	texts_release(&making->keys);
	free(making->runs.items);
	free(making->costs.items);
	sorting_release(&making->sorting);
	free(making->certified);
	history_spreads_release(&making->spreads);
	free(making);
}

bool history_comparison_step(struct history_comparison *making, const struct history *history,
			     size_t work)
{
	if (making->first_key != first_key(history) || making->count > history->count)
		making->stage = STAGE_DONE;
	while (work > 0 && making->stage != STAGE_DONE) {
		if (making->stage == STAGE_RUNS)
			sort_samples(making, &making->runs, &work);
		else if (making->stage == STAGE_COSTS)
			sort_samples(making, &making->costs, &work);
		else if (making->stage == STAGE_FINISH)
			finish_groups(making, &work);
		else
			walk(making, history, &work);
	}
	return making->stage == STAGE_DONE;
}

void history_comparison_take(struct history_comparison *making, struct history_spreads *out)
{
	*out = making->spreads;
	making->spreads = (struct history_spreads){ 0 };
}

void history_spreads_make(const struct history *history, enum history_by by, int64_t since_ms,
			  const struct check_known *known, struct history_spreads *out)
{
	struct history_comparison *making = history_comparison_new(history, by, since_ms, known);

	while (!history_comparison_step(making, history, SIZE_MAX))
		continue;
	history_comparison_take(making, out);
	history_comparison_free(making);
}

bool history_spreads_shed(struct history_spreads *spreads, size_t most)
{
	for (; most > 0 && spreads->count > 0; most--)
		free(spreads->rows[--spreads->count].key);
	if (spreads->count > 0)
		return false;
	history_spreads_release(spreads);
	return true;
}

void history_spreads_release(struct history_spreads *spreads)
{
	if (!spreads)
		return;
	for (size_t i = 0; i < spreads->count; i++)
		free(spreads->rows[i].key);
	free(spreads->rows);
	*spreads = (struct history_spreads){ 0 };
}

const struct history_spread *history_spreads_of(const struct history_spreads *spreads,
						const char *key)
{
	static const struct history_spread nothing = { 0 };
	const struct history_spread wanted = { .key = (char *)key };
	const struct history_spread *found =
		spreads->count > 0 ? bsearch(&wanted, spreads->rows, spreads->count,
					     sizeof(*spreads->rows), compare_keys)
				   : NULL;

	return found ? found : &nothing;
}
