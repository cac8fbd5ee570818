#include "aws/sim/sts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/emit.h"
#include "aws/sim/form.h"
#include "aws/sim/validate.h"

#define SECOND_MS       INT64_C(1000)
#define DURATION_MIN_S  900
#define DURATION_MAX_S  43200
#define DURATION_S      3600
#define CHAIN_MAX_S     3600 /* a session that assumes a role */
#define ROLE_SIZE       65
#define WORD_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
#define JWT_CHARACTERS  WORD_CHARACTERS "-"

enum argument {
	ROLE_ARN,
	ROLE_SESSION_NAME,
	EXTERNAL_ID,
	SERIAL_NUMBER,
	TOKEN_CODE,
	DURATION,
	WEB_TOKEN,
	ARGUMENTS
};

static const struct {
	const char *name, *member;
	size_t low, high;
	const char *characters, *pattern; /* NULL: any */
} rules[ARGUMENTS] = {
	[ROLE_ARN] = { "RoleArn", "roleArn", 20, 2048, NULL, NULL },
	[ROLE_SESSION_NAME] = { "RoleSessionName", "roleSessionName", 2, 64,
				WORD_CHARACTERS "+=,.@-", "[\\w+=,.@-]*" },
	[EXTERNAL_ID] = { "ExternalId", "externalId", 2, 1224, WORD_CHARACTERS "+=,.@:/-",
			  "[\\w+=,.@:\\/-]*" },
	[SERIAL_NUMBER] = { "SerialNumber", "serialNumber", 9, 256, WORD_CHARACTERS "+=/:,.@-",
			    "[\\w+=/:,.@-]*" },
	[TOKEN_CODE] = { "TokenCode", "tokenCode", 6, 6, "0123456789", "[\\d]*" },
	[DURATION] = { "DurationSeconds", "durationSeconds", 1, 10, "-0123456789", "-?[\\d]*" },
	[WEB_TOKEN] = { "WebIdentityToken", "webIdentityToken", 4, 20000, NULL, NULL },
};

/* {0} is valid. */
struct arguments {
	struct buf text[ARGUMENTS];
	bool given[ARGUMENTS];
	int64_t seconds;
	char account[SIM_ACCOUNT_SIZE], role[ROLE_SIZE];
};

static void release(struct arguments *arguments)
{
	for (size_t i = 0; i < ARGUMENTS; i++)
		buf_release(&arguments->text[i]);
}

static const char *text_of(const struct arguments *arguments, enum argument which)
{
	return buf_text(&arguments->text[which]);
}

/* --- what was sent --- */

static bool break_rule(enum argument which, const char *value, const char *rule, struct err *err)
{
	return sim_refuse(err, 400, "ValidationError",
			  "1 validation error detected: Value '%.100s' at '%s' failed to satisfy "
			  "constraint: Member must %s",
			  value, rules[which].member, rule);
}

static bool read_one(struct arguments *arguments, const struct sim_request *request,
		     enum argument which, bool needed, struct err *err)
{
	struct buf *text = &arguments->text[which];
	char rule[96];
	buf_init(text, SIM_BODY_MAX);
	bool given = sim_form_value(request->body, request->body_len, rules[which].name, text);
	arguments->given[which] = given;
	if (!given)
		return !needed ||
		       sim_refuse(err, 400, "ValidationError",
				  "1 validation error detected: Value null at '%s' "
				  "failed to satisfy constraint: Member must not be null",
				  rules[which].member);
	snprintf(rule, sizeof(rule), "have length %s than or equal to %zu",
		 text->len < rules[which].low ? "greater" : "less",
		 text->len < rules[which].low ? rules[which].low : rules[which].high);
	if (text->len < rules[which].low || text->len > rules[which].high)
		return break_rule(which, buf_text(text), rule, err);
	const char *characters = rules[which].characters;
	snprintf(rule, sizeof(rule), "satisfy regular expression pattern: %s",
		 characters ? rules[which].pattern : "");
	if (characters && strspn(buf_text(text), characters) != text->len)
		return break_rule(which, buf_text(text), rule, err);
	return true;
}

