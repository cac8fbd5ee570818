/*
 * When the list in view would start and what that would cost, by this account's past: the one
 * source of Wait, Cost and Preferences. The past is learned in idle turns, so that no key waits for
 * it; a question is worked out when it is asked and kept for a second.
 */
#ifndef GPUQ_PROSPECT_H
#define GPUQ_PROSPECT_H

#include "model/forecast.h"
#include "model/likely.h"
#include "model/stuck.h"
#include "model/week_pattern.h"
#include "model/sightings.h"
#include "views/pane.h"

enum prospect_of {
	PROSPECT_NONE,  /* nothing waits and nothing is edited, or groups: no ranking to ask for */
	PROSPECT_JOB,   /* the job goes on waiting: from now on */
	PROSPECT_DRAFT, /* the list is submitted now; what its job waits for is not free */
};

#define PROSPECT_WITHIN 2 /* 15 minutes, an hour */

struct prospect {
	enum prospect_of of;
	bool learning; /* the past is not all read yet: no figure is final */
	struct forecast forecast;
	struct likely likely;
	struct plan_start plans[PREFS_MAX]; /* of the entries that have one */
};

struct prospects; /* of prospect.c */

/* Of the selected job's list, or prefs in its place where that is not NULL (an entry in the mouse's
 * hand). Never NULL; good until the next call. */
const struct prospect *prospect_find(const struct ui *ui, const struct preferences *prefs);

/* The usual wait of so many instances of a type, submitted now, in the same way. False: fewer than
 * FORECAST_STARTS_MIN have started; n says how many. */
struct usual_wait {
	size_t n;
	bool known;
	struct opt_ms p50, p90; /* unset: the past does not reach it */
};
struct usual_wait prospect_usual(const struct ui *ui, const char *instance_type, int64_t count,
				 enum job_kind kind, bool spot);

/* The past as it is known, for what jobs are likely to cost; NULL: it is not all read yet. */
const struct likely_past *prospect_past(const struct ui *ui);

/* Adds what the past says of a type, as far as it is read (model/outlook.h). */
void prospect_sight(const struct ui *ui, struct sightings *sightings);

/* How often a type was free at once, by the hour of the week; false: the past is not all read
 * yet. */
bool prospect_week(const struct ui *ui, const struct week_of *of, struct week_pattern *pattern);

/* The past as it is known, for a search of lists; NULL: it is not all read yet. */
struct wait_curves *prospect_curves(const struct ui *ui);

/* What waits are usual; NULL while that is not learned. Borrowed. */
const struct stuck_past *prospect_waits(const struct ui *ui);
/* Why the job is marked (a sum of enum stuck_why; 0 = it is not), and in words. */
unsigned prospect_stuck(const struct ui *ui, const struct job *job);
void prospect_add_stuck(struct buf *out, const struct ui *ui, const struct job *job);

/* Some milliseconds of learning at most; false: there was nothing to learn. */
bool prospects_learn(struct ui *ui);
/* Another place: its past is another one. */
void prospects_forget(struct ui *ui);

#endif
