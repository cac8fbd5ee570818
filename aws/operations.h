/*
 * Every operation that the program can call with somebody's keys. A new operation takes its row
 * here, and its action one in aws/permission.c: `doctor`, the policy and the tests that walk all
 * operations go by it.
 */
#ifndef GPUQ_OPERATIONS_H
#define GPUQ_OPERATIONS_H

#include "aws/op.h"

/* All, each name once; NULL at the end. Static. */
extern const struct aws_op *const operations[];

#define OPERATION_ACTION_SIZE 96
/* IAM's name of an operation, "sagemaker:Search"; false for one that IAM allows everybody. */
bool operation_action(const struct aws_op *op, char action[OPERATION_ACTION_SIZE]);

#endif
