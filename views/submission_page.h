/*
 * What is read before the answer to "send it?": first what, where, cost and doubts, then the
 * differences, the AWS CLI's command and the request itself.
 */
#ifndef GPUQ_SUBMISSION_PAGE_H
#define GPUQ_SUBMISSION_PAGE_H

#include "views/submission.h"

struct submission_view {
	const struct ui *ui;
	const struct submission *copy;
	const struct job *job;
	const struct draft *draft;
	const struct request *request; /* as it would be sent; text NULL: it cannot be made */
	struct request_facts *facts;   /* of it; what the draft says where it cannot be made */
	struct quota_fact *quotas;     /* of each entry; NULL = none */
	const struct findings *findings;
	const struct err *err; /* why it cannot be made; ERR_NONE: it can */
};

/* The whole page, secrets masked; false where it is larger than SUBMISSION_PAGE_MAX. */
bool submission_page(const struct submission_view *view, struct buf *page);

/* submission_list.c: the entries with price, quota and what they were before. */
void submission_add_list(struct buf *out, const struct submission_view *view);

#endif
