/*
 * The lists of jobs: a page is cut first and filtered afterwards, as AWS does it; only the
 * creation times bound the walk itself. Tokens are opaque and hold for the same query.
 */
#ifndef GPUQ_SIM_LIST_H
#define GPUQ_SIM_LIST_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* Answers ListTrainingJobs or ListProcessingJobs; the request has passed sim_validate. An empty
 * page (a fault) has a token and no jobs. False with err for a token that is none of ours. */
bool sim_list_jobs(const struct sim_world *world, enum sim_job_kind kind,
		   const struct json_doc *doc, bool empty_page, struct buf *out,
		   struct err *err) MUST_CHECK;

#endif
