/* Keys that stand in plain settings: the environment, or a section of a file. */
#ifndef GPUQ_AUTH_KEYS_H
#define GPUQ_AUTH_KEYS_H

#include "aws/auth/provider.h"

/* What the settings say; each NULL or "" where it is not set. */
struct keys {
	const char *access_key, *secret_key, *session_token, *account;
	const char *access_name, *secret_name, *token_name; /* for messages */
	const char *place; /* where they stand, or NULL: the names say it */
};

/* GIVES, FAILS (half a pair, blanks) or SKIPS (no access key). */
enum provider_step keys_give(struct provider_job *job, const struct keys *keys);

/* The same from the profile's section of one of the two files. */
enum provider_step keys_of_section(struct provider_job *job, enum profiles_file file);

#endif
