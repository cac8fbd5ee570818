#include "model/wait_curves.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/hash.h"
#include "model/base/mem.h"
#include "model/times.h"

#define SLOTS_FIRST   64
#define CURVE_MAX_AGE (60 * INT64_C(1000))

struct wait_series {
	char *instance_type; /* owned */
	enum job_kind kind;
	bool spot;
	enum count_class class;
	uint64_t hash;
	struct times starts, censored;
	struct times since; /* when pending jobs were submitted, negated: the shortest wait first */
	struct times merged; /* censored and pending, of the last curve */
	struct survival curve;
	bool stale;
	int64_t made_ms; /* wall */
};

static const struct {
	int64_t most;
	const char *word;
} classes[] = {
	[COUNT_1] = { 1, "1" },   [COUNT_2] = { 2, "2" },      [COUNT_4] = { 4, "3-4" },
	[COUNT_8] = { 8, "5-8" }, [COUNT_16] = { 16, "9-16" }, [COUNT_MORE] = { INT64_MAX, "17+" },
};

enum count_class count_class_of(int64_t count)
{
	enum count_class class = COUNT_1;
	while (count > classes[class].most)
		class ++;
	return class;
}

const char *count_class_word(enum count_class class)
{
	return classes[class].word;
}

static void free_series(struct wait_series *series)
{
	free(series->instance_type);
	times_release(&series->starts);
	times_release(&series->censored);
	times_release(&series->since);
	times_release(&series->merged);
	survival_release(&series->curve);
	free(series);
}

void wait_curves_release(struct wait_curves *curves)
{
	for (size_t i = 0; i < curves->count; i++)
		free_series(curves->series[i]);
	free(curves->series);
	free(curves->slots);
	*curves = (struct wait_curves){ 0 };
}

static uint64_t hash_key(const struct wait_key *key)
{
	return hash_text(key->instance_type) * 31 +
	       ((uint64_t)key->class * 4 + (uint64_t)key->kind * 2 + key->spot);
}

static bool is_of_key(const struct wait_series *series, const struct wait_key *key, uint64_t hash)
{
	return series->hash == hash && series->kind == key->kind && series->spot == key->spot &&
	       series->class == key->class &&
	       strcmp(series->instance_type, key->instance_type) == 0;
}

/* The slot of a key, or the empty one where it would stand. There is room. */
static struct wait_series **find_slot(const struct wait_curves *curves, const struct wait_key *key,
				      uint64_t hash)
{
	size_t i = (size_t)hash & (curves->slot_count - 1);
	while (curves->slots[i] && !is_of_key(curves->slots[i], key, hash))
		i = (i + 1) & (curves->slot_count - 1);
	return &curves->slots[i];
}

static void grow_slots(struct wait_curves *curves)
{
	free(curves->slots);
	curves->slot_count = curves->slot_count ? curves->slot_count * 2 : SLOTS_FIRST;
	curves->slots = mem_new(curves->slot_count, sizeof(struct wait_series *));
	for (size_t i = 0; i < curves->count; i++) {
		size_t at = (size_t)curves->series[i]->hash & (curves->slot_count - 1);
		while (curves->slots[at])
			at = (at + 1) & (curves->slot_count - 1);
		curves->slots[at] = curves->series[i];
	}
}

static struct wait_series *series_of(struct wait_curves *curves, const struct wait_key *key)
{
	uint64_t hash = hash_key(key);
	if (curves->count * 2 >= curves->slot_count)
		grow_slots(curves);
	struct wait_series **slot = find_slot(curves, key, hash), *series = *slot;
	if (series)
		return series;
	series = mem_new(1, sizeof(*series));
	series->instance_type = mem_copy_text(key->instance_type);
	series->kind = key->kind;
	series->spot = key->spot;
	series->class = key->class;
	series->hash = hash;
	*slot = series;
	if (curves->count == curves->capacity)
		curves->series = mem_grow(curves->series, &curves->capacity, curves->count + 1,
					  sizeof(struct wait_series *));
	return curves->series[curves->count++] = series;
}

/* The series that entry i speaks of; NULL where it says nothing. */
static struct wait_series *series_of_entry(struct wait_curves *curves,
					   const struct observation *observation, size_t i)
{
	const struct observation_entry *entry = &observation->entries[i];
	if (entry->on_plan || entry->count < 1 || !entry->instance_type)
		return NULL;
	const struct wait_key key = { entry->instance_type, observation->kind, observation->spot,
				      count_class_of(entry->count) };
	return series_of(curves, &key);
}

