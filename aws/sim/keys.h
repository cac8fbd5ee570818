/*
 * Who signs: the region's own access key, and the temporary keys that its services hand out, each
 * with the identity it acts as and its end. Times are those of the simulated clock. All of it is
 * made up from a seeded generator: nothing here is a secret.
 */
#ifndef GPUQ_SIM_KEYS_H
#define GPUQ_SIM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_KEYS_MAX        1024 /* issued ones that are known at a time; then the oldest is forgotten */
#define SIM_ACCESS_KEY_SIZE 21
#define SIM_SECRET_KEY_SIZE 41
#define SIM_SESSION_SIZE    361 /* of a session token; about what AWS's have */
#define SIM_IDENTITY_SIZE   256
#define SIM_USER_ID_SIZE    96
#define SIM_ACCOUNT_SIZE    13
#define SIM_MFA_CODE_SIZE   7

struct sim_identity {
	char arn[SIM_IDENTITY_SIZE]; /* arn:aws:sts::ACCOUNT:assumed-role/ROLE/SESSION, or a user's
				      */
	char user_id[SIM_USER_ID_SIZE];
};

struct sim_keys {
	char access_key[SIM_ACCESS_KEY_SIZE], secret_key[SIM_SECRET_KEY_SIZE];
	char session_token[SIM_SESSION_SIZE]; /* "" = lasting keys, which have none */
	struct sim_identity identity;
	int64_t expires_ms;
};

struct sim_keyring {
	struct sim_keys own;     /* AKIDSIM, which lasts */
	struct sim_keys *issued; /* owned: a ring */
	size_t issued_count, next;
	uint64_t random;
	int64_t lifetime_ms; /* of what is issued from now on; 0 = what each service gives */
	char mfa_code[SIM_MFA_CODE_SIZE];
};

struct sim_region;

void sim_keyring_init(struct sim_keyring *ring, uint64_t seed, const char *account);
void sim_keyring_release(struct sim_keyring *ring);

/* NULL if nobody has that access key. Valid until the next keys are issued. */
const struct sim_keys *sim_keys_find(const struct sim_keyring *ring, const char *access_key);

/* Issues keys that act as that identity and last so long. */
const struct sim_keys *sim_keys_issue(struct sim_keyring *ring, const struct sim_identity *identity,
				      int64_t now_ms, int64_t lifetime_ms);
/* What keys last that would last so long, had no test set another lifetime. */
int64_t sim_keys_lifetime_ms(const struct sim_keyring *ring, int64_t standard_ms);

/* A session of a role. Texts that do not fit are cut. */
void sim_identity_of_role(struct sim_identity *identity, const char *account, const char *role,
			  const char *session);
/* Is it such a session? */
bool sim_identity_is_role(const struct sim_identity *identity);
/* The account of an ARN; "" if it has none. */
void sim_account_of_arn(const char *arn, char out[SIM_ACCOUNT_SIZE]);

/* GET /_sim/secrets: the items of an array. */
void sim_keys_emit_secrets(const struct sim_keyring *ring, struct buf *out);

/* POST /_sim/credentials: see control.h. */
bool sim_keys_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err) MUST_CHECK;

#endif
