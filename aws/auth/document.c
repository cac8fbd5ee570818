#include "aws/auth/document.h"

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

bool document_time(const char *text, int64_t *wall_ms)
{
	char plain[TIME_TEXT_SIZE + 8];
	size_t len = strlen(text);
	if (len < 4 || len >= sizeof(plain) || strcmp(text + len - 3, "UTC") != 0)
		return time_parse_iso(text, wall_ms);
	snprintf(plain, sizeof(plain), "%.*sZ", (int)(len - 3), text);
	return time_parse_iso(plain, wall_ms);
}

static bool missing(struct err *err, const char *name)
{
	err_set(err, ERR_AUTH, "%s is missing", name);
	err->hint = HINT_SET_CREDENTIALS;
	return false;
}

/* Blanks inside are left to AWS: a program printed them, no editor put them there. */
static bool is_printable(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value < ' ' || (unsigned char)*value >= 0x7F)
			return false;
	return true;
}

static bool take(const struct json_value *object, const char *name, bool required, char **slot,
		 struct err *err)
{
	const char *value = json_text(object, name);
	if (!value || !value[0])
		return !required || missing(err, name);
	if (!is_printable(value))
		return err_set(err, ERR_AUTH, "%s holds a control character", name);
	mem_set_text(slot, value);
	return true;
}

/* Text or number (SSO: milliseconds). */
static bool take_expiry(const struct json_value *object, const char *name, struct opt_ms *out,
			struct err *err)
{
	const struct json_value *value = json_member(object, name);
	const char *text = json_as_text(value);
	*out = (struct opt_ms){ 0 };
	if (!value)
		return true;
	if (text)
		out->set = document_time(text, &out->ms);
	else
		*out = json_as_time(value);
	return out->set || err_set(err, ERR_AUTH, "%s is no time", name);
}

bool document_credentials(const struct json_value *object, const struct document_names *names,
			  struct aws_credentials *out, struct err *err)
{
	struct aws_credentials found = { 0 };
	const char *account = names->account ? json_text(object, names->account) : NULL;
	bool ok = take(object, names->access_key, true, &found.access_key, err) &&
		  take(object, names->secret_key, true, &found.secret_key, err) &&
		  take(object, names->session_token, false, &found.session_token, err) &&
		  (!names->expires || take_expiry(object, names->expires, &found.expires, err));
	if (account && strlen(account) == ACCOUNT_ID_SIZE - 1)
		snprintf(found.account, sizeof(found.account), "%s", account);
	if (ok)
		aws_credentials_copy(out, &found);
	aws_credentials_release(&found);
	return ok;
}

static bool read_process(const struct json_value *json, struct aws_credentials *out,
			 struct err *err)
{
	static const struct document_names names = { "AccessKeyId", "SecretAccessKey",
						     "SessionToken", "Expiration", "AccountId" };
	int64_t version;
	if (json_type(json) != JSON_TYPE_OBJECT)
		return err_set(err, ERR_AUTH, "its answer is no JSON object");
	if (!json_integer(json, "Version", &version) || version != 1)
		return err_set(err, ERR_AUTH, "its answer is not of Version 1");
	return document_credentials(json, &names, out, err);
}

bool document_of_process(const char *text, size_t len, struct aws_credentials *out, struct err *err)
{
	struct err parse = { 0 }; /* it would quote what was printed */
	struct json_value *json = json_parse(text, len, &parse);
	bool ok = read_process(json, out, err);
	json_free(json);
	err_clear(&parse);
	return ok;
}
