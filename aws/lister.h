/*
 * Keeps the list of one kind of job fresh. The first pass walks back from now: through `since` for
 * all jobs, and on, within bounds, for those still live. Later passes look at what is new and at
 * the pages that hold live jobs. Nothing here is faster than the client's pace for lists.
 */
#ifndef GPUQ_LISTER_H
#define GPUQ_LISTER_H

#include "aws/sync.h"

/* Nothing on SageMaker lives longer: 28 days of waiting, 28 of running, and a margin
 * (facts/sagemaker.md, Pace). */
#define LISTER_LIVE_SPAN_MS  (INT64_C(58) * 24 * 3600 * 1000)
#define LISTER_PAGES_MAX     200 /* of the first pass */
#define LISTER_OLD_PAGES_MAX 30  /* of them, those that are older than `since` */
#define LISTER_LATER_PAGES   3   /* of a later pass; older live jobs are seen by Describe */
#define LISTER_OVERLAP_MS    60000
#define SYNC_BACKOFF_MAX_MS  60000

struct lister {
	const struct sync_options *options; /* borrowed */
	void (*moved)(void *ctx);           /* an answer has been taken in */
	void *ctx;
	enum job_kind kind;
	enum source_id source;
	uint64_t call;   /* in flight, or 0 */
	bool complete;   /* the first pass is done */
	bool past_since; /* of the first pass: from here on only live jobs count */
	bool under_way;  /* a pass has begun; token says where it stands */
	char *token;     /* owned; NULL = first page */
	unsigned pages, old_pages;
	int64_t after_ms;   /* CreationTimeAfter of this pass, by the server's clock */
	int64_t since_ms;   /* ended jobs older than this are left out, as of this pass */
	int64_t started_ms; /* monotonic, of this pass */
	int64_t due_ms;     /* monotonic: the next request */
	unsigned failures;  /* in a row */
};

void lister_init(struct lister *lister, const struct sync_options *options, enum job_kind kind,
		 void (*moved)(void *ctx), void *ctx);
void lister_release(struct lister *lister);

/* Starts the request that is due, if one is. */
void lister_turn(struct lister *lister, int64_t now_ms);
/* When the next one is due; INT64_MAX while one is in flight. */
int64_t lister_next_ms(const struct lister *lister);
/* The next pass starts now. */
void lister_refresh(struct lister *lister, int64_t now_ms);

/* The pause after the nth failure in a row (from 1): doubling from refresh_ms to a minute. */
int64_t sync_backoff_ms(int64_t refresh_ms, unsigned failures);

#endif
