#include "aws/sim/sso.h"

#include <stdio.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/form.h"
#include "aws/sim/logins.h"
#include "aws/sim/validate.h"

#define SECOND_MS   INT64_C(1000)
#define KEYS_S      3600
#define ROLE_PREFIX "AWSReservedSSO_" /* of the roles that Identity Center makes in accounts */
#define SESSION     "sim"

static bool read_query(const struct sim_request *request, const char *name, char *out, size_t size)
{
	size_t path = sim_request_path_len(request);
	const char *query = request->target + path + (request->target[path] == '?');
	struct buf text;
	buf_init(&text, size - 1);
	bool fine = sim_form_value(query, strlen(query), name, &text) && text.len > 0;
	snprintf(out, size, "%s", fine ? buf_text(&text) : "");
	buf_release(&text);
	return fine;
}

static void emit_role(const struct sim_keys *keys, struct buf *out)
{
	buf_add_char(out, '{');
	sim_emit_key(out, "roleCredentials");
	buf_add_char(out, '{');
	sim_emit_text(out, "accessKeyId", keys->access_key);
	sim_emit_text(out, "secretAccessKey", keys->secret_key);
	sim_emit_text(out, "sessionToken", keys->session_token);
	sim_emit_integer(out, "expiration", keys->expires_ms);
	buf_add_text(out, "}}");
}

bool sim_sso_get_role_credentials(struct sim_region *region, const struct sim_call *call,
				  struct err *err)
{
	const char *token = sim_request_header(call->request, "x-amz-sso_bearer_token");
	char role[33], account[SIM_ACCOUNT_SIZE], name[sizeof(ROLE_PREFIX) + sizeof(role)];
	struct sim_identity identity;
	if (!token || !sim_bearer_stands(region, token))
		return sim_refuse(err, 401, "UnauthorizedException",
				  "Session token not found or invalid");
	if (!read_query(call->request, "role_name", role, sizeof(role)) ||
	    !read_query(call->request, "account_id", account, sizeof(account)) ||
	    strspn(account, "0123456789") != SIM_ACCOUNT_SIZE - 1)
		return sim_refuse(err, 400, "InvalidRequestException",
				  "role_name and account_id must name a role of an account");
	if (strstr(role, "missing"))
		return sim_refuse(err, 404, "ResourceNotFoundException",
				  "The specified resource could not be found");
	if (strstr(role, "denied"))
		return sim_refuse(err, 403, "ForbiddenException", "No access");
	snprintf(name, sizeof(name), ROLE_PREFIX "%s", role);
	sim_identity_of_role(&identity, account, name, SESSION);
	emit_role(sim_keys_issue(&region->keys, &identity, region->world.now_ms,
				 sim_keys_lifetime_ms(&region->keys, KEYS_S * SECOND_MS)),
		  call->out);
	return true;
}

/* --- OIDC --- */

static bool check_client(const struct sim_region *region, const struct sim_login *login,
			 const char *id, const char *secret, struct err *err)
{
	bool own = strcmp(login->client_id, id) == 0 && strcmp(login->client_secret, secret) == 0;
	return (own && login->registration_ms > region->world.now_ms) ||
	       sim_refuse(err, 401, "InvalidClientException", "%s",
			  own ? "The registration of the client has expired"
			      : "Invalid client provided");
}

static void emit_token(struct sim_region *region, const struct sim_login *login, struct buf *out)
{
	const struct sim_bearer *bearer = sim_bearer_issue(region, login->bearer_ms);
	buf_add_char(out, '{');
	sim_emit_text(out, "accessToken", bearer->token);
	sim_emit_text(out, "tokenType", "Bearer");
	sim_emit_integer(out, "expiresIn", login->bearer_ms / SECOND_MS);
	sim_emit_text(out, "refreshToken", login->refresh);
	sim_emit_key(out, "idToken");
	buf_add_text(out, "null}");
}

enum { CLIENT_ID, CLIENT_SECRET, GRANT_TYPE, REFRESH_TOKEN, FIELDS };

static bool renew(struct sim_region *region, const struct sim_call *call,
		  const struct buf fields[FIELDS], struct err *err)
{
	const char *refresh = buf_text(&fields[REFRESH_TOKEN]);
	for (size_t i = 0; i < FIELDS; i++) {
		if (fields[i].len == 0)
			return sim_refuse(err, 400, "InvalidRequestException",
					  "clientId, clientSecret, grantType and refreshToken "
					  "are needed");
	}
	if (strcmp(buf_text(&fields[GRANT_TYPE]), "refresh_token") != 0)
		return sim_refuse(err, 400, "UnsupportedGrantTypeException",
				  "only refresh_token is");
	struct sim_login *login = sim_login_find(region, SIM_LOGIN_SSO, refresh);
	if (!login)
		return sim_refuse(err, 400, "InvalidGrantException",
				  "Invalid refresh token provided");
	if (!check_client(region, login, buf_text(&fields[CLIENT_ID]),
			  buf_text(&fields[CLIENT_SECRET]), err))
		return false;
	sim_login_rotate(region, login, refresh);
	emit_token(region, login, call->out);
	return true;
}

bool sim_oidc_create_token(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	static const char *const names[FIELDS] = { [CLIENT_ID] = "clientId",
						   [CLIENT_SECRET] = "clientSecret",
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
