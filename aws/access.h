/*
 * How this program reaches AWS: the two files, what they and the environment decide, the transport,
 * the credentials. Follows the files while it runs: a mended profile or a new login is taken up.
 */
#ifndef GPUQ_ACCESS_H
#define GPUQ_ACCESS_H

#include "aws/auth/auth.h"
#include "aws/setup.h"

struct access_options {
	struct setup_options setup; /* texts are borrowed */
	const struct clock *clock;  /* its wall clock is the service's, as far as that is known */
	struct waits *waits;
	struct disk *disk;
	struct log *log; /* NULL: none */
	/* Settings and region stand, credentials are being looked for. Again when the files have
	 * changed. */
	void (*ready)(void *ctx);
	/* Instead, why not; it is tried again when the files change, or at access_retry.
	 * Afterwards: the files have become bad, and what they said before goes on. */
	void (*failed)(void *ctx, const struct err *err);
	void (*credentials_changed)(void *ctx);
	/* Both as in struct auth_options. */
	void (*ask_code)(void *ctx, const char *profile, const char *serial);
	void (*on_date)(void *ctx, int64_t date_ms);
	void *ctx;
};

struct access;

/* Starts to read; calls back from the loop. Never NULL. */
struct access *access_new(const struct access_options *options);
/* NULL is accepted. */
void access_free(struct access *access);

/* As the files have it, whether it was good or not: {0} until they are read. Borrowed until they
 * are read again. */
const struct setup *access_setup(const struct access *access);
/* False, and nothing in it, while nobody has begun to look for credentials: the setup is not good.
 */
bool access_status(const struct access *access, struct auth_status *status);

/* Once ready, or once credentials are looked for; borrowed, good as long as access. */
const struct transport *access_transport(const struct access *access);
struct credentials_source access_source(struct access *access);
/* The region, and the place that says it. */
const char *access_region(const struct access *access);
const char *access_region_origin(const struct access *access);

/* Looks for credentials anew, and before it is ready for settings too: somebody asked for it. */
void access_retry(struct access *access);
/* The answer to ask_code; NULL gives up. */
void access_code(struct access *access, const char *code);

#endif
