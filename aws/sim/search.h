/*
 * Search over training jobs: an index that is behind the truth by a lag, filtered before the page
 * is cut, with whole records as results.
 */
#ifndef GPUQ_SIM_SEARCH_H
#define GPUQ_SIM_SEARCH_H

#include "aws/sim/world.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* Answers Search as of lag_ms ago; the request has passed sim_validate. An empty page (a fault) has
 * a token and no results. False with a refusal: another resource, a property that is none, a value
 * that does not suit it, a token that is none of ours. */
bool sim_search(const struct sim_world *world, int64_t lag_ms, const struct json_doc *doc,
		bool empty_page, struct buf *out, struct err *err) MUST_CHECK;

#endif
