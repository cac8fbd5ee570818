/*
 * Sign-in: renews the keys of `aws login` for who proves to hold its key. Each proof is good for
 * one request, and a login's proofs are all of one key. Source: facts/aws.md 1.1 and 4.6.
 */
#ifndef GPUQ_SIM_SIGNIN_H
#define GPUQ_SIM_SIGNIN_H

#include "aws/sim/ops.h"

/* POST /v1/token, of which only the refreshing is there: logging in is /_sim/login. */
bool sim_signin_create_token(struct sim_region *region, const struct sim_call *call,
			     struct err *err) MUST_CHECK;

#endif
