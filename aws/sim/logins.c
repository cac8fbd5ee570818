#include "aws/sim/logins.h"

#include <stdio.h>
#include <string.h>

#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/random.h"
#include "aws/sim/region.h"
#include "aws/sim/validate.h"

#define SECOND_MS      INT64_C(1000)
#define GRACE_MS       (60 * SECOND_MS)
#define SSO_LIFE_S     3600
#define SSO_REGISTERED INT64_C(7776000) /* seconds: 90 days, as AWS gives */
#define CONSOLE_LIFE_S 900
#define SECONDS_MAX    INT64_C(31536000)
#define START_URL      "https://sim.awsapps.com/start"
#define CLIENT_ID      "arn:aws:signin:::devtools/same-device"
#define LETTERS        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

static int64_t now_ms(const struct sim_region *region)
{
	return region->world.now_ms;
}

static void make_token(struct sim_region *region, const char *prefix, char *out, size_t size)
{
	size_t len = (size_t)snprintf(out, size, "%s", prefix);
	sim_random_text(&region->keys.random, LETTERS, out + len, size - len);
}

struct sim_login *sim_login_find(struct sim_region *region, enum sim_login_kind kind,
				 const char *refresh)
{
	for (size_t i = 0; i < SIM_LOGINS_MAX; i++) {
		struct sim_login *login = &region->logins.items[i];
		bool late = now_ms(region) - login->replaced_ms > GRACE_MS;
		if (login->stands && login->kind == kind &&
		    (strcmp(login->refresh, refresh) == 0 ||
		     (!late && login->replaced[0] && strcmp(login->replaced, refresh) == 0)))
			return login;
	}
	return NULL;
}

void sim_login_rotate(struct sim_region *region, struct sim_login *login, const char *sent)
{
	if (strcmp(login->refresh, sent) != 0)
		return;
	memcpy(login->replaced, login->refresh, sizeof(login->replaced));
	login->replaced_ms = now_ms(region);
	make_token(region, "aor", login->refresh, sizeof(login->refresh));
}

const struct sim_bearer *sim_bearer_issue(struct sim_region *region, int64_t lifetime_ms)
{
	struct sim_logins *logins = &region->logins;
	struct sim_bearer *bearer = &logins->bearers[logins->next_bearer];
	logins->next_bearer = (logins->next_bearer + 1) % SIM_BEARERS_MAX;
	make_token(region, "aoa", bearer->token, sizeof(bearer->token));
	bearer->expires_ms = now_ms(region) + lifetime_ms;
	return bearer;
}

bool sim_bearer_stands(const struct sim_region *region, const char *token)
{
	for (size_t i = 0; i < SIM_BEARERS_MAX; i++) {
		const struct sim_bearer *bearer = &region->logins.bearers[i];
		if (bearer->expires_ms > now_ms(region) && strcmp(bearer->token, token) == 0)
			return true;
	}
	return false;
}

bool sim_proof_id_take(struct sim_logins *logins, const char *id)
{
	uint64_t hash = sim_random_for(0, id);
	for (size_t i = 0; i < SIM_PROOF_IDS_MAX; i++) {
		if (logins->proof_ids[i] == hash)
			return false;
	}
	logins->proof_ids[logins->next_proof_id] = hash;
	logins->next_proof_id = (logins->next_proof_id + 1) % SIM_PROOF_IDS_MAX;
	return true;
}

void sim_logins_emit_secrets(const struct sim_logins *logins, struct buf *out)
{
	for (size_t i = 0; i < SIM_LOGINS_MAX; i++) {
		sim_emit_item(out, logins->items[i].client_secret);
		sim_emit_item(out, logins->items[i].refresh);
		sim_emit_item(out, logins->items[i].replaced);
	}
	for (size_t i = 0; i < SIM_BEARERS_MAX; i++)
		sim_emit_item(out, logins->bearers[i].token);
}

/* --- making and ending them --- */

static struct sim_login *add_login(struct sim_region *region, enum sim_login_kind kind)
{
	struct sim_logins *logins = &region->logins;
	struct sim_login *login = &logins->items[logins->next];
	logins->next = (logins->next + 1) % SIM_LOGINS_MAX;
	memset(login, 0, sizeof(*login));
	login->kind = kind;
	login->stands = true;
	make_token(region, "aor", login->refresh, sizeof(login->refresh));
	return login;
}

static void end_all(struct sim_region *region, enum sim_login_kind kind)
{
	for (size_t i = 0; i < SIM_LOGINS_MAX; i++) {
		if (region->logins.items[i].kind == kind)
			region->logins.items[i].stands = false;
	}
	for (size_t i = 0; kind == SIM_LOGIN_SSO && i < SIM_BEARERS_MAX; i++)
		region->logins.bearers[i].expires_ms = 0;
}

