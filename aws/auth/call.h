/*
 * One call of a provider to an AWS service of its own: STS, the SSO portal, OIDC, sign-in. Signed
 * with given credentials or not at all; tried again as any other call (aws/retry.h).
 */
#ifndef GPUQ_AUTH_CALL_H
#define GPUQ_AUTH_CALL_H

#include "aws/auth/provider.h"
#include "aws/json.h"

#define CALL_HEADERS_MAX 2
#define CALL_REPLY_MAX   (256u << 10)

/* Texts are copied. */
struct call_options {
	const char *name; /* "AssumeRole", for messages */
	enum aws_service service;
	const char *region; /* NULL: the session's */
	const char *method; /* "GET", "POST" */
	const char *path;   /* behind the endpoint's own, with its query; "" = none */
	struct http_header headers[CALL_HEADERS_MAX]; /* beside those of the protocol */
	size_t header_count;
	/* Makes the value of the first of them anew for each try, from done's ctx: what may be sent
	 * once alone. The result is the call's, NULL with err ends it. NULL: it stays. */
	char *(*stamp)(void *ctx, struct err *err);
	const char *body;
	const struct aws_credentials *sign_with; /* NULL: not signed. Copied */
};

/* A success has its body; else err says what the service or the network said (err->aws_code,
 * err->http_status), and body is what came, "" for nothing. Borrowed. */
typedef void call_done_fn(void *ctx, const char *body, size_t len, const struct err *err);

struct auth_call;

/* done is called once, from the loop; the call may be freed from inside. NULL with err set when it
 * cannot be started (an endpoint that cannot be). */
struct auth_call *call_start(const struct auth_world *world, const struct call_options *options,
			     call_done_fn *done, void *ctx, struct err *err) MUST_CHECK;
/* NULL is accepted. */
void call_free(struct auth_call *call);

#endif
