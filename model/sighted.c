#include "model/sighted.h"

#include <stdlib.h>

#include "model/base/mem.h"

void sighted_release(struct sighted *sighted)
{
	free(sighted->items);
	triples_release(&sighted->keys);
	*sighted = (struct sighted){ 0 };
}

static struct triple key_of(uint32_t type, enum job_kind kind, bool spot)
{
	return (struct triple){ type, kind == JOB_PROCESSING, spot };
}

void sighted_add(struct sighted *sighted, const struct history_job *job,
		 const struct observation *observation)
{
	for (size_t i = 0; i < observation->entry_count; i++) {
		struct triple key = key_of(job->types[i], observation->kind, observation->spot);
		size_t before = sighted->keys.count, at;
		if (observation_first_try(observation, i) == TRY_NONE || job->types[i] == 0)
			continue;
		at = triples_add(&sighted->keys, key);
		if (sighted->keys.count > sighted->capacity)
			sighted->items = mem_grow(sighted->items, &sighted->capacity,
						  sighted->keys.count, sizeof(*sighted->items));
		if (at == before)
			sighted->items[at] = (struct sightings){ .since_ms = INT64_MIN };
		sightings_add_entry(&sighted->items[at], observation, i);
	}
}

void sighted_find(const struct sighted *sighted, uint32_t type, struct sightings *sightings)
{
	size_t at;
	if (!triples_find(&sighted->keys, key_of(type, sightings->kind, sightings->spot), &at))
		return;
	for (size_t i = 0; i < sighted->items[at].count; i++)
		sightings_add_one(sightings, &sighted->items[at].newest[i]);
}
