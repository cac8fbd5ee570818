#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/denial.h"
#include "aws/errors.h"
#include "aws/retry.h"
#include "model/base/attr.h"
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
		{ 403, "", "UnauthorizedException", ERR_AUTH, HINT_LOGIN_AGAIN,
		  "UnauthorizedException" },
		{ 404, "nothing here", "", ERR_REFUSED, HINT_FIX_REQUEST, "404" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct http_reply reply = reply_of(cases[i].status, cases[i].body, cases[i].type);
		struct err err = { 0 };

		error_of_reply(SERVICE_SAGEMAKER, &reply, &err);
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
		"1 validation error detected: Value '0' at 'maxResults' failed to "
		"satisfy constraint: Member must be\n  1 or more";
	struct http_reply reply = reply_of(
		400,
		"{\"__type\":\"ValidationException\",\"message\":\"1 validation error detected: "
		"Value '0' at 'maxResults' failed to satisfy constraint: Member must be\\n  1 or "
		"more\"}",
		"");
	struct err err = { 0 };

	(void)state;
	error_of_reply(SERVICE_SAGEMAKER, &reply, &err);
	assert_string_equal(err_text(&err), said);
	err_clear(&err);
}

/* The first two were met, the others have the forms that the services document. */
static void denial__is_taken_apart__a_line_for_each_part(void **state)
{
	static const struct {
		const char *message, *text;
		bool is_explicit;
	} rows[] = {
		{ "User: arn:aws:sts::111122223333:assumed-role/R/SageMaker is not authorized to "
		  "perform: sagemaker:CreateTrainingJob on resource: arn:aws:sagemaker:us-east-1:"
		  "111122223333:training-job/j with an explicit deny",
		  "sagemaker:CreateTrainingJob is explicitly denied\n"
		  "principal: arn:aws:sts::111122223333:assumed-role/R/SageMaker\n"
		  "resource: arn:aws:sagemaker:us-east-1:111122223333:training-job/j\n"
		  "with an explicit deny",
		  true },
		{ "User: arn:aws:iam::123456789012:user/x is not authorized to perform: "
		  "sagemaker:ListTrainingJobs because no identity-based policy allows the "
		  "sagemaker:ListTrainingJobs action",
		  "sagemaker:ListTrainingJobs is not allowed\n"
		  "principal: arn:aws:iam::123456789012:user/x\n"
		  "because no identity-based policy allows the sagemaker:ListTrainingJobs action",
		  false },
		{ "User: u is not authorized to perform: a:B on resource: * with an explicit deny "
		  "in "
		  "a service control policy",
		  "a:B is explicitly denied\nprincipal: u\nresource: *\n"
		  "with an explicit deny in a service control policy",
		  true },
		{ "You are not authorized to perform this operation. User: u is not authorized to "
		  "perform: ec2:X on resource: arn:r. Encoded authorization failure message: Zz9",
		  "ec2:X is not allowed\nprincipal: u\nresource: arn:r\n"
		  "Encoded authorization failure message: Zz9",
		  false },
		{ "User: u is not authorized to perform: a:B", "a:B is not allowed\nprincipal: u",
		  false },
		{ "You are not authorized to perform this operation.",
		  "You are not authorized to perform this operation.", false },
		{ "User:  is not authorized to perform: a:B",
		  "User:  is not authorized to perform: a:B", false },
		{ "User: u is not authorized to perform:  ",
		  "User: u is not authorized to perform:  ", false },
		{ "a is not authorized to perform: b User: c",
		  "a is not authorized to perform: b User: c", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char body[1024];
		struct err err = { 0 };

		snprintf(body, sizeof(body),
			 "{\"__type\":\"AccessDeniedException\",\"Message\":\"%s\"}",
			 rows[i].message);

		struct http_reply reply = reply_of(400, body, "");

		error_of_reply(SERVICE_SAGEMAKER, &reply, &err);
		assert_int_equal(err.code, ERR_DENIED);
		assert_string_equal(err_text(&err), rows[i].text);
		assert_int_equal(err.hint,
				 rows[i].is_explicit ? HINT_EXPLICIT_DENY : HINT_ASK_PERMISSION);
		err_clear(&err);
	}
}

/* The message as an operator met it, behind the words of the tool that showed it. */
static void denial__names_the_explicit_deny__in_a_case_that_was_met(void **state)
{
	size_t len;
	char *text = shared_read("cases/049-access-denied-explicit-deny/input.txt", &len);
	struct denial denial;
	struct buf lines;

	(void)state;
	if (!text)
		return;
	assert_true(denial_parse(&denial, text));
	buf_init(&lines, len + 64);
	denial_write(&denial, &lines);
	assert_string_equal(buf_text(&lines),
			    "sagemaker:CreateTrainingJob is explicitly denied\n"
			    "principal: arn:aws:sts::111122223333:assumed-role/"
			    "AmazonSageMaker-ExecutionRole-00000000T000000/SageMaker\n"
			    "resource: arn:aws:sagemaker:us-east-1:111122223333:training-job/"
			    "wpi-cpu-2020-02-02-21-52-50-104\n"
			    "with an explicit deny");
	assert_int_equal(retry_classify(SERVICE_SAGEMAKER, 400, "AccessDeniedException"),
			 RETRY_NOT);
	buf_release(&lines);
	free(text);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error__is_mapped__by_code_then_status),
		cmocka_unit_test(error__keeps_the_text__whole_and_verbatim),
		cmocka_unit_test(denial__is_taken_apart__a_line_for_each_part),
		cmocka_unit_test(denial__names_the_explicit_deny__in_a_case_that_was_met),
		cmocka_unit_test(secrets__are_masked__wherever_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
