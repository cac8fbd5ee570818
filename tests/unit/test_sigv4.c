#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/json.h"
#include "aws/sigv4.h"
#include "tests/shared.h"

#define ACCESS_KEY "AKIDEXAMPLE"
#define SECRET_KEY "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

/* Two requests whose values two other implementations agree on (published as V1 and V2). */

static const struct sigv4_header list_headers[] = {
	{ "Host", "api.sagemaker.us-west-2.amazonaws.com" },
	{ "Content-Type", "application/x-amz-json-1.1" },
	{ "X-Amz-Date", "20260812T101112Z" },
	{ "X-Amz-Target", "SageMaker.ListTrainingJobs" },
	{ "User-Agent", "anything" },
};

static struct sigv4_request list_request(void)
{
	static const char body[] = "{\"MaxResults\":100,\"SortBy\":\"CreationTime\","
				   "\"SortOrder\":\"Descending\"}";

	return (struct sigv4_request){
		.method = "POST",
		.target = "/",
		.headers = list_headers,
		.header_count = 5,
		.body = body,
		.body_len = sizeof(body) - 1,
		.amz_date = "20260812T101112Z",
		.region = "us-west-2",
		.service = "sagemaker",
	};
}

static void assert_hash(const char *text, size_t len, const char *expected)
{
	struct err err = { 0 };
	char hash[SIGV4_HEX_SIZE];

	assert_true(sigv4_sha256_hex(text, len, hash, &err));
	assert_string_equal(hash, expected);
}

