/*
 * One search for credentials: the providers one after the other, until one gives some or fails.
 * The order is the AWS CLI's (facts/aws.md section 4).
 */
#ifndef GPUQ_AUTH_CHAIN_H
#define GPUQ_AUTH_CHAIN_H

#include "aws/auth/provider.h"

enum chain_part {
	CHAIN_WHOLE,
	CHAIN_SOURCE,      /* the base of assumed roles: what a profile says without its role */
	CHAIN_ENVIRONMENT, /* and of credential_source */
	CHAIN_CONTAINER,
	CHAIN_IMDS,
};

struct chain_options {
	const struct auth_world *world;
	enum chain_part part;
	const struct profile *profile; /* borrowed while it runs; NULL: none */
	bool profile_is_named, fresh;  /* as in struct provider_job */
};

/* Borrowed for the call back, but for credentials, which may be taken (moved, leaving {0}). */
struct chain_result {
	struct aws_credentials *credentials; /* NULL with err */
	const struct provider *provider;     /* who gave them or failed; NULL: none was set up */
	const char *origin;
	const struct err *err;
};
typedef void chain_done_fn(void *ctx, const struct chain_result *result);

struct chain;

/* done is called once, from the loop, never from inside. Never NULL. */
struct chain *chain_start(const struct chain_options *options, chain_done_fn *done, void *ctx);
/* Before done: forgets everything. After it (also from inside): frees. NULL is accepted. */
void chain_free(struct chain *chain);

#endif
