/*
 * IAM Identity Center: the portal, which opens a role to an access token, and OIDC, which renews
 * that. A role's name says how the portal answers: "denied" in it is refused, "missing" is not
 * there. Source: facts/aws.md 1.1, 1.3 and 4.4.
 */
#ifndef GPUQ_SIM_SSO_H
#define GPUQ_SIM_SSO_H

#include "aws/sim/ops.h"

/* GET /federation/credentials?role_name=&account_id= */
bool sim_sso_get_role_credentials(struct sim_region *region, const struct sim_call *call,
				  struct err *err) MUST_CHECK;

/* POST /token, of which only the refreshing is there: logging in is /_sim/login. */
bool sim_oidc_create_token(struct sim_region *region, const struct sim_call *call,
			   struct err *err) MUST_CHECK;

#endif
