#include "model/week_pattern.h"

#include <string.h>

#define HOUR_MS   INT64_C(3600000)
#define EPOCH_DAY 3 /* 1970-01-01 was a Thursday */

void week_pattern_add(struct week_pattern *pattern, const struct observation *observation,
		      const char *instance_type, int64_t offset_ms)
{
	int64_t local_ms = observation->submitted_at_ms + offset_ms;
	if (local_ms < 0)
		return;
	size_t hours = (size_t)(local_ms / HOUR_MS);
	struct week_cell *cell =
		&pattern->cells[(hours / WEEK_HOURS + EPOCH_DAY) % WEEK_DAYS][hours % WEEK_HOURS];
	for (size_t i = 0; i < observation->entry_count; i++) {
		const struct observation_entry *entry = &observation->entries[i];
		enum observation_try first = observation_first_try(observation, i);
		if (first == TRY_NONE || !entry->instance_type ||
		    strcmp(entry->instance_type, instance_type) != 0)
			continue;
		cell->tries++;
		cell->free += first == TRY_FREE;
	}
}

struct week_cell week_pattern_hour(const struct week_pattern *pattern, size_t hour)
{
	struct week_cell sum = { 0 };
	for (size_t day = 0; day < WEEK_DAYS; day++) {
		sum.tries += pattern->cells[day][hour].tries;
		sum.free += pattern->cells[day][hour].free;
	}
	return sum;
}

struct week_cell week_pattern_day(const struct week_pattern *pattern, size_t day)
{
	struct week_cell sum = { 0 };
	for (size_t hour = 0; hour < WEEK_HOURS; hour++) {
		sum.tries += pattern->cells[day][hour].tries;
		sum.free += pattern->cells[day][hour].free;
	}
	return sum;
}
