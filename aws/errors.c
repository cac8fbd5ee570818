#include "aws/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/json.h"
#include "aws/retry.h"
#include "model/base/attr.h"
#include "model/base/mem.h"

#define SECRET_LEN_MIN 8

/* Codes that more than a status says something about. Texts vary, codes are fixed. */
static const struct {
	const char *code;
	enum err_code meaning;
	enum err_hint hint;
} meanings[] = {
	{ "AccessDenied", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "AccessDeniedException", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "NotAuthorized", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "OptInRequired", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "SubscriptionRequiredException", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "UnauthorizedOperation", ERR_DENIED, HINT_ASK_PERMISSION },
	{ "AuthFailure", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "IncompleteSignature", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "InvalidAccessKeyId", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "InvalidClientTokenId", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "InvalidSignatureException", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "MissingAuthenticationToken", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "MissingAuthenticationTokenException", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "SignatureDoesNotMatch", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "UnrecognizedClientException", ERR_AUTH, HINT_SET_CREDENTIALS },
	{ "ExpiredToken", ERR_AUTH, HINT_LOGIN_AGAIN },
	{ "ExpiredTokenException", ERR_AUTH, HINT_LOGIN_AGAIN },
	{ "RequestExpired", ERR_AUTH, HINT_CHECK_CLOCK },
	{ "RequestInTheFuture", ERR_AUTH, HINT_CHECK_CLOCK },
	{ "RequestTimeTooSkewed", ERR_AUTH, HINT_CHECK_CLOCK },
	{ "NoSuchResourceException", ERR_NOT_FOUND, HINT_CHECK_NAME },
	{ "ResourceNotFound", ERR_NOT_FOUND, HINT_CHECK_NAME },
	{ "ResourceNotFoundException", ERR_NOT_FOUND, HINT_CHECK_NAME },
	{ "ConflictException", ERR_CONFLICT, HINT_RETRY_LATER },
	{ "ResourceInUse", ERR_CONFLICT, HINT_OTHER_NAME },
	{ "ResourceInUseException", ERR_CONFLICT, HINT_OTHER_NAME },
	{ "ResourceLimitExceeded", ERR_REFUSED, HINT_FIX_REQUEST },
	{ "ValidationException", ERR_REFUSED, HINT_FIX_REQUEST },
	{ "ServiceUnavailable", ERR_SERVER, HINT_RETRY_LATER },
	{ "ServiceUnavailableException", ERR_SERVER, HINT_RETRY_LATER },
	{ "InternalFailure", ERR_SERVER, HINT_RETRY_LATER },
};

/* "aws.x#FooError:http://..." -> "FooError". */
static void clean_code(const char *raw, char code[ERROR_CODE_SIZE])
{
	size_t len = strcspn(raw, ",:");
	const char *hash = memchr(raw, '#', len);

	if (hash) {
		len -= (size_t)(hash + 1 - raw);
		raw = hash + 1;
	}
	snprintf(code, ERROR_CODE_SIZE, "%.*s", (int)(len < ERROR_CODE_SIZE ? len : 0), raw);
}

static bool is_html(const char *body)
{
	body += strspn(body, " \t\r\n");
	return strncasecmp(body, "<html", 5) == 0;
}

char *error_words(const struct http_reply *reply, char code[ERROR_CODE_SIZE])
{
	struct err ignored = { 0 };
	struct json_value *body = json_parse(reply->body, reply->body_len, &ignored);
	const char *type = json_text(body, "__type"), *message = json_text(body, "message");

	err_clear(&ignored);
	if (!type || !type[0])
		type = json_text(body, "code");
	if (!type || !type[0])
		type = reply->error_type;
	code[0] = '\0';
	clean_code(type, code);
	if (!code[0])
		snprintf(code, ERROR_CODE_SIZE, "%d", reply->status);
	if (!message)
		message = json_text(body, "Message");
	/* What is no JSON is shown as it came, but for the page of a gateway in trouble. */
	if (!body && !(reply->status >= 500 && is_html(reply->body)))
		message = reply->body;

	char *copy = mem_copy_text(message ? message : "");

	json_free(body);
	return copy;
}

/*
 * SageMaker says that there is no such job in a ValidationException (seen with Describe and Stop,
 * in these words). What depends on it is a second Create of the same name alone, which the service
 * refuses if the name is taken after all.
 */
static bool says_not_found(const char *code, const char *message)
{
	static const char *const texts[] = {
		"Requested resource not found",
		"Could not find job to update with name",
		"Could not find requested job with name",
	};

	if (strcmp(code, "ValidationException") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (strncmp(message, texts[i], strlen(texts[i])) == 0)
			return true;
	}
	return false;
}

static void set_meaning(struct err *err, enum err_code code, enum err_hint hint)
{
	err->code = code;
	err->hint = hint;
}

static void classify(struct err *err, const char *code, const char *message, int status)
{
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++) {
		if (strcmp(code, meanings[i].code) == 0) {
			if (says_not_found(code, message))
				set_meaning(err, ERR_NOT_FOUND, HINT_CHECK_NAME);
			else
				set_meaning(err, meanings[i].meaning, meanings[i].hint);
			return;
		}
	}
	if (retry_classify(SERVICE_SAGEMAKER, status, code) == RETRY_THROTTLED || status == 429)
		set_meaning(err, ERR_THROTTLED, HINT_RETRY_LATER);
	else if (status >= 500)
		set_meaning(err, ERR_SERVER, HINT_RETRY_LATER);
	else if (status == 401 || status == 403)
		set_meaning(err, ERR_DENIED, HINT_ASK_PERMISSION);
	else
		set_meaning(err, ERR_REFUSED, status < 400 ? HINT_CHECK_NETWORK : HINT_FIX_REQUEST);
}

void error_of_reply(const struct http_reply *reply, struct err *err)
{
	char code[ERROR_CODE_SIZE];
	char *message = error_words(reply, code);

	if (message[0])
		err_set(err, ERR_REFUSED, "%s", message);
	else if (reply->status < 400)
		err_set(err, ERR_REFUSED, "HTTP %d: redirects are not followed", reply->status);
	else
		err_set(err, ERR_REFUSED, "HTTP %d without a reason", reply->status);
	classify(err, code, message, reply->status);
	snprintf(err->aws_code, sizeof(err->aws_code), "%s", code);
	snprintf(err->request_id, sizeof(err->request_id), "%s", reply->request_id);
	err->http_status = reply->status;
	free(message);
}

void error_hide(struct err *err, const char *secret)
{
	size_t len = secret ? strlen(secret) : 0;

	if (len < SECRET_LEN_MIN || !err->text)
		return;
	for (char *at = err->text; (at = strstr(at, secret)); at += len)
		memset(at, '*', len);
}
