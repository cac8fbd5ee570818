/*
 * Which list to submit: of the types that are allowed, with their measured run times and prices,
 * the lists of up to five with the best chance to finish in time within the budget, or with the
 * least expected cost. Exact: equal to trying every list in every order. The search goes on in
 * steps of bounded work, so that a loop with other things to do never waits for it.
 *
 * A type that starts at t finishes in time when t + its run time is within the deadline; an entry
 * that starts too late keeps the others from starting, so a longer list can be worse. The expected
 * cost is that of the runs that start before the deadline. A list names each type once.
 */
#ifndef GPUQ_SUGGEST_H
#define GPUQ_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/wait_curves.h"

#define SUGGEST_CANDIDATES_MAX 20
#define SUGGEST_BEST_MAX       5

struct suggest_candidate {
	const char *instance_type; /* borrowed while the search goes on */
	int64_t count;
	int64_t run_ms;        /* measured */
	struct money per_hour; /* of all its instances; unset = unknown */
};

enum suggest_by { SUGGEST_BY_CHANCE, SUGGEST_BY_COST };

struct suggest_ask {
	enum job_kind kind;
	bool spot;
	struct suggest_candidate candidates[SUGGEST_CANDIDATES_MAX];
	size_t count;
	size_t most;         /* entries of a list; 0 = PREFS_MAX */
	int64_t deadline_ms; /* from now */
	struct opt_ms limit; /* the pending limit: nothing starts later; unset = none */
	struct money budget; /* for the run; unset = none. An entry above it is left out */
	enum suggest_by by;
	double least_chance; /* by cost: lists with less come last, by their chance */
};

/* Why a candidate is in no list. */
enum suggest_left {
	SUGGEST_FIT,
	SUGGEST_TOO_FEW,  /* under FORECAST_STARTS_MIN starts */
	SUGGEST_TOO_SLOW, /* its run takes longer than the deadline leaves */
	SUGGEST_TOO_DEAR, /* its run costs more than the budget */
	SUGGEST_NO_PRICE, /* unknown, and asked for by budget or cost */
};

struct suggestion {
	size_t picks[PREFS_MAX]; /* indices of candidates in rank order */
	size_t count;
	double chance;              /* to finish in time within the budget */
	double won[PREFS_MAX];      /* chance of the entry to be the one before the deadline */
	struct money expected_cost; /* unset: a price is unknown, or none would start */
};

/* What makes the winner win, for a sentence. */
struct suggest_why {
	/* The winner without that entry; 0 and unset if it is alone. */
	double without[PREFS_MAX];
	struct money without_cost[PREFS_MAX];
	size_t alone; /* the candidate that is best alone by the same measure */
	double alone_chance;
	struct money alone_cost;
};

struct suggest; /* of suggest.c */

/* Starts a search; what it needs of curves is copied. now_ms is wall time. Free with
 * suggest_free, at any moment. */
struct suggest *suggest_new(struct wait_curves *curves, const struct suggest_ask *ask,
			    int64_t now_ms);
void suggest_free(struct suggest *suggest);

/* Works for about that many units (some ten nanoseconds each; a list takes as many as its curves
 * have steps); true once all is done. */
bool suggest_step(struct suggest *suggest, size_t work);

/* The best so far, the best first, one for each set of types; final when suggest_step was true. */
size_t suggest_best(const struct suggest *suggest, const struct suggestion **best);
enum suggest_left suggest_left(const struct suggest *suggest, size_t candidate);
/* Of the best one; false when there is none. */
bool suggest_why(const struct suggest *suggest, struct suggest_why *why);

#endif
