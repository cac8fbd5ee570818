/*
 * What of AWS somebody has in sight, and so wants kept fresh: a member for each feed that asks
 * nothing while nobody looks. Views fill it, the session goes by it; {0} wants nothing.
 */
#ifndef GPUQ_WANTS_H
#define GPUQ_WANTS_H

#include "model/metrics.h"
#include "model/quota.h"

struct wants {
	bool plans;          /* all training plans */
	bool actions;        /* what other programs of gpuq have done here */
	const char *tags;    /* of the job with that ARN; NULL: of none. Borrowed */
	const char *logs;    /* the same of its logs */
	bool logs_held;      /* their oldest lines are in sight; see logs_feed.h */
	const char *metrics; /* and of what its hosts publish */
	enum metric_span metric_span;
	bool gpus; /* whether the GPUs of running jobs have something to do */
	/* The limits; types are borrowed until the store or the screen changes. */
	struct quota_key quotas[QUOTA_KEYS_MAX];
	size_t quota_count;
};

/* One limit more, once; none beyond the room. */
static inline void wants_quota(struct wants *wants, struct quota_key key)
{
	wants->quota_count = quota_keys_add(wants->quotas, wants->quota_count, QUOTA_KEYS_MAX, key);
}

#endif