static bool read_duration(struct arguments *arguments, const struct sim_request *request,
			  struct err *err)
{
	char rule[64];
	arguments->seconds = DURATION_S;
	if (!read_one(arguments, request, DURATION, false, err))
		return false;
	if (!arguments->given[DURATION])
		return true;
	arguments->seconds = strtol(text_of(arguments, DURATION), NULL, 10);
	bool low = arguments->seconds < DURATION_MIN_S;
	snprintf(rule, sizeof(rule), "have value %s than or equal to %d", low ? "greater" : "less",
		 low ? DURATION_MIN_S : DURATION_MAX_S);
	if (low || arguments->seconds > DURATION_MAX_S)
		return break_rule(DURATION, text_of(arguments, DURATION), rule, err);
	return true;
}

/* arn:PARTITION:iam::ACCOUNT:role/[PATH/]NAME */
static bool read_role(struct arguments *arguments, struct err *err)
{
	const char *arn = text_of(arguments, ROLE_ARN);
	const char *resource = strstr(arn, ":iam::"), *name = strrchr(arn, '/');
	sim_account_of_arn(arn, arguments->account);
	bool fine = strncmp(arn, "arn:aws", 7) == 0 && resource && name &&
		    strspn(arguments->account, "0123456789") == SIM_ACCOUNT_SIZE - 1 &&
		    strncmp(resource + 6 + SIM_ACCOUNT_SIZE - 1, ":role/", 6) == 0 &&
		    strlen(name + 1) > 0 && strlen(name + 1) < ROLE_SIZE &&
		    strspn(name + 1, WORD_CHARACTERS "+=,.@-") == strlen(name + 1);
	if (!fine)
		return sim_refuse(err, 400, "ValidationError", "%.2048s is invalid", arn);
	snprintf(arguments->role, sizeof(arguments->role), "%s", name + 1);
	return true;
}

static bool read_arguments(struct arguments *arguments, const struct sim_request *request,
			   bool web_identity, struct err *err)
{
	static const enum argument optional[] = { EXTERNAL_ID, SERIAL_NUMBER, TOKEN_CODE };
	if (!read_one(arguments, request, ROLE_ARN, true, err) ||
	    !read_one(arguments, request, ROLE_SESSION_NAME, true, err) ||
	    !read_duration(arguments, request, err))
		return false;
	for (size_t i = 0; !web_identity && i < ARRAY_LEN(optional); i++) {
		if (!read_one(arguments, request, optional[i], false, err))
			return false;
	}
	return (!web_identity || read_one(arguments, request, WEB_TOKEN, true, err)) &&
	       read_role(arguments, err);
}

/* --- who may --- */

static bool deny(const struct arguments *arguments, const struct sim_keys *caller, struct err *err)
{
	return sim_refuse(err, 403, "AccessDenied",
			  "User: %s is not authorized to perform: sts:AssumeRole on resource: %s",
			  caller->identity.arn, text_of(arguments, ROLE_ARN));
}

static bool check_mfa(const struct arguments *arguments, const struct sim_region *region,
		      const struct sim_keys *caller, struct err *err)
{
	bool serial = arguments->given[SERIAL_NUMBER], code = arguments->given[TOKEN_CODE];
	if (!serial && !code)
		return !strstr(arguments->role, "mfa") || deny(arguments, caller, err);
	if (!serial || !code)
		return sim_refuse(err, 403, "AccessDenied",
				  "MultiFactorAuthentication failed, must provide both MFA serial "
				  "number and one time pass code.");
	return strcmp(text_of(arguments, TOKEN_CODE), region->keys.mfa_code) == 0 ||
	       sim_refuse(err, 403, "AccessDenied",
			  "MultiFactorAuthentication failed with invalid MFA one time pass code. ");
}

static bool check_caller(const struct arguments *arguments, const struct sim_region *region,
			 const struct sim_keys *caller, struct err *err)
{
	if (sim_identity_is_role(&caller->identity) && arguments->seconds > CHAIN_MAX_S)
		return sim_refuse(err, 400, "ValidationError",
				  "The requested DurationSeconds exceeds the 1 hour session limit "
				  "for roles assumed by role chaining");
	if (strstr(arguments->role, "denied"))
		return deny(arguments, caller, err);
	return check_mfa(arguments, region, caller, err);
}

/* Header, claims and signature in base64url; nobody looks inside. */
static bool is_jwt(const char *token)
{
	for (int part = 0; part < 3; part++) {
		size_t len = strspn(token, JWT_CHARACTERS);
		if (len == 0 || token[len] != (part < 2 ? '.' : '\0'))
			return false;
		token += len + (part < 2);
	}
	return true;
}

