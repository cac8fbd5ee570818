/* Credentials in JSON documents: every source has its own names for the same four members. */
#ifndef GPUQ_AUTH_DOCUMENT_H
#define GPUQ_AUTH_DOCUMENT_H

#include "aws/credentials.h"
#include "aws/json.h"

struct document_names {
	const char *access_key, *secret_key, *session_token, *expires, *account;
};

/*
 * Reads an object. False with err (ERR_AUTH), which names the member and never its value: one that
 * is missing, holds blanks, or an expiry that is no time. The token may be missing, the expiry too.
 */
bool document_credentials(const struct json_value *object, const struct document_names *names,
			  struct aws_credentials *out, struct err *err) MUST_CHECK;

/* What a credential_process prints (facts/aws.md 4.7): as above, also where it is no JSON object or
 * of another Version than 1. */
bool document_of_process(const char *text, size_t len, struct aws_credentials *out,
			 struct err *err) MUST_CHECK;

/* ISO 8601 as the caches have it: with Z, an offset, or the "UTC" of older files. */
bool document_time(const char *text, int64_t *wall_ms) MUST_CHECK;

#endif
