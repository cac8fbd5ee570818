/*
 * The forecast's view of the history: curves that follow it, and how long a stem's runs take. A job
 * whose wait is over is learned once; those that wait are looked at anew each time.
 */
#ifndef GPUQ_OUTLOOK_H
#define GPUQ_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/forecast.h"
#include "model/history.h"
#include "model/sightings.h"

/* {0} has learned nothing. */
struct outlook {
	struct wait_curves curves;
	bool *taken; /* owned; by position in the history */
	size_t taken_count, taken_capacity;
	uint64_t version;   /* of the history, when it was last looked at */
	uint64_t first_key; /* of its first job: another one is another history */
};

void outlook_release(struct outlook *outlook);

/* Learns what is new in the history; nothing to do where its version is the same. */
void outlook_learn(struct outlook *outlook, const struct history *history);

/* The same in steps of at most so many jobs whose wait is over, for idle turns; false: there was
 * nothing to do. The version is taken over by the last step. */
bool outlook_step(struct outlook *outlook, const struct history *history, size_t most);

/* The list as a question: types, counts, plans. */
void outlook_ask(struct forecast_ask *ask, const struct preferences *prefs, enum job_kind kind,
		 bool spot);

/* Adds what all jobs say of the type since sightings->since_ms. */
void outlook_sight(const struct history *history, struct sightings *sightings);

/*
 * How long a run of that stem takes on each entry of a list: the median (of two the longer) of its
 * completed runs on that type and count, on demand or on a plan; unset where there is none.
 */
void outlook_runs(const struct history *history, const char *stem, enum job_kind kind,
		  const struct preferences *prefs, struct opt_ms runs[PREFS_MAX]);

#endif
