/*
 * STS: who am I, and the keys of a role. A role's name says how it answers: one with "denied" in it
 * is refused, one with "mfa" wants a one-time code. The account is that of the role's ARN; this
 * region shows all accounts the same jobs. Source: facts/aws.md 1.1, 1.3, 4.2, 4.3 and 8.
 */
#ifndef GPUQ_SIM_STS_H
#define GPUQ_SIM_STS_H

#include "aws/sim/ops.h"

bool sim_sts_get_caller_identity(struct sim_region *region, const struct sim_call *call,
				 struct err *err) MUST_CHECK;
bool sim_sts_assume_role(struct sim_region *region, const struct sim_call *call,
			 struct err *err) MUST_CHECK;
bool sim_sts_assume_role_with_web_identity(struct sim_region *region, const struct sim_call *call,
					   struct err *err) MUST_CHECK;

#endif
