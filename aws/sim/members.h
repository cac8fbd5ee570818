/*
 * What Create asks of a request beyond its shape, apart from the instances (order.h): which parts
 * a training job needs, what spot needs, the channels of a heterogeneous cluster.
 */
#ifndef GPUQ_SIM_MEMBERS_H
#define GPUQ_SIM_MEMBERS_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* The request has passed sim_validate. False with the refusal of the first rule that it breaks. */
bool sim_members_check(enum sim_job_kind kind, const struct json_doc *doc,
		       struct err *err) MUST_CHECK;

#endif
