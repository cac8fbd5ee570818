/*
 * One document of a metadata service (instance, container), by plain HTTP, with tries of its own:
 * unsigned, never by a proxy, no redirects. The keys that come back are as good as a password, so
 * nothing of an answer is ever part of a message.
 */
#ifndef GPUQ_AUTH_FETCH_H
#define GPUQ_AUTH_FETCH_H

#include "aws/auth/provider.h"

#define FETCH_REPLY_MAX (64u << 10)

struct fetch_options {
	const char *method, *url; /* copied, as the headers are */
	struct http_header headers[2];
	size_t header_count;
	int64_t timeout_ms, pause_ms; /* of each try; between two */
	unsigned tries;
	/* Whether an answer is worth another try; NULL: any that is not 200 or is empty. */
	bool (*again)(const struct http_reply *reply);
};

/* reply is NULL when none came at the last try, and err says why. */
typedef void fetch_done_fn(void *ctx, const struct http_reply *reply, const struct err *err);

struct fetch;

/* done is called once, from the loop; the fetch is over then, and may be freed from inside. */
struct fetch *fetch_start(const struct auth_world *world, const struct fetch_options *options,
			  fetch_done_fn *done, void *ctx);
void fetch_free(struct fetch *fetch);

#endif
