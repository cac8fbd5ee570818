/*
 * Which jobs need somebody at 03:00: those that wait longer than jobs of their types usually did,
 * are near their pending limit or their run-time limit, hang in a stop, or lost their model to a
 * limit. Pure.
 */
#ifndef GPUQ_STUCK_H
#define GPUQ_STUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/store.h"

#define STUCK_WAITS_MIN   20                /* known waits of the job's types; fewer: */
#define STUCK_AFTER_MS    INT64_C(21600000) /* 6 h */
#define STUCK_SHARE       950               /* permille of them: the 95th percentile */
#define STUCK_LIMIT       800               /* permille of the pending limit */
#define STUCK_RUN         900               /* permille of the run-time limit */
#define STUCK_STOPPING_MS INT64_C(3600000)  /* 1 h */

/* Why a job is marked; several can hold. */
enum stuck_why {
	STUCK_WAITS = 1u << 0,      /* longer than usual, or than stuck_after */
	STUCK_NEAR_LIMIT = 1u << 1, /* the pending limit is 80 % counted */
	STUCK_STOPPING = 1u << 2,   /* for over an hour */
	STUCK_NEAR_END = 1u << 3,   /* over 90 % of MaxRuntimeInSeconds */
	STUCK_MODEL_LOST = 1u << 4, /* MaxRuntimeExceeded ended it */
};

struct stuck_type;

/* The waits of jobs that started, by type. {0} knows none; release it. */
struct stuck_past {
	struct stuck_type *types; /* owned */
	size_t count, capacity;
	uint64_t version; /* of the history it was made from */
	bool made;
};
void stuck_past_release(struct stuck_past *past);
/* Makes it anew; nothing to do where the history's version is the same. Some milliseconds for
 * 50,000 jobs: for idle turns. False: there was nothing to do. */
bool stuck_past_make(struct stuck_past *past, const struct history *history);

/* From when on a wait of this job is longer than usual: stuck_after where it is set, else the 95th
 * percentile of the known waits of its types (nearest rank), else 6 h. *waits: of how many. */
int64_t stuck_threshold_ms(const struct stuck_past *past, const struct job *job,
			   struct opt_ms stuck_after, size_t *waits);

/* What AWS counts of a pending limit. Time before a plan of the list begins, or between two of its
 * windows, does not count (facts/sagemaker.md, Instance preferences). */
struct pending_clock {
	bool has_limit;     /* a limit with an effect, of a job that is pending */
	int64_t counted_ms; /* so far */
	int64_t limit_ms;
	bool stands;            /* it does not run now: a plan is closed */
	struct opt_ms deadline; /* if it runs on from now; unset while it stands */
	bool untold;            /* a plan of the list is not read: some of it may not count */
	struct opt_ms resumes;  /* while it stands: when the plan opens; unset: not told */
};
struct pending_clock pending_clock(const struct store *store, const struct job *job,
				   int64_t now_ms);

/* The reasons, as a sum of enum stuck_why; 0 = none. */
unsigned stuck_why(const struct store *store, const struct stuck_past *past, const struct job *job,
		   struct opt_ms stuck_after, int64_t now_ms);

/* A sentence for each reason, joined by blanks. */
void stuck_add_words(struct buf *out, const struct store *store, const struct stuck_past *past,
		     const struct job *job, struct opt_ms stuck_after, int64_t now_ms);

#endif
