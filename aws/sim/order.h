/*
 * From a Create request to what the scheduler needs of it, by the rules that hold between members
 * (facts/sagemaker.md, Instance preferences): written here a second time, apart from the client's.
 */
#ifndef GPUQ_SIM_ORDER_H
#define GPUQ_SIM_ORDER_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* The request has passed sim_validate. False with the refusal of the first rule that it breaks. */
bool sim_order_read(const struct sim_world *world, enum sim_job_kind kind,
		    const struct json_doc *doc, struct sim_order *order,
		    struct err *err) MUST_CHECK;

/* Is there quota for every type in the list? False with ResourceLimitExceeded. */
bool sim_order_check_quota(const struct sim_world *world, const struct sim_order *order,
			   struct err *err) MUST_CHECK;

#endif
