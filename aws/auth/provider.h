/*
 * The seam of the credential providers: each stands in a file of its own and looks like every
 * other; chain.c has their order. All of them are asynchronous: no key waits for a provider.
 * Source of the order and of each one's rules: facts/aws.md section 4.
 */
#ifndef GPUQ_AUTH_PROVIDER_H
#define GPUQ_AUTH_PROVIDER_H

#include <stdbool.h>

#include "aws/credentials.h"
#include "aws/setup.h"
#include "aws/transport.h"
#include "aws/waits.h"
#include "model/base/disk.h"

#define ORIGIN_SIZE 256

struct provider_job;

/* The code of an MFA device, for a role that wants one. */
struct code_question {
	const char *profile, *serial; /* copied by who asks */
	/* The six digits; NULL gives up. Not from inside ask_code. */
	void (*answer)(struct provider_job *job, const char *code);
	struct provider_job *job;
};

/* What providers see of the world; all borrowed. */
struct auth_world {
	const struct clock *clock;
	struct waits *waits;
	struct disk *disk;
	const struct transport *http;
	const struct setup *setup; /* profile, region, endpoints, environment */
	struct log *log;           /* NULL: none */
	/* Asks whoever sits there for the code of a device; NULL takes the question back. Itself
	 * NULL: nobody can be asked. */
	void (*ask_code)(void *ctx, const struct code_question *question);
	/* The wall time of a service that has just answered; NULL: nobody wants to know. */
	void (*note_date)(void *ctx, int64_t date_ms);
	/* A file that the result rests on: when it changes, the search is worth repeating. */
	void (*note_file)(void *ctx, const char *path);
	void *ctx;
};

enum provider_step {
	PROVIDER_SKIPS, /* not set up here: the next one is asked */
	PROVIDER_GIVES, /* job->credentials and job->origin */
	PROVIDER_FAILS, /* set up, but it does not work: job->err; the search ends */
	PROVIDER_WAITS, /* job->done will be called */
};

struct provider_job {
	const struct auth_world *world;
	const struct profile *profile; /* NULL: none is named, and there is no default */
	bool profile_is_named;         /* by the program's user, not by AWS_PROFILE or default */
	bool fresh;                    /* AWS refused the last ones: what caches hold will not do */
	/* Once, after PROVIDER_WAITS, with any other step; never from inside start. */
	void (*done)(struct provider_job *job, enum provider_step step);
	void *owner;
	/* the result */
	struct aws_credentials credentials;
	char origin[ORIGIN_SIZE]; /* "SSO session ops, role Admin": for doctor and messages */
	struct err err;
	void *state; /* the provider's */
};

struct provider {
	const char *name; /* "environment" */
	enum provider_step (*start)(struct provider_job *job);
	/* While it waits: forgets everything; done is not called. Also called after done. NULL for
	 * those that never wait. */
	void (*stop)(struct provider_job *job);
};

/* For messages: the profile's name, or "default". */
const char *provider_profile(const struct provider_job *job);
/* A value of the profile; NULL where it is not set or empty. */
const char *provider_value(const struct provider_job *job, const char *key);

/* Fails with a text, for `return provider_fails(...)`: PROVIDER_FAILS. */
enum provider_step provider_fails(struct provider_job *job, const char *format, ...)
	PRINTF_LIKE(2, 3);

/* Fails because a person has to log in: "WHAT: run aws sso login --profile NAME", by a command
 * ("aws sso login") that can be pasted whole. */
enum provider_step provider_wants_login(struct provider_job *job, const char *what,
					const char *command);

extern const struct provider provider_environment, provider_assume_role, provider_web_identity,
	provider_sso, provider_credentials_file, provider_login, provider_process,
	provider_config_file, provider_container, provider_imds;

#endif
