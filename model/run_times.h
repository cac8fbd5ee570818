/*
 * How long the completed runs of a stem took on each type and count, learned job by job as the
 * history tells of them: a median is then looked up, not worked out.
 */
#ifndef GPUQ_RUN_TIMES_H
#define GPUQ_RUN_TIMES_H

#include "model/history.h"
#include "model/times.h"
#include "model/triples.h"

/* {0} has learned nothing. Stems and types are the numbers of one history's texts. */
struct run_times {
	struct triples keys;
	struct times *series; /* owned, each too; one a key */
	size_t capacity;
};

void run_times_release(struct run_times *runs);

/* Adds a job once; false, and nothing is added: it is no whole run on a known type and count, or
 * one on spot, which holds the waits after interruptions. */
bool run_times_add(struct run_times *runs, const struct history_job *job);

struct run_of {
	uint32_t stem, type;
	int64_t count; /* of instances */
	enum job_kind kind;
};
/* The median (of two the longer); unset where there is none. */
struct opt_ms run_times_median(const struct run_times *runs, const struct run_of *of);

#endif
