#include "model/sightings.h"

#include <string.h>

#define MINUTE INT64_C(60000)

void sightings_add_one(struct sightings *sightings, const struct sighting *sighting)
{
	size_t at = sightings->count;
	if (sighting->at_ms < sightings->since_ms)
		return;
	while (at && sightings->newest[at - 1].at_ms < sighting->at_ms)
		at--;
	if (at == SIGHTINGS_MAX)
		return;
	for (size_t i = 0; i < sightings->count; i++)
		if (sightings->newest[i].free == sighting->free &&
		    sightings->newest[i].at_ms / MINUTE == sighting->at_ms / MINUTE)
			return;
	if (sightings->count < SIGHTINGS_MAX)
		sightings->count++;
	memmove(&sightings->newest[at + 1], &sightings->newest[at],
		(sightings->count - 1 - at) * sizeof(sightings->newest[0]));
	sightings->newest[at] = *sighting;
}

static void add(struct sightings *sightings, int64_t at_ms, bool free)
{
	sightings_add_one(sightings, &(const struct sighting){ at_ms, free });
}

/* What the end of a wait says of an entry that waited for it. */
static void add_end(struct sightings *sightings, const struct observation *observation, size_t i)
{
	int64_t at_ms = observation->submitted_at_ms + observation->wait_ms;
	if (observation->wait_ms <= WAIT_AT_ONCE_MS)
		return;
	if (observation->outcome == WAIT_STARTED && i + 1 <= observation->chosen_rank)
		add(sightings, at_ms, i + 1 == observation->chosen_rank);
	if (observation->outcome == WAIT_TIMED_OUT || observation->outcome == WAIT_PENDING)
		add(sightings, at_ms, false);
}

void sightings_add_entry(struct sightings *sightings, const struct observation *observation,
			 size_t i)
{
	enum observation_try first = observation_first_try(observation, i);
	if (first == TRY_NONE)
		return;
	add(sightings, observation->submitted_at_ms, first == TRY_FREE);
	add_end(sightings, observation, i);
}

void sightings_add(struct sightings *sightings, const struct observation *observation)
{
	if (observation->kind != sightings->kind || observation->spot != sightings->spot)
		return;
	for (size_t i = 0; i < observation->entry_count; i++) {
		const char *type = observation->entries[i].instance_type;
		if (type && strcmp(type, sightings->instance_type) == 0)
			sightings_add_entry(sightings, observation, i);
	}
}
