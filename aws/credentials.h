/*
 * What requests are signed with, and the seam to whoever finds it. A client asks before each try,
 * so that keys which were renewed meanwhile serve the next one.
 */
#ifndef GPUQ_CREDENTIALS_H
#define GPUQ_CREDENTIALS_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"

#define ACCOUNT_ID_SIZE 13 /* twelve digits */

/* {0} is valid and releasable. */
struct aws_credentials {
	char *access_key, *secret_key, *session_token; /* owned; token may be NULL */
	struct opt_ms expires;                         /* wall time; unset: they do not */
	char account[ACCOUNT_ID_SIZE];                 /* "" where the source did not say */
};

struct credentials_source {
	/*
	 * What to sign with now; borrowed until the loop's next turn. NULL with err clear: they are
	 * being fetched, and the client is told by aws_client_credentials_changed. NULL with err
	 * set: there are none, and why.
	 */
	const struct aws_credentials *(*get)(void *self, struct err *err);
	/* AWS did not take those with this access key: expired, revoked or unknown. True: others
	 * are being looked for, so it is worth asking again. */
	bool (*refused)(void *self, const char *access_key);
	void *self;
};

/*
 * A text that can be part of a header and of a signature: printable ASCII without blanks. A
 * slip (the CR of a file from Windows) is said here, by the name of the setting alone, where AWS
 * would only call the signature wrong. False with err (ERR_AUTH).
 */
bool credentials_text_is_clean(const char *value, const char *name, struct err *err) MUST_CHECK;

/*
 * From the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN (or the older
 * AWS_SECURITY_TOKEN, which wins as in the AWS CLI). ERR_AUTH where one is missing or not clean.
 */
bool aws_credentials_from_env(struct aws_credentials *credentials, struct err *err) MUST_CHECK;

/*
 * The account that an access key id belongs to, without asking anybody: those made since 2019 have
 * its number in their characters (not documented by AWS, found by many; sts get-access-key-info
 * tells the same). False for older keys and for what is none.
 */
bool credentials_key_account(const char *access_key, char account[ACCOUNT_ID_SIZE]) MUST_CHECK;

/* Whether an error code says that the keys are expired, revoked or unknown: others may do. */
bool credentials_are_refused(const char *aws_code);

/* Takes the secret parts out of an error's texts. NULL credentials have none. */
void credentials_hide(const struct aws_credentials *credentials, struct err *err);

void aws_credentials_copy(struct aws_credentials *to, const struct aws_credentials *from);
/* Wipes. NULL is accepted. */
void aws_credentials_release(struct aws_credentials *credentials);

#endif
