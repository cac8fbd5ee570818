#include "aws/sim/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/ops.h"
#include "aws/sim/random.h"
#include "aws/sim/validate.h"

#define SECOND_MS      INT64_C(1000)
#define KEYS_S         3600
#define TTL_HEADER     "x-aws-ec2-metadata-token-ttl-seconds"
#define TTL_MAX_S      21600
#define TOKEN_LETTERS  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#define ROLE_LETTERS   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+=,.@_-"
#define INSTANCE       "i-0123456789abcdef0"
#define INSTANCE_ROLE  "sim-instance-role"
#define CONTAINER_ROLE "sim-task-role"
#define CONTAINER_TASK "0123456789abcdef0123456789abcdef"

void sim_metadata_init(struct sim_metadata *metadata)
{
	memset(metadata, 0, sizeof(*metadata));
	snprintf(metadata->role, sizeof(metadata->role), "%s", INSTANCE_ROLE);
}

/* --- the instance --- */

static bool check_open(const struct sim_region *region, struct err *err)
{
	return region->metadata.mode != SIM_METADATA_OFF ||
	       sim_refuse(err, 403, "Forbidden", "the service is switched off");
}

static bool is_token(const struct sim_region *region, const char *text)
{
	for (size_t i = 0; i < SIM_METADATA_TOKENS; i++) {
		if (region->metadata.tokens[i].expires_ms > region->world.now_ms &&
		    strcmp(region->metadata.tokens[i].text, text) == 0)
			return true;
	}
	return false;
}

/* Version 2 answers nobody without a token; version 1 does not know what one is. */
static bool check_token(const struct sim_region *region, const struct sim_call *call,
			struct err *err)
{
	const char *token = sim_request_header(call->request, "x-aws-ec2-metadata-token");
	if (!check_open(region, err))
		return false;
	return region->metadata.mode == SIM_METADATA_V1 || (token && is_token(region, token)) ||
	       sim_refuse(err, 401, "Unauthorized", "no token, or one that is not known");
}

static bool read_ttl(const struct sim_request *request, int64_t *seconds)
{
	const char *text = sim_request_header(request, TTL_HEADER);
	size_t len = text ? strlen(text) : 0;
	if (len == 0 || len > 5 || strspn(text, "0123456789") != len)
		return false;
	*seconds = strtol(text, NULL, 10);
	return *seconds >= 1 && *seconds <= TTL_MAX_S;
}

bool sim_metadata_token(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct sim_metadata *metadata = &region->metadata;
	int64_t seconds;
	char text[8];
	if (!check_open(region, err))
		return false;
	if (metadata->mode == SIM_METADATA_V1)
		return sim_service_unknown(SIM_METADATA, call->request, err);
	/* A request that somebody passed on: the answer would leave the machine. */
	if (sim_request_header(call->request, "X-Forwarded-For"))
		return sim_refuse(err, 403, "Forbidden", "the request was passed on");
	if (!read_ttl(call->request, &seconds))
		return sim_refuse(err, 400, "Bad Request", TTL_HEADER " is missing or wrong");
	char *token = metadata->tokens[metadata->next_token].text;
	sim_random_text(&region->keys.random, TOKEN_LETTERS, token, SIM_METADATA_TOKEN_SIZE);
	token[SIM_METADATA_TOKEN_SIZE - 3] = token[SIM_METADATA_TOKEN_SIZE - 2] = '=';
	metadata->tokens[metadata->next_token].expires_ms =
		region->world.now_ms + seconds * SECOND_MS;
	metadata->next_token = (metadata->next_token + 1) % SIM_METADATA_TOKENS;
	snprintf(text, sizeof(text), "%d", (int)seconds);
	sim_answer_header(call->answer, TTL_HEADER, text);
	buf_add_text(call->out, token);
	return true;
}

bool sim_metadata_role(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	if (!check_token(region, call, err))
		return false;
	if (region->metadata.role[0] == '\0')
		return sim_service_unknown(SIM_METADATA, call->request, err);
	buf_add_text(call->out, region->metadata.role);
	return true;
}

static const struct sim_keys *issue(struct sim_region *region, const char *role,
				    const char *session)
{
	struct sim_identity identity;
	sim_identity_of_role(&identity, region->options.account, role, session);
	return sim_keys_issue(&region->keys, &identity, region->world.now_ms,
			      sim_keys_lifetime_ms(&region->keys, KEYS_S * SECOND_MS));
}

