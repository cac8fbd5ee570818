#include "aws/sim/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/random.h"
#include "aws/sim/region.h"
#include "aws/sim/validate.h"
#include "model/base/mem.h"

#define OWN_ACCESS_KEY "AKIDSIM" /* interface.md, the simulated region */
#define OWN_SECRET_KEY "simsecret"
#define OWN_USER       "sim"
#define MFA_CODE       "123456"
#define SECOND_MS      INT64_C(1000)
#define LIFETIME_MAX_S INT64_C(86400)

#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define BASE32 UPPER "234567"
#define BASE64 UPPER LOWER "0123456789+/"

#define ID_DIGITS 17 /* after AIDA and AROA */

static void make_user_id(struct sim_identity *identity, const char *prefix, const char *of,
			 const char *session)
{
	char digits[ID_DIGITS + 1];
	uint64_t state = sim_random_for(0, of);
	sim_random_text(&state, BASE32, digits, sizeof(digits));
	snprintf(identity->user_id, sizeof(identity->user_id), "%s%s%s%.64s", prefix, digits,
		 session[0] ? ":" : "", session);
}

void sim_identity_of_role(struct sim_identity *identity, const char *account, const char *role,
			  const char *session)
{
	snprintf(identity->arn, sizeof(identity->arn),
		 "arn:aws:sts::%.12s:assumed-role/%.64s/%.64s", account, role, session);
	make_user_id(identity, "AROA", role, session);
}

bool sim_identity_is_role(const struct sim_identity *identity)
{
	return strstr(identity->arn, ":assumed-role/") != NULL;
}

void sim_account_of_arn(const char *arn, char out[SIM_ACCOUNT_SIZE])
{
	const char *at = arn;
	for (int i = 0; at && i < 4; i++) {
		at = strchr(at, ':');
		at = at ? at + 1 : NULL;
	}
	snprintf(out, SIM_ACCOUNT_SIZE, "%.*s", at ? (int)strcspn(at, ":") : 0, at ? at : "");
}

void sim_keyring_init(struct sim_keyring *ring, uint64_t seed, const char *account)
{
	struct sim_keys *own = &ring->own;
	memset(ring, 0, sizeof(*ring));
	ring->random = seed;
	snprintf(ring->mfa_code, sizeof(ring->mfa_code), "%s", MFA_CODE);
	snprintf(own->access_key, sizeof(own->access_key), "%s", OWN_ACCESS_KEY);
	snprintf(own->secret_key, sizeof(own->secret_key), "%s", OWN_SECRET_KEY);
	snprintf(own->identity.arn, sizeof(own->identity.arn), "arn:aws:iam::%.12s:user/" OWN_USER,
		 account);
	make_user_id(&own->identity, "AIDA", OWN_USER, "");
	own->expires_ms = INT64_MAX;
}

void sim_keyring_release(struct sim_keyring *ring)
{
	free(ring->issued);
	ring->issued = NULL;
	ring->issued_count = 0;
}

const struct sim_keys *sim_keys_find(const struct sim_keyring *ring, const char *access_key)
{
	if (strcmp(ring->own.access_key, access_key) == 0)
		return &ring->own;
	for (size_t i = 0; i < ring->issued_count; i++) {
		if (strcmp(ring->issued[i].access_key, access_key) == 0)
			return &ring->issued[i];
	}
	return NULL;
}

int64_t sim_keys_lifetime_ms(const struct sim_keyring *ring, int64_t standard_ms)
{
	return ring->lifetime_ms > 0 ? ring->lifetime_ms : standard_ms;
}

const struct sim_keys *sim_keys_issue(struct sim_keyring *ring, const struct sim_identity *identity,
				      int64_t now_ms, int64_t lifetime_ms)
{
	if (!ring->issued)
		ring->issued = mem_new(SIM_KEYS_MAX, sizeof(*ring->issued));
	struct sim_keys *keys = &ring->issued[ring->next];
	ring->next = (ring->next + 1) % SIM_KEYS_MAX;
	if (ring->issued_count < SIM_KEYS_MAX)
		ring->issued_count++;
	memcpy(keys->access_key, "ASIA", 4);
	sim_random_text(&ring->random, BASE32, keys->access_key + 4, sizeof(keys->access_key) - 4);
	sim_random_text(&ring->random, BASE64, keys->secret_key, sizeof(keys->secret_key));
	sim_random_text(&ring->random, BASE64, keys->session_token, sizeof(keys->session_token));
	/* As AWS's do: nothing but the last digits of base64 are '='. */
	keys->session_token[SIM_SESSION_SIZE - 3] = keys->session_token[SIM_SESSION_SIZE - 2] = '=';
	keys->identity = *identity;
	keys->expires_ms = now_ms + lifetime_ms;
	return keys;
}

void sim_keys_emit_secrets(const struct sim_keyring *ring, struct buf *out)
{
	sim_emit_item(out, ring->own.secret_key);
	sim_emit_item(out, ring->mfa_code);
	for (size_t i = 0; i < ring->issued_count; i++) {
		sim_emit_item(out, ring->issued[i].secret_key);
		sim_emit_item(out, ring->issued[i].session_token);
	}
}

bool sim_keys_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err)
{
	struct sim_keyring *ring = &region->keys;
	int64_t seconds = ring->lifetime_ms / SECOND_MS;
	char code[SIM_MFA_CODE_SIZE];
	memcpy(code, ring->mfa_code, sizeof(code));
	if (!sim_field_integer(doc, "seconds", 0, LIFETIME_MAX_S, &seconds, err) ||
	    !sim_field_text(doc, "mfa", code, sizeof(code), err))
		return false;
	if (strspn(code, "0123456789") != SIM_MFA_CODE_SIZE - 1)
		return sim_refuse(err, 400, "BadRequest", "mfa must be six digits");
	ring->lifetime_ms = seconds * SECOND_MS;
	memcpy(ring->mfa_code, code, sizeof(code));
	for (size_t i = 0; sim_field_true(doc, "expire") && i < ring->issued_count; i++) {
		struct sim_keys *keys = &ring->issued[i];
		if (keys->expires_ms > region->world.now_ms)
			keys->expires_ms = region->world.now_ms;
	}
	return sim_control_done(region, out);
}
