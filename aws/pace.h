/*
 * How fast operations may be started: lists apart from each other by a gap for each operation, all
 * Describe operations together twice a second, and both slower after throttles. Times are monotonic
 * milliseconds.
 */
#ifndef GPUQ_PACE_H
#define GPUQ_PACE_H

#include "aws/op.h"
#include "aws/slowdown.h"

/* What is known of one operation. */
struct op_pace {
	const struct aws_op *op;
	unsigned started;
	int64_t last_ms;
	struct slowdown slowdown; /* of a list */
};

struct pace {
	int64_t list_gap_ms; /* 0 = none */
	struct op_pace *ops;
	size_t count, capacity;
	bool has_described;
	int64_t last_describe_ms;
	struct slowdown describe_slowdown;
};

/* List starts a second of one operation; 0 = no limit, for Describe neither. */
void pace_init(struct pace *pace, double list_starts);
void pace_release(struct pace *pace);

/* When the next start of an operation is allowed, as things stand; INT64_MIN = at once. */
int64_t pace_ready_ms(struct pace *pace, const struct aws_op *op, int64_t now_ms);
void pace_note_start(struct pace *pace, const struct aws_op *op, int64_t now_ms);
/* An answer said that it was asked too fast. */
void pace_note_throttled(struct pace *pace, const struct aws_op *op, int64_t now_ms);
struct slowdown pace_slowdown(const struct pace *pace, const struct aws_op *op);

/* How often so far. */
unsigned pace_started(const struct pace *pace, const char *op_name);

#endif
