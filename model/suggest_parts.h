/* Shared by the files of suggest: a candidate's starts, and what a set of candidates is worth. */
#ifndef GPUQ_SUGGEST_PARTS_H
#define GPUQ_SUGGEST_PARTS_H

#include "model/suggest.h"

struct runner_start {
	int64_t ms;
	double hazard;
};

/* A candidate that fits. */
struct runner {
	size_t candidate;
	int64_t latest_ms; /* a start by then finishes in time */
	bool priced;
	double cost;                 /* of a run, micro units; 0 when not priced */
	struct runner_start *starts; /* owned; up to the deadline, or the pending limit */
	size_t start_count;
	double in_time, ever; /* chance to start by latest_ms, and at all by then, alone */
};

/* A moment at which several can start and the order decides. */
struct suggest_tie {
	double waiting;           /* the chance that none has started before */
	double hazard[PREFS_MAX]; /* by place in the set; 0 = not at this moment */
	int64_t ms;
};

struct suggest_scratch {
	struct suggest_tie *ties; /* owned */
	size_t count, capacity;
};

/* The order of lists: whole numbers, so that rounding decides nothing. */
struct suggest_value {
	int64_t chance; /* 1e-9 */
	int64_t cost;   /* micro units; INT64_MAX = unknown */
};

/* Whether a is better than b. */
bool suggest_is_better(const struct suggest_ask *ask, struct suggest_value a,
		       struct suggest_value b);

/* What no order of the set can surpass. */
struct suggest_value suggest_bound(const struct runner *const *set, size_t count);

/* The best order of a set and its value. Returns the work done. */
size_t suggest_evaluate(const struct suggest_ask *ask, const struct runner *const *set,
			size_t count, struct suggest_scratch *scratch, struct suggestion *out,
			struct suggest_value *value);

#endif
