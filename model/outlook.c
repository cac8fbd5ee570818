#include "model/outlook.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void outlook_release(struct outlook *outlook)
{
	wait_curves_release(&outlook->curves);
	free(outlook->taken);
	*outlook = (struct outlook){ 0 };
}

static uint64_t first_key(const struct history *history)
{
	return history->count ? history->jobs[0].key : 0;
}

/* Room for all positions; a history that is another one, or has lost jobs, is learned anew. */
static void follow(struct outlook *outlook, const struct history *history)
{
	uint64_t first = first_key(history);
	if (first != outlook->first_key || history->count < outlook->taken_count) {
		wait_curves_release(&outlook->curves);
		outlook->taken_count = 0;
	}
	outlook->first_key = first;
	if (history->count > outlook->taken_capacity)
		outlook->taken = mem_grow(outlook->taken, &outlook->taken_capacity, history->count,
					  sizeof(*outlook->taken));
	while (outlook->taken_count < history->count)
		outlook->taken[outlook->taken_count++] = false;
}

static bool is_current(const struct outlook *outlook, const struct history *history)
{
	return outlook->version == history->version && outlook->taken_count == history->count &&
	       outlook->first_key == first_key(history);
}

bool outlook_step(struct outlook *outlook, const struct history *history, size_t most)
{
	struct observation *pending = NULL, seen;
	size_t count = 0, capacity = 0, added = 0;
	if (is_current(outlook, history))
		return false;
	follow(outlook, history);
	for (size_t i = 0; i < history->count && added < most; i++) {
		if (outlook->taken[i] || !history_observe(history, i, &seen))
			continue;
		if (seen.outcome != WAIT_PENDING) {
			wait_curves_add(&outlook->curves, &seen);
			outlook->taken[i] = true;
			added++;
			continue;
		}
		if (count == capacity)
			pending = mem_grow(pending, &capacity, count + 1, sizeof(*pending));
		pending[count++] = seen;
	}
	if (added < most) {
		wait_curves_set_pending(&outlook->curves, pending, count);
		outlook->version = history->version;
	}
	free(pending);
	return true;
}

void outlook_learn(struct outlook *outlook, const struct history *history)
{
	(void)outlook_step(outlook, history, SIZE_MAX);
}

void outlook_ask(struct forecast_ask *ask, const struct preferences *prefs, enum job_kind kind,
		 bool spot)
{
	*ask = (struct forecast_ask){ .kind = kind, .spot = spot };
	for (size_t i = 0; i < prefs->length && i < PREFS_MAX; i++) {
		struct forecast_choice *choice = &ask->choices[ask->count++];
		choice->instance_type = prefs->entries[i].instance_type;
		choice->on_plan = prefs_plan(prefs, i)[0] != '\0';
		if (!prefs_count(prefs, i, &choice->count))
			choice->count = 0;
	}
}

static bool names_type(const struct history_job *job, uint32_t type)
{
	for (size_t i = 0; i < job->entry_count; i++)
		if (job->types[i] == type)
			return true;
	return false;
}

void outlook_sight(const struct history *history, struct sightings *sightings)
{
	uint32_t type = texts_find(&history->texts, sightings->instance_type);
	struct observation seen;
	for (size_t i = 0; type && i < history->count; i++) {
		const struct history_job *job = &history->jobs[i];
		/* Nothing is told behind the end of its wait. */
		if (job->created_ms < sightings->since_ms &&
		    sightings->since_ms - job->created_ms > job->first_wait_ms)
			continue;
		if (names_type(job, type) && history_observe(history, i, &seen))
			sightings_add(sightings, &seen);
	}
}

static int ascending(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

struct run_times {
	int64_t *ms; /* owned */
	size_t count, capacity;
};

static struct opt_ms median(struct run_times *times)
{
	struct opt_ms middle = { 0 };
	if (times->count) {
		qsort(times->ms, times->count, sizeof(*times->ms), ascending);
		middle = (struct opt_ms){ true, times->ms[times->count / 2] };
	}
	free(times->ms);
	return middle;
}

static bool ran_on(const struct observation *seen, const struct preferences *prefs, size_t i)
{
	const struct observation_entry *entry = &seen->entries[seen->chosen_rank - 1];
	int64_t count;
	return prefs_count(prefs, i, &count) && entry->count == count && entry->instance_type &&
	       strcmp(entry->instance_type, prefs->entries[i].instance_type) == 0;
}

void outlook_runs(const struct history *history, const char *stem, enum job_kind kind,
		  const struct preferences *prefs, struct opt_ms runs[PREFS_MAX])
{
	struct run_times times[PREFS_MAX] = { 0 };
	uint32_t number = texts_find(&history->texts, stem);
	for (size_t k = 0; number && k < history->count; k++) {
		struct observation seen;
		if (history->jobs[k].stem != number || !history_observe(history, k, &seen) ||
		    !seen.completed || !seen.run.set || seen.kind != kind || seen.chosen_rank == 0)
			continue;
		for (size_t i = 0; i < prefs->length && i < PREFS_MAX; i++) {
			if (!ran_on(&seen, prefs, i))
				continue;
			if (times[i].count == times[i].capacity)
				times[i].ms = mem_grow(times[i].ms, &times[i].capacity,
						       times[i].count + 1, sizeof(*times[i].ms));
			times[i].ms[times[i].count++] = seen.run.ms;
		}
	}
	for (size_t i = 0; i < PREFS_MAX; i++)
		runs[i] = median(&times[i]);
}
