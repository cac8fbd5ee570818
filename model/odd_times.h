/*
 * What is odd in the times of a job: transitions that are told out of order, that end before they
 * begin, or overlap, times before the creation or ahead of AWS's clock. None of it stops anything:
 * it is said beside the figures, so that nobody wonders about them.
 */
#ifndef GPUQ_ODD_TIMES_H
#define GPUQ_ODD_TIMES_H

#include "model/job.h"

#define ODD_TIMES_AHEAD_MS INT64_C(60000) /* less is two clocks of AWS that differ a little */
#define ODD_TIMES_MAX      8              /* lines; then how many more there are */

/* A line for each; nothing where all is well. */
void odd_times_add(struct buf *out, const struct job *job, int64_t now_ms);

#endif
