/*
 * When to send again, after how long, and out of which budget: the standard mode of the AWS SDKs
 * with its numbers of 2026 (facts/aws.md section 6).
 */
#ifndef GPUQ_RETRY_H
#define GPUQ_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/attr.h"

#define RETRY_QUOTA_MAX      500
#define RETRY_TRIES_STANDARD 3

enum retry_kind { RETRY_NOT, RETRY_TRANSIENT, RETRY_THROTTLED };

/* By the answer's status and error code ("" = none). Answers that never came are transient. */
enum retry_kind retry_classify(int status, const char *code);

/* Before retry number retry (0 = the first): full jitter by random in [0, 1] under a doubling bound
 * of at most 20 s. hint_ms is x-amz-retry-after, or -1; it counts within 5 s of the pause. */
int64_t retry_delay_ms(enum retry_kind kind, unsigned retry, double random, int64_t hint_ms);

/* Shared by all calls of a client, so that a service in trouble is not hammered. */
struct retry_quota {
	unsigned left;
};
void retry_quota_init(struct retry_quota *quota);
/* Pays for a retry; false if the quota is too low. cost is what was paid. */
bool retry_quota_take(struct retry_quota *quota, enum retry_kind kind, unsigned *cost) MUST_CHECK;
/* After a success: gives back the last cost paid, or 1 for a call that needed no retry. */
void retry_quota_refund(struct retry_quota *quota, unsigned last_cost);

#endif
