/*
 * What one command needs of AWS before it can write its result: jobs, one job, or plans, in the
 * store of a session. Ends once.
 */
#ifndef GPUQ_GATHER_H
#define GPUQ_GATHER_H

#include "aws/session.h"

enum gather_what {
	GATHER_ALL_JOBS, /* both lists, and the live jobs described */
	GATHER_ONE_JOB,  /* by name, of either kind */
	GATHER_ALL_PLANS,
};

struct gathering {
	struct session *session;
	struct store *store;
	enum gather_what what;
	const char *name; /* of GATHER_ONE_JOB; borrowed */
	/* err NULL: it is in the store. A job that does not exist is no error: it is not there. */
	void (*done)(void *ctx, const struct err *err);
	void *ctx;
	bool is_done; /* set by gather.c; more answers can lie in the turn that is the last */
};

/* Once the session is connected; done may come from inside gather_changed, not from here. */
void gather_start(struct gathering *gather);
/* The store of the session has changed. */
void gather_changed(struct gathering *gather);

#endif
