#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "aws/endpoint.h"
#include "tests/shared.h"

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

static void host__follows_the_partition__of_the_region(void **state)
{
	static const struct {
		const char *region, *host;
	} cases[] = {
		{ "us-east-1", "api.sagemaker.us-east-1.amazonaws.com" },
		{ "cn-north-1", "api.sagemaker.cn-north-1.amazonaws.com.cn" },
		{ "us-gov-west-1", "api.sagemaker.us-gov-west-1.amazonaws.com" },
		{ "eusc-de-east-1", "api.sagemaker.eusc-de-east-1.amazonaws.eu" },
		{ "us-iso-east-1", "api.sagemaker.us-iso-east-1.c2s.ic.gov" },
		{ "us-isob-east-1", "api.sagemaker.us-isob-east-1.sc2s.sgov.gov" },
		{ "eu-isoe-west-1", "api.sagemaker.eu-isoe-west-1.cloud.adc-e.uk" },
		{ "us-isof-south-1", "api.sagemaker.us-isof-south-1.csp.hci.ic.gov" },
		{ "not-known-9", "api.sagemaker.not-known-9.amazonaws.com" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct endpoint endpoint;
		struct err err = { 0 };

		assert_true(endpoint_of_region(&endpoint, "api.sagemaker", cases[i].region, &err));
		assert_string_equal(endpoint.host, cases[i].host);
		assert_string_equal(endpoint.target, "/");
		assert_memory_equal(endpoint.url, "https://", 8);
	}
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

static void hosts__agree__with_those_of_every_published_region(void **state)
{
	FILE *file = shared_open("vectors/endpoints/computed-hosts.tsv");
	char line[1024];
	const char *fields[8];
	size_t count = 0;

	(void)state;
	if (!file)
		return;
	while (shared_row(file, line, sizeof(line), fields, 8) >= 6) {
		struct endpoint endpoint;
		struct err err = { 0 };
		char expected[512];

		if (strcmp(fields[0], "sagemaker") != 0)
			continue;
		assert_true(endpoint_of_region(&endpoint, "api.sagemaker", fields[2], &err));
		snprintf(expected, sizeof(expected), "%s/", fields[3]);
		assert_string_equal(endpoint.url, expected);
		count++;
	}
	fclose(file);
	assert_int_equal(count, 46);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(region__is_checked__by_the_published_pattern),
		cmocka_unit_test(host__follows_the_partition__of_the_region),
		cmocka_unit_test(url__is_taken_apart__with_port_and_path),
		cmocka_unit_test(url__is_refused__when_it_could_mean_something_else),
		cmocka_unit_test(url__is_refused__when_it_is_too_long),
		cmocka_unit_test(hosts__agree__with_those_of_every_published_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
