/*
 * The network seam: one request out, one answer back. aws/http.c is the real one (curl_multi);
 * tests have a scripted one. The loop's descriptors and timers come through wait_hooks.
 */
#ifndef GPUQ_TRANSPORT_H
#define GPUQ_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/err.h"

/* What aws/ asks of an event loop. */
struct wait_hooks {
	void (*watch)(void *host, int fd, short events); /* events 0 forgets */
	void (*wake_in)(void *host, int64_t ms);         /* negative: no wake-up wanted */
	void *host;
};

#define HTTP_HEADERS_MAX 16
struct http_header {
	const char *name, *value;
};

struct http_request {
	const char *method, *url;
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t header_count;
	const char *body;
	size_t body_len;
	int64_t timeout_ms; /* whole call */
	size_t max_reply;   /* bytes of body; more is ERR_TOO_BIG */
	/* Never written twice: libraries send again by themselves when a kept connection breaks
	 * before the answer, so this asks for a connection of its own. */
	bool once;
	bool no_proxy; /* never by a proxy, whatever the environment says */
};

struct http_reply {
	int status;
	const char *body; /* NUL-terminated */
	size_t body_len;
	const char *request_id;  /* or "" */
	const char *error_type;  /* x-amzn-ErrorType, or "" */
	const char *query_error; /* x-amzn-query-error; NULL or "" if there is none */
	bool has_date;           /* false too when Age says that a cache has answered */
	int64_t date_ms;         /* Date header */
	int64_t retry_after_ms;  /* x-amz-retry-after (milliseconds), or -1 */
};

/* Once per send, never from inside it. reply is NULL when err says why there was none; err->code
 * ERR_NET, ERR_TIMEOUT, ERR_TOO_BIG, ERR_PARSE (cut), or ERR_CONFIG: a proxy or file of
 * certificates is set that cannot be used. sent: bytes of the request may have arrived. */
typedef void reply_fn(void *ctx, const struct http_reply *reply, const struct err *err, bool sent);

struct transport {
	uint64_t (*send)(void *self, const struct http_request *request, reply_fn *done, void *ctx);
	void (*cancel)(void *self, uint64_t id); /* done is not called after it */
	void *self;
};

#endif
