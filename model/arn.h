/* Amazon Resource Names: arn:partition:service:region:account:resource. */
#ifndef GPUQ_ARN_H
#define GPUQ_ARN_H

#include <stdbool.h>

#define ACCOUNT_SIZE 13 /* 12 digits */

/* The account; false (and out is "") where the text is no ARN with one. */
bool arn_account(const char *arn, char out[ACCOUNT_SIZE]);

#endif