/* Until when entry i is known to have waited in vain; false: not known for any time. */
static bool waited_in_vain(const struct observation *observation, size_t i, int64_t *ms)
{
	bool at_once = observation->wait_ms <= WAIT_AT_ONCE_MS;
	bool tried = observation->outcome == WAIT_TIMED_OUT ||
		     (observation->outcome == WAIT_STARTED && i + 1 < observation->chosen_rank);
	*ms = observation->wait_ms;
	if (at_once)
		*ms = 0;
	else if (observation->outcome == WAIT_STARTED && !tried)
		--*ms;
	return tried || !at_once;
}

void wait_curves_add(struct wait_curves *curves, const struct observation *observation)
{
	if (observation->outcome == WAIT_PENDING || observation->has_groups)
		return;
	curves->jobs++;
	curves->settled = 0;
	for (size_t i = 0; i < observation->entry_count; i++) {
		struct wait_series *series = series_of_entry(curves, observation, i);
		int64_t ms = observation->wait_ms;
		if (!series)
			continue;
		if (observation->outcome == WAIT_STARTED && i + 1 == observation->chosen_rank)
			times_add(&series->starts, ms <= WAIT_AT_ONCE_MS ? 0 : ms);
		else if (waited_in_vain(observation, i, &ms))
			times_add(&series->censored, ms);
		series->stale = true;
	}
}

void wait_curves_set_pending(struct wait_curves *curves, const struct observation *pending,
			     size_t count)
{
	curves->settled = 0;
	for (size_t i = 0; i < curves->count; i++) {
		struct wait_series *series = curves->series[i];
		series->stale = series->stale || series->since.count;
		times_clear(&series->since);
	}
	for (size_t k = 0; k < count; k++) {
		if (pending[k].outcome != WAIT_PENDING || pending[k].has_groups)
			continue;
		for (size_t i = 0; i < pending[k].entry_count; i++) {
			struct wait_series *series = series_of_entry(curves, &pending[k], i);
			if (!series)
				continue;
			times_add(&series->since, -pending[k].submitted_at_ms);
			series->stale = true;
		}
	}
}

/* Both ascending: the waits in vain that are over, and those of the pending jobs as of now. */
static void merge_censored(struct wait_series *series, int64_t now_ms)
{
	const struct times *over = &series->censored, *since = &series->since;
	size_t i = 0;
	times_clear(&series->merged);
	for (size_t k = 0; k < since->count; k++) {
		int64_t ms = now_ms + since->ms[k];
		if (ms <= WAIT_AT_ONCE_MS)
			continue;
		while (i < over->count && over->ms[i] <= ms)
			times_add(&series->merged, over->ms[i++]);
		times_add(&series->merged, ms);
	}
	while (i < over->count)
		times_add(&series->merged, over->ms[i++]);
}

static void make_curve(struct wait_series *series, int64_t now_ms)
{
	const struct times *censored = &series->censored;
	times_sort(&series->starts);
	times_sort(&series->censored);
	times_sort(&series->since);
	if (series->since.count) {
		merge_censored(series, now_ms);
		censored = &series->merged;
	}
	survival_build(&series->curve, series->starts.ms, series->starts.count, censored->ms,
		       censored->count);
	series->stale = false;
	series->made_ms = now_ms;
}

bool wait_curves_settle(struct wait_curves *curves, int64_t now_ms)
{
	while (curves->settled < curves->count) {
		struct wait_series *series = curves->series[curves->settled++];
		if (series->stale) {
			make_curve(series, now_ms);
			return true;
		}
	}
	return false;
}

const struct survival *wait_curves_find(struct wait_curves *curves, const struct wait_key *key,
					int64_t now_ms)
{
	if (curves->slot_count == 0)
		return NULL;
	struct wait_series *series = *find_slot(curves, key, hash_key(key));
	if (!series)
		return NULL;
	int64_t age = now_ms - series->made_ms;
	if (series->stale || (series->since.count && (age < 0 || age >= CURVE_MAX_AGE)))
		make_curve(series, now_ms);
	return &series->curve;
}

/* A step for each start, if no two are of one time. */
size_t wait_curves_most_steps(const struct wait_curves *curves, size_t count)
{
	size_t most[SURVIVAL_JOIN_MAX] = { 0 }, sum = 0;
	count = count < SURVIVAL_JOIN_MAX ? count : SURVIVAL_JOIN_MAX;
	for (size_t i = 0; i < curves->count; i++) {
		size_t steps = curves->series[i]->starts.count;
		for (size_t k = 0; k < count; k++) {
			size_t less = most[k] < steps ? most[k] : steps;
			most[k] = most[k] < steps ? steps : most[k];
			steps = less;
		}
	}
	for (size_t k = 0; k < count; k++)
		sum += most[k];
	return sum;
}

bool wait_curves_key(const struct wait_curves *curves, size_t i, struct wait_key *key)
{
	if (i >= curves->count)
		return false;
	const struct wait_series *series = curves->series[i];
	*key = (struct wait_key){ series->instance_type, series->kind, series->spot,
				  series->class };
	return true;
}
