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
#include "model/stuck_past.h"

#define STUCK_LIMIT       800              /* permille of the pending limit */
#define STUCK_RUN         900              /* permille of the run-time limit */
#define STUCK_STOPPING_MS INT64_C(3600000) /* 1 h */

/* Why a job is marked; several can hold. */
enum stuck_why {
	STUCK_WAITS = 1u << 0,      /* longer than usual, or than stuck_after */
	STUCK_NEAR_LIMIT = 1u << 1, /* the pending limit is 80 % counted */
	STUCK_STOPPING = 1u << 2,   /* for over an hour */
	STUCK_NEAR_END = 1u << 3,   /* over 90 % of MaxRuntimeInSeconds */
	STUCK_MODEL_LOST = 1u << 4, /* MaxRuntimeExceeded ended it */
};

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
