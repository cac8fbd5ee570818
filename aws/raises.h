/*
 * Raises of quotas that are under way: each answer comes back with what was asked for.
 */
#ifndef GPUQ_RAISES_H
#define GPUQ_RAISES_H

#include "aws/quotas.h"
#include "aws/session.h"

/* {0} with the first two set. */
struct raises {
	/* raised NULL: err says why; ERR_CONFLICT: one is open already. */
	void (*raised)(void *ctx, const struct quota_raise *raise,
		       const struct quota_raised *raised, const struct err *err);
	void *ctx;
	unsigned under_way;
};

/* The answer comes later, but from inside where there is no endpoint that it could be sent to. The
 * session lives until it has come or drops it. The store learns that a raise is open. */
void raises_ask(struct raises *raises, struct session *session, const struct quota_raise *raise);

#endif
