/* The endpoints under /_sim/, by which a test moves the clock and the capacity. Unsigned. */
#ifndef GPUQ_SIM_CONTROL_H
#define GPUQ_SIM_CONTROL_H

#include "aws/sim/region.h"

#define SIM_CONTROL_PREFIX "/_sim/"

/* Answers with JSON; an unknown path with 404, a wrong method with 405, a bad body with 400. */
void sim_control_answer(struct sim_region *region, const struct sim_request *request,
			struct sim_answer *answer);

#endif
