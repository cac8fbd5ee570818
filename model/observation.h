/*
 * What the history tells of one job's wait: the record that the store fills and the forecast, the
 * tables of history and the likely costs read. A plain value that is passed, not kept: its texts
 * are borrowed for the time of the call.
 */
#ifndef GPUQ_OBSERVATION_H
#define GPUQ_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"
#include "model/price.h"

/*
 * Launching takes minutes even where capacity is free: 42 s (case 017), 189 s (case 019), "3
 * minutes" (case 088). A wait of up to this is a start at once, so that ranks that were all free
 * tie, as they do in the service's own sweep.
 */
#define WAIT_AT_ONCE_MS (5 * 60 * INT64_C(1000))

enum wait_outcome {
	WAIT_PENDING,   /* still waits */
	WAIT_STARTED,   /* got its instances; chosen_rank says on which entry */
	WAIT_STOPPED,   /* stopped by somebody while it waited */
	WAIT_TIMED_OUT, /* its pending limit ended it: Stopped, or Failed with CapacityError */
	WAIT_FAILED,    /* ended before a start for another reason: role, image, data */
};

struct observation_entry {
	const char *instance_type; /* borrowed */
	int64_t count;             /* the entry's own or the shared one; 0 = not known */
	bool on_plan; /* bound to a training plan: says nothing of the wait on demand */
};

struct observation {
	const char *name; /* borrowed; the job's */
	const char *stem; /* borrowed; job_stem of the name */
	enum job_kind kind;
	bool spot;       /* a market of its own: never mixed with the others */
	bool has_groups; /* a heterogeneous cluster: its entries start together, not in a ranking */
	enum wait_outcome outcome;
	struct observation_entry
		entries[PREFS_MAX]; /* in rank order; one for a job without a list */
	size_t entry_count;
	size_t chosen_rank;      /* 1 = first; 0 = none, or a type that is not in the list */
	int64_t submitted_at_ms; /* wall */
	/*
	 * From submission until the first start, or until it ended without one; of a pending job
	 * until it was last read. A spot job's later waits after an interruption are not in it:
	 * they do not tell when a new job starts.
	 */
	int64_t wait_ms;
	struct opt_ms run;    /* first start to end, of a job that has ended; a duration */
	bool completed;       /* it ended as Completed: run is a whole run */
	struct money cost;    /* final; unset = unknown */
	const char *currency; /* borrowed, or NULL without a cost */
};

enum observation_try {
	TRY_NONE,    /* it was not asked for capacity, or nothing tells what came of it */
	TRY_FREE,    /* it was there at once */
	TRY_REFUSED, /* it was asked and had nothing */
};

/* What became of entry i at the submission: a list is tried in its order, as far as one is free. */
enum observation_try observation_first_try(const struct observation *observation, size_t i);

#endif
