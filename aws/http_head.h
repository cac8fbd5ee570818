/*
 * What gpuq reads of an answer's headers, line by line as they come. Pure: no libcurl, so that the
 * bytes of any server can be tried on it. Source of the names: facts/aws.md sections 1.3, 3 and 6.
 */
#ifndef GPUQ_HTTP_HEAD_H
#define GPUQ_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"

#define HTTP_HEAD_MAX      65536 /* bytes of all lines; AWS sends about 400 */
#define RETRY_AFTER_MAX_MS 3600000

struct http_head {
	char request_id[80];    /* x-amzn-RequestId, else x-amz-request-id; cut; or "" */
	char error_type[256];   /* x-amzn-ErrorType; cut; or "" */
	char query_error[256];  /* x-amzn-query-error; cut; or "" */
	char date[64];          /* Date as it came; "" = none, or one that is too long for a date */
	bool aged;              /* Age: a cache has answered */
	int64_t retry_after_ms; /* x-amz-retry-after, at most RETRY_AFTER_MAX_MS; -1 = none */
	size_t bytes;           /* of all lines so far */
};

void http_head_init(struct http_head *head);

/*
 * Takes one line, with or without its line end; it needs no NUL. A status line begins anew: of
 * several answers (100 Continue) the last counts. Lines of 512 bytes and more say nothing of ours.
 * False, and nothing taken, when the lines are more than HTTP_HEAD_MAX bytes together.
 */
bool http_head_take_line(struct http_head *head, const char *line, size_t len) MUST_CHECK;

#endif
