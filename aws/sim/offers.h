/* Offerings of training plans: what is for sale, and buying one. An offering's id says all of it,
 * so that nothing has to be remembered. */
#ifndef GPUQ_SIM_OFFERS_H
#define GPUQ_SIM_OFFERS_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* SearchTrainingPlanOfferings: at most three, for one type; the request has passed sim_validate. */
bool sim_offers_search(const struct sim_world *world, const struct json_doc *doc, struct buf *out,
		       struct err *err) MUST_CHECK;

/* CreateTrainingPlan: buys one. False with a refusal: no such offering, or one of the past, a name
 * that is taken, too many plans. */
bool sim_offers_buy(struct sim_world *world, const struct json_doc *doc, struct buf *out,
		    struct err *err) MUST_CHECK;

#endif