static bool check_web_token(const struct arguments *arguments, const struct sim_region *region,
			    struct err *err)
{
	const char *token = text_of(arguments, WEB_TOKEN);
	long long now_s = region->world.now_ms / SECOND_MS;
	if (strstr(token, "expired"))
		return sim_refuse(err, 400, "ExpiredTokenException",
				  "Token expired: current date/time %lld must be before the "
				  "expiration date/time%lld",
				  now_s, now_s - 60);
	if (!is_jwt(token))
		return sim_refuse(err, 400, "InvalidIdentityToken",
				  "The ID Token provided is not a valid JWT. (You may see this "
				  "error if you sent an Access Token)");
	return !strstr(arguments->role, "denied") ||
	       sim_refuse(err, 403, "AccessDenied",
			  "Not authorized to perform sts:AssumeRoleWithWebIdentity");
}

/* --- the answers --- */

static void begin(const struct sim_call *call, const char *operation)
{
	buf_addf(call->out, "<%sResponse xmlns=\"" SIM_STS_NAMESPACE "\">\n  <%sResult>\n",
		 operation, operation);
}

static void end(const struct sim_call *call, const char *operation)
{
	buf_addf(call->out, "\n  </%sResult>\n  <ResponseMetadata>", operation);
	sim_emit_element(call->out, "RequestId", call->answer->request_id);
	buf_addf(call->out, "</ResponseMetadata>\n</%sResponse>\n", operation);
}

static void emit_session(const struct sim_keys *keys, struct buf *out)
{
	char expires[TIME_TEXT_SIZE];
	time_format_iso(keys->expires_ms, expires);
	buf_add_text(out, "<AssumedRoleUser>");
	sim_emit_element(out, "AssumedRoleId", keys->identity.user_id);
	sim_emit_element(out, "Arn", keys->identity.arn);
	buf_add_text(out, "</AssumedRoleUser>\n<Credentials>");
	sim_emit_element(out, "AccessKeyId", keys->access_key);
	sim_emit_element(out, "SecretAccessKey", keys->secret_key);
	sim_emit_element(out, "SessionToken", keys->session_token);
	sim_emit_element(out, "Expiration", expires);
	buf_add_text(out, "</Credentials>");
}

static const struct sim_keys *issue(struct sim_region *region, const struct arguments *arguments)
{
	struct sim_identity identity;
	sim_identity_of_role(&identity, arguments->account, arguments->role,
			     text_of(arguments, ROLE_SESSION_NAME));
	return sim_keys_issue(&region->keys, &identity, region->world.now_ms,
			      sim_keys_lifetime_ms(&region->keys, arguments->seconds * SECOND_MS));
}

bool sim_sts_get_caller_identity(struct sim_region *region, const struct sim_call *call,
				 struct err *err)
{
	const struct sim_identity *identity = &call->caller->identity;
	char account[SIM_ACCOUNT_SIZE];
	(void)region;
	(void)err;
	sim_account_of_arn(identity->arn, account);
	begin(call, "GetCallerIdentity");
	sim_emit_element(call->out, "Arn", identity->arn);
	sim_emit_element(call->out, "UserId", identity->user_id);
	sim_emit_element(call->out, "Account", account);
	end(call, "GetCallerIdentity");
	return true;
}

bool sim_sts_assume_role(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct arguments arguments = { 0 };
	bool fine = read_arguments(&arguments, call->request, false, err) &&
		    check_caller(&arguments, region, call->caller, err);
	if (fine) {
		begin(call, "AssumeRole");
		emit_session(issue(region, &arguments), call->out);
		end(call, "AssumeRole");
	}
	release(&arguments);
	return fine;
}

bool sim_sts_assume_role_with_web_identity(struct sim_region *region, const struct sim_call *call,
					   struct err *err)
{
	struct arguments arguments = { 0 };
	bool fine = read_arguments(&arguments, call->request, true, err) &&
		    check_web_token(&arguments, region, err);
	if (fine) {
		begin(call, "AssumeRoleWithWebIdentity");
		emit_session(issue(region, &arguments), call->out);
		sim_emit_element(call->out, "SubjectFromWebIdentityToken", "sim");
		sim_emit_element(call->out, "Audience", "sts.amazonaws.com");
		end(call, "AssumeRoleWithWebIdentity");
	}
	release(&arguments);
	return fine;
}