static void signer__gives_published_values__for_sagemaker_list(void **state)
{
	struct sigv4_request request = list_request();
	struct sigv4 sign = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	assert_hash(request.body, request.body_len,
		    "e99c2e8eefc3de90a14d0ff5d2391587fc9b78aaa119621d4ac0ac2e76aa2a03");
	assert_true(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	assert_hash(sign.canonical_request.data, sign.canonical_request.len,
		    "11f1621a456dca0d3aa6813ca1c813fe3a86d505c0672d15708f393f3f884d26");
	assert_string_equal(sign.scope, "20260812/us-west-2/sagemaker/aws4_request");
	assert_string_equal(sign.signed_headers, "content-type;host;x-amz-date;x-amz-target");
	assert_string_equal(sign.signature,
			    "5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2");
	assert_string_equal(buf_text(&sign.authorization),
			    "AWS4-HMAC-SHA256 "
			    "Credential=AKIDEXAMPLE/20260812/us-west-2/sagemaker/aws4_request, "
			    "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="
			    "5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2");
	sigv4_release(&sign);
}

static void signer__gives_published_values__for_sts_with_token(void **state)
{
	static const struct sigv4_header headers[] = {
		{ "x-amz-security-token", "TOKEN+/=ex" },
		{ "X-AMZ-DATE", "20260812T101112Z" },
		{ "content-type", "  application/x-www-form-urlencoded;   charset=utf-8 " },
		{ "host", "sts.us-west-2.amazonaws.com" },
	};
	static const char body[] = "Action=GetCallerIdentity&Version=2011-06-15";
	struct sigv4_request request = {
		.method = "POST",
		.target = "/",
		.headers = headers,
		.header_count = 4,
		.body = body,
		.body_len = sizeof(body) - 1,
		.amz_date = "20260812T101112Z",
		.region = "us-west-2",
		.service = "sts",
	};
	struct sigv4 sign = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	assert_true(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	assert_hash(sign.canonical_request.data, sign.canonical_request.len,
		    "7460c7a8d4408615fae7a3ea369e4987ebce698efacbbf7b706c5b521c39cfcf");
	assert_string_equal(sign.signed_headers,
			    "content-type;host;x-amz-date;x-amz-security-token");
	assert_string_equal(sign.signature,
			    "d8fefb3aac77e0a4d3cbb78908fb2beb075805f89fd6546c1d3a4494a98796d6");
	sigv4_release(&sign);
}

/* Who verifies takes the list and the date from what came, and gets the same digits. */
static void verifier__agrees__when_headers_come_in_another_order(void **state)
{
	static const struct sigv4_header received[] = {
		{ "accept", "*/*" },
		{ "x-amz-target", "SageMaker.ListTrainingJobs" },
		{ "content-length", "72" },
		{ "x-amz-date", "20260812T101112Z" },
		{ "content-type", "application/x-amz-json-1.1" },
		{ "host", "api.sagemaker.us-west-2.amazonaws.com" },
	};
	struct sigv4_request request = list_request();
	struct sigv4_credential told;
	struct sigv4 sign = { .signature = "" }, check = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	assert_true(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	assert_true(sigv4_parse_authorization(buf_text(&sign.authorization), &told));
	assert_string_equal(told.access_key, ACCESS_KEY);
	assert_string_equal(told.date, "20260812");
	assert_string_equal(told.region, "us-west-2");
	assert_string_equal(told.service, "sagemaker");
	request.headers = received;
	request.header_count = 6;
	request.signed_headers = told.signed_headers;
	assert_true(sigv4_sign(&check, &request, told.access_key, SECRET_KEY, &err));
	assert_true(sigv4_signature_equal(check.signature, told.signature));
	sigv4_release(&sign);
	sigv4_release(&check);
}

static void signature__differs__when_anything_signed_does(void **state)
{
	struct sigv4_request request = list_request(), changed;
	struct sigv4_header headers[5];
	struct sigv4 sign = { .signature = "" }, other = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	assert_true(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	for (int part = 0; part < 9; part++) {
		changed = request;
		memcpy(headers, list_headers, sizeof(headers));
		changed.headers = headers;
		if (part == 0)
			changed.method = "PUT";
		else if (part == 1)
			changed.target = "/x";
		else if (part == 2)
			changed.target = "/?a=b";
		else if (part == 3)
			changed.body_len--;
		else if (part == 4)
			changed.amz_date = "20260812T101113Z";
		else if (part == 5)
			changed.region = "us-west-1";
		else if (part == 6)
			changed.service = "sts";
		else if (part == 7)
			headers[3].value = "SageMaker.StopTrainingJob";
		assert_true(sigv4_sign(&other, &changed, ACCESS_KEY,
				       part == 8 ? SECRET_KEY "x" : SECRET_KEY, &err));
		assert_false(sigv4_signature_equal(sign.signature, other.signature));
	}
	/* What is not signed may differ. */
	headers[3].value = list_headers[3].value;
	headers[4].value = "something else";
	assert_true(sigv4_sign(&other, &changed, ACCESS_KEY, SECRET_KEY, &err));
	assert_true(sigv4_signature_equal(sign.signature, other.signature));
	sigv4_release(&sign);
	sigv4_release(&other);
}

static void signer__refuses__what_cannot_be_signed(void **state)
{
	struct sigv4_request request = list_request();
	struct sigv4 sign = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	request.signed_headers = "host;x-amz-date;x-not-there";
	assert_false(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	assert_non_null(strstr(err_text(&err), "x-not-there"));
	request.signed_headers = "x-amz-date";
	assert_false(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	request = list_request();
	request.amz_date = "2026-08-12T10:11Z";
	assert_false(sigv4_sign(&sign, &request, ACCESS_KEY, SECRET_KEY, &err));
	assert_int_equal(err.code, ERR_PARSE);
	assert_null(strstr(err_text(&err), SECRET_KEY));
	err_clear(&err);
	sigv4_release(&sign);
}

/* Expected texts written by hand from the rules of section 3. */
static void path_and_query__are_canonical__for_odd_targets(void **state)
{
	static const struct {
		const char *target, *expected;
		bool raw;
	} cases[] = {
		{ "", "POST\n/\n\n", false },
		{ "/a%20b", "POST\n/a%2520b\n\n", false },
		{ "/a/../../b", "POST\n/b\n\n", false },
		{ "/a/./b/", "POST\n/a/b/\n\n", false },
		{ "/..", "POST\n/\n\n", false },
		{ "/a//b", "POST\n/a//b\n\n", true },
		{ "/?b=2&a=1", "POST\n/\na=1&b=2\n", false },
		{ "/?a", "POST\n/\na=\n", false },
		{ "/?a=2&a=1", "POST\n/\na=1&a=2\n", false },
		{ "/?a=b=c", "POST\n/\na=b%3Dc\n", false },
		{ "/?a=%2f%7e", "POST\n/\na=%2F~\n", false },
		{ "/?a=%zz", "POST\n/\na=%25zz\n", false },
		{ "/?a=+", "POST\n/\na=%2B\n", false },
		{ "/?&&a=1&", "POST\n/\na=1\n", false },
		{ "/?a-=1&a=2", "POST\n/\na=2&a-=1\n", false },
		{ "/?", "POST\n/\n\n", false },
	};
	struct sigv4 sign = { .signature = "" };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sigv4_request request = list_request();

		request.target = cases[i].target;
		request.raw_path = cases[i].raw;
		assert_true(sigv4_canonical_request(&sign, &request, &err));

		const char *got = buf_text(&sign.canonical_request);

		if (strncmp(got, cases[i].expected, strlen(cases[i].expected)) != 0)
			fail_msg("%s: %s", cases[i].target, got);
	}
	sigv4_release(&sign);
}

static void authorization__is_taken_apart__in_any_order(void **state)
{
	struct sigv4_credential told;
	static const char digits[] =
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2";
	char value[512];

	(void)state;
	snprintf(value, sizeof(value),
		 "AWS4-HMAC-SHA256 Signature=%s,SignedHeaders=a;host,"
		 "Credential=A/K/20260812/r/s/aws4_request",
		 digits);
	assert_true(sigv4_parse_authorization(value, &told));
	assert_string_equal(told.access_key, "A/K");
	assert_string_equal(told.service, "s");
	assert_string_equal(told.signed_headers, "a;host");
	assert_string_equal(told.signature, digits);
}

static void authorization__is_refused__when_a_part_is_bad(void **state)
{
	static const char *const values[] = {
		"",
		"Bearer x",
		"AWS4-HMAC-SHA256",
		"AWS4-HMAC-SHA256 Credential=A/20260812/r/s/aws4_request, SignedHeaders=host",
		"AWS4-HMAC-SHA256 Credential=A/20260812/r/s, SignedHeaders=host, Signature="
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2",
		"AWS4-HMAC-SHA256 Credential=A/20260812/r/s/aws4_request, SignedHeaders=host, "
		"Signature=5a6c",
		"AWS4-HMAC-SHA256 Credential=A/2026081212/r/s/aws4_request, SignedHeaders=host, "
		"Signature=5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2",
		"AWS4-HMAC-SHA256 Credential=/r/s/aws4_request, SignedHeaders=host, Signature="
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2",
		"AWS4-HMAC-SHA256Credential=A/20260812/r/s/aws4_request, SignedHeaders=host, "
		"Signature="
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2",
		"AWS4-HMAC-SHA256 Credential=A/20260812/r/s/aws4_request, SignedHeaders=host, "
		"Signature="
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2, SignedHeaders=x",
		"AWS4-HMAC-SHA256 Credential=A/20260812/r/s/aws4_request, Credential="
		"B/20260812/r/s/aws4_request, SignedHeaders=host, Signature="
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2",
	};
	struct sigv4_credential told;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		assert_false(sigv4_parse_authorization(values[i], &told));
	assert_false(sigv4_signature_equal("abc", "abd"));
	assert_false(sigv4_signature_equal("abc", "abcd"));
	assert_true(sigv4_signature_equal("abc", "abc"));
}

/* The published suite. */

struct suite_request {
	struct sigv4_header headers[SIGV4_HEADERS_MAX];
	size_t count;
	char date[17];
	char hash[SIGV4_HEX_SIZE];
};

static void add(struct suite_request *made, const char *name, const char *value)
{
	made->headers[made->count++] = (struct sigv4_header){ name, value };
}

/* 2015-08-30T12:36:00Z -> 20150830T123600Z */
static void compact_date(const char *iso, char out[17])
{
	size_t len = 0;

	for (; *iso && len < 16; iso++) {
		if (*iso != '-' && *iso != ':')
			out[len++] = *iso;
	}
	out[len] = '\0';
}

static bool has_header(const struct json_value *list, const char *name)
{
	for (const struct json_value *at = json_first(list); at; at = json_next(at)) {
		if (strcasecmp(json_as_text(json_first(at)), name) == 0)
			return true;
	}
	return false;
}

/* The headers as a signer would have them: those given, and those that signing adds. */
static void build(struct suite_request *made, const struct json_value *test)
{
	const struct json_value *context = json_object(test, "context");
	const struct json_value *from = json_object(test, "request");
	const struct json_value *list = json_array(from, "headers");
	const char *token = json_text(json_object(context, "credentials"), "token");
	bool yes = false;

	memset(made, 0, sizeof(*made));
	compact_date(json_text(context, "timestamp"), made->date);
	for (const struct json_value *at = json_first(list); at; at = json_next(at))
		add(made, json_as_text(json_first(at)), json_as_text(json_next(json_first(at))));
	if (!has_header(list, "host"))
		add(made, "host", json_text(from, "host"));
	add(made, "X-Amz-Date", made->date);
	if (token && !(json_boolean(context, "omit_session_token", &yes) && yes))
		add(made, "X-Amz-Security-Token", token);
	yes = false;
	if (json_boolean(context, "sign_body", &yes) && yes) {
		struct err err = { 0 };
		const char *body = json_text(from, "body");

		assert_true(sigv4_sha256_hex(body, strlen(body), made->hash, &err));
		add(made, "x-amz-content-sha256", made->hash);
	}
}

static void expect(const char *name, const char *stage, const char *got, const char *expected)
{
	if (strcmp(got, expected) != 0)
		fail_msg("%s: %s differs\ngot:\n%s\nexpected:\n%s", name, stage, got, expected);
}

/* Which headers: told where the published request signs one that we never do, else ours. */
static const char *told_headers(const struct json_value *expected)
{
	static struct sigv4_credential told;
	const char *list = json_text(expected, "signed_headers");

	if (list)
		return list;
	assert_true(sigv4_parse_authorization(json_text(expected, "authorization"), &told));
	return strstr(told.signed_headers, "content-length") ? told.signed_headers : NULL;
}

static void run_case(const struct json_value *test)
{
	const struct json_value *context = json_object(test, "context");
	const struct json_value *from = json_object(test, "request");
	const struct json_value *keys = json_object(context, "credentials");
	const struct json_value *expected = json_object(test, "header");
	const char *name = json_text(test, "name"), *body = json_text(from, "body");
	struct suite_request made;
	struct sigv4 sign = { .signature = "" };
	struct err err = { 0 };
	bool normalize = false;

	build(&made, test);
	assert_true(json_boolean(context, "normalize", &normalize));

	struct sigv4_request request = {
		.method = json_text(from, "method"),
		.target = json_text(from, "target"),
		.headers = made.headers,
		.header_count = made.count,
		.signed_headers = told_headers(expected),
		.body = body,
		.body_len = strlen(body),
		.raw_path = !normalize,
		.amz_date = made.date,
		.region = json_text(context, "region"),
		.service = json_text(context, "service"),
	};

	assert_true(sigv4_canonical_request(&sign, &request, &err));
	expect(name, "canonical request", buf_text(&sign.canonical_request),
	       json_text(expected, "canonical_request"));
	assert_true(sigv4_string_to_sign(&sign, &request, &err));
	expect(name, "string to sign", buf_text(&sign.string_to_sign),
	       json_text(expected, "string_to_sign"));
	assert_true(sigv4_signature(&sign, &request, json_text(keys, "secret_access_key"), &err));
	expect(name, "signature", sign.signature, json_text(expected, "signature"));
	assert_true(sigv4_authorization(&sign, json_text(keys, "access_key_id"), &err));
	expect(name, "authorization", buf_text(&sign.authorization),
	       json_text(expected, "authorization"));
	sigv4_release(&sign);
}

static void run_file(const char *file, size_t cases)
{
	size_t len, count = 0;
	char *text = shared_read(file, &len);
	struct err err = { 0 };

	if (!text)
		return;

	struct json_value *suite = json_parse(text, len, &err);

	assert_non_null(suite);
	for (const struct json_value *at = json_first(suite); at; at = json_next(at)) {
		run_case(at);
		count++;
	}
	assert_int_equal(count, cases);
	json_free(suite);
	free(text);
}

static void signer__passes_published_suite__at_each_stage(void **state)
{
	(void)state;
	run_file("vectors/sigv4/suite.json", 38);
}

static void signer__passes_computed_requests__of_our_services(void **state)
{
	(void)state;
	run_file("vectors/sigv4/computed.json", 3);
	run_file("vectors/sigv4/computed-extra.json", 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signer__gives_published_values__for_sagemaker_list),
		cmocka_unit_test(signer__gives_published_values__for_sts_with_token),
		cmocka_unit_test(verifier__agrees__when_headers_come_in_another_order),
		cmocka_unit_test(signature__differs__when_anything_signed_does),
		cmocka_unit_test(signer__refuses__what_cannot_be_signed),
		cmocka_unit_test(path_and_query__are_canonical__for_odd_targets),
		cmocka_unit_test(authorization__is_taken_apart__in_any_order),
		cmocka_unit_test(authorization__is_refused__when_a_part_is_bad),
		cmocka_unit_test(signer__passes_published_suite__at_each_stage),
		cmocka_unit_test(signer__passes_computed_requests__of_our_services),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
