/* Jobs for tests, in one line each. Times in ms unless the name says otherwise. */
#ifndef GPUQ_TESTS_JOBS_H
#define GPUQ_TESTS_JOBS_H

#include <stdint.h>

#include "model/job.h"

struct opt_ms at(int64_t ms);

/* A training job as a list tells it; its ARN is its name, modified when created. */
struct job listed_job(const char *name, int64_t created_ms, const char *status,
		      const char *secondary);

/* The same, described, with one entry and no list: ml.p4d.24xlarge x2. */
struct job described_job(const char *name, int64_t created_ms, const char *status,
			 const char *secondary);

/* Appends an entry with a count of its own. */
void add_entry(struct job *job, const char *type, int64_t count);

/* A transition, in seconds; end < 0 is an open one. */
void add_stretch(struct job *job, const char *status, int64_t start_s, int64_t end_s);

#endif
