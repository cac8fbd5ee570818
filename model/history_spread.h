/*
 * How the runs of the history compare: on a later choice of a list with the same work on its first
 * one (is the fallback really equivalent?), and on any with the time that the config certifies. Of
 * jobs that have completed, not on spot, whose time holds its interruptions. Pure.
 */
#ifndef GPUQ_HISTORY_SPREAD_H
#define GPUQ_HISTORY_SPREAD_H

#include "model/check.h"
#include "model/history_keys.h"

/* The same work is the same stem and kind of job. Of fewer runs on the first choice nothing is
 * usual. */
#define HISTORY_FIRSTS_MIN 3

/* So many runs, and what each came to against what it is held against, in thousandths: the middle
 * one and the ninetieth percent, by the nearest rank. */
struct history_ratio {
	size_t count;
	int64_t p50, p90; /* where count is above 0 */
};

struct history_spread {
	char *key; /* owned */
	/* The runs that fell back, against the middle one of those on the first choice. */
	struct history_ratio run_to_first, cost_to_first;
	/* Those whose stem, type and count have a certified run time, against that. */
	struct history_ratio run_to_certified;
};

struct history_spreads {
	struct history_spread
		*rows; /* owned, by key; groups in which there is something to compare */
	size_t count;
};

/* Of the jobs submitted at since_ms or later, in the groups of history_sums_make; by type and rank
 * a job is in the group of the entry that it was given. known: the certified entries; NULL: none.
 * Release it. */
void history_spreads_make(const struct history *history, enum history_by by, int64_t since_ms,
			  const struct check_known *known, struct history_spreads *out);
void history_spreads_release(struct history_spreads *spreads);
/* As history_sums_shed. */
bool history_spreads_shed(struct history_spreads *spreads, size_t most);

/* The same in steps, as those of model/history_tally.h; the config that the certified entries are
 * of lives longer. */
struct history_comparison; /* of history_spread.c */
struct history_comparison *history_comparison_new(const struct history *history, enum history_by by,
						  int64_t since_ms,
						  const struct check_known *known);
void history_comparison_free(struct history_comparison *comparison); /* NULL is accepted */
bool history_comparison_step(struct history_comparison *comparison, const struct history *history,
			     size_t work);
void history_comparison_take(struct history_comparison *comparison, struct history_spreads *out);

/* What is known of a group; all of it zero where there is nothing to compare. Static then. */
const struct history_spread *history_spreads_of(const struct history_spreads *spreads,
						const char *key);

#endif
