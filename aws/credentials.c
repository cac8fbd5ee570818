#include "aws/credentials.h"

#include <stdint.h>
#include <stdio.h>
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

/* A prefix of four for the kind of key, then 16 characters of base 32: the 40 bits behind the first
 * bit are the number. Older keys go on with I or J, and have another form. */
bool credentials_key_account(const char *access_key, char account[ACCOUNT_ID_SIZE])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	uint64_t bits = 0;

	if (strlen(access_key) != 20 || access_key[4] == 'I' || access_key[4] == 'J' ||
	    strspn(access_key, digits) != 20)
		return false;
	for (size_t i = 4; i < 13; i++)
		bits = bits << 5 | (uint64_t)(strchr(digits, access_key[i]) - digits);
	bits = bits >> 4 & ((UINT64_C(1) << 40) - 1);
	return bits <= UINT64_C(999999999999) &&
	       snprintf(account, ACCOUNT_ID_SIZE, "%012llu", (unsigned long long)bits) ==
		       ACCOUNT_ID_SIZE - 1;
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
