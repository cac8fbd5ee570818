#include "aws/credentials.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "aws/errors.h"
#include "model/base/mem.h"

static bool refuse(struct err *err, const char *name, const char *what)
{
	err_set(err, ERR_AUTH, "%s %s", name, what);
	err->hint = HINT_SET_CREDENTIALS;
	return false;
}

bool credentials_text_is_clean(const char *value, const char *name, struct err *err)
{
	for (; *value; value++) {
		if ((unsigned char)*value <= ' ' || (unsigned char)*value >= 0x7F)
			return refuse(err, name, "holds a blank or a control character");
	}
	return true;
}

static bool take(char **slot, const char *name, bool required, struct err *err)
{
	const char *value = getenv(name);

	if (!value || !value[0])
		return required ? refuse(err, name, "is not set") : true;
	if (!credentials_text_is_clean(value, name, err))
		return false;
	mem_set_text(slot, value);
	return true;
}

bool aws_credentials_from_env(struct aws_credentials *credentials, struct err *err)
{
	struct aws_credentials found = { 0 };
	const char *older = getenv("AWS_SECURITY_TOKEN");
	const char *token = older && older[0] ? "AWS_SECURITY_TOKEN" : "AWS_SESSION_TOKEN";

	if (!take(&found.access_key, "AWS_ACCESS_KEY_ID", true, err) ||
	    !take(&found.secret_key, "AWS_SECRET_ACCESS_KEY", true, err) ||
	    !take(&found.session_token, token, false, err)) {
		aws_credentials_release(&found);
		return false;
	}
	*credentials = found;
	return true;
}

bool credentials_are_refused(const char *aws_code)
{
	static const char *const codes[] = { "ExpiredToken",         "ExpiredTokenException",
					     "InvalidClientTokenId", "InvalidToken",
					     "TokenRefreshRequired", "UnrecognizedClientException",
					     "UnrecognizedClient" };
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (strcmp(aws_code, codes[i]) == 0)
			return true;
	return false;
}

void credentials_hide(const struct aws_credentials *credentials, struct err *err)
{
	if (!credentials)
		return;
	error_hide(err, credentials->secret_key);
	error_hide(err, credentials->session_token);
}

void aws_credentials_copy(struct aws_credentials *to, const struct aws_credentials *from)
{
	aws_credentials_release(to);
	*to = *from;
	to->access_key = mem_copy_text(from->access_key);
	to->secret_key = mem_copy_text(from->secret_key);
	to->session_token = mem_copy_text(from->session_token);
}

static void wipe(char *text)
{
	if (text)
		OPENSSL_cleanse(text, strlen(text));
	free(text);
}

void aws_credentials_release(struct aws_credentials *credentials)
{
	if (!credentials)
		return;
	wipe(credentials->access_key);
	wipe(credentials->secret_key);
	wipe(credentials->session_token);
	*credentials = (struct aws_credentials){ 0 };
}
