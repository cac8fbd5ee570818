/* One try of a call: the request is written, signed for this moment and handed to the transport. */
#ifndef GPUQ_ATTEMPT_H
#define GPUQ_ATTEMPT_H

#include "aws/client.h"
#include "aws/endpoint.h"

struct attempt {
	const struct transport *transport;
	const struct endpoint *endpoint;
	const struct aws_credentials *credentials;
	const char *region;
	const struct aws_op *op;
	const char *body;
	int64_t signed_ms; /* wall time by the server's clock, as far as it is known */
	int64_t timeout_ms;
};

/* Sends; *id is the transport's. False with err when it cannot be signed: nothing was sent then. */
bool attempt_send(const struct attempt *attempt, reply_fn *done, void *ctx, uint64_t *id,
		  struct err *err) MUST_CHECK;

#endif
