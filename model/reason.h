/*
 * What gpuq itself can say of the reason that AWS gives for a failed job. The text stays as it
 * came: only two fixed marks of it are known, and what is said is marked as gpuq's own by whoever
 * shows it.
 */
#ifndef GPUQ_REASON_H
#define GPUQ_REASON_H

#include <stdbool.h>

#include "model/job.h"

/* It failed for want of instances, which is no fault of its code: "CapacityError", by the prefix
 * alone, since the sentence behind it changes (facts/sagemaker.md, Errors). */
bool reason_is_capacity(const struct job *job);

/* Appends one sentence; nothing where there is none to say. */
void reason_add_remark(struct buf *out, const struct job *job);

#endif
