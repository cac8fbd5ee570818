/*
 * What sets one request apart from another: a copy from its source, an edit from what stood before.
 * Members that are lost are said first: a library that rebuilt a request from a few members once
 * lost the training plan, and jobs ran on demand while the reservation stood idle.
 */
#ifndef GPUQ_REQUEST_DIFF_H
#define GPUQ_REQUEST_DIFF_H

#include "model/request.h"

#define REQUEST_DIFF_MAX   48  /* differences kept */
#define REQUEST_DIFF_VALUE 100 /* bytes shown of a value; then "..." */
#define REQUEST_DIFF_PLANS (PREFS_KEEP_MAX + 1)

enum difference_kind { DIFFERENCE_LOST, DIFFERENCE_CHANGED, DIFFERENCE_ADDED };

struct difference {
	enum difference_kind kind;
	/* "ResourceConfig.InstancePreferences[ml.p5.48xlarge].InstanceCount": items of a list that
	 * have a name are told by it, others by their index. */
	char path[160];
	/* JSON on one line, secrets masked; "" = not there. */
	char before[REQUEST_DIFF_VALUE + 4], after[REQUEST_DIFF_VALUE + 4];
};

struct request_diff {
	struct difference items[REQUEST_DIFF_MAX]; /* lost ones first */
	size_t count;
	bool cut; /* there are more */
	/* Training plans of the one that the other has nowhere: ARNs. */
	char plans_lost[REQUEST_DIFF_PLANS][PLAN_ARN_SIZE];
	size_t plan_count;
};

/*
 * Compares by what the documents say: the order of members, blanks, escapes and 1.0 for 1 make no
 * difference, and null is absent. The job's name is left out. Large: allocate it.
 */
bool request_diff_find(struct request_diff *diff, const struct request *before,
		       const struct request *after, struct err *err) MUST_CHECK;

/* A line each: "PLAN LOST: …", "lost …", "changed PATH: 1 -> 2", "added …"; nothing where both say
 * the same. Secrets are masked. */
void request_diff_add_text(const struct request_diff *diff, struct buf *out);

#endif
