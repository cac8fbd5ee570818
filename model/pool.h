/*
 * The warm pool of a training job: its instances, kept after its end for the next job like it. What
 * became of it is the service's word alone; where that is missing nothing is made up.
 */
#ifndef GPUQ_POOL_H
#define GPUQ_POOL_H

#include "model/job.h"

/* Asked for, or told of by the service. */
bool pool_is_asked(const struct job *job);

/*
 * The service has still to say what became of the pool that was asked for: it does some time after
 * the end, and never where the quota of pools is 0 (recorded replies). True for POOL_REPORT_MS
 * after the end.
 */
#define POOL_REPORT_MS INT64_C(300000)
bool pool_is_awaited(const struct job *job, int64_t now_ms);

/* Its instances stand ready or are passed on: they cost, and another Describe may tell more. */
bool pool_is_held(const struct job *job);

/* What an ended job's pool keeps ready. */
struct pool_hold {
	int64_t instances;   /* 0 = not known */
	struct opt_ms until; /* the latest, as it was asked for; unset = not known */
};
/* It stands at now_ms: the service says Available, and its time is not over. */
bool pool_stands(const struct job *job, int64_t now_ms, struct pool_hold *hold);

/* Appends "handed to NAME, retained 69 s", "Available", "not reported", ...; nothing where none
 * was asked for. */
void pool_add_words(struct buf *out, const struct job *job);

#endif
