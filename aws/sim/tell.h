/*
 * POST /_sim/tell: what the region says of one job from now on, for states that its own rules come
 * to seldom or never: words that no list knows, messages that mislead, a job that hangs.
 */
#ifndef GPUQ_SIM_TELL_H
#define GPUQ_SIM_TELL_H

#include "aws/sim/region.h"
#include "model/base/jsontext.h"

/* The body: control.h. Answers as every control does. */
bool sim_tell_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err) MUST_CHECK;

#endif
