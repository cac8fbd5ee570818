/*
 * What AWS and the state folder can tell of jobs that are to be explained: each described, plans,
 * the jobs that use their quotas, the limits of their types, the past; and of what is no job the
 * refusal that was kept of it. Ends once and within a time: what has not come is not known.
 */
#ifndef GPUQ_EXPLAIN_LOOK_H
#define GPUQ_EXPLAIN_LOOK_H

#include "aws/session.h"
#include "model/need.h"

#define EXPLAIN_LOOK_MS 10000 /* from the last description on */

struct explain_look_options {
	struct session *session; /* connected; borrowed, as the rest */
	struct store *store;     /* all but the refusals comes to lie there */
	const char *const *names;
	size_t name_count;
	const enum job_kind *kind;     /* NULL = either */
	struct need_refusal *refusals; /* one for each name; the owner clears their errors */
	/* err: the description of one failed, and not for want of the job. */
	void (*done)(void *ctx, const struct err *err);
	void *ctx;
};

struct explain_look;
struct explain_look *explain_look_new(const struct explain_look_options *options);
/* Before the session. NULL is accepted. */
void explain_look_free(struct explain_look *look);
/* The store of the session has changed. done may come from inside. */
void explain_look_changed(struct explain_look *look);

#endif
