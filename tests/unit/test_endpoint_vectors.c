/* Hosts and signing names against the cases that the SDKs publish, and what botocore computes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/endpoint.h"
#include "aws/json.h"
#include "tests/shared.h"

static const char *const vector_names[SERVICE_COUNT] = {
	[SERVICE_SAGEMAKER] = "sagemaker",
	[SERVICE_PRICING] = "pricing",
	[SERVICE_QUOTAS] = "service-quotas",
	[SERVICE_LOGS] = "logs",
	[SERVICE_CLOUDWATCH] = "cloudwatch",
	[SERVICE_STS] = "sts",
	[SERVICE_EC2] = "ec2",
	[SERVICE_SSO] = "sso",
	[SERVICE_SSO_OIDC] = "sso-oidc",
	[SERVICE_SIGNIN] = "signin",
};

static enum aws_service service_named(const char *name)
{
	for (enum aws_service i = 0; i < SERVICE_COUNT; i++) {
		if (vector_names[i] && strcmp(vector_names[i], name) == 0)
			return i;
	}
	fail_msg("%s is no service of ours", name);
	return SERVICE_COUNT;
}

static bool is_true(const struct json_value *params, const char *name)
{
	bool value = false;

	return json_boolean(params, name, &value) && value;
}

/* Why a case says nothing about gpuq, or NULL. */
static const char *const left_out[] = {
	"FIPS or dual-stack beside an endpoint of one's own: ignored, as the AWS CLI does",
	"STS's one host for old regions: gpuq, as the AWS CLI, asks the region's own",
	"Signin operations that gpuq does not have (control plane, OAuth registration)",
};
#define LEFT_OUT_COUNT (sizeof(left_out) / sizeof(left_out[0]))

static size_t reason_to_leave(const struct json_value *params)
{
	const char *region = json_text(params, "Region");
	bool own = json_text(params, "Endpoint") != NULL;

	if (own && (is_true(params, "UseFIPS") || is_true(params, "UseDualStack")))
		return 0;
	if (own)
		return LEFT_OUT_COUNT;
	if (is_true(params, "UseGlobalEndpoint") && strcmp(region, "aws-global") != 0 &&
	    strcmp(region, "us-east-3") != 0)
		return 1;
	if (is_true(params, "IsControlPlane") || is_true(params, "IsOAuthEndpoint"))
		return 2;
	return LEFT_OUT_COUNT;
}

static void assert_resolved(const struct json_value *known, const struct endpoint *endpoint)
{
	const char *signing_name = json_text(known, "signing_name");
	const char *signing_region = json_text(known, "signing_region");
	const char *region = json_text(json_object(known, "params"), "Region");
	char expected[512];

	snprintf(expected, sizeof(expected), "%s/", json_text(known, "url"));
	assert_string_equal(endpoint->url, expected);
	/* Where the case is silent, the names are the service's own. */
	if (!signing_name)
		signing_name =
			service_row(service_named(json_text(known, "service")))->signing_name;
	assert_string_equal(endpoint->signing_name, signing_name);
	assert_string_equal(endpoint->region, signing_region ? signing_region
					      : region       ? region
							     : "");
}

static void assert_case(const struct json_value *known)
{
	const struct json_value *params = json_object(known, "params");
	const struct endpoint_query query = {
		.service = service_named(json_text(known, "service")),
		.region = json_text(params, "Region"),
		.fips = is_true(params, "UseFIPS"),
		.dualstack = is_true(params, "UseDualStack"),
		.override_url = json_text(params, "Endpoint"),
	};
	struct endpoint endpoint;
	struct err err = { 0 };
	bool fails = json_text(known, "error") != NULL;

	if (endpoint_resolve(&endpoint, &query, &err) == fails)
		fail_msg("%s, %s: %s", json_text(known, "service"),
			 json_text(known, "documentation"), err_text(&err));
	if (!fails)
		assert_resolved(known, &endpoint);
	err_clear(&err);
}

static void cases__agree__with_every_published_one(void **state)
{
	size_t len, count = 0, passed = 0, left[LEFT_OUT_COUNT + 1] = { 0 };
	char *text = shared_read("vectors/endpoints/cases.json", &len);
	struct err err = { 0 };

	(void)state;
	if (!text)
		return;

	struct json_value *document = json_parse(text, len, &err);

	assert_non_null(document);
	for (const struct json_value *at = json_first(document); at; at = json_next(at)) {
		size_t reason = reason_to_leave(json_object(at, "params"));

		count++;
		left[reason]++;
		if (reason < LEFT_OUT_COUNT)
			continue;
		assert_case(at);
		passed++;
	}
	printf("endpoints: %zu of %zu\n", passed, count);
	for (size_t i = 0; i < LEFT_OUT_COUNT; i++)
		printf("endpoints: %zu left out: %s\n", left[i], left_out[i]);
	assert_int_equal(count, 413);
	/* Counted by hand: nothing more may be left out. */
	assert_int_equal(left[0], 19);
	assert_int_equal(left[1], 15);
	assert_int_equal(left[2], 7);
	json_free(document);
	free(text);
}

/*
 * What botocore's clients are made with, for each region. For Signin that is a host which its
 * rules then replace by the one of cases.json, so that only the names of the signature are
 * compared.
 */
static void hosts__agree__with_those_of_every_published_region(void **state)
{
	FILE *file = shared_open("vectors/endpoints/computed-hosts.tsv");
	char line[1024];
	const char *fields[8];
	size_t whole = 0, signatures = 0;

	(void)state;
	if (!file)
		return;
	while (shared_row(file, line, sizeof(line), fields, 8) >= 6) {
		if (strcmp(fields[0], "service") == 0)
			continue;

		struct endpoint_query query = { .service = service_named(fields[0]),
						.region = fields[2] };
		struct endpoint endpoint;
		struct err err = { 0 };
		char expected[512];

		assert_true(endpoint_resolve(&endpoint, &query, &err));
		assert_string_equal(endpoint.region, fields[4]);
		assert_string_equal(endpoint.signing_name, fields[5]);
		if (query.service == SERVICE_SIGNIN) {
			signatures++;
			continue;
		}
		snprintf(expected, sizeof(expected), "%s/", fields[3]);
		assert_string_equal(endpoint.url, expected);
		whole++;
	}
	fclose(file);
	printf("computed hosts: %zu of %zu; %zu of Signin by their signature alone\n", whole,
	       whole + signatures, signatures);
	assert_int_equal(whole, 9 * 46);
	assert_int_equal(signatures, 46);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases__agree__with_every_published_one),
		cmocka_unit_test(hosts__agree__with_those_of_every_published_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
