/*
 * Submissions that are under way: each answer comes back with the name that it is about.
 */
#ifndef GPUQ_CHANGES_H
#define GPUQ_CHANGES_H

#include "aws/sagemaker_jobs.h"
#include "aws/session.h"
#include "aws/waits.h"

/* {0} with the first two set. */
struct changes {
	void (*submitted)(void *ctx, const char *name, const char *arn, const struct err *err);
	void *ctx;
	unsigned under_way;
	/* of changes.c: what could not even be sent, told at the next turn */
	struct waiter waiter;
	char refused_name[JOB_NAME_SIZE];
};

/*
 * Answers come later, never from inside. Without a connection the answer says so. The session lives
 * until they have come or it drops them; before it goes: changes_leave.
 */
void changes_submit(struct changes *changes, struct session *session, const struct order *order);
void changes_leave(struct changes *changes);

#endif
