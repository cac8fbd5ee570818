/*
 * Proof of possession (RFC 9449) for sign-in: a signed statement that whoever sends this request
 * holds the key of the login. ES256, as facts/aws.md 4.6 has it.
 */
#ifndef GPUQ_AUTH_DPOP_H
#define GPUQ_AUTH_DPOP_H

#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define DPOP_ID_SIZE 37 /* a UUID */

struct dpop_request {
	const char *method, *url; /* of the request that it goes with */
	int64_t issued_s;         /* wall time */
	const char *id;           /* a UUID, never used twice */
};

/* A random UUID (version 4). */
bool dpop_new_id(char out[DPOP_ID_SIZE], struct err *err) MUST_CHECK;

/*
 * Appends the header's value, signed with a P-256 private key in PEM (SEC 1 or PKCS 8). False with
 * err (ERR_AUTH): the key cannot be read or is another kind's. Nothing of it stands in a message.
 */
bool dpop_write(struct buf *out, const char *key_pem, const struct dpop_request *request,
		struct err *err) MUST_CHECK;

#endif
