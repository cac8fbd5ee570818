/*
 * CloudWatch Logs: the streams of a job and a page of events of one of them. Source: facts/aws.md
 * 7.4.
 */
#ifndef GPUQ_LOGS_H
#define GPUQ_LOGS_H

#include "aws/client.h"

/* Events: the service gives up to 10,000, which take twice as long to read. */
#define LOGS_PAGE_MAX    5000
#define LOGS_STREAMS_MAX 50 /* of a page, the service's own ceiling */

extern const struct aws_op op_describe_log_streams, op_get_log_events;
/* All of them, NULL at the end: a test walks them. */
extern const struct aws_op *const logs_ops[];

struct logs_streams {
	const char *names[LOGS_STREAMS_MAX]; /* borrowed for the call back */
	size_t count;
	const char *next_token; /* NULL at the end */
};
typedef void logs_streams_fn(void *ctx, const struct logs_streams *page, const struct err *err);
/* Those whose names begin with the prefix. ERR_NOT_FOUND: there is no such group. */
uint64_t logs_list_streams(struct aws_client *client, const char *group, const char *prefix,
			   const char *next_token, logs_streams_fn *done, void *ctx);

struct logs_event {
	int64_t at_ms;
	const char *text; /* borrowed for the call back */
};

struct logs_page {
	struct logs_event *events; /* owned; oldest first; at most LOGS_PAGE_MAX */
	size_t count;
	const char *forward, *backward; /* tokens; the one that was sent: nothing more there */
};

struct logs_query {
	const char *group, *stream;
	const char *token; /* NULL: the newest events, or from a time on */
	bool forward;      /* token is a forward one, or the oldest events come first */
	bool since;        /* from that time on */
	int64_t since_ms;
};
typedef void logs_page_fn(void *ctx, const struct logs_page *page, const struct err *err);
uint64_t logs_get_events(struct aws_client *client, const struct logs_query *query,
			 logs_page_fn *done, void *ctx);

/* Decodes an answer (for fuzzing too), from which the page borrows its texts. What is no event is
 * passed over. False with err for what is no answer. Release the page. */
bool logs_decode_page(const struct json_value *document, struct logs_page *page,
		      struct err *err) MUST_CHECK;
void logs_page_release(struct logs_page *page);

#endif
