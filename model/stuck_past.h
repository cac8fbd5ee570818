/*
 * The waits of jobs that started on demand, by type, and how long a wait is longer than they
 * usually were. Learned job by job.
 */
#ifndef GPUQ_STUCK_PAST_H
#define GPUQ_STUCK_PAST_H

#include <stddef.h>
#include <stdint.h>

#include "model/job.h"
#include "model/observation.h"

#define STUCK_WAITS_MIN 20                /* known waits of the job's types; fewer: */
#define STUCK_AFTER_MS  INT64_C(21600000) /* 6 h */
#define STUCK_SHARE     950               /* permille of them: the 95th percentile */

struct stuck_type;

/* {0} knows none; release it. */
struct stuck_past {
	struct stuck_type *types; /* owned */
	size_t count, capacity;
};
void stuck_past_release(struct stuck_past *past);

/* Adds a job whose wait is over, once; ignored where it did not start on demand. */
void stuck_past_add(struct stuck_past *past, const struct observation *one);
/* Puts what was added since in its place: a tenth of a millisecond for 1,000 among 50,000. */
void stuck_past_settle(struct stuck_past *past);

/* From when on a wait of this job is longer than usual: stuck_after where it is set, else the 95th
 * percentile of the known waits of its types (nearest rank), else 6 h. *waits: of how many. The
 * past is settled. */
int64_t stuck_threshold_ms(const struct stuck_past *past, const struct job *job,
			   struct opt_ms stuck_after, size_t *waits);

#endif
