/* The operations of the region: one row each. */
#ifndef GPUQ_SIM_OPS_H
#define GPUQ_SIM_OPS_H

#include "aws/sim/region.h"
#include "model/base/jsontext.h"

struct sim_call {
	const struct json_doc *doc; /* the validated request */
	const char *body;           /* as it came */
	size_t body_len;
	bool empty_page; /* a fault: a page without jobs */
	struct buf *out; /* the answer's body */
};

struct sim_op {
	const char *name;  /* SageMaker.<name> in X-Amz-Target */
	const char *input; /* shape of the request */
	bool list;         /* limited to so many a second */
	bool (*run)(struct sim_region *region, const struct sim_call *call, struct err *err);
};

extern const struct sim_op sim_ops[];
extern const size_t sim_op_count;

#endif
