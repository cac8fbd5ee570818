/* The operations of the region: one row each. */
#ifndef GPUQ_SIM_OPS_H
#define GPUQ_SIM_OPS_H

#include "aws/sim/keys.h"
#include "aws/sim/region.h"
#include "aws/sim/service.h"
#include "model/base/jsontext.h"

struct sim_call {
	const struct sim_request *request;
	const struct json_doc *doc;    /* the body, validated; NULL where it is no JSON */
	const struct sim_keys *caller; /* who signed; the region's own keys where nobody must */
	bool empty_page;               /* a fault: a page without jobs */
	struct sim_answer *answer;     /* for its headers and type */
	struct buf *out;               /* the answer's body */
};

struct sim_op {
	const char *name; /* behind the dot of X-Amz-Target, or Action; others' by path */
	enum sim_service service;
	const char *method, *path; /* "/a/b", or "/a/" and a name: "/a/" "*" */
	const char *input;         /* of a service with X-Amz-Target: shape of the request */
	bool list;                 /* limited to so many a second */
	bool open;                 /* answers who has not signed, too */
	bool (*run)(struct sim_region *region, const struct sim_call *call, struct err *err);
};

extern const struct sim_op sim_ops[];
extern const size_t sim_op_count;

#endif
