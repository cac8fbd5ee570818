/*
 * When a list would start and on which entry, from this account's past. Types are taken to know
 * nothing of each other; the first that is free wins, at one moment the better rank. Rules:
 * product.md, Waiting; interface.md, forecast.
 */
#ifndef GPUQ_FORECAST_H
#define GPUQ_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/plan_start.h"
#include "model/wait_curves.h"

#define FORECAST_STARTS_MIN 10 /* fewer: "n too small" */
#define FORECAST_WITHIN_MAX 4

struct forecast_choice {
	const char *instance_type; /* borrowed */
	int64_t count;
	struct plan_start plan;   /* its windows decide, not the past */
	struct money likely_cost; /* of the run on this entry; unset = unknown */
	/* Another job waits for the same and is to be replaced: it was not free for so long, so the
	 * chance of a start at once is none of this entry. A duration; not beside ask->waited. */
	struct opt_ms not_free;
};

struct forecast_ask {
	enum job_kind kind;
	bool spot;
	struct forecast_choice choices[PREFS_MAX]; /* in rank order */
	size_t count;
	/* A plan of the whole job serves one of them, and which is not known: nor is any cost. */
	bool plan_unread;
	struct opt_ms waited; /* so far, of a job that waits already; a duration */
	/* What is left of the pending limit, a duration; it runs from the start of a plan that a
	 * choice waits for (facts/sagemaker.md: that time does not count). */
	struct opt_ms limit;
	int64_t within_ms[FORECAST_WITHIN_MAX]; /* from now; a clock time is the time until it */
	size_t within_count;
};

struct forecast_entry {
	/* Starts the figures rest on: of the type and count class, of waits longer than this job's
	 * so far. Fewer than FORECAST_STARTS_MIN: not known, and no other figure counts. On a plan
	 * 0, and known where the plan tells it. */
	size_t n;
	bool known;
	struct opt_ms p50, p90; /* from now, if it stood alone; unset: the past does not reach it */
	double chance;          /* to be the one that starts, within the limit or ever */
};

struct forecast_within {
	int64_t ms;
	double chance, low, high; /* the band is of 95 % */
};

/* {0} is valid and may be used again. Where an entry is not known the figures of the list are of
 * the others: the chance is at least that, the times at most. */
struct forecast {
	size_t n;      /* the least of the entries' on demand; 0 when there is none */
	bool complete; /* every entry is known */
	bool any;      /* one is: the figures below count */
	struct forecast_entry entries[PREFS_MAX];
	size_t count;
	struct forecast_within within[FORECAST_WITHIN_MAX];
	size_t within_count;
	double at_once; /* to start at once; 0 for a job that has waited longer than that */
	struct opt_ms p50, p90;
	/* Chance of the entry x its likely cost, of the runs that start within the limit; unset
	 * when not complete, or without the likely cost of an entry that can win. */
	struct money expected_cost;
	struct survival curve; /* owned; of the list, from now on */
};

void forecast_release(struct forecast *forecast);

/* Room for the curve of any list, so that the first question costs no more than the next. */
void forecast_reserve(struct forecast *forecast, const struct wait_curves *curves);

/* Replaces what was there. now_ms is wall time. */
void forecast_make(struct forecast *forecast, struct wait_curves *curves,
		   const struct forecast_ask *ask, int64_t now_ms);

#endif
