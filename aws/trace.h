/*
 * What the debug log says of calls and credentials: a line when a request goes out, one when its
 * answer has come or not, when it will be tried again, and when a call has failed for good. Bodies,
 * headers and keys are no part of it. Nothing happens without a log.
 */
#ifndef GPUQ_TRACE_H
#define GPUQ_TRACE_H

#include "aws/log.h"
#include "aws/transport.h"

struct auth_status;

/* One call at one moment; texts are borrowed. */
struct trace {
	struct log *log; /* NULL: none */
	uint64_t id;     /* among the calls of its client; 0: of a credentials provider */
	const char *name, *region, *host; /* region "": none */
	unsigned tries;                   /* with the newest */
	int64_t took_ms;                  /* of the newest so far */
};

/* A try is on its way; len of its body. */
void trace_sent(struct trace trace, size_t len);
/* err NULL: it is what was asked for. Its text is not used: it may hold what was sent. */
void trace_answered(struct trace trace, const struct http_reply *reply, const struct err *err);
void trace_unanswered(struct trace trace, const struct err *err);
void trace_again(struct trace trace, int64_t pause_ms);
/* The call waits until there are credentials, or others than those that were refused. */
void trace_held(struct trace trace);
/* The end of a call that has failed, for the reason that everybody gets to see. */
void trace_failed(struct trace trace, const struct err *err);

/* Who signs now, or why nobody does. */
void trace_credentials(struct log *log, const struct auth_status *status);

#endif
