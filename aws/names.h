/*
 * Asks AWS by Describe whether a job of a name is there, before the name is given to another one.
 */
#ifndef GPUQ_NAMES_H
#define GPUQ_NAMES_H

#include "aws/session.h"

/* {0} is valid. */
struct names {
	struct session *session; /* borrowed; of the call */
	uint64_t call;           /* under way; 0 = none */
};

/* Once, in place of what was asked before; the answer comes to lie in the store (name_look.h).
 * Nothing is asked without a connection. */
void names_look(struct names *names, struct session *session, enum job_kind kind, const char *name);
/* Before the session. */
void names_leave(struct names *names);

#endif
