/*
 * The forecast's view of the history: curves that follow it, how long a stem's runs take, when
 * types were free, what waits are usual. A job whose wait is over is learned once, its run too;
 * those that wait are looked at anew each time. A question is then answered without a walk through
 * all jobs.
 */
#ifndef GPUQ_OUTLOOK_H
#define GPUQ_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/forecast.h"
#include "model/history.h"
#include "model/run_times.h"
#include "model/sighted.h"
#include "model/stuck_past.h"
#include "model/weeks.h"

/* {0} has learned nothing. */
struct outlook {
	struct wait_curves curves;
	struct run_times runs;
	struct sighted sighted;
	struct weeks weeks;
	struct stuck_past waits; /* settled */
	uint8_t *taken;          /* owned; by position in the history: its wait, its run */
	size_t taken_count, taken_capacity;
	uint32_t *pending; /* owned; positions of those that wait */
	size_t pending_count, pending_capacity;
	uint64_t version;   /* of the history, when it was last looked at */
	uint64_t first_key; /* of its first job: another one is another history */
};

void outlook_release(struct outlook *outlook);

/* Learns what is new in the history; nothing to do where its version is the same. */
void outlook_learn(struct outlook *outlook, const struct history *history);

/* The same in steps of at most so many jobs whose wait is over, for idle turns; false: there was
 * nothing to do. The version is taken over by the last step. */
bool outlook_step(struct outlook *outlook, const struct history *history, size_t most);

/* The list as a question: types and counts. Of entries on a plan nothing is known yet. */
void outlook_ask(struct forecast_ask *ask, const struct preferences *prefs, enum job_kind kind,
		 bool spot);

/* What the plans say of its entries, a plan of the whole job too; now_ms is wall time. */
void outlook_ask_plans(struct forecast_ask *ask, const struct preferences *prefs,
		       const struct plan *plans, size_t plan_count, int64_t now_ms);

/* Adds what the jobs learned say of the type since sightings->since_ms; the history is the one
 * learned. */
void outlook_sight(const struct outlook *outlook, const struct history *history,
		   struct sightings *sightings);

/* How often the type was free at once, by the hour of the week, as far as it is learned; the
 * history is the one learned. */
struct week_pattern outlook_week(const struct outlook *outlook, const struct history *history,
				 const struct week_of *of);

/*
 * How long a run of that stem takes on each entry of a list: the median (of two the longer) of its
 * completed runs on that type and count, on demand or on a plan; unset where there is none. The
 * history is the one learned; "" is the stem of none.
 */
void outlook_runs(const struct outlook *outlook, const struct history *history, const char *stem,
		  enum job_kind kind, const struct preferences *prefs,
		  struct opt_ms runs[PREFS_MAX]);

#endif
