/*
 * The least IAM policy for the actions that the program can call, as the IAM console takes it.
 * Pure: aws/permission.h tells the actions.
 */
#ifndef GPUQ_POLICY_H
#define GPUQ_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buf.h"

/* A statement of the policy each: by what the actions are for, and on which resources they may be.
 */
enum policy_part {
	POLICY_LOOK,
	POLICY_LOOK_AT_LOGS, /* of SageMaker's log groups alone */
	POLICY_CHANGE,       /* this and what follows: not with --read-only */
	POLICY_PASS_ROLE,    /* to SageMaker alone */
	POLICY_PARTS
};

#define POLICY_ACTIONS_MAX 64

struct policy_action {
	const char *action; /* "sagemaker:Search"; borrowed */
	enum policy_part part;
};

/* The role that stands in POLICY_PASS_ROLE until somebody writes the right one there. */
#define POLICY_ROLE "111122223333:role/your-job-role"

/* Appends the policy as JSON with a line break behind it: on many lines, or on one. partition: of
 * the ARNs in it, "aws". The actions stand in their order. */
void policy_add(struct buf *out, const struct policy_action *actions, size_t count,
		const char *partition, bool read_only, bool one_line);

/* "LookAtLogs": the Sid of the statement. */
const char *policy_part_word(enum policy_part part);
/* Appends the resource of the statement: "*", or an ARN. */
void policy_add_resource(struct buf *out, enum policy_part part, const char *partition);

/* The partition of a region by its name, "aws-cn"; NULL and names that nobody knows are "aws".
 * Source: AWS's endpoint rules. */
const char *policy_partition(const char *region);

#endif
