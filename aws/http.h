/*
 * The transport over libcurl: curl_multi under the caller's event loop, HTTP/1.1 with kept
 * connections, TLS verified, no redirects, everything bounded. libcurl itself is started by the
 * first send, so that a program shows its first frame before it pays for that.
 */
#ifndef GPUQ_HTTP_H
#define GPUQ_HTTP_H

#include "aws/transport.h"
#include "model/base/clock.h"

#define HTTP_REPLY_MAX (8u << 20) /* ceiling of http_request.max_reply */

struct http;

/* The hooks are copied; the clock is borrowed for the object's life. ca_bundle: a file of the
 * certificates to trust (copied); NULL or "": the system's. */
struct http *http_new(const struct wait_hooks *hooks, const struct clock *clock,
		      const char *ca_bundle);
/* Drops what is under way without calling back. Not from inside a reply_fn. NULL is accepted. */
void http_free(struct http *http);

/* The seam; valid as long as http. */
struct transport http_transport(struct http *http);

/* From the loop: a watched descriptor has poll events / the wanted time has come. Replies are
 * delivered from inside these two. */
void http_ready(struct http *http, int fd, short events);
void http_wake(struct http *http);

#endif
