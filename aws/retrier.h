/*
 * The retries of one client: how many tries a call gets, how long it pauses before each, and the
 * quota that all its calls pay from.
 */
#ifndef GPUQ_RETRIER_H
#define GPUQ_RETRIER_H

#include "aws/jitter.h"
#include "aws/retry.h"
#include "model/base/attr.h"

struct retrier {
	unsigned max_tries;
	/* Borrowed. */
	const struct retry_rules *rules;
	struct retry_quota *quota;
	double (*random)(void *ctx); /* NULL: by jitter */
	void *ctx;
	struct jitter jitter;
	struct retry_quota own_quota;
};

/* Standard rules and tries, a quota of its own; stays where it is. Seed 0 = from the system. What
 * is to be otherwise is set afterwards. */
void retrier_init(struct retrier *retrier, uint64_t seed);

struct retry_pause {
	unsigned cost; /* what it took from the quota */
	int64_t ms;
};
/* Whether a call that has had so many tries gets another one, and pays for it. hint_ms as of
 * retry_delay_s. */
bool retrier_take(struct retrier *retrier, enum retry_kind kind, unsigned tries, int64_t hint_ms,
		  struct retry_pause *pause) MUST_CHECK;

#endif
