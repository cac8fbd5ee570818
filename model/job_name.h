/* A job's name that AWS would take, made from one that it would not. */
#ifndef GPUQ_JOB_NAME_H
#define GPUQ_JOB_NAME_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/job.h"

/*
 * Proposes a name as near to name as the service allows: characters that cannot stand in one become
 * a hyphen, the rest is cut to 63. While is_taken says so, a number is counted up behind it: that
 * of one to three digits which stands there, else from 2 on. NULL: nothing is known to be taken.
 * False: a thousand names were. out holds JOB_NAME_SIZE bytes.
 */
bool job_name_propose(const char *name, bool (*is_taken)(const void *ctx, const char *name),
		      const void *ctx, char out[JOB_NAME_SIZE]) MUST_CHECK;

#endif
