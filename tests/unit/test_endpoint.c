#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "aws/endpoint.h"

static void region__is_checked__by_the_published_pattern(void **state)
{
	static const char *const good[] = { "us-east-1", "x", "US-EAST-1", "a1", "us-gov-west-1" };
	static const char *const bad[] = { "",    "123", "-a",   "a-",  "us east", "a/b",
					   "a.b", "a@b", "a\nb", "a:1", "é" };
	char longest[65];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(endpoint_region_is_valid(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(endpoint_region_is_valid(bad[i]));
	memset(longest, 'a', 64);
	longest[64] = '\0';
	assert_false(endpoint_region_is_valid(longest));
	longest[63] = '\0';
	assert_true(endpoint_region_is_valid(longest));
}

static void assert_host(struct endpoint_query query, const char *host)
{
	struct endpoint endpoint;
	struct err err = { 0 };
	char url[512];

	if (!endpoint_resolve(&endpoint, &query, &err))
		fail_msg("%s: %s", host, err_text(&err));
	assert_string_equal(endpoint.host, host);
	assert_string_equal(endpoint.target, "/");
	snprintf(url, sizeof(url), "https://%s/", host);
	assert_string_equal(endpoint.url, url);
}

static void host__follows_the_partition__of_the_region(void **state)
{
	static const struct {
		const char *region, *suffix, *dualstack;
	} cases[] = {
		{ "us-east-1", "amazonaws.com", "api.aws" },
		{ "cn-north-1", "amazonaws.com.cn", "api.amazonwebservices.com.cn" },
		{ "us-gov-west-1", "amazonaws.com", "api.aws" },
		{ "eusc-de-east-1", "amazonaws.eu", "api.amazonwebservices.eu" },
		{ "us-iso-east-1", "c2s.ic.gov", "api.aws.ic.gov" },
		{ "us-isob-east-1", "sc2s.sgov.gov", "api.aws.scloud" },
		{ "eu-isoe-west-1", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk" },
		{ "us-isof-south-1", "csp.hci.ic.gov", "api.aws.hci.ic.gov" },
		/* Of the form of a partition's names, though not built yet. */
		{ "cn-west-12", "amazonaws.com.cn", "api.amazonwebservices.com.cn" },
		/* Listed names that no form fits. */
		{ "aws-cn-global", "amazonaws.com.cn", "api.amazonwebservices.com.cn" },
		{ "aws-iso-b-global", "sc2s.sgov.gov", "api.aws.scloud" },
		/* None of the forms: partition aws. */
		{ "not-known-9", "amazonaws.com", "api.aws" },
		{ "cn-north", "amazonaws.com", "api.aws" },
		{ "cn-north-1x", "amazonaws.com", "api.aws" },
		{ "cn-1", "amazonaws.com", "api.aws" },
		{ "eusc-fr-east-1", "amazonaws.com", "api.aws" },
		{ "aws-eusc-global", "amazonaws.com", "api.aws" },
		{ "us-isob-east-west-1", "amazonaws.com", "api.aws" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct endpoint_query query = { SERVICE_SAGEMAKER, .region = cases[i].region };
		char host[512];

		snprintf(host, sizeof(host), "api.sagemaker.%s.%s", cases[i].region,
			 cases[i].suffix);
		assert_host(query, host);
		snprintf(host, sizeof(host), "api.sagemaker.%s.%s", cases[i].region,
			 cases[i].dualstack);
		query.dualstack = true;
		assert_host(query, host);
	}
}

/* Services that the vectors lack, and regions that they lack for FIPS: as botocore 1.43.11 says. */
static void fips__has_hosts_of_its_own__in_places(void **state)
{
	static const struct {
		enum aws_service service;
		const char *region;
		bool dualstack;
		const char *host;
	} cases[] = {
		{ SERVICE_SQS, "us-east-1", false, "sqs-fips.us-east-1.amazonaws.com" },
		{ SERVICE_SQS, "us-gov-east-1", false, "sqs.us-gov-east-1.amazonaws.com" },
		{ SERVICE_SQS, "us-gov-east-1", true, "sqs-fips.us-gov-east-1.api.aws" },
		{ SERVICE_BATCH, "us-east-1", false, "fips.batch.us-east-1.amazonaws.com" },
		{ SERVICE_BATCH, "us-east-1", true, "batch-fips.us-east-1.api.aws" },
		{ SERVICE_BATCH, "us-gov-west-1", false, "batch.us-gov-west-1.amazonaws.com" },
		{ SERVICE_BATCH, "cn-north-1", false, "batch-fips.cn-north-1.amazonaws.com.cn" },
		{ SERVICE_EVENTBRIDGE, "us-west-2", false, "events-fips.us-west-2.amazonaws.com" },
		{ SERVICE_EVENTBRIDGE, "us-gov-east-1", false,
		  "events.us-gov-east-1.amazonaws.com" },
		{ SERVICE_EVENTBRIDGE, "us-gov-west-1", false,
		  "events.us-gov-west-1.amazonaws.com" },
		{ SERVICE_EVENTBRIDGE, "us-gov-north-1", false,
		  "events-fips.us-gov-north-1.amazonaws.com" },
		{ SERVICE_EVENTBRIDGE, "us-gov-east-1", true, "events.us-gov-east-1.api.aws" },
		{ SERVICE_CLOUDWATCH, "us-gov-east-1", true, "monitoring.us-gov-east-1.api.aws" },
		{ SERVICE_LOGS, "us-gov-north-1", false, "logs-fips.us-gov-north-1.amazonaws.com" },
		{ SERVICE_EC2, "us-gov-north-1", false, "ec2.us-gov-north-1.amazonaws.com" },
		{ SERVICE_STS, "aws-global", false, "sts-fips.aws-global.amazonaws.com" },
		{ SERVICE_SIGNIN, "us-gov-east-1", true, "signin-fips.us-gov-east-1.api.aws" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_host((struct endpoint_query){ .service = cases[i].service,
						     .region = cases[i].region,
						     .fips = true,
						     .dualstack = cases[i].dualstack },
			    cases[i].host);
}

/* facts/aws.md 2.2; the vectors have no Signin in the European partition. */
static void signin__has_hosts_of_its_own__in_europe_too(void **state)
{
	(void)state;
	assert_host((struct endpoint_query){ SERVICE_SIGNIN, .region = "eusc-de-east-1" },
		    "eusc-de-east-1.signin.amazonaws-eusc.eu");
}

static void pseudo_region__asks_for_fips__in_the_region_it_names(void **state)
{
	static const char *const names[] = { "fips-us-west-2", "us-west-2-fips" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct endpoint_query query = { SERVICE_STS, .region = names[i] };
		struct endpoint endpoint;
		struct err err = { 0 };

		assert_host(query, "sts-fips.us-west-2.amazonaws.com");
		assert_true(endpoint_resolve(&endpoint, &query, &err));
		assert_string_equal(endpoint.region, "us-west-2");
	}
}

static void region__is_refused__when_it_is_none_or_missing(void **state)
{
	static const struct {
		const char *region, *words;
	} cases[] = {
		{ NULL, "no region is set" },
		{ "", "no region is set" },
		{ "us east 1", "us east 1 is not the name of a region" },
		{ "fips-", "fips- is not" },
		{ "-fips", "-fips is not" },
		{ "fips--a", "fips--a is not" },
		{ "fips-12", "fips-12 is not" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  "aaa" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct endpoint_query query = { SERVICE_SAGEMAKER, .region = cases[i].region };
		struct endpoint endpoint;
		struct err err = { 0 };

		assert_false(endpoint_resolve(&endpoint, &query, &err));
		assert_int_equal(err.code, ERR_CONFIG);
		assert_int_equal(err.hint, HINT_SET_REGION);
		assert_non_null(strstr(err_text(&err), cases[i].words));
		err_clear(&err);
	}
}

static void own_url__wins__and_the_region_still_signs(void **state)
{
	struct endpoint_query query = { .service = SERVICE_SSO,
					.region = "fips-us-east-1",
					.fips = true,
					.dualstack = true,
					.override_url = "http://127.0.0.1:5000/x" };
	struct endpoint endpoint;
	struct err err = { 0 };

	(void)state;
	assert_true(endpoint_resolve(&endpoint, &query, &err));
	assert_string_equal(endpoint.url, "http://127.0.0.1:5000/x/");
	assert_string_equal(endpoint.region, "us-east-1");
	assert_string_equal(endpoint.signing_name, "awsssoportal");
	query.override_url = "";
	query.dualstack = false;
	assert_host(query, "portal.sso-fips.us-east-1.amazonaws.com");
	query.override_url = "ftp://h";
	assert_false(endpoint_resolve(&endpoint, &query, &err));
	assert_non_null(strstr(err_text(&err), "http"));
	err_clear(&err);
	query.override_url = "http://h";
	query.region = "a b";
	assert_false(endpoint_resolve(&endpoint, &query, &err));
	assert_int_equal(err.hint, HINT_SET_REGION);
	err_clear(&err);
}

static void prices__come_from_a_region__that_has_the_service(void **state)
{
	static const struct {
		const char *region, *pricing;
	} cases[] = {
		{ "us-east-1", "us-east-1" },           { "us-west-2", "us-east-1" },
		{ "eu-central-1", "eu-central-1" },     { "ap-south-1", "ap-south-1" },
		{ "eu-west-1", "us-east-1" },           { "not-known-9", "us-east-1" },
		{ "cn-north-1", "cn-northwest-1" },     { "eusc-de-east-1", "eusc-de-east-1" },
		{ "us-iso-west-1", "us-iso-east-1" },   { "us-isob-west-1", "us-isob-east-1" },
		{ "eu-isoe-west-1", "eu-isoe-west-1" }, { "us-isof-east-1", "us-isof-south-1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(endpoint_pricing_region(cases[i].region), cases[i].pricing);
	assert_null(endpoint_pricing_region("us-gov-west-1"));
	assert_null(endpoint_pricing_region("us-gov-east-1"));
}

static void url__is_taken_apart__with_port_and_path(void **state)
{
	static const struct {
		const char *url, *whole, *host, *target;
	} cases[] = {
		{ "http://127.0.0.1:5000", "http://127.0.0.1:5000/", "127.0.0.1:5000", "/" },
		{ "HTTPS://Example.COM:443/", "https://example.com/", "example.com", "/" },
		{ "http://h:80", "http://h/", "h", "/" },
		{ "https://h:80/a/b", "https://h:80/a/b/", "h:80", "/a/b/" },
		{ "http://[::1]:9", "http://[::1]:9/", "[::1]:9", "/" },
		{ "http://[::1]", "http://[::1]/", "[::1]", "/" },
		{ "http://h:", "http://h/", "h", "/" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct endpoint endpoint;
		struct err err = { 0 };

		if (!endpoint_of_url(&endpoint, cases[i].url, &err))
			fail_msg("%s: %s", cases[i].url, err_text(&err));
		assert_string_equal(endpoint.url, cases[i].whole);
		assert_string_equal(endpoint.host, cases[i].host);
		assert_string_equal(endpoint.target, cases[i].target);
	}
}

static void url__is_refused__when_it_could_mean_something_else(void **state)
{
	static const char *const bad[] = {
		"",
		"127.0.0.1:5000",
		"ftp://h",
		"file:///etc/passwd",
		"http://",
		"http:///x",
		"http://user:secretpassword@h/",
		"http://h:0",
		"http://h:65536",
		"http://h:12x",
		"http://h:123456",
		"http://h/?a=b",
		"http://h/#x",
		"http://h\r\nX: y/",
		"http://h /",
		"http://h/a b",
		"http://[::1",
		"http://[::1]x",
		"http://h\\@evil/",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct endpoint endpoint;
		struct err err = { 0 };

		if (endpoint_of_url(&endpoint, bad[i], &err))
			fail_msg("%s was taken", bad[i]);
		assert_int_equal(err.code, ERR_CONFIG);
		assert_null(strstr(err_text(&err), "secretpassword"));
		assert_int_equal(strstr(err_text(&err), "user name") != NULL,
				 strchr(bad[i], '@') != NULL);
		err_clear(&err);
	}
}

static void url__is_refused__when_it_is_too_long(void **state)
{
	char url[4096] = "http://h/";
	struct endpoint endpoint;
	struct err err = { 0 };

	(void)state;
	memset(url + 9, 'a', sizeof(url) - 10);
	assert_false(endpoint_of_url(&endpoint, url, &err));
	err_clear(&err);
	memset(url + 7, 'a', 400);
	url[407] = '\0';
	assert_false(endpoint_of_url(&endpoint, url, &err));
	err_clear(&err);
}

static void place__is_told__by_the_whole_host(void **state)
{
	static const struct {
		const char *host;
		enum endpoint_place place;
	} cases[] = {
		{ "127.0.0.1", PLACE_LOOPBACK },
		{ "127.0.0.1:8700", PLACE_LOOPBACK },
		{ "127.255.3.4", PLACE_LOOPBACK },
		{ "localhost", PLACE_LOOPBACK },
		{ "LocalHost:80", PLACE_LOOPBACK },
		{ "[::1]", PLACE_LOOPBACK },
		{ "[::1]:9", PLACE_LOOPBACK },
		{ "[0:0:0:0:0:0:0:1]:9", PLACE_LOOPBACK },
		{ "169.254.170.2", PLACE_CONTAINER },
		{ "169.254.170.23:80", PLACE_CONTAINER },
		{ "[fd00:ec2::23]", PLACE_CONTAINER },
		{ "[fd00:0ec2:0::23]:80", PLACE_CONTAINER },
		{ "169.254.169.254", PLACE_METADATA },
		{ "[fd00:ec2::254]", PLACE_METADATA },
		{ "127.0.0.1.example.com", PLACE_ELSEWHERE },
		{ "127.example.com", PLACE_ELSEWHERE },
		{ "localhost.example.com", PLACE_ELSEWHERE },
		{ "notlocalhost", PLACE_ELSEWHERE },
		{ "128.0.0.1", PLACE_ELSEWHERE },
		{ "1.127.0.0", PLACE_ELSEWHERE },
		{ "169.254.170.3", PLACE_ELSEWHERE },
		{ "169.254.170.2.example.com", PLACE_ELSEWHERE },
		{ "[::2]", PLACE_ELSEWHERE },
		{ "[fd00:ec2::24]", PLACE_ELSEWHERE },
		{ "10.0.0.1:8700", PLACE_ELSEWHERE },
		{ "", PLACE_ELSEWHERE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (endpoint_place(cases[i].host) != cases[i].place)
			fail_msg("%s: %d", cases[i].host, endpoint_place(cases[i].host));
	}
}

static void http__is_refused__where_others_could_listen(void **state)
{
	static const struct {
		const char *url;
		bool allowed;
	} cases[] = {
		{ "http://127.0.0.1:8700", true },
		{ "http://localhost:1", true },
		{ "http://[::1]:9", true },
		{ "http://169.254.170.2/x", true },
		{ "http://169.254.169.254", true },
		{ "https://gateway.example", true },
		{ "HTTPS://gateway.example", true },
		{ "http://gateway.example", false },
		{ "http://10.0.0.1:8700/x", false },
		{ "http://127.0.0.1.example", false },
		{ "HTTP://sagemaker.internal", false },
		{ "http://[fd00::1]", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct endpoint endpoint;
		struct err err = { 0 };

		assert_true(endpoint_of_url(&endpoint, cases[i].url, &err));
		assert_true(endpoint_http_is_allowed(&endpoint, true, &err));
		if (endpoint_http_is_allowed(&endpoint, false, &err) != cases[i].allowed)
			fail_msg("%s", cases[i].url);
		if (!cases[i].allowed) {
			assert_int_equal(err.code, ERR_CONFIG);
			assert_int_equal(err.hint, HINT_ALLOW_HTTP);
			assert_non_null(strstr(err_text(&err), endpoint.host));
		}
		err_clear(&err);
	}
}

static void aws__is_told__by_its_domains(void **state)
{
	static const char *const its[] = {
		"api.sagemaker.us-east-1.amazonaws.com",
		"API.SageMaker.US-EAST-1.AmazonAWS.com",
		"api.sagemaker.cn-north-1.amazonaws.com.cn",
		"sagemaker.us-east-1.api.aws",
		"vpce-0a1b-2c3d.api.sagemaker.eu-west-1.vpce.amazonaws.com:443",
		"api.sagemaker.us-iso-east-1.c2s.ic.gov",
	};
	static const char *const others[] = {
		"127.0.0.1:4566",          "localhost",
		"evil-amazonaws.com",      "amazonaws.com",
		".amazonaws.com",          "api.sagemaker.us-east-1.amazonaws.com.example.org",
		"amazonaws.com.evil.test", "[::1]:80",
		"proxy.example:443",       "",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(its) / sizeof(its[0]); i++)
		assert_true(endpoint_is_aws(its[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(endpoint_is_aws(others[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(region__is_checked__by_the_published_pattern),
		cmocka_unit_test(host__follows_the_partition__of_the_region),
		cmocka_unit_test(fips__has_hosts_of_its_own__in_places),
		cmocka_unit_test(signin__has_hosts_of_its_own__in_europe_too),
		cmocka_unit_test(pseudo_region__asks_for_fips__in_the_region_it_names),
		cmocka_unit_test(region__is_refused__when_it_is_none_or_missing),
		cmocka_unit_test(own_url__wins__and_the_region_still_signs),
		cmocka_unit_test(prices__come_from_a_region__that_has_the_service),
		cmocka_unit_test(url__is_taken_apart__with_port_and_path),
		cmocka_unit_test(url__is_refused__when_it_could_mean_something_else),
		cmocka_unit_test(url__is_refused__when_it_is_too_long),
		cmocka_unit_test(place__is_told__by_the_whole_host),
		cmocka_unit_test(aws__is_told__by_its_domains),
		cmocka_unit_test(http__is_refused__where_others_could_listen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
