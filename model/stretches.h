/*
 * The stretches in which a job was pending, one by one; their sum is job_wait_ms. A spot job waits
 * again after each interruption.
 */
#ifndef GPUQ_STRETCHES_H
#define GPUQ_STRETCHES_H

#include "model/job.h"

struct stretch {
	int64_t start_ms, end_ms; /* wall clock; the end of one that goes on is now */
	bool open;                /* it goes on */
};

/* The gap before the first transition, each pending transition, and as many joined as touch. */
#define STRETCHES_MAX (JOB_TRANSITIONS_MAX + 1)

/* Oldest first, joined where they touch; returns how many. A job without transitions has one, where
 * its wait is known. Rules: interface.md, wait_seconds. */
size_t stretches_of(const struct job *job, int64_t now_ms, struct stretch out[STRETCHES_MAX]);

/* How often the service took a spot job's instances back: transitions to Interrupted. */
size_t stretches_interruptions(const struct job *job);

/* Transition i is one that waits. */
bool stretches_waits(const struct job *job, size_t i);

#endif
