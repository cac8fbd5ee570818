/*
 * Looks at the whole way to AWS for `gpuq doctor`: waits for what a session finds out by itself,
 * then asks STS who signs and tries each permission by a harmless call, one after the other. Comes
 * to an end whatever does not answer, and says then what it did not get to.
 */
#ifndef GPUQ_DOCTOR_H
#define GPUQ_DOCTOR_H

#include "aws/session.h"
#include "model/diagnosis.h"

#define DOCTOR_WHOLE_MS INT64_C(30000) /* from doctor_new on */
#define DOCTOR_CALL_MS  INT64_C(10000) /* of one call, its retries included */

struct doctor_options {
	struct session *session;     /* borrowed; need not be connected */
	struct diagnosis *diagnosis; /* borrowed: rows are added, all of them before done */
	void (*done)(void *ctx);     /* once, from the loop */
	void *ctx;
};

struct doctor;

/* Copies the options. Begins to count the time. Never NULL. */
struct doctor *doctor_new(const struct doctor_options *options);
/* Before the session. NULL is accepted. */
void doctor_free(struct doctor *doctor);

/* The session is connected, or it is not and why: what comes after the first of them is ignored. */
void doctor_connected(struct doctor *doctor, const struct err *err);
/* As session_options.on_change. */
void doctor_changed(struct doctor *doctor);

#endif
