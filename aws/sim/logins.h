/*
 * Logins that a person has made in a browser: of IAM Identity Center (`aws sso login`) and of the
 * console (`aws login`). A test makes them with POST /_sim/login and gets the cache file that the
 * AWS CLI would have left. Times are those of the simulated clock.
 */
#ifndef GPUQ_SIM_LOGINS_H
#define GPUQ_SIM_LOGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/sim/keys.h"
#include "aws/sim/proof.h"

#define SIM_LOGINS_MAX     32  /* known at a time; then the oldest of them is forgotten */
#define SIM_BEARERS_MAX    128 /* access tokens, likewise */
#define SIM_PROOF_IDS_MAX  1024
#define SIM_BEARER_SIZE    201
#define SIM_CLIENT_ID_SIZE 64

enum sim_login_kind { SIM_LOGIN_SSO, SIM_LOGIN_CONSOLE };

struct sim_login {
	enum sim_login_kind kind;
	bool stands;
	char client_id[SIM_CLIENT_ID_SIZE], client_secret[SIM_BEARER_SIZE]; /* SSO */
	int64_t registration_ms;                                            /* SSO: its end */
	int64_t bearer_ms;            /* SSO: what its access tokens last */
	struct sim_identity identity; /* console */
	bool has_key;
	unsigned char key[2 * SIM_PROOF_HALF]; /* console: of its first proof */
	char refresh[SIM_BEARER_SIZE], replaced[SIM_BEARER_SIZE];
	int64_t replaced_ms;
};

/* An access token of SSO. */
struct sim_bearer {
	char token[SIM_BEARER_SIZE];
	int64_t expires_ms;
};

struct sim_logins {
	struct sim_login items[SIM_LOGINS_MAX];
	struct sim_bearer bearers[SIM_BEARERS_MAX];
	uint64_t proof_ids[SIM_PROOF_IDS_MAX]; /* hashes of those that were used */
	size_t next, next_bearer, next_proof_id;
};

struct sim_region;

/*
 * The login whose refresh token that is, or NULL. A token that was replaced less than a minute ago
 * still names it: the answer that replaced it may have been lost.
 */
struct sim_login *sim_login_find(struct sim_region *region, enum sim_login_kind kind,
				 const char *refresh);
/* Replaces the refresh token that was sent, unless it has been replaced already. */
void sim_login_rotate(struct sim_region *region, struct sim_login *login, const char *sent);

/* Issues an access token. */
const struct sim_bearer *sim_bearer_issue(struct sim_region *region, int64_t lifetime_ms);
/* Is it known, and has not ended? */
bool sim_bearer_stands(const struct sim_region *region, const char *token);

/* Notes a proof's id; false if it has been used before. */
bool sim_proof_id_take(struct sim_logins *logins, const char *id);

/* GET /_sim/secrets: the items of an array. */
void sim_logins_emit_secrets(const struct sim_logins *logins, struct buf *out);

/* POST /_sim/login: see control.h. */
bool sim_logins_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err) MUST_CHECK;

#endif
