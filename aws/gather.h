/*
 * What one command needs of AWS before it can write its result or send its request: jobs, one job,
 * plans or quotas, in the store of a session, or a diagnosis. Ends once.
 */
#ifndef GPUQ_GATHER_H
#define GPUQ_GATHER_H

#include "aws/explain_look.h"
#include "aws/request_look.h"
#include "model/owner.h"
#include "model/need.h"
#include "model/diagnosis.h"

/* How long what is there waits for its prices, where none are kept that are younger than two days,
 * and for the history; and from when on that is said. */
#define GATHER_PRICES_MS     INT64_C(3000)
#define GATHER_PRICES_OLD_MS INT64_C(172800000)
#define GATHER_SAYS_MS       INT64_C(300)

struct gathering {
	struct session *session;
	struct store *store;
	enum need need;
	/* Of NEED_JOB and NEED_JOB_HISTORY (one) NEED_EXPLAIN and NEED_OWNED: jobs; of NEED_QUOTAS:
	 * types, none = those in use. Borrowed. */
	const char *const *names;
	size_t name_count;
	const enum job_kind *kind;     /* of the names; NULL = either; borrowed */
	struct owner *owners;          /* of NEED_OWNED: one for each name, to be filled */
	struct need_refusal *refusals; /* of NEED_EXPLAIN: the same */
	struct diagnosis *diagnosis;   /* of NEED_DIAGNOSIS; borrowed */
	/* Of NEED_REQUEST; borrowed. */
	const struct request *request;
	struct need_look *look;
	bool shows_no_money; /* prices are read beside it, and not waited for */
	/* What is waited for; may be NULL. */
	void (*waits)(void *ctx, const char *text);
	/* err NULL: it is in the store. A job that does not exist is no error: it is not there. */
	void (*done)(void *ctx, const struct err *err);
	void *ctx;
	/* of gather.c */
	size_t at;           /* in the names */
	bool wants_fees;     /* of training plans, beside what is wanted */
	bool counts;         /* the jobs are there, and limits are being read */
	bool flushes;        /* the jobs are there, and the history takes them in */
	bool waits_for_rest; /* what is wanted is there, what stands beside it is not */
	bool said;           /* that it is waited for */
	struct waiter waiter;
	bool is_done; /* more answers can lie in the turn that is the last */
	struct doctor *doctor;
	struct request_look *request_look;
	struct explain_look *explain_look;
};

/* Once the session is connected, but a diagnosis before; done may come from inside gather_changed
 * and gather_connected, not from here. */
void gather_start(struct gathering *gather);
/* Before the session. {0} is accepted. */
void gather_release(struct gathering *gather);
/* For a diagnosis, that the session is connected, or not and why; false for anything else. */
bool gather_connected(struct gathering *gather, const struct err *err);
/* The store of the session has changed. */
void gather_changed(struct gathering *gather);

#endif
