/*
 * Chooses which job to describe next: the selected one, live ones whose state has changed, live
 * ones never described, those that have ended since, live ones in turn, and each ended one once. At
 * most two starts a second, and 600 in ten minutes. Where Search does it, training jobs need no
 * turn.
 */
#ifndef GPUQ_DESCRIBER_H
#define GPUQ_DESCRIBER_H

#include "aws/budget.h"
#include "aws/sync.h"
#include "aws/sync_next.h"

#define DESCRIBER_PACE_MS      500
#define DESCRIBER_FLIGHTS      4 /* at once: answers may take longer than the pace */
#define DESCRIBER_TROUBLES_MAX 64
#define DESCRIBER_DOUBTS_MAX   64
#define DESCRIBER_BURST        60   /* starts at full pace before the steady one: */
#define DESCRIBER_STEADY_MS    1200 /* 60 + 500 in ten minutes */

/* A Describe in flight. */
struct describer_flight {
	struct describer *describer;
	uint64_t call; /* 0 = free */
	char *arn;     /* owned */
	enum job_kind kind;
	int64_t started_ms; /* monotonic */
};

/* A permission is that of one operation: the jobs of the other kind go on. */
struct describer_kind {
	unsigned denied; /* in a row */
	int64_t due_ms;  /* monotonic: but for the selected one not before */
};

/* A job whose Describe failed: not asked again before retry_ms. */
struct describer_trouble {
	char *arn; /* owned */
	int64_t retry_ms;
	bool offline; /* the connection failed, not this job */
};

/* Who tells of changes of training jobs. */
enum describer_training {
	TRAINING_WAITS, /* Search has not told yet, but may: none but the selected one is asked */
	TRAINING_SEARCHED, /* Search: those that it does not know */
	TRAINING_IN_TURN   /* nobody: the live ones in turn, like processing jobs */
};

struct describer {
	const struct sync_options *options; /* borrowed */
	void (*moved)(void *ctx);           /* an answer has been taken in */
	void *ctx;
	enum describer_training training;
	bool loading; /* first passes go on: only the selected and the live jobs, once, are asked */
	char *selected;    /* owned ARN, or NULL */
	bool hurry;        /* the selected one is due at once */
	bool had_selected; /* the last one was it */
	struct describer_flight flights[DESCRIBER_FLIGHTS];
	struct describer_trouble troubles[DESCRIBER_TROUBLES_MAX];
	size_t trouble_count;
	char *doubts[DESCRIBER_DOUBTS_MAX]; /* owned ARNs: asked whatever is known */
	size_t doubt_count;
	struct describer_kind kinds[2]; /* by enum job_kind */
	struct budget budget;
	int64_t due_ms;    /* monotonic: not before, after failures */
	unsigned failures; /* in a row */
	bool offline;      /* the newest one says nothing of Describe itself */
	int64_t news_ms;   /* monotonic: of what was asked before, a failure of all is no news */
	unsigned picks;    /* that the live jobs in turn have had since an ended one */
};

void describer_init(struct describer *describer, const struct sync_options *options,
		    void (*moved)(void *ctx), void *ctx);
void describer_release(struct describer *describer);

/* The job that goes first; NULL for none. Asked at once if it is due or unknown. */
void describer_select(struct describer *describer, const char *arn);
void describer_refresh(struct describer *describer, int64_t now_ms);
/* A list, offline as well, has had an answer: the pause is over. */
void describer_come_back(struct describer *describer, int64_t now_ms);

/* What is known of the job is in doubt; ignored when there are many already. */
void describer_doubt(struct describer *describer, const char *arn);

/* The lane: due is that of the job that is next, whose being the selected one *selected tells. */
struct sync_lane_state describer_state(const struct describer *describer, int64_t now_ms,
				       bool *selected);
/* Starts the Describe of the job that is next, if there is one. */
void describer_start(struct describer *describer, int64_t now_ms);

/* Tells the store when a pause ends, and when the selected job, if its Describe has failed, is
 * asked about again, as things stand: both change, as the pace does. */
void describer_promise(const struct describer *describer, int64_t now_ms);

/* Every wanted job has been described, or its Describe has failed. */
bool describer_is_settled(const struct describer *describer);

#endif
