/* Tags of jobs: those of the Create request, and what AddTags made of them since. */
#ifndef GPUQ_SIM_TAGS_H
#define GPUQ_SIM_TAGS_H

#include "aws/sim/world.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_TAGS_MAX 50 /* of one resource, service limit */

/* The job that ResourceArn names; NULL with ResourceNotFound. */
struct sim_job *sim_tags_job(const struct sim_world *world, const struct json_doc *doc,
			     struct err *err);

/* Writes the member Tags; an empty list where there are none. */
void sim_tags_emit(const struct sim_job *job, struct buf *out);

/* False with a refusal where the request's Tags have a key of AWS's own. */
bool sim_tags_check(const struct json_doc *doc, struct err *err) MUST_CHECK;

/* Puts the tags of an AddTags request beside or over those that the job has. False with a refusal:
 * a key of AWS's own, or too many. */
bool sim_tags_add(struct sim_job *job, const struct json_doc *doc, struct err *err) MUST_CHECK;

#endif
