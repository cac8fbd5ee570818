#include "model/week_pattern.h"

#include <string.h>

#define HOUR_MS   INT64_C(3600000)
#define EPOCH_DAY 3 /* 1970-01-01 was a Thursday */

struct week_hour week_hour_at(int64_t wall_ms, bool utc)
{
	int64_t local_ms = wall_ms + (utc ? 0 : time_zone_ms(wall_ms));
	size_t hours = local_ms > 0 ? (size_t)(local_ms / HOUR_MS) : 0;
	return (struct week_hour){ (hours / WEEK_HOURS + EPOCH_DAY) % WEEK_DAYS,
				   hours % WEEK_HOURS };
}

void week_pattern_try(struct week_pattern *pattern, struct week_hour at, bool free)
{
	struct week_cell *cell = &pattern->cells[at.day][at.hour];
	cell->tries++;
	pattern->all.tries++;
	cell->free += free;
	pattern->all.free += free;
}

void week_pattern_add(struct week_pattern *pattern, const struct observation *observation,
		      const struct week_of *of)
{
	if (observation->kind != of->kind || observation->spot != of->spot)
		return;
	for (size_t i = 0; i < observation->entry_count; i++) {
		const struct observation_entry *entry = &observation->entries[i];
		enum observation_try first = observation_first_try(observation, i);
		if (first == TRY_NONE || !entry->instance_type ||
		    strcmp(entry->instance_type, of->instance_type) != 0)
			continue;
		week_pattern_try(pattern, week_hour_at(observation->submitted_at_ms, of->utc),
				 first == TRY_FREE);
	}
}

static bool names_type(const struct history_job *job, uint32_t type)
{
	for (size_t i = 0; i < job->entry_count; i++)
		if (job->types[i] == type)
			return true;
	return false;
}

static void learn(struct week_pattern *pattern, const struct history *history, size_t i,
		  uint32_t type, const struct week_of *of)
{
	struct observation seen;
	if (names_type(&history->jobs[i], type) && history_observe(history, i, &seen))
		week_pattern_add(pattern, &seen, of);
}

void week_pattern_learn(struct week_pattern *pattern, const struct history *history,
			const struct week_of *of)
{
	uint32_t type = texts_find(&history->texts, of->instance_type);
	for (size_t i = 0; type && i < history->count; i++)
		learn(pattern, history, i, type, of);
}

void week_pattern_learn_some(struct week_pattern *pattern, const struct history *history,
			     const uint32_t *positions, size_t count, const struct week_of *of)
{
	uint32_t type = texts_find(&history->texts, of->instance_type);
	for (size_t i = 0; type && i < count; i++)
		if (positions[i] < history->count)
			learn(pattern, history, positions[i], type, of);
}

const char *week_day_word(size_t day)
{
	static const char *const words[WEEK_DAYS] = { "Mon", "Tue", "Wed", "Thu",
						      "Fri", "Sat", "Sun" };
	return words[day];
}

char week_cell_mark(struct week_cell cell)
{
	if (cell.tries == 0)
		return '.';
	return (char)('0' + (cell.free == cell.tries ? 9 : cell.free * 10 / cell.tries));
}
