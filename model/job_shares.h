/*
 * What the jobs of a store have alike, each kept once: the words of their states, messages, roles
 * and images, their lists and their tags. A job of which that is shared is smaller by three
 * quarters, and can only be read.
 */
#ifndef GPUQ_JOB_SHARES_H
#define GPUQ_JOB_SHARES_H

#include "model/job.h"
#include "model/shares.h"

/* {0} is empty. */
struct job_shares {
	struct shares texts, words, lists, tags;
};

/* The jobs that share are released before or after, but not read any more. */
void job_shares_release(struct job_shares *shares);

/* The job goes on with what the shares have in place of its own. */
void job_share(struct job *job, struct job_shares *shares);
/* The job owns all it has again, and may be changed or released. */
void job_unshare(struct job *job, struct job_shares *shares);

#endif
