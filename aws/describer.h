/*
 * Chooses which job to describe next: the selected one, those whose state has changed, live ones
 * never described, live ones in turn, and each ended one once. At most two starts a second.
 */
#ifndef GPUQ_DESCRIBER_H
#define GPUQ_DESCRIBER_H

#include "aws/sync.h"

#define DESCRIBER_PACE_MS      500
#define DESCRIBER_FLIGHTS      4 /* at once: answers may take longer than the pace */
#define DESCRIBER_TROUBLES_MAX 64

/* A Describe in flight. */
struct describer_flight {
	struct describer *describer;
	uint64_t call; /* 0 = free */
	char *arn;     /* owned */
};

/* A job whose Describe failed: not asked again before retry_ms. */
struct describer_trouble {
	char *arn; /* owned */
	int64_t retry_ms;
};

struct describer {
	const struct sync_options *options; /* borrowed */
	void (*moved)(void *ctx);           /* an answer has been taken in */
	void *ctx;
	char *selected; /* owned ARN, or NULL */
	bool hurry;     /* the selected one is due at once */
	struct describer_flight flights[DESCRIBER_FLIGHTS];
	struct describer_trouble troubles[DESCRIBER_TROUBLES_MAX];
	size_t trouble_count;
	int64_t due_ms;    /* monotonic: not before */
	unsigned failures; /* in a row */
	unsigned picks;    /* that the live jobs in turn have had since an ended one */
};

void describer_init(struct describer *describer, const struct sync_options *options,
		    void (*moved)(void *ctx), void *ctx);
void describer_release(struct describer *describer);

/* The job that goes first; NULL for none. Asked at once if it is due or unknown. */
void describer_select(struct describer *describer, const char *arn);
void describer_refresh(struct describer *describer, int64_t now_ms);

/* Starts what may start now; returns when there may be more to do, INT64_MAX if only an answer or
 * a list can tell. */
int64_t describer_turn(struct describer *describer, int64_t now_ms);

/* Every wanted job has been described, or its Describe has failed. */
bool describer_is_settled(const struct describer *describer);

#endif
