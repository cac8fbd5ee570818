#include "aws/sts.h"

#include <stdlib.h>
#include <string.h>

#include "aws/query.h"
#include "model/base/mem.h"

#define ASSUME_ROLE  "AssumeRole"
#define WEB_IDENTITY "AssumeRoleWithWebIdentity"
#define BODY_MAX     256u /* of GetCallerIdentity, which has no parameters */
#define ACCOUNT_LEN  (ACCOUNT_ID_SIZE - 1)

const struct aws_op op_get_caller_identity = { .name = "GetCallerIdentity",
					       .service = SERVICE_STS,
					       .resend = true,
					       .timeout_ms = 10000,
					       .max_reply = 65536 };

void sts_write_assume_role(struct buf *body, const struct sts_role *role)
{
	query_start(body, SERVICE_STS, role->web_identity_token ? WEB_IDENTITY : ASSUME_ROLE);
	query_add(body, "RoleArn", role->role_arn);
	query_add(body, "RoleSessionName", role->session_name);
	query_add(body, "ExternalId", role->external_id);
	query_add(body, "SerialNumber", role->serial_number);
	query_add(body, "TokenCode", role->token_code);
	query_add(body, "DurationSeconds", role->duration_seconds);
	query_add(body, "WebIdentityToken", role->web_identity_token);
}

static bool is_account(const char *text, size_t len)
{
	return len == ACCOUNT_LEN && strspn(text, "0123456789") >= len;
}

/* arn:aws:sts::111122223333:assumed-role/NAME/SESSION; nothing if it has no account there. */
static void copy_account(char account[ACCOUNT_ID_SIZE], const char *arn)
{
	for (int i = 0; i < 4 && arn; i++) {
		arn = strchr(arn, ':');
		arn = arn ? arn + 1 : NULL;
	}
	if (arn && is_account(arn, strcspn(arn, ":"))) {
		memcpy(account, arn, ACCOUNT_LEN);
		account[ACCOUNT_LEN] = '\0';
	}
}

static bool refuse(struct err *err, const char *what)
{
	err_set(err, ERR_PARSE, "the answer of STS has no %s", what);
	err->hint = HINT_RETRY_LATER;
	return false;
}

static bool take(char **slot, const struct xml_element *from, const char *name, struct err *err)
{
	const char *text = xml_text(from, name);

	if (!text || !text[0])
		return refuse(err, name);
	if (!credentials_text_is_clean(text, name, err))
		return false;
	*slot = mem_copy_text(text);
	return true;
}

static bool read_result(const struct xml_element *result, struct aws_credentials *found,
			struct err *err)
{
	const struct xml_element *keys = xml_child(result, "Credentials");

	if (!take(&found->access_key, keys, "AccessKeyId", err) ||
	    !take(&found->secret_key, keys, "SecretAccessKey", err) ||
	    !take(&found->session_token, keys, "SessionToken", err))
		return false;
	found->expires = xml_time(keys, "Expiration");
	if (!found->expires.set)
		return refuse(err, "Expiration");
	copy_account(found->account, xml_text(xml_child(result, "AssumedRoleUser"), "Arn"));
	return true;
}

bool sts_read_credentials(const char *body, size_t len, struct aws_credentials *out,
			  struct err *err)
{
	struct aws_credentials found = { 0 };
	struct xml_element *root = xml_parse(body, len, err);
	const struct xml_element *result = query_result(root, ASSUME_ROLE);
	bool good = false;

	if (!result)
		result = query_result(root, WEB_IDENTITY);
	if (root)
		good = read_result(result, &found, err);
	else
		err->hint = HINT_RETRY_LATER;
	if (good) {
		aws_credentials_release(out);
		*out = found;
	} else {
		aws_credentials_release(&found);
	}
	xml_free(root);
	return good;
}

struct identity_call {
	sts_identity_fn *done;
	void *ctx;
};

static bool read_identity(const struct xml_element *root, struct sts_identity *identity,
			  struct err *err)
{
	const struct xml_element *result = query_result(root, op_get_caller_identity.name);
	const char *account = xml_text(result, "Account");

	identity->arn = xml_text(result, "Arn");
	identity->user_id = xml_text(result, "UserId");
	if (!account || !is_account(account, strlen(account)))
		return refuse(err, "Account");
	if (!identity->arn || !identity->user_id)
		return refuse(err, identity->arn ? "UserId" : "Arn");
	memcpy(identity->account, account, ACCOUNT_ID_SIZE);
	return true;
}

static void identified(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct identity_call *call = ctx;
	struct sts_identity identity = { .account = "" };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (read_identity(reply->xml, &identity, &bad)) {
		call->done(call->ctx, &identity, NULL);
	} else {
		err_subject(&bad, "%s", op_get_caller_identity.name);
		call->done(call->ctx, NULL, &bad);
	}
	err_clear(&bad);
	free(call);
}

uint64_t sts_get_caller_identity(struct aws_client *client, sts_identity_fn *done, void *ctx)
{
	struct identity_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	uint64_t id;

	*call = (struct identity_call){ done, ctx };
	buf_init(&body, BODY_MAX);
	query_start(&body, SERVICE_STS, op_get_caller_identity.name);
	id = aws_client_call(client, &op_get_caller_identity, buf_text(&body), identified, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
