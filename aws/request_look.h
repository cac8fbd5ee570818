/*
 * What AWS can tell of a request before it is sent: the limits of its types with the jobs that use
 * them, the plans where it names any, and whether its name is free. Ends once and within a time:
 * what has not come by then is not known, and is no reason to send nothing.
 */
#ifndef GPUQ_REQUEST_LOOK_H
#define GPUQ_REQUEST_LOOK_H

#include "aws/session.h"
#include "model/need.h"
#include "model/request.h"

#define REQUEST_LOOK_MS    6000 /* five limits a second apart, and the answer to the last */
#define REQUEST_LOOK_PAGES 3    /* of jobs; an account with more has its use not counted */
#define REQUEST_LOOK_JOBS  4    /* described, of those whose instances are not told yet */

struct request_look_options {
	struct session *session;       /* connected; borrowed, as the rest */
	struct store *store;           /* quotas, plans and jobs come to lie there */
	const struct request *request; /* unchanged until the end */
	struct need_look *told;        /* the rest of it */
	void (*done)(void *ctx);       /* never from inside the functions below */
	void *ctx;
};

struct request_look;
struct request_look *request_look_new(const struct request_look_options *options);
/* Before the session. NULL is accepted. */
void request_look_free(struct request_look *look);
/* The store of the session has changed. */
void request_look_changed(struct request_look *look);

#endif
