/*
 * AWS Signature Version 4 in request headers, as stages over one state: canonical request, string
 * to sign, signature, Authorization. Signs and verifies alike: the caller gives the request as
 * sent or as received; who verifies gives the SignedHeaders it was told and compares signatures.
 * Source: facts/aws.md section 3.
 */
#ifndef GPUQ_SIGV4_H
#define GPUQ_SIGV4_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define SIGV4_HEX_SIZE    65 /* 64 digits and the NUL */
#define SIGV4_HEADERS_MAX 64 /* headers of a request */
#define SIGV4_SIGNED_SIZE 2048
#define SIGV4_SCOPE_SIZE  192

struct sigv4_header {
	const char *name, *value; /* any case; surrounding white space is no part of the value */
};

struct sigv4_request {
	const char *method;
	const char *target;                 /* path and query as in the request line */
	const struct sigv4_header *headers; /* Host, X-Amz-Date and the token among them */
	size_t header_count;
	/* "host;x-amz-date": sign these, each of which must be there. NULL: all but those that are
	 * never signed (User-Agent, Connection, Expect, ...). */
	const char *signed_headers;
	const char *body; /* NULL with body_len 0 is an empty one */
	size_t body_len;
	bool raw_path;        /* leave "." ".." and "//" in the path (S3 signs so; we never do) */
	const char *amz_date; /* 20261130T204808Z: the value of X-Amz-Date */
	const char *region, *service;
};

/* {0} is valid. Release wipes. */
struct sigv4 {
	struct buf canonical_request, string_to_sign, authorization;
	char signed_headers[SIGV4_SIGNED_SIZE];
	char scope[SIGV4_SCOPE_SIZE]; /* date/region/service/aws4_request */
	char signature[SIGV4_HEX_SIZE];
};

/*
 * The stages, in this order. False with err: a bad date, a signed header that is not there, no host
 * among the headers, texts above the ceilings, OpenSSL failing. The secret is not kept and the
 * derived keys are wiped.
 */
bool sigv4_canonical_request(struct sigv4 *state, const struct sigv4_request *request,
			     struct err *err) MUST_CHECK;
bool sigv4_string_to_sign(struct sigv4 *state, const struct sigv4_request *request,
			  struct err *err) MUST_CHECK;
bool sigv4_signature(struct sigv4 *state, const struct sigv4_request *request,
		     const char *secret_key, struct err *err) MUST_CHECK;
bool sigv4_authorization(struct sigv4 *state, const char *access_key, struct err *err) MUST_CHECK;

/* The four in one: state->authorization is the header's value, state->signature the digits. */
bool sigv4_sign(struct sigv4 *state, const struct sigv4_request *request, const char *access_key,
		const char *secret_key, struct err *err) MUST_CHECK;
void sigv4_release(struct sigv4 *state);

/* An Authorization header taken apart, for who verifies. */
struct sigv4_credential {
	char access_key[129];
	char date[9]; /* 20261130 */
	char region[64], service[64];
	char signed_headers[SIGV4_SIGNED_SIZE];
	char signature[SIGV4_HEX_SIZE];
};
/* False if the value is not AWS4-HMAC-SHA256 with its three parts, each once, in any order. */
bool sigv4_parse_authorization(const char *value, struct sigv4_credential *out) MUST_CHECK;

/* Compares two signatures in constant time. */
bool sigv4_signature_equal(const char *a, const char *b);

/* Lower-case hex of SHA-256 (x-amz-content-sha256). False with err when OpenSSL fails. */
bool sigv4_sha256_hex(const char *bytes, size_t len, char out[SIGV4_HEX_SIZE],
		      struct err *err) MUST_CHECK;

#endif
