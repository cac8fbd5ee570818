/* What is known of an AWS operation before it is called: one row, static, for each. */
#ifndef GPUQ_OP_H
#define GPUQ_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/services.h"

struct aws_op {
	const char *name; /* ListTrainingJobs: on the wire, in messages and for the pace */
	enum aws_service service;
	const char *path;   /* of an operation that has one (PROTOCOL_REST_JSON); NULL = "/" */
	bool changes;       /* changes AWS: refused when read-only */
	bool list;          /* paced: starts at least 1 s apart for each operation */
	bool describe;      /* paced: at most 2 starts a second over all such operations */
	bool ahead;         /* a change waits for it: it goes before what waits for its turn */
	bool resend;        /* may be sent again after an answer that left the outcome open */
	int64_t timeout_ms; /* of each try */
	size_t max_reply;
};

#endif