static bool log_in_sso(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		       struct err *err)
{
	char start_url[256] = START_URL;
	int64_t registered_s = SSO_REGISTERED;
	int64_t seconds = SSO_LIFE_S;
	if (!sim_field_text(doc, "start_url", start_url, sizeof(start_url), err) ||
	    !sim_field_integer(doc, "seconds", 0, SECONDS_MAX, &seconds, err) ||
	    !sim_field_integer(doc, "registration_seconds", 0, SECONDS_MAX, &registered_s, err))
		return false;
	struct sim_login *login = add_login(region, SIM_LOGIN_SSO);
	login->bearer_ms = seconds * SECOND_MS;
	const struct sim_bearer *bearer = sim_bearer_issue(region, login->bearer_ms);
	login->registration_ms = now_ms(region) + registered_s * SECOND_MS;
	make_token(region, "", login->client_id, 26);
	make_token(region, "eyJ", login->client_secret, sizeof(login->client_secret));
	buf_add_char(out, '{');
	sim_emit_text(out, "startUrl", start_url);
	sim_emit_text(out, "region", region->options.region);
	sim_emit_text(out, "accessToken", bearer->token);
	sim_emit_instant(out, "expiresAt", bearer->expires_ms);
	sim_emit_text(out, "clientId", login->client_id);
	sim_emit_text(out, "clientSecret", login->client_secret);
	sim_emit_instant(out, "registrationExpiresAt", login->registration_ms);
	sim_emit_text(out, "refreshToken", login->refresh);
	buf_add_char(out, '}');
	return true;
}

static void emit_keys(const struct sim_keys *keys, struct buf *out)
{
	char account[SIM_ACCOUNT_SIZE];
	sim_account_of_arn(keys->identity.arn, account);
	sim_emit_key(out, "accessToken");
	buf_add_char(out, '{');
	sim_emit_text(out, "accessKeyId", keys->access_key);
	sim_emit_text(out, "secretAccessKey", keys->secret_key);
	sim_emit_text(out, "sessionToken", keys->session_token);
	sim_emit_text(out, "accountId", account);
	sim_emit_instant(out, "expiresAt", keys->expires_ms);
	buf_add_char(out, '}');
}

/* The seconds are those of the first keys alone. */
static bool log_in_console(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			   struct err *err)
{
	struct sim_identity identity = region->keys.own.identity;
	struct buf pem;
	int64_t seconds =
		sim_keys_lifetime_ms(&region->keys, CONSOLE_LIFE_S * SECOND_MS) / SECOND_MS;
	if (!sim_field_text(doc, "login_session", identity.arn, sizeof(identity.arn), err) ||
	    !sim_field_integer(doc, "seconds", 0, SECONDS_MAX, &seconds, err))
		return false;
	buf_init(&pem, 4096);
	if (!sim_proof_new_key(&pem, err)) {
		buf_release(&pem);
		return sim_refuse(err, 500, "BadRequest", "no key could be made");
	}
	struct sim_login *login = add_login(region, SIM_LOGIN_CONSOLE);
	login->identity = identity;
	buf_add_char(out, '{');
	emit_keys(sim_keys_issue(&region->keys, &identity, now_ms(region), seconds * SECOND_MS),
		  out);
	sim_emit_text(out, "tokenType", "aws_sigv4");
	sim_emit_text(out, "clientId", CLIENT_ID);
	sim_emit_text(out, "refreshToken", login->refresh);
	sim_emit_text(out, "idToken", "eyJ.eyJ.c2lt");
	sim_emit_text(out, "dpopKey", buf_text(&pem));
	buf_add_char(out, '}');
	buf_release(&pem);
	return true;
}

bool sim_logins_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err)
{
	char word[16] = "";
	if (!sim_field_need(doc, "kind", err) ||
	    !sim_field_text(doc, "kind", word, sizeof(word), err))
		return false;
	bool is_sso = strcmp(word, "sso") == 0;
	if (!is_sso && strcmp(word, "login") != 0)
		return sim_refuse(err, 400, "BadRequest", "kind must be sso or login");
	if (sim_field_true(doc, "expire")) {
		end_all(region, is_sso ? SIM_LOGIN_SSO : SIM_LOGIN_CONSOLE);
		return sim_control_done(region, out);
	}
	return is_sso ? log_in_sso(region, doc, out, err) : log_in_console(region, doc, out, err);
}
