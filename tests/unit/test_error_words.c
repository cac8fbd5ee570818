#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/answer.h"
#include "aws/error_words.h"
#include "model/base/attr.h"
#include "tests/shared.h"

static void code__is_cut__when_it_is_longer_than_any(void **state)
{
	char body[600];
	struct error_words words;

	(void)state;
	snprintf(body, sizeof(body), "{\"__type\":\"%0400d\"}", 7);

	struct http_reply reply = { .status = 400,
				    .body = body,
				    .body_len = strlen(body),
				    .request_id = "",
				    .error_type = "" };

	error_words_read(&words, SERVICE_SAGEMAKER, &reply);
	assert_string_equal(words.code, "400");
	error_words_release(&words);
	error_words_release(&words);
}

/* The code of the older protocol counts where the service has one, and both are kept. */
static void query_error__counts__for_services_that_have_it(void **state)
{
	static const char body[] = "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\"}";
	static const struct {
		enum aws_service service;
		const char *header, *code, *shape;
	} rows[] = {
		{ SERVICE_SQS, "AWS.SimpleQueueService.NonExistentQueue;Sender",
		  "AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist" },
		{ SERVICE_SQS, "Throttling", "QueueDoesNotExist", "" },
		{ SERVICE_SQS, ";Sender", "QueueDoesNotExist", "" },
		{ SERVICE_SQS, "", "QueueDoesNotExist", "" },
		{ SERVICE_SQS, NULL, "QueueDoesNotExist", "" },
		{ SERVICE_SAGEMAKER, "Throttling;Sender", "QueueDoesNotExist", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct error_words words;
		struct http_reply reply = { .status = 400,
					    .body = body,
					    .body_len = strlen(body),
					    .request_id = "",
					    .error_type = "",
					    .query_error = rows[i].header };

		error_words_read(&words, rows[i].service, &reply);
		assert_string_equal(words.code, rows[i].code);
		assert_string_equal(words.shape, rows[i].shape);
		error_words_release(&words);
	}
}

/* Published answers, and what another program made of them. */

static struct json_value *load(const char *file)
{
	size_t len;
	char *text = shared_read(file, &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	if (text)
		assert_non_null(json);
	free(text);
	return json;
}

static const char *header(const struct json_value *response, const char *name)
{
	const struct json_value *headers = json_object(response, "headers");

	for (const struct json_value *at = json_first(headers); at; at = json_next(at)) {
		if (strcasecmp(json_name(at), name) == 0)
			return json_as_text(at);
	}
	return "";
}

static struct http_reply reply_of(const struct json_value *test)
{
	const struct json_value *response = json_object(test, "response");
	const char *body = json_text(response, "body");
	int64_t status = 0;

	assert_true(json_integer(response, "status_code", &status));
	return (struct http_reply){ .status = (int)status,
				    .body = body ? body : "",
				    .body_len = body ? strlen(body) : 0,
				    .request_id = header(response, "x-amzn-requestid"),
				    .error_type = header(response, "x-amzn-errortype"),
				    .query_error = header(response, "x-amzn-query-error"),
				    .retry_after_ms = -1 };
}

static enum aws_service service_of(const struct json_value *test)
{
	static const struct {
		const char *name;
		enum aws_service service;
	} services[] = {
		{ "sagemaker", SERVICE_SAGEMAKER },
		{ "pricing", SERVICE_PRICING },
		{ "service-quotas", SERVICE_QUOTAS },
		{ "logs", SERVICE_LOGS },
		{ "cloudwatch", SERVICE_CLOUDWATCH },
		{ "sts", SERVICE_STS },
		{ "ec2", SERVICE_EC2 },
		{ "sso", SERVICE_SSO },
		{ "sso-oidc", SERVICE_SSO_OIDC },
	};

	for (size_t i = 0; i < ARRAY_LEN(services); i++) {
		if (strcmp(json_text(test, "service"), services[i].name) == 0)
			return services[i].service;
	}
	fail_msg("%s", json_text(test, "service"));
	return SERVICE_COUNT;
}

/* Where this program says something else than the one that made the file. NULL: the same. */
static const struct difference {
	const char *name, *code, *message, *why;
} differences[] = {
	{ "json-error-header-only", "ValidationException", NULL, "the header counts too" },
	{ "json-code-member", "FooError", NULL, "the member counts too" },
	{ "json-type-null", "400", NULL, "no code is the status" },
	{ "json-type-empty", "400", NULL, "no code is the status" },
	{ "json-empty-body-500", NULL, "", "no words of our own for a status" },
	{ "json-empty-body-503", NULL, "", "no words of our own for a status" },
	{ "json-empty-body-504", NULL, "", "no words of our own for a status" },
	{ "json-html-body-503", NULL, "", "no words of our own for a status" },
	{ "sts-503-empty", NULL, "", "no words of our own for a status" },
	{ "sts-503-html", NULL, "", "no words of our own for a status" },
	{ "sts-503-broken-html", NULL, "", "no words of our own for a status" },
	{ "ec2-500-empty", NULL, "", "no words of our own for a status" },
	{ "json-array-body-400", "400", "[]", "it fails there; a bad answer is shown as it came" },
	{ "json-string-body-400", "400", "\"oops\"", "the same" },
	{ "json-type-number", "400", "m", "the same" },
	{ "sts-400-not-xml", "400", "{\"Error\":{\"Code\":\"X\"}}", "the same" },
	{ "oidc-invalid-grant", NULL, "Invalid refresh token provided", "OAuth's words count" },
	{ "oidc-expired", "expired_token", "x", "OAuth's words count" },
};

static const struct difference *difference_of(const char *name)
{
	static const struct difference none = { .name = "" };

	for (size_t i = 0; i < ARRAY_LEN(differences); i++) {
		if (strcmp(differences[i].name, name) == 0)
			return &differences[i];
	}
	return &none;
}

static void play_error(const struct json_value *test, const struct difference *difference)
{
	const struct json_value *made = json_object(test, "botocore");
	const struct json_value *error = json_object(made, "error");
	const char *code = difference->code ? difference->code : json_text(error, "Code");
	const char *message =
		difference->message ? difference->message : json_text(error, "Message");
	const char *id = json_text(made, "request_id");
	struct http_reply reply = reply_of(test);
	struct error_words words;

	error_words_read(&words, service_of(test), &reply);
	if (strcmp(words.code, code) != 0 || strcmp(words.message, message ? message : "") != 0)
		fail_msg("%s: got %s '%s', not %s '%s'", json_text(test, "name"), words.code,
			 words.message, code, message ? message : "");
	/* It takes no id from the headers of an answer without a body. */
	if (strcmp(words.request_id, id ? id : reply.request_id) != 0)
		fail_msg("%s: id '%s'", json_text(test, "name"), words.request_id);
	error_words_release(&words);
}

/* Each member of what was made is there in what came, and the same. */
static void match(const char *name, const struct json_value *came, const struct json_value *made)
{
	double number = 0, epoch = 0;

	if (json_type(made) == JSON_TYPE_OBJECT) {
		for (const struct json_value *at = json_first(made); at; at = json_next(at))
			match(name, json_member(came, json_name(at)), at);
	} else if (json_type(made) == JSON_TYPE_ARRAY) {
		const struct json_value *other = json_first(came);

		assert_int_equal(json_length(came), json_length(made));
		for (const struct json_value *at = json_first(made); at; at = json_next(at)) {
			match(name, other, at);
			other = json_next(other);
		}
	} else if (json_as_text(made)) {
		assert_string_equal(json_as_text(came), json_as_text(made));
	} else {
		assert_true(json_as_number(made, &epoch));
		if (!json_as_number(came, &number) || number != epoch)
			assert_int_equal(json_as_time(came).ms, llround(epoch * 1000));
	}
}

/* Those with names of a model: told here. */
static void match_xml(const char *name, const struct xml_element *root)
{
	const struct xml_element *result = xml_first(root);

	if (strcmp(name, "sts-success") == 0) {
		assert_string_equal(xml_text(result, "Arn"), "arn:aws:iam::123456789012:user/x");
		assert_string_equal(xml_text(result, "UserId"), "AIDAEXAMPLE");
		assert_string_equal(xml_text(result, "Account"), "123456789012");
	} else if (strcmp(name, "sts-assume-role-success") == 0) {
		const struct xml_element *keys = xml_child(result, "Credentials");

		assert_string_equal(xml_text(keys, "SecretAccessKey"), "a&b+/=");
		assert_int_equal(xml_time(keys, "Expiration").ms, INT64_C(1736948096000));
	} else if (strcmp(name, "ec2-success-unknown") == 0) {
		const struct xml_element *item = xml_first(xml_child(root, "instanceTypeSet"));
		const struct xml_element *gpu =
			xml_first(xml_child(xml_child(item, "gpuInfo"), "gpus"));

		assert_string_equal(xml_text(item, "instanceType"), "p5.48xlarge");
		assert_string_equal(xml_text(gpu, "count"), "8");
		assert_string_equal(xml_text(xml_child(gpu, "memoryInfo"), "sizeInMiB"), "81920");
		assert_string_equal(xml_text(root, "nextToken"), "");
	} else {
		assert_string_equal(name, "ec2-empty-set");
		assert_non_null(xml_child(root, "instanceTypeSet"));
		assert_null(xml_first(xml_child(root, "instanceTypeSet")));
	}
}

static void play_result(const struct json_value *test)
{
	const char *name = json_text(test, "name");
	const struct json_value *result = json_object(json_object(test, "botocore"), "result");
	const struct aws_op op = { .name = "Any", .service = service_of(test) };
	struct http_reply reply = reply_of(test);
	struct answer answer;

	answer_read(&answer, &op, &reply, 0, false);
	if (strcmp(name, "json-200-html") == 0 || strcmp(name, "json-200-array") == 0) {
		/* The login page of a network is no empty result. */
		assert_false(answer.good);
		assert_int_equal(answer.err.code, ERR_PARSE);
	} else if (strcmp(name, "json-200-bad-timestamp") == 0) {
		const struct json_value *job =
			json_first(json_array(answer.json, "TrainingJobSummaries"));

		assert_false(json_time(job, "CreationTime").set);
		assert_string_equal(json_text(job, "TrainingJobName"), "a");
	} else if (answer.xml) {
		match_xml(name, answer.xml);
	} else {
		assert_true(answer.good);
		match(name, answer.json, result);
	}
	answer_release(&answer);
}

static void answers__read__as_published(void **state)
{
	struct json_value *json = load("vectors/errors/computed-errors.json");
	size_t errors = 0, results = 0, otherwise = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
		struct http_reply reply = reply_of(at);
		const struct difference *difference = difference_of(json_text(at, "name"));

		otherwise += difference->name[0] != '\0';
		if (reply.status >= 300) {
			play_error(at, difference);
			errors++;
		} else {
			play_result(at);
			results++;
		}
	}
	if (json) {
		print_message("errors: %zu of 82 (%zu errors, %zu results), %zu otherwise\n",
			      errors + results, errors, results, otherwise + 3);
		assert_int_equal(errors + results, 82);
		assert_int_equal(otherwise, ARRAY_LEN(differences));
	}
	json_free(json);
}

/* Errors of real services, each beside what another program read in it. */
static bool compare_pair(const char *answer_path, const char *expected_path,
			 enum aws_service service)
{
	struct json_value *expected = load(expected_path);
	const struct json_value *error = json_object(expected, "Error");
	const char *id = json_text(json_object(expected, "ResponseMetadata"), "RequestId");
	size_t len = 0;
	char *body = shared_read(answer_path, &len);
	struct error_words words;

	if (!expected || !body) {
		json_free(expected);
		free(body);
		return false;
	}

	struct http_reply reply = {
		.status = 400, .body = body, .body_len = len, .request_id = "", .error_type = ""
	};

	error_words_read(&words, service, &reply);
	assert_string_equal(words.code, json_text(error, "Code"));
	assert_string_equal(words.message, json_text(error, "Message"));
	assert_string_equal(words.request_id, id ? id : "");
	error_words_release(&words);
	json_free(expected);
	free(body);
	return true;
}

static void pairs__read__as_published(void **state)
{
	static const char *const json_names[] = {
		"datapipeline-create-pipeline", "directconnect-delete-connection",
		"dynamodb-put-item", "storagegateway-delete-gateway", "swf-deprecate-domain"
	};
	static const char *const xml_names[] = {
		"autoscaling-delete-policy",
		"cloudformation-cancel-update-stack",
		"ec2-describe-instances",
		"elb-describe-load-balancers",
		"iam-get-user",
		"rds-describe-db-instances",
		"ses-delete-identity",
		"sns-delete-topic",
		"sts-get-session-token",
	};
	static const char folder[] = "vectors/errors/response-parsing";
	char answer[256], expected[256];
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(json_names); i++) {
		snprintf(answer, sizeof(answer), "%s/json-errors/%s.json", folder, json_names[i]);
		snprintf(expected, sizeof(expected), "%s/json-errors-expected/%s.json", folder,
			 json_names[i]);
		count += compare_pair(answer, expected, SERVICE_SAGEMAKER);
	}
	for (size_t i = 0; i < ARRAY_LEN(xml_names); i++) {
		bool is_ec2 = strncmp(xml_names[i], "ec2", 3) == 0;

		snprintf(answer, sizeof(answer), "%s/xml-errors/%s.xml", folder, xml_names[i]);
		snprintf(expected, sizeof(expected), "%s/xml-errors/%s.json", folder, xml_names[i]);
		count += compare_pair(answer, expected, is_ec2 ? SERVICE_EC2 : SERVICE_STS);
	}
	if (count) {
		print_message("pairs: %zu of 14\n", count);
		assert_int_equal(count, 14);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code__is_cut__when_it_is_longer_than_any),
		cmocka_unit_test(query_error__counts__for_services_that_have_it),
		cmocka_unit_test(answers__read__as_published),
		cmocka_unit_test(pairs__read__as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
