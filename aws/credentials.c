#include "aws/client.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "model/base/mem.h"

static bool refuse(struct err *err, const char *name, const char *what)
{
	err_set(err, ERR_AUTH, "%s %s", name, what);
	err->hint = HINT_SET_CREDENTIALS;
	return false;
}

/* A CR of a file from Windows, a newline or a blank ends up in a header or in the signature: said
 * here, by the name alone, where the service would only call the signature wrong. */
static bool is_clean(const char *value)
{
	for (; *value; value++) {
		if ((unsigned char)*value <= ' ' || (unsigned char)*value >= 0x7F)
			return false;
	}
	return true;
}

static bool take(char **slot, const char *name, bool required, struct err *err)
{
	const char *value = getenv(name);

	if (!value || !value[0])
		return required ? refuse(err, name, "is not set") : true;
	if (!is_clean(value))
		return refuse(err, name, "holds a blank or a control character");
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
