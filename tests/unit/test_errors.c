#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/errors.h"
#include "aws/json.h"
#include "tests/shared.h"

static struct http_reply reply_of(int status, const char *body, const char *type)
{
	return (struct http_reply){ .status = status,
				    .body = body,
				    .body_len = strlen(body),
				    .request_id = "id-1",
				    .error_type = type,
				    .retry_after_ms = -1 };
}

static void error__is_mapped__by_code_then_status(void **state)
{
	static const struct {
		int status;
		const char *body;
		const char *type;
		enum err_code code;
		enum err_hint hint;
		const char *aws_code;
	} cases[] = {
		{ 400, "{\"__type\":\"ThrottlingException\"}", "", ERR_THROTTLED, HINT_RETRY_LATER,
		  "ThrottlingException" },
		{ 503, "{\"__type\":\"SlowDown\"}", "", ERR_THROTTLED, HINT_RETRY_LATER,
		  "SlowDown" },
		{ 429, "", "", ERR_THROTTLED, HINT_RETRY_LATER, "429" },
		{ 400, "{\"__type\":\"AccessDeniedException\"}", "", ERR_DENIED,
		  HINT_ASK_PERMISSION, "AccessDeniedException" },
		{ 400, "{\"__type\":\"ExpiredTokenException\"}", "", ERR_AUTH, HINT_LOGIN_AGAIN,
		  "ExpiredTokenException" },
		{ 400, "{\"__type\":\"UnrecognizedClientException\"}", "", ERR_AUTH,
		  HINT_SET_CREDENTIALS, "UnrecognizedClientException" },
		{ 403, "{\"message\":\"x\"}", "InvalidSignatureException", ERR_AUTH,
		  HINT_SET_CREDENTIALS, "InvalidSignatureException" },
		{ 400, "{\"__type\":\"ResourceNotFound\"}", "", ERR_NOT_FOUND, HINT_CHECK_NAME,
		  "ResourceNotFound" },
		{ 400,
		  "{\"__type\":\"ValidationException\",\"message\":\"Requested resource not "
		  "found.\"}",
		  "", ERR_NOT_FOUND, HINT_CHECK_NAME, "ValidationException" },
		{ 400,
		  "{\"__type\":\"ValidationException\",\"message\":\"1 validation error "
		  "detected\"}",
		  "", ERR_REFUSED, HINT_FIX_REQUEST, "ValidationException" },
		{ 400, "{\"__type\":\"ResourceInUse\"}", "", ERR_CONFLICT, HINT_OTHER_NAME,
		  "ResourceInUse" },
		{ 400, "{\"__type\":\"ResourceLimitExceeded\"}", "", ERR_REFUSED, HINT_FIX_REQUEST,
		  "ResourceLimitExceeded" },
		{ 400, "{\"__type\":\"NeverSeenBefore\"}", "", ERR_REFUSED, HINT_FIX_REQUEST,
		  "NeverSeenBefore" },
		{ 500, "", "", ERR_SERVER, HINT_RETRY_LATER, "500" },
		{ 503, "<html>oops</html>", "", ERR_SERVER, HINT_RETRY_LATER, "503" },
		{ 403, "<!DOCTYPE html>", "", ERR_DENIED, HINT_ASK_PERMISSION, "403" },
		{ 302, "", "", ERR_REFUSED, HINT_CHECK_NETWORK, "302" },
		{ 404, "nothing here", "", ERR_REFUSED, HINT_FIX_REQUEST, "404" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct http_reply reply = reply_of(cases[i].status, cases[i].body, cases[i].type);
		struct err err = { 0 };

		error_of_reply(&reply, &err);
		if (err.code != cases[i].code || err.hint != cases[i].hint ||
		    strcmp(err.aws_code, cases[i].aws_code) != 0)
			fail_msg("%d %s: %d %d %s", cases[i].status, cases[i].body, err.code,
				 err.hint, err.aws_code);
		assert_int_equal(err.http_status, cases[i].status);
		assert_string_equal(err.request_id, "id-1");
		assert_true(err_text(&err)[0] != '\0');
		err_clear(&err);
	}
}

static void error__keeps_the_text__whole_and_verbatim(void **state)
{
	static const char said[] =
		"User: arn:aws:sts::111122223333:assumed-role/ops/me is not authorized to "
		"perform: sagemaker:CreateTrainingJob on resource: arn:aws:sagemaker:us-east-1:"
		"111122223333:training-job/x with an explicit deny in a service control policy";
	char body[1024];
	struct err err = { 0 };

	(void)state;
	snprintf(body, sizeof(body), "{\"__type\":\"AccessDeniedException\",\"Message\":\"%s\"}",
		 said);

	struct http_reply reply = reply_of(400, body, "");

	error_of_reply(&reply, &err);
	assert_string_equal(err_text(&err), said);
	err_clear(&err);
}

static void secrets__are_masked__wherever_they_stand(void **state)
{
	struct err err = { 0 };

	(void)state;
	err_set(&err, ERR_AUTH,
		"should have been 'x-amz-security-token:TOKEN12345' not TOKEN12345");
	error_hide(&err, "TOKEN12345");
	assert_string_equal(err_text(&err),
			    "should have been 'x-amz-security-token:**********' not **********");
	error_hide(&err, NULL);
	error_hide(&err, "");
	error_hide(&err, "not");
	assert_non_null(strstr(err_text(&err), "not"));
	err_clear(&err);
	error_hide(&err, "TOKEN12345");
}

static void code__is_cut__when_it_is_longer_than_any(void **state)
{
	char body[600], code[ERROR_CODE_SIZE];

	(void)state;
	snprintf(body, sizeof(body), "{\"__type\":\"%0400d\"}", 7);

	struct http_reply reply = reply_of(400, body, "");
	char *message = error_words(&reply, code);

	assert_string_equal(code, "400");
	free(message);
}

/* Published answers. */

static const char *header(const struct json_value *response, const char *name)
{
	const struct json_value *headers = json_object(response, "headers");

	for (const struct json_value *at = json_first(headers); at; at = json_next(at)) {
		if (strcasecmp(json_name(at), name) == 0)
			return json_as_text(at);
	}
	return "";
}

static struct http_reply published(const struct json_value *test)
{
	const struct json_value *response = json_object(test, "response");
	const char *body = json_text(response, "body");
	struct http_reply reply =
		reply_of(0, body ? body : "", header(response, "x-amzn-errortype"));
	int64_t status = 0;

	assert_true(json_integer(response, "status_code", &status));
	reply.status = (int)status;
	return reply;
}

static void compare(const char *name, const struct json_value *test, const char *code,
		    const char *message)
{
	struct http_reply reply = published(test);
	char got[ERROR_CODE_SIZE];
	char *text = error_words(&reply, got);

	/* A gateway in trouble: the file has the words that go with the status. */
	if (reply.status >= 500 && !text[0])
		message = "";
	if (strcmp(got, code) != 0 || strcmp(text, message ? message : "") != 0)
		fail_msg("%s: got %s '%s', expected %s '%s'", name, got, text, code,
			 message ? message : "");
	free(text);
}

static struct json_value *load(const char *file)
{
	size_t len;
	char *text = shared_read(file, &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	free(text);
	return json;
}

static void words__agree__with_protocol_cases(void **state)
{
	struct json_value *json = load("vectors/errors/protocol-cases.json");
	size_t count = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
		const struct json_value *error = json_object(json_object(at, "expect"), "error");

		/* Codes of the older query protocol come in a header that only its services use. */
		if (!error || strcmp(json_text(at, "protocol"), "json") != 0 ||
		    strstr(json_text(at, "id"), "CustomCodeError"))
			continue;
		compare(json_text(at, "id"), at, json_text(error, "code"),
			json_text(error, "message"));
		count++;
	}
	assert_true(!json || count >= 23);
	json_free(json);
}

/* Where this program reads more than the program that made the file, or another thing. */
static bool reads_otherwise(const char *name)
{
	static const char *const names[] = {
		"json-error-header-only",
		"json-code-member",
		"json-type-null",
		"json-type-empty",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return strncmp(name, "cloudwatch-query", strlen("cloudwatch-query")) == 0;
}

static void words__agree__with_computed_answers(void **state)
{
	struct json_value *json = load("vectors/errors/computed-errors.json");
	size_t count = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
		const char *name = json_text(at, "name");
		const struct json_value *error = json_object(json_object(at, "botocore"), "error");

		if (!error || strcmp(json_text(at, "protocol"), "json") != 0 ||
		    reads_otherwise(name))
			continue;
		compare(name, at, json_text(error, "Code"), json_text(error, "Message"));
		count++;
	}
	assert_true(!json || count > 30);
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error__is_mapped__by_code_then_status),
		cmocka_unit_test(error__keeps_the_text__whole_and_verbatim),
		cmocka_unit_test(secrets__are_masked__wherever_they_stand),
		cmocka_unit_test(code__is_cut__when_it_is_longer_than_any),
		cmocka_unit_test(words__agree__with_protocol_cases),
		cmocka_unit_test(words__agree__with_computed_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
