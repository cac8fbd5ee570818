/*
 * Keeps the credentials of one profile: finds them, renews them ahead of expiry, once for however
 * many calls wait, and looks again when a file that they rest on has changed. While a renewal fails
 * the old ones serve until they expire.
 */
#ifndef GPUQ_AUTH_H
#define GPUQ_AUTH_H

#include "aws/credentials.h"
#include "aws/setup.h"
#include "aws/transport.h"
#include "aws/waits.h"
#include "model/base/disk.h"

struct auth_options {
	const struct clock *clock; /* its wall clock is the service's, as far as that is known */
	struct waits *waits;
	struct disk *disk;
	const struct transport *http;
	const struct setup *setup;
	struct log *log; /* NULL: none */
	/* The credentials or the reason why there are none have changed. */
	void (*changed)(void *ctx);
	/* The code of an MFA device is wanted: auth_code. NULL profile: no longer. The function
	 * itself NULL: nobody can be asked. */
	void (*ask_code)(void *ctx, const char *profile, const char *serial);
	/* The wall time of a service that has just answered; may be NULL. */
	void (*on_date)(void *ctx, int64_t date_ms);
	void *ctx;
};

struct auth;

/* Copies the options; what they point to is borrowed. Starts to search at once. */
struct auth *auth_new(const struct auth_options *options);
/* Not from inside changed or ask_code. NULL is accepted. */
void auth_free(struct auth *auth);

/* For a client; valid as long as auth. */
struct credentials_source auth_source(struct auth *auth);

struct auth_status {
	bool searching;       /* also while older ones serve */
	bool has_credentials; /* that have not expired */
	const char *provider; /* "SSO"; "" = none was found so far. Borrowed, as all texts here */
	bool of_environment;  /* they are of no profile, whichever is in use */
	const char *origin;   /* "session ops, role Admin of 111122223333" */
	struct opt_ms expires;
	const char *account;   /* "" where the source did not say */
	const struct err *err; /* why the newest search failed; NULL: it did not */
	struct opt_ms retry;   /* the next search after a failure, by the monotonic clock */
};
void auth_status(const struct auth *auth, struct auth_status *status);

/* Forgets everything and searches anew: the setup has changed, or somebody asked. */
void auth_search(struct auth *auth);

/* Before the setup changes: ends a search under way. auth_search goes on. */
void auth_stop(struct auth *auth);

/* The answer to ask_code; NULL gives up. */
void auth_code(struct auth *auth, const char *code);

/*
 * The region of an instance, from its metadata service; NULL where there is none. done is called
 * once, from the loop, and may free the search. Not NULL.
 */
struct auth_region;
struct auth_region *auth_region_start(const struct auth_options *options,
				      void (*done)(void *ctx, const char *region), void *ctx);
void auth_region_free(struct auth_region *search);

#endif
