/*
 * Service Quotas for SageMaker: one limit read by its code, and a raise asked for. Codes are known
 * (model/quota.h), so that an account's 2,000 quotas are never listed. Source: facts/aws.md 7.2.
 */
#ifndef GPUQ_QUOTAS_H
#define GPUQ_QUOTAS_H

#include "aws/client.h"
#include "model/quota.h"

extern const struct aws_op op_get_service_quota, op_get_default_service_quota,
	op_request_quota_increase;
/* All of them, NULL at the end: a test walks them. */
extern const struct aws_op *const quota_ops[];

/* The limit in whole instances; NULL with an error. ERR_NOT_FOUND of quotas_get: the account has no
 * value of its own, and the default holds. */
typedef void quota_limit_fn(void *ctx, const int64_t *limit, const struct err *err);
/* The account's own value / AWS's default. */
uint64_t quotas_get(struct aws_client *client, const char *code, quota_limit_fn *done, void *ctx);
uint64_t quotas_get_default(struct aws_client *client, const char *code, quota_limit_fn *done,
			    void *ctx);

/* Asks for a raise of what has a published code. One that is open already is ERR_CONFLICT. */
typedef void quota_raised_fn(void *ctx, const struct quota_raised *raised, const struct err *err);
uint64_t quotas_request_increase(struct aws_client *client, const struct quota_raise *raise,
				 quota_raised_fn *done, void *ctx);

/* Decode replies (for tests and fuzzing too). False with err (ERR_PARSE, ERR_TOO_BIG) for what is
 * no answer about that code. A fraction of an instance is cut off. */
bool quotas_decode_limit(const char *body, size_t len, const char *code, int64_t *limit,
			 struct err *err) MUST_CHECK;
bool quotas_decode_raised(const char *body, size_t len, const char *code,
			  struct quota_raised *raised, struct err *err) MUST_CHECK;

#endif
