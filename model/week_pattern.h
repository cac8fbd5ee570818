/*
 * How often a type was free at once, by the hour of the week in which it was asked for, in the
 * operator's zone: what a submission at another hour could hope for.
 */
#ifndef GPUQ_WEEK_PATTERN_H
#define GPUQ_WEEK_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"

#define WEEK_DAYS  7
#define WEEK_HOURS 24

struct week_cell {
	uint32_t tries, free;
};

/* {0} is empty; Monday is day 0. */
struct week_pattern {
	struct week_cell cells[WEEK_DAYS][WEEK_HOURS];
	struct week_cell all; /* their sum */
};

struct week_of {
	const char *instance_type; /* borrowed */
	enum job_kind kind;
	bool spot;
	bool utc; /* else the hours are those of local time */
};

struct week_hour {
	size_t day, hour;
};
/* That of a moment, which is not before 1970. */
struct week_hour week_hour_at(int64_t wall_ms, bool utc);

/* Adds one try. */
void week_pattern_try(struct week_pattern *pattern, struct week_hour at, bool free);

/* Adds what a job says of the type at its submission. */
void week_pattern_add(struct week_pattern *pattern, const struct observation *observation,
		      const struct week_of *of);

/* Adds all jobs of the history: three to seven milliseconds for 50,000, so none for a key to wait
 * for (model/weeks.h). */
void week_pattern_learn(struct week_pattern *pattern, const struct history *history,
			const struct week_of *of);
/* Adds the jobs at those positions; one behind the last is ignored. */
void week_pattern_learn_some(struct week_pattern *pattern, const struct history *history,
			     const uint32_t *positions, size_t count, const struct week_of *of);

/* Mon, Tue, ...; static. */
const char *week_day_word(size_t day);

/* '0' for less than a tenth that was free at once to '9' for nine tenths and more; '.' where nobody
 * asked. */
char week_cell_mark(struct week_cell cell);

#endif
