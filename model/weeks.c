#include "model/weeks.h"

#include <stdlib.h>

#include "model/base/mem.h"

struct weeks_item {
	struct week_pattern local, utc;
};

void weeks_release(struct weeks *weeks)
{
	free(weeks->items);
	triples_release(&weeks->keys);
	*weeks = (struct weeks){ 0 };
}

static struct triple key_of(uint32_t type, enum job_kind kind, bool spot)
{
	return (struct triple){ type, (uint32_t)kind, spot };
}

static struct weeks_item *need(struct weeks *weeks, struct triple key)
{
	size_t before = weeks->keys.count, at = triples_add(&weeks->keys, key);
	if (weeks->keys.count > weeks->capacity)
		weeks->items = mem_grow(weeks->items, &weeks->capacity, weeks->keys.count,
					sizeof(*weeks->items));
	if (at == before)
		weeks->items[at] = (struct weeks_item){ 0 };
	return &weeks->items[at];
}

void weeks_add(struct weeks *weeks, const struct history_job *job,
	       const struct observation *observation)
{
	struct week_hour local = week_hour_at(observation->submitted_at_ms, false);
	struct week_hour utc = week_hour_at(observation->submitted_at_ms, true);
	for (size_t i = 0; i < observation->entry_count; i++) {
		enum observation_try first = observation_first_try(observation, i);
		if (first == TRY_NONE || !job->types[i])
			continue;
		struct weeks_item *item =
			need(weeks, key_of(job->types[i], observation->kind, observation->spot));
		week_pattern_try(&item->local, local, first == TRY_FREE);
		week_pattern_try(&item->utc, utc, first == TRY_FREE);
	}
}

struct week_pattern weeks_find(const struct weeks *weeks, uint32_t type, const struct week_of *of)
{
	size_t at;
	if (!triples_find(&weeks->keys, key_of(type, of->kind, of->spot), &at))
		return (struct week_pattern){ 0 };
	return of->utc ? weeks->items[at].utc : weeks->items[at].local;
}
