/* Who may ask: AWS Signature Version 4 of a request as it was received. */
#ifndef GPUQ_SIM_AUTH_H
#define GPUQ_SIM_AUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "aws/sigv4.h"
#include "model/base/attr.h"
#include "model/base/err.h"

#define SIM_AUTH_KEY_SIZE 129 /* of an access key as sent */

/* One HTTP request, whole. Everything is borrowed. */
struct sim_request {
	const char *method;
	const char *target; /* path and query as they stood in the request line */
	const struct sigv4_header *headers;
	size_t header_count;
	const char *body;
	size_t body_len;
};

struct sim_auth {
	const char *access_key, *secret_key, *region, *service;
	const char *session_token; /* goes with temporary keys; NULL: with these there is none */
	bool expired;
	bool query;                /* refuses in the words of the query protocol */
	int64_t from_ms, until_ms; /* signing times that are accepted */
};

/* The value of a header by name in any case; NULL if absent. The first one where it repeats. */
const char *sim_request_header(const struct sim_request *request, const char *name);

/* The access key of the Authorization header; false where there is none that can be read. */
bool sim_auth_access_key(const struct sim_request *request, char out[SIM_AUTH_KEY_SIZE]) MUST_CHECK;

/* The region that the signature is scoped to; the same. */
#define SIM_AUTH_REGION_SIZE 64
bool sim_auth_region(const struct sim_request *request, char out[SIM_AUTH_REGION_SIZE]) MUST_CHECK;

/* False with the refusal that AWS would send. */
bool sim_auth_check(const struct sim_auth *auth, const struct sim_request *request,
		    struct err *err) MUST_CHECK;

#endif
