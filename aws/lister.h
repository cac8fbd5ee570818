/*
 * Keeps one lane of lists fresh: Search over training jobs, List of training or of processing jobs.
 * Pages follow one another until a pass is done; what a pass looks for is the call that began it
 * (aws/sync_next.h). A first walk goes back from now: through `since` for all jobs, and on, within
 * bounds, for those still live.
 */
#ifndef GPUQ_LISTER_H
#define GPUQ_LISTER_H

#include "aws/budget.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sync.h"
#include "aws/sync_next.h"

/* Nothing on SageMaker lives longer: 28 days of waiting, 28 of running, and a margin
 * (facts/sagemaker.md, Pace). */
#define LISTER_LIVE_SPAN_MS   (INT64_C(58) * 24 * 3600 * 1000)
#define LISTER_PAGES_MAX      200 /* of a first pass */
#define LISTER_OLD_PAGES_MAX  30  /* of a walk's, those that are older than `since` */
#define LISTER_LATER_PAGES    3   /* of a later walk; older live jobs are seen by Describe */
#define LISTER_NEW_PAGES      10  /* of a later pass for new jobs, or for changed or live ones */
#define LISTER_OVERLAP_MS     60000
#define LISTER_LAG_MS         120000 /* Search may be so far behind before a change is missed */
#define LISTER_LIVE_EVERY_MS  60000  /* between two looks at all live jobs by Search */
#define LISTER_REFUSED_MS     300000 /* a Search that is refused is tried again after so long */
#define LISTER_FAILURES_ASIDE 3      /* so many failures of Search in a row start the walk */
#define LISTER_BACKOFF_NET_MS 15000  /* where nothing answers: trying costs AWS little */
#define SYNC_BACKOFF_MAX_MS   60000

struct lister {
	const struct sync_options *options;        /* borrowed */
	void (*moved)(void *ctx);                  /* an answer has been taken in */
	void (*doubt)(void *ctx, const char *arn); /* live here, not so to Search: ask Describe */
	void *ctx;
	enum sync_lane lane;
	enum job_kind kind;
	enum source_id source;
	uint64_t call;       /* in flight, or 0 */
	enum sync_call pass; /* under way; token says where it stands; else CALL_NONE */
	bool listed;         /* some pass is done */
	bool complete;       /* the first whole pass is done: later ones look at what is new */
	bool past_since;     /* of a first pass: from here on only live jobs count */
	char *token;         /* owned; NULL = first page */
	unsigned pages, old_pages;
	int64_t after_ms;          /* the bound of this pass, by the server's clock */
	int64_t since_ms;          /* ended jobs older than this are left out, as of this pass */
	int64_t started_ms;        /* monotonic, of this pass */
	int64_t started_server_ms; /* the same by the server's clock */
	int64_t due_ms;            /* monotonic: the next request */
	unsigned failures;         /* in a row */
	bool offline;              /* the newest one says nothing of the operation itself */
	struct budget budget;
	bool refused; /* Search: not to be had for now */
	/* Search: what was modified before has been seen, by the server's clock; unset at first. */
	struct opt_ms seen_to;
	int64_t newest_ms;   /* Search: LastModifiedTime, of this pass */
	int64_t live_due_ms; /* Search: monotonic */
	uint64_t *seen;      /* owned; hashes of the ARNs of live jobs in this pass */
	size_t seen_count, seen_capacity;
};

/* lane: any but Describe. doubt is for Search alone. */
void lister_init(struct lister *lister, const struct sync_options *options, enum sync_lane lane);
void lister_release(struct lister *lister);

/* Starts a request: the next page of the pass under way, or the first one of another pass. */
void lister_start(struct lister *lister, enum sync_call call, int64_t now_ms);
struct sync_lane_state lister_state(const struct lister *lister, int64_t now_ms);
/* The first look at the newest jobs goes on as the walk, since both begin alike; where it is over
 * already, the walk starts as soon as the pace allows. */
void lister_walk_on(struct lister *lister, int64_t now_ms);
/* The next pass starts now. */
void lister_refresh(struct lister *lister, int64_t now_ms);

/* Another lane, offline as well, has had an answer: the pause is over. */
void lister_come_back(struct lister *lister, int64_t now_ms);

/* A failure of the connection or the login: nothing else could be asked either. */
bool sync_is_offline(enum err_code code);
/* The pause after the nth failure in a row (from 1): doubling from refresh_ms up to most_ms. */
int64_t sync_backoff_ms(int64_t refresh_ms, unsigned failures, int64_t most_ms);

#endif