static void emit_keys(const struct sim_keys *keys, struct buf *out)
{
	sim_emit_text(out, "AccessKeyId", keys->access_key);
	sim_emit_text(out, "SecretAccessKey", keys->secret_key);
	sim_emit_text(out, "Token", keys->session_token);
	sim_emit_instant(out, "Expiration", keys->expires_ms);
}

bool sim_metadata_credentials(struct sim_region *region, const struct sim_call *call,
			      struct err *err)
{
	const char *role = region->metadata.role;
	const char *name = strrchr(call->request->target, '/') + 1;
	if (!check_token(region, call, err))
		return false;
	if (role[0] == '\0' || strcmp(name, role) != 0)
		return sim_service_unknown(SIM_METADATA, call->request, err);
	buf_add_char(call->out, '{');
	sim_emit_text(call->out, "Code", "Success");
	sim_emit_instant(call->out, "LastUpdated", region->world.now_ms);
	sim_emit_text(call->out, "Type", "AWS-HMAC");
	emit_keys(issue(region, role, INSTANCE), call->out);
	buf_add_char(call->out, '}');
	return true;
}

bool sim_metadata_region(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return check_token(region, call, err) && buf_add_text(call->out, region->options.region);
}

bool sim_metadata_zone(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return check_token(region, call, err) && buf_addf(call->out, "%sa", region->options.region);
}

bool sim_metadata_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			  struct err *err)
{
	static const char *const modes[] = {
		[SIM_METADATA_V2] = "v2", [SIM_METADATA_V1] = "v1", [SIM_METADATA_OFF] = "off"
	};
	struct sim_metadata *metadata = &region->metadata;
	size_t mode = 0;
	char word[8], role[sizeof(metadata->role)] = "";
	bool has_role = sim_arg(doc, 0, "role") != JSON_NONE;
	snprintf(word, sizeof(word), "%s", modes[metadata->mode]);
	if (!sim_field_text(doc, "mode", word, sizeof(word), err) ||
	    (has_role && !sim_field_text(doc, "role", role, sizeof(role), err)))
		return false;
	while (mode < ARRAY_LEN(modes) && strcmp(modes[mode], word) != 0)
		mode++;
	if (mode == ARRAY_LEN(modes))
		return sim_refuse(err, 400, "BadRequest", "mode must be v2, v1 or off");
	if (strspn(role, ROLE_LETTERS) != strlen(role))
		return sim_refuse(err, 400, "BadRequest", "role is no name of a role");
	metadata->mode = (enum sim_metadata_mode)mode;
	if (json_doc_member(doc, 0, "role") != JSON_NONE)
		memcpy(metadata->role, role, sizeof(role));
	return sim_control_done(region, out);
}

void sim_metadata_emit_secrets(const struct sim_metadata *metadata, struct buf *out)
{
	sim_emit_item(out, metadata->authorization);
	for (size_t i = 0; i < SIM_METADATA_TOKENS; i++)
		sim_emit_item(out, metadata->tokens[i].text);
}

/* --- the container --- */

bool sim_container_credentials(struct sim_region *region, const struct sim_call *call,
			       struct err *err)
{
	const char *wanted = region->metadata.authorization;
	const char *sent = sim_request_header(call->request, "Authorization");
	char arn[SIM_IDENTITY_SIZE];
	if (wanted[0] && (!sent || strcmp(sent, wanted) != 0))
		return sim_refuse(err, 401, "AccessDeniedException",
				  "the authorization token is missing or wrong");
	snprintf(arn, sizeof(arn), "arn:aws:iam::%s:role/" CONTAINER_ROLE, region->options.account);
	buf_add_char(call->out, '{');
	sim_emit_text(call->out, "RoleArn", arn);
	emit_keys(issue(region, CONTAINER_ROLE, CONTAINER_TASK), call->out);
	buf_add_char(call->out, '}');
	return true;
}

bool sim_container_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			   struct err *err)
{
	char text[sizeof(region->metadata.authorization)] = "";
	bool given = sim_arg(doc, 0, "authorization") != JSON_NONE;
	if (given && !sim_field_text(doc, "authorization", text, sizeof(text), err))
		return false;
	memcpy(region->metadata.authorization, text, sizeof(text));
	return sim_control_done(region, out);
}
