/*
 * What a simulated region says of its own jobs, for tests that compare a screen with it: phases
 * from its state, waits worked out from a Describe by hand. A failure ends the test.
 */
#ifndef GPUQ_TESTS_BYHAND_H
#define GPUQ_TESTS_BYHAND_H

#include <stdint.h>

#include "model/job.h"
#include "tests/region.h"

/* The phase of a job of the state. */
enum phase byhand_phase(const struct region_state *state, size_t job);

/* A wait that still goes on: the stretches behind it, and the start of the open one. */
struct byhand_wait {
	int64_t before_ms, since_ms;
};

/* That of a pending job, from a Describe without the program (the region runs with --no-auth).
 * False if the job waits no more. */
bool byhand_wait(const struct region *region, const char *kind, const char *name,
		 struct byhand_wait *wait);

#endif
