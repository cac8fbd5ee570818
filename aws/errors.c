#include "aws/errors.h"

#include <stdlib.h>
#include <string.h>

#include "aws/denial.h"
#include "aws/retry.h"
#include "model/base/attr.h"

#define SECRET_LEN_MIN 8

struct meaning {
	enum err_code code;
	enum err_hint hint;
};

/* Codes that say more than a status does. Texts vary, codes are fixed. */
static const struct {
	const char *aws_code;
	struct meaning meaning;
} meanings[] = {
	{ "AccessDenied", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "AccessDeniedException", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "DependencyAccessDeniedException", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "ForbiddenException", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "NotAuthorized", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "OptInRequired", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "SubscriptionRequiredException", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "UnauthorizedOperation", { ERR_DENIED, HINT_ASK_PERMISSION } },
	{ "AuthFailure", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "IncompleteSignature", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "InvalidAccessKeyId", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "InvalidClientTokenId", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "InvalidSignatureException", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "MissingAuthenticationToken", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "MissingAuthenticationTokenException", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "SignatureDoesNotMatch", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "UnrecognizedClientException", { ERR_AUTH, HINT_SET_CREDENTIALS } },
	{ "ExpiredToken", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "ExpiredTokenException", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "IDPRejectedClaim", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "InvalidClientException", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "InvalidGrantException", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "InvalidIdentityToken", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "TOKEN_EXPIRED", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "UnauthorizedException", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "expired_token", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "invalid_grant", { ERR_AUTH, HINT_LOGIN_AGAIN } },
	{ "RegionDisabledException", { ERR_DENIED, HINT_SET_REGION } },
	{ "RequestExpired", { ERR_AUTH, HINT_CHECK_CLOCK } },
	{ "RequestInTheFuture", { ERR_AUTH, HINT_CHECK_CLOCK } },
	{ "RequestTimeTooSkewed", { ERR_AUTH, HINT_CHECK_CLOCK } },
	{ "NoSuchResourceException", { ERR_NOT_FOUND, HINT_CHECK_NAME } },
	{ "ResourceNotFound", { ERR_NOT_FOUND, HINT_CHECK_NAME } },
	{ "ResourceNotFoundException", { ERR_NOT_FOUND, HINT_CHECK_NAME } },
	{ "ConflictException", { ERR_CONFLICT, HINT_RETRY_LATER } },
	{ "QuotaExceededException", { ERR_REFUSED, HINT_RETRY_LATER } },
	{ "ResourceAlreadyExistsException", { ERR_CONFLICT, HINT_RETRY_LATER } },
	{ "ResourceInUse", { ERR_CONFLICT, HINT_OTHER_NAME } },
	{ "ResourceInUseException", { ERR_CONFLICT, HINT_OTHER_NAME } },
	{ "ResourceLimitExceeded", { ERR_REFUSED, HINT_FIX_REQUEST } },
	{ "ValidationException", { ERR_REFUSED, HINT_FIX_REQUEST } },
	{ "ServiceUnavailable", { ERR_SERVER, HINT_RETRY_LATER } },
	{ "ServiceUnavailableException", { ERR_SERVER, HINT_RETRY_LATER } },
	{ "InternalFailure", { ERR_SERVER, HINT_RETRY_LATER } },
};

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

static bool is_throttled(const char *code)
{
	return retry_classify(SERVICE_SAGEMAKER, 0, code) == RETRY_THROTTLED;
}

static struct meaning meaning_of(const struct error_words *words, int status)
{
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++) {
		if (strcmp(words->code, meanings[i].aws_code) == 0 ||
		    strcmp(words->shape, meanings[i].aws_code) == 0) {
			if (says_not_found(words->code, words->message))
				return (struct meaning){ ERR_NOT_FOUND, HINT_CHECK_NAME };
			return meanings[i].meaning;
		}
	}
	if (is_throttled(words->code) || is_throttled(words->shape) || status == 429)
		return (struct meaning){ ERR_THROTTLED, HINT_RETRY_LATER };
	if (status >= 500)
		return (struct meaning){ ERR_SERVER, HINT_RETRY_LATER };
	if (status == 401 || status == 403)
		return (struct meaning){ ERR_DENIED, HINT_ASK_PERMISSION };
	return (struct meaning){ ERR_REFUSED,
				 status < 400 ? HINT_CHECK_NETWORK : HINT_FIX_REQUEST };
}

static void set_text(struct err *err, const struct error_words *words, int status)
{
	if (words->message[0])
		err_set(err, ERR_REFUSED, "%s", words->message);
	else if (status < 400)
		err_set(err, ERR_REFUSED, "HTTP %d: redirects are not followed", status);
	else
		err_set(err, ERR_REFUSED, "HTTP %d without a reason", status);
}

static void explain_denial(struct err *err, const struct error_words *words)
{
	struct denial denial;
	struct buf text;

	if (err->code != ERR_DENIED || !denial_parse(&denial, words->message))
		return;
	buf_init(&text, ERR_TEXT_MAX);
	denial_write(&denial, &text);
	free(err->text);
	err->text = buf_take(&text);
	if (denial.is_explicit)
		err->hint = HINT_EXPLICIT_DENY;
}

void error_of_words(const struct error_words *words, int status, struct err *err)
{
	struct meaning meaning = meaning_of(words, status);

	set_text(err, words, status);
	err->code = meaning.code;
	err->hint = meaning.hint;
	explain_denial(err, words);
	memcpy(err->aws_code, words->code, sizeof(err->aws_code));
	memcpy(err->request_id, words->request_id, sizeof(err->request_id));
	err->http_status = status;
}

void error_of_reply(enum aws_service service, const struct http_reply *reply, struct err *err)
{
	struct error_words words;

	error_words_read(&words, service, reply);
	error_of_words(&words, reply->status, err);
	error_words_release(&words);
}

void error_hide(struct err *err, const char *secret)
{
	size_t len = secret ? strlen(secret) : 0;

	if (len < SECRET_LEN_MIN || !err->text)
		return;
	for (char *at = err->text; (at = strstr(at, secret)); at += len)
		memset(at, '*', len);
}
