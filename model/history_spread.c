#include "model/history_spread.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/numbers.h"

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

/* Of each work the middle one, by the nearest rank, in place of its samples; of too few none. */
static void keep_usual(struct samples *samples)
{
	size_t kept = 0, to;

	if (samples->count > 1)
		qsort(samples->items, samples->count, sizeof(struct sample), compare_samples);
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
	struct numbers runs, costs, certified;
};

/* A certified entry with its type as the history has it. */
struct certified {
	const struct check_certified *entry;
	uint32_t type;
};

struct making {
	const struct history *history;
	enum history_by by;
	struct samples runs, costs; /* on the first choice */
	struct certified *certified;
	size_t certified_count;
	struct texts keys;
	struct group *groups; /* owned; that of key number n is item n - 1 */
	size_t group_count, capacity;
};

static struct group *group_of(struct making *making, const char *key)
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
		numbers_add(&group->runs, ratios->run);
	if (ratios->cost > 0)
		numbers_add(&group->costs, ratios->cost);
	if (ratios->certified > 0)
		numbers_add(&group->certified, ratios->certified);
}

static void add_to_groups(struct making *making, const struct history_job *job, size_t chosen,
			  const struct ratios *ratios)
{
	char room[HISTORY_KEY_SIZE];
	const char *key;

	if (history_by_is_of_entries(making->by)) {
		key = history_entry_key(making->history, job, making->by, chosen);
		if (key)
			add_to(group_of(making, key), ratios);
		return;
	}
	for (size_t n = 0; n < history_key_count(job, making->by); n++) {
		key = history_whole_key(making->history, job, making->by, n, room);
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

static void learn_firsts(struct making *making, int64_t since_ms)
{
	const struct history *history = making->history;

	for (size_t i = 0; i < history->count; i++) {
		const struct history_job *job = &history->jobs[i];
		size_t chosen;

		if (!is_comparable(job, since_ms, &chosen) || !job->is_list || chosen > 0)
			continue;
		samples_add(&making->runs, run_of(job), job->run_ms);
		if (job->has_cost)
			samples_add(&making->costs, cost_of(job), job->cost_micro);
	}
	keep_usual(&making->runs);
	keep_usual(&making->costs);
}

static void learn_certified(struct making *making, const struct check_known *known)
{
	size_t count = known ? known->certified_count : 0;

	making->certified = mem_new(count + 1, sizeof(*making->certified));
	for (size_t i = 0; i < count; i++) {
		const struct check_certified *entry = &known->certified[i];
		uint32_t type = texts_find(&making->history->texts, entry->instance_type);

		if (entry->run.set && type > 0)
			making->certified[making->certified_count++] =
				(struct certified){ entry, type };
	}
}

/* Numbers are compared before texts: there are many jobs. */
static int64_t certified_ratio(const struct making *making, const struct history_job *job,
			       size_t chosen)
{
	const char *stem = texts_at(&making->history->texts, job->stem);

	for (size_t i = 0; i < making->certified_count && stem; i++) {
		const struct certified *certified = &making->certified[i];

		if (certified->type == job->types[chosen] &&
		    (!certified->entry->has_count ||
		     certified->entry->count == job->counts[chosen]) &&
		    check_certified_is_of(certified->entry, stem))
			return ratio(job->run_ms, certified->entry->run.ms);
	}
	return 0;
}

static void compare_job(struct making *making, const struct history_job *job, size_t chosen)
{
	struct ratios ratios = { .certified = certified_ratio(making, job, chosen) };
	int64_t first;

	if (job->is_list && chosen > 0) {
		if (usual(&making->runs, run_of(job), &first))
			ratios.run = ratio(job->run_ms, first);
		if (job->has_cost && usual(&making->costs, cost_of(job), &first))
			ratios.cost = ratio(job->cost_micro, first);
	}
	if (ratios.run > 0 || ratios.cost > 0 || ratios.certified > 0)
		add_to_groups(making, job, chosen, &ratios);
}

static struct history_ratio finish(struct numbers *numbers)
{
	struct history_ratio ratio = { .count = numbers->count };

	numbers_sort(numbers);
	(void)numbers_at(numbers, 50, &ratio.p50);
	(void)numbers_at(numbers, 90, &ratio.p90);
	numbers_release(numbers);
	return ratio;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct history_spread *)a)->key,
		      ((const struct history_spread *)b)->key);
}

void history_spreads_make(const struct history *history, enum history_by by, int64_t since_ms,
			  const struct check_known *known, struct history_spreads *out)
{
	struct making making = { .history = history, .by = by };

	learn_firsts(&making, since_ms);
	learn_certified(&making, known);
	for (size_t i = 0; i < history->count; i++) {
		size_t chosen;

		if (is_comparable(&history->jobs[i], since_ms, &chosen))
			compare_job(&making, &history->jobs[i], chosen);
	}
	*out = (struct history_spreads){ .count = making.group_count };
	out->rows = mem_new(making.group_count + 1, sizeof(*out->rows));
	for (size_t i = 0; i < making.group_count; i++) {
		struct group *group = &making.groups[i];

		out->rows[i] = (struct history_spread){
			.key = mem_copy_text(group->key),
			.run_to_first = finish(&group->runs),
			.cost_to_first = finish(&group->costs),
			.run_to_certified = finish(&group->certified),
		};
	}
	if (out->count > 1)
		qsort(out->rows, out->count, sizeof(*out->rows), compare_keys);
	free(making.runs.items);
	free(making.costs.items);
	free(making.certified);
	free(making.groups);
	texts_release(&making.keys);
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
