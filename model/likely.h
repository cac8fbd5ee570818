/*
 * What a run is likely to cost on each entry of a list: as long as the stem's own completed runs
 * took on that type and count, else as was measured once (the config's certified entries), at the
 * entry's price. Unknown stays unset.
 */
#ifndef GPUQ_LIKELY_H
#define GPUQ_LIKELY_H

#include "model/check.h"
#include "model/forecast.h"
#include "model/outlook.h"

struct likely {
	struct opt_ms run[PREFS_MAX]; /* durations */
	struct money per_hour[PREFS_MAX], cost[PREFS_MAX];
	const char *currency; /* borrowed from the prices, or static; NULL = no price is known */
	bool is_estimate;     /* one of the prices is */
};

/* What runs and their costs are told by; all of it is borrowed. */
struct likely_past {
	const struct outlook *outlook; /* has learned the history */
	const struct history *history;
	const struct price_book *prices;
	const struct check_known *known; /* the certified entries */
};

/* Of jobs of that stem, whose run fills likely->run before (outlook_runs); "" = of no known one:
 * then only prices are filled in. Entries above PREFS_MAX are left out. */
void likely_fill(struct likely *likely, const struct preferences *prefs, enum job_kind kind,
		 const char *stem, const struct price_book *book, const struct check_known *known);

/* Of a list of that job: its own, or the one that it is to have. */
void likely_of_job(struct likely *likely, const struct likely_past *past, const struct job *job,
		   const struct preferences *prefs);

/* How long all of a job's run is likely to take on the entry that it was given, or has no choice
 * but to be given. Unset for a list that waits, of which that is open, and for a job that is over:
 * what that has cost is known. */
struct opt_ms likely_run(const struct likely_past *past, const struct job *job);

/* Its costs as those of the list's choices: nothing more on a plan, which is prepaid, unless AWS
 * has not told of it; of spot they stay unknown, as its price varies. */
void likely_ask(const struct likely *likely, struct forecast_ask *ask);

#endif
