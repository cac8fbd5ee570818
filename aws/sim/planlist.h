/* ListTrainingPlans: filtered and sorted, then cut into pages. */
#ifndef GPUQ_SIM_PLANLIST_H
#define GPUQ_SIM_PLANLIST_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* The request has passed sim_validate. Without SortBy the plans stand in the order in which they
 * were bought. An empty page (a fault) has a token and no plans. False with err for a token that is
 * none of ours. */
bool sim_list_plans(const struct sim_world *world, const struct json_doc *doc, bool empty_page,
		    struct buf *out, struct err *err) MUST_CHECK;

#endif
