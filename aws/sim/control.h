/*
 * The endpoints under /_sim/, by which a test moves the clock and the capacity, and ends
 * credentials. Unsigned. What interface.md does not name:
 *
 * POST /_sim/credentials {"seconds":N,"mfa":"123456","expire":true}
 *   seconds: what keys and tokens issued from now on last (0 = what each service gives); mfa: the
 * one code that STS accepts; expire: all issued keys end now.
 */
#ifndef GPUQ_SIM_CONTROL_H
#define GPUQ_SIM_CONTROL_H

#include "aws/sim/region.h"

#define SIM_CONTROL_PREFIX "/_sim/"

/* Answers with JSON; an unknown path with 404, a wrong method with 405, a bad body with 400. */
void sim_control_answer(struct sim_region *region, const struct sim_request *request,
			struct sim_answer *answer);

/* Ends a control without an answer of its own: writes the simulated time. Returns true. */
bool sim_control_done(struct sim_region *region, struct buf *out);

#endif
