#include "model/sightings.h"

#include <string.h>

#define MINUTE INT64_C(60000)

static void add(struct sightings *sightings, int64_t at_ms, bool free)
{
	size_t at = sightings->count;
	if (at_ms < sightings->since_ms)
		return;
	while (at && sightings->newest[at - 1].at_ms < at_ms)
		at--;
	for (size_t i = 0; i < sightings->count; i++)
		if (sightings->newest[i].free == free &&
		    sightings->newest[i].at_ms / MINUTE == at_ms / MINUTE)
			return;
	if (at == SIGHTINGS_MAX)
		return;
	if (sightings->count < SIGHTINGS_MAX)
		sightings->count++;
	memmove(&sightings->newest[at + 1], &sightings->newest[at],
		(sightings->count - 1 - at) * sizeof(sightings->newest[0]));
	sightings->newest[at] = (struct sighting){ at_ms, free };
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

void sightings_add(struct sightings *sightings, const struct observation *observation)
{
	if (observation->kind != sightings->kind || observation->spot != sightings->spot)
		return;
	for (size_t i = 0; i < observation->entry_count; i++) {
		const struct observation_entry *entry = &observation->entries[i];
		enum observation_try first = observation_first_try(observation, i);
		if (first == TRY_NONE || !entry->instance_type ||
		    strcmp(entry->instance_type, sightings->instance_type) != 0)
			continue;
		add(sightings, observation->submitted_at_ms, first == TRY_FREE);
		add_end(sightings, observation, i);
		if (observation->submitted_at_ms < sightings->since_ms)
			continue;
		sightings->tries++;
		sightings->refused += first == TRY_REFUSED;
	}
}
