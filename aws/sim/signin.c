#include "aws/sim/signin.h"

#include <stdio.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/logins.h"
#include "aws/sim/validate.h"

#define SECOND_MS     INT64_C(1000)
#define KEYS_S        900 /* at most: what the service says of itself */
#define CLIENT_PREFIX "arn:aws:signin:::devtools/"

static bool refuse_proof(struct err *err, const char *what)
{
	return sim_refuse(err, 400, "INVALID_REQUEST", "The DPoP proof is refused: %s", what);
}

/* The URL as the client wrote it: the scheme is its own, behind a proxy it may be https. */
static bool is_own_url(const struct sim_request *request, const char *url)
{
	const char *host = sim_request_header(request, "Host");
	const char *rest = strstr(url, "://");
	size_t host_len = host ? strlen(host) : 0;
	bool scheme = strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0;
	return scheme && host_len > 0 && strncmp(rest + 3, host, host_len) == 0 &&
	       strcmp(rest + 3 + host_len, request->target) == 0;
}

static bool read_proof(struct sim_region *region, const struct sim_request *request,
		       struct sim_proof *proof, struct err *err)
{
	const char *value = sim_request_header(request, "DPoP");
	struct err trouble = { 0 };
	int64_t from_ms, until_ms;
	if (!value)
		return refuse_proof(err, "there is none");
	if (!sim_proof_read(value, proof, &trouble)) {
		refuse_proof(err, err_text(&trouble));
		err_clear(&trouble);
		return false;
	}
	sim_region_signing_times(region, &from_ms, &until_ms);
	if (strcmp(proof->method, request->method) != 0)
		return refuse_proof(err, "htm is another method");
	if (!is_own_url(request, proof->url))
		return refuse_proof(err, "htu is another URL");
	if (proof->issued_s < from_ms / SECOND_MS || proof->issued_s > until_ms / SECOND_MS)
		return refuse_proof(err, "iat is not within five minutes");
	return sim_proof_id_take(&region->logins, proof->id) ||
	       refuse_proof(err, "jti has been used before");
}

/* The first proof of a login binds it to its key. */
static bool check_key(struct sim_login *login, const struct sim_proof *proof, struct err *err)
{
	if (!login->has_key)
		memcpy(login->key, proof->key, sizeof(login->key));
	login->has_key = true;
	return memcmp(login->key, proof->key, sizeof(login->key)) == 0 ||
	       refuse_proof(err, "jwk is not the key of the login");
}

static void emit_token(struct sim_region *region, const struct sim_login *login, struct buf *out)
{
	int64_t lifetime_ms = sim_keys_lifetime_ms(&region->keys, KEYS_S * SECOND_MS);
	if (lifetime_ms > KEYS_S * SECOND_MS)
		lifetime_ms = KEYS_S * SECOND_MS;
	const struct sim_keys *keys =
		sim_keys_issue(&region->keys, &login->identity, region->world.now_ms, lifetime_ms);
	buf_add_char(out, '{');
	sim_emit_key(out, "accessToken");
	buf_add_char(out, '{');
	sim_emit_text(out, "accessKeyId", keys->access_key);
	sim_emit_text(out, "secretAccessKey", keys->secret_key);
	sim_emit_text(out, "sessionToken", keys->session_token);
	buf_add_char(out, '}');
	sim_emit_text(out, "tokenType", "aws_sigv4");
	sim_emit_integer(out, "expiresIn", lifetime_ms / SECOND_MS);
	sim_emit_text(out, "refreshToken", login->refresh);
	buf_add_char(out, '}');
}

enum { CLIENT_ID, GRANT_TYPE, REFRESH_TOKEN, FIELDS };

static bool renew(struct sim_region *region, const struct sim_call *call,
		  const struct buf fields[FIELDS], struct err *err)
{
	const char *refresh = buf_text(&fields[REFRESH_TOKEN]);
	struct sim_proof proof;
	if (strncmp(buf_text(&fields[CLIENT_ID]), CLIENT_PREFIX, strlen(CLIENT_PREFIX)) != 0)
		return sim_refuse(err, 400, "INVALID_REQUEST", "clientId is no client");
	if (strcmp(buf_text(&fields[GRANT_TYPE]), "refresh_token") != 0)
		return sim_refuse(err, 400, "INVALID_REQUEST", "only refresh_token is granted");
	if (!read_proof(region, call->request, &proof, err))
		return false;
	struct sim_login *login = sim_login_find(region, SIM_LOGIN_CONSOLE, refresh);
	if (!login)
		return sim_refuse(err, 400, "TOKEN_EXPIRED", "The refresh token has expired");
	if (!check_key(login, &proof, err))
		return false;
	sim_login_rotate(region, login, refresh);
	emit_token(region, login, call->out);
	return true;
}

bool sim_signin_create_token(struct sim_region *region, const struct sim_call *call,
			     struct err *err)
{
	static const char *const names[FIELDS] = { [CLIENT_ID] = "clientId",
						   [GRANT_TYPE] = "grantType",
						   [REFRESH_TOKEN] = "refreshToken" };
	struct buf fields[FIELDS];
	for (size_t i = 0; i < FIELDS; i++)
		sim_arg_text(call->doc, 0, names[i], &fields[i]);
	bool fine = renew(region, call, fields, err);
	for (size_t i = 0; i < FIELDS; i++)
		buf_release(&fields[i]);
	return fine;
}
