/* Amazon Resource Names: arn:partition:service:region:account:resource. */
#ifndef GPUQ_ARN_H
#define GPUQ_ARN_H

#include <stdbool.h>

#define ACCOUNT_SIZE 13 /* 12 digits */

/* The account; false (and out is "") where the text is no ARN with one. */
bool arn_account(const char *arn, char out[ACCOUNT_SIZE]);

#define PRINCIPAL_SIZE 65 /* names of roles and users have up to 64 characters */

/*
 * Who an ARN of STS or IAM is about, in a word: the role of a session, the name of a user, "root".
 * A role of IAM Identity Center is called by its permission set, without what AWS puts around that
 * (AWSReservedSSO_NAME_hash). "" where the text is nothing of the kind.
 */
void arn_principal(const char *arn, char out[PRINCIPAL_SIZE]);

/* Whether two ARNs are of one partition, service, region and account. */
bool arn_same_place(const char *a, const char *b);

#endif
