/*
 * Somebody who uses AWS: a home folder with the AWS CLI's files and caches, an environment, and a
 * simulated region that hands out keys. Runs gpuq as that person, keeps every byte that it prints,
 * and at the end searches these and the whole folder for secrets. A failure ends the test.
 */
#ifndef GPUQ_TESTS_AWSUSER_H
#define GPUQ_TESTS_AWSUSER_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define AWSUSER_ENV_MAX    32
#define AWSUSER_FILES_MAX  32
#define AWSUSER_SECRET_MAX 64
#define AWSUSER_SOON_MS    20000 /* generous: a sanitizer build on a busy machine */

#define AWSUSER_LOG "/home/state/log" /* every run writes it, with all that it can say */

struct awsuser {
	struct region region;
	char root[64]; /* HOME is root/home; the XDG folders lie there too */
	char *env[AWSUSER_ENV_MAX + 1];
	size_t env_count;
	const char *refresh; /* of the dashboard, in seconds; 1 at first */
	struct buf printed;
	char *given[AWSUSER_FILES_MAX]; /* paths of files that the test wrote */
	size_t given_count;
	char *secrets[AWSUSER_SECRET_MAX]; /* beside those that the region knows */
	size_t secret_count;
};

/* A region that checks signatures, with a one-time code of its own for MFA devices. The environment
 * has a home, and nothing of AWS. */
void awsuser_start(struct awsuser *user);
#define AWSUSER_MFA_CODE "730914"
/* Fails where a secret stands in what was printed, or in a file that neither the test wrote nor the
 * AWS CLI keeps as a cache; or where a cache could be read by others. */
void awsuser_stop(struct awsuser *user);

/* The region's URL stands for all of AWS; the region's name is us-east-1. */
void awsuser_use_region(struct awsuser *user);
/* An environment variable, in place of what it was; format NULL: unset. */
void awsuser_set(struct awsuser *user, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A file below root, with mode 0600; path begins with "/". */
void awsuser_write(struct awsuser *user, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Its text, to be freed; NULL when there is none. */
char *awsuser_read(const struct awsuser *user, const char *path);
void awsuser_chmod(const struct awsuser *user, const char *path, unsigned mode);
void awsuser_remove(const struct awsuser *user, const char *path);
/* Copied. */
void awsuser_add_secret(struct awsuser *user, const char *secret);

/* A person logs in, in another window: the region's /_sim/login with that body leaves its answer in
 * a cache of the AWS CLI, named by the hash of a text. */
void awsuser_login_sso(struct awsuser *user, const char *session, const char *body);
void awsuser_login_console(struct awsuser *user, const char *arn, const char *body);

/* Runs the program to its end; words end with NULL. */
void awsuser_run(struct awsuser *user, struct process_result *result, const char *const *words);
#define AWSUSER_RUN(user, result, ...) \
	awsuser_run(user, result, (const char *const[]){ __VA_ARGS__, NULL })
/* With a profile (NULL: none is named), `jobs -o json` lists all of the region's jobs, and says
 * nothing else. */
void awsuser_lists(struct awsuser *user, const char *profile);
/* It ends with a status, prints nothing, and its message has the text in it. */
void awsuser_fails(struct awsuser *user, const char *profile, int status, const char *text);

/* `doctor` names the place that the credentials come from, and everything is well. */
void awsuser_finds(struct awsuser *user, const char *profile, const char *place);

/* The dashboard, 140 columns wide. */
struct pty *awsuser_watch(struct awsuser *user, const char *profile);
/* Waits for a text, or for its end. */
void awsuser_want(struct pty *pty, const char *text);
void awsuser_want_gone(struct pty *pty, const char *text);
/* Waits until the region has listed so many more times. */
void awsuser_want_lists(const struct awsuser *user, struct pty *pty, long more);
/* Quits it; it must end with 0. */
void awsuser_leave(struct awsuser *user, struct pty *pty);

/* How often the region was asked for an operation, with success. */
long awsuser_calls(const struct awsuser *user, const char *operation);
/* The same must be so for each of "AssumeRole=1 MetadataToken=2"; every other operation that hands
 * out credentials was never asked. */
void awsuser_want_calls(const struct awsuser *user, const char *calls);

#endif
