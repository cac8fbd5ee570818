/*
 * The tables of the history: jobs in groups, and of each group how long they waited, how often they
 * fell back, timed out and failed, how long they ran and what they cost. Pure.
 *
 * By type and by rank a job counts once for each entry of its list: as a start where that entry was
 * chosen, else as a wait that was cut off (another one won, or nobody). By all else it counts
 * once, and those that were given up while they waited and submitted anew under the same
 * stem within an hour are one wait: to the work it makes no difference that its job had another
 * name.
 */
#ifndef GPUQ_HISTORY_SUMS_H
#define GPUQ_HISTORY_SUMS_H

#include "model/history_keys.h"

#define HISTORY_STARTS_MIN   10 /* product.md, Waiting: fewer are too few for a figure of waits */
#define HISTORY_RETRY_GAP_MS INT64_C(3600000)
#define HISTORY_BUCKETS      12

/* A share, and of how many. */
struct history_share {
	size_t part, of;
};

/* Training plans that jobs of a group ran on; their fees are paid apart and in no cost. */
struct history_plan {
	uint32_t arn; /* a text of the history */
	size_t starts;
};

struct history_sum {
	char *key;      /* owned */
	size_t jobs;    /* seen */
	size_t waits;   /* known ones, retries joined */
	size_t started; /* of them */
	struct history_share
		fallback; /* of the starts from a list: those of a rank behind the first */
	size_t timeouts;
	size_t completed, failed, stopped; /* of those that started here and have ended */
	struct opt_ms wait_p50, wait_p90;  /* unset: too few have started, or too few so far */
	struct opt_ms run_p50, run_p90;    /* of completed ones; nearest rank */
	bool has_cost;
	bool cost_is_partial;               /* of some that started here it is not known */
	bool cost_is_estimate;              /* in some of them the price is not AWS's own */
	int64_t cost_micro;                 /* the sum */
	size_t costs;                       /* that are in it, but for those of nothing */
	char currency[PRICE_CURRENCY_SIZE]; /* of the sum; "" = none is known, or needed for 0 */
	struct history_plan *plans;         /* owned */
	size_t plan_count;
	/* Waits of starts: shorter than 1 min, 5, 15, 30 min, 1 h, 2, 4, 8 h, 1 d, 2, 7 d, longer.
	 */
	uint32_t buckets[HISTORY_BUCKETS];
};

struct history_sums {
	struct history_sum *rows; /* owned; most jobs first, hours and ranks in their order */
	size_t count;
	struct history_sum all;            /* every job once; key "all" */
	struct history_sum lists, singles; /* of them: with a list, and of one type without */
};

/* Of the jobs submitted at since_ms or later. Release it. */
void history_sums_make(const struct history *history, enum history_by by, int64_t since_ms,
		       struct history_sums *out);
void history_sums_release(struct history_sums *sums);
/* Frees so many rows at most, for a loop that has keys to answer between; true once all is
 * released. */
bool history_sums_shed(struct history_sums *sums, size_t most);
void history_sum_release(struct history_sum *sum);

/* The upper bound of a bucket in ms; INT64_MAX for the last. */
int64_t history_bucket_ms(size_t bucket);

#endif
