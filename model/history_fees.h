/*
 * What training plans cost that jobs of the history ran on. A fee is paid before, for all that its
 * plan serves: it is told beside the costs of the jobs and never added to them. Pure.
 */
#ifndef GPUQ_HISTORY_FEES_H
#define GPUQ_HISTORY_FEES_H

#include "model/history_sums.h"
#include "model/plan.h"

struct history_fees {
	size_t starts;    /* on a plan */
	size_t plans;     /* that they ran on */
	size_t unread;    /* of these: the fee is not known */
	struct money sum; /* of the others, each once and whole; unset: none, or two currencies */
	const char *currency; /* borrowed from the plans; NULL where there is no sum */
};

/* Of a group; the plans as they were read from AWS. */
void history_fees_make(const struct history *history, const struct history_sum *sum,
		       const struct plan *plans, size_t plan_count, struct history_fees *out);

/* Some job is known to have run on a plan. */
bool history_has_plans(const struct history *history);

#endif
