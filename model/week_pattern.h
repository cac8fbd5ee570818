/* How often a type was free at once, by the hour of the week in which it was asked for. */
#ifndef GPUQ_WEEK_PATTERN_H
#define GPUQ_WEEK_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "model/observation.h"

#define WEEK_DAYS  7
#define WEEK_HOURS 24

struct week_cell {
	uint32_t tries, free;
};

/* {0} is empty; Monday is day 0. */
struct week_pattern {
	struct week_cell cells[WEEK_DAYS][WEEK_HOURS];
};

/* Adds what a job says of a type at its submission; offset_ms is what the operator's zone is ahead
 * of UTC then (0 for UTC). */
void week_pattern_add(struct week_pattern *pattern, const struct observation *observation,
		      const char *instance_type, int64_t offset_ms);

/* All days of one hour together, and all hours of one day. */
struct week_cell week_pattern_hour(const struct week_pattern *pattern, size_t hour);
struct week_cell week_pattern_day(const struct week_pattern *pattern, size_t day);

#endif
