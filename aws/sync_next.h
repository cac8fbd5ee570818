/*
 * What to ask AWS next: one pure function from the state of the four lanes to a call. Training jobs
 * come by two ways: new ones by List, everything else by Search; where Search is refused, List
 * walks through all of them. Processing jobs come by List and Describe. Source:
 * facts/sagemaker.md, Pace.
 */
#ifndef GPUQ_SYNC_NEXT_H
#define GPUQ_SYNC_NEXT_H

#include <stdbool.h>
#include <stdint.h>

/* One call at a time each, but for Describe. */
enum sync_lane { LANE_SEARCH, LANE_TRAINING, LANE_PROCESSING, LANE_DESCRIBE, LANE_COUNT };

enum sync_call {
	CALL_NONE,
	CALL_SEARCH_ALL,     /* created since, or live whatever their age */
	CALL_SEARCH_CHANGED, /* modified lately */
	CALL_SEARCH_LIVE,    /* the same, and all live ones: what has gone unnoticed */
	CALL_LIST_NEW,       /* the newest training jobs */
	CALL_LIST_WALK,      /* training jobs through the oldest live one */
	CALL_LIST_PROCESSING,
	CALL_DESCRIBE,
};

struct sync_lane_state {
	bool busy;           /* as many calls in flight as may be */
	enum sync_call pass; /* under way: a further page is due; else CALL_NONE */
	bool complete;       /* its first pass is done */
	int64_t due_ms;      /* monotonic; INT64_MAX: nothing to ask */
	int64_t ready_ms;    /* monotonic: the budget allows a start */
};

struct sync_state {
	int64_t now_ms;
	struct sync_lane_state lanes[LANE_COUNT];
	bool search_refused;
	int64_t live_due_ms;  /* of CALL_SEARCH_LIVE */
	bool selected_is_due; /* the job to describe is the selected one */
};

/* call is CALL_NONE when nothing may start now; then wake_ms tells when something may, INT64_MAX
 * when only an answer can tell. A pass under way goes on unless the call is another one. */
struct sync_next {
	enum sync_call call;
	int64_t wake_ms;
};
struct sync_next sync_next(const struct sync_state *state);

#endif
