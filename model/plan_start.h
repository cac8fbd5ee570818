/*
 * When an entry that is bound to a training plan would start: once a window of the plan is open and
 * has its whole count free (facts/sagemaker.md, scheduler rule 2). The plan says so, not the past;
 * that nobody else takes what is free until then is assumed.
 */
#ifndef GPUQ_PLAN_START_H
#define GPUQ_PLAN_START_H

#include "model/plan.h"

enum plan_starts {
	PLAN_STARTS_NOT_ASKED, /* the entry has no plan: it is on demand */
	PLAN_STARTS_IN,        /* in_ms */
	PLAN_STARTS_NEVER,     /* over, failed, of another type, not for training, or too small */
	/* It is not read yet or tells too little, is not confirmed, or is full: when a job that
	 * holds it ends is not known. */
	PLAN_STARTS_UNKNOWN,
};

struct plan_start {
	enum plan_starts when;
	int64_t in_ms; /* from now; 0 = at once */
	/* AWS has not told of such a plan: whether it is prepaid capacity is not known either. */
	bool unread;
};

/* plan NULL: it has not been read. count below 1: it is not known. */
struct plan_start plan_start(const struct plan *plan, const char *instance_type, int64_t count,
			     int64_t now_ms);

/* Why it does not start, or when is not known: "plan full", "plan expired", "plan not read". */
void plan_start_add_why_not(struct buf *out, struct plan_start start, const struct plan *plan,
			    int64_t now_ms);

#endif
