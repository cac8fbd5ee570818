#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/services.h"
#include "tests/shared.h"

static const struct service *by_sdk_id(const char *sdk_id)
{
	for (enum aws_service i = 0; i < SERVICE_COUNT; i++) {
		if (strcmp(service_row(i)->sdk_id, sdk_id) == 0)
			return service_row(i);
	}
	return NULL;
}

/* "Service Quotas" -> SERVICE_QUOTAS or service_quotas. */
static void join_words(const char *sdk_id, bool upper, char out[64])
{
	size_t i;

	for (i = 0; sdk_id[i]; i++) {
		char c = sdk_id[i];

		if (c >= 'a' && c <= 'z' && upper)
			c = (char)(c - 'a' + 'A');
		else if (c >= 'A' && c <= 'Z' && !upper)
			c = (char)(c - 'A' + 'a');
		out[i] = c == ' ' || c == '-' ? '_' : c;
	}
	out[i] = '\0';
}

static void names__follow_the_sdk_id__for_every_service(void **state)
{
	(void)state;
	for (enum aws_service i = 0; i < SERVICE_COUNT; i++) {
		char name[64];

		join_words(service_row(i)->sdk_id, true, name);
		assert_string_equal(service_row(i)->env_suffix, name);
		join_words(service_row(i)->sdk_id, false, name);
		assert_string_equal(service_row(i)->config_key, name);
		assert_ptr_equal(by_sdk_id(service_row(i)->sdk_id), service_row(i));
	}
}

static void row__is_whole__for_its_protocol(void **state)
{
	(void)state;
	for (enum aws_service i = 0; i < SERVICE_COUNT; i++) {
		const struct service *row = service_row(i);
		bool form = row->protocol == PROTOCOL_QUERY || row->protocol == PROTOCOL_EC2;

		assert_true(row->host_prefix[0] && row->signing_name[0]);
		assert_int_equal(row->target_prefix != NULL, row->protocol == PROTOCOL_JSON);
		assert_int_equal(row->api_version != NULL, form);
		assert_int_equal(strstr(row->content_type, "form-urlencoded") != NULL, form);
	}
}

/* The three that the vectors do not have, by facts/aws.md 1.0. */
static void names__are_the_published_ones__without_vectors_too(void **state)
{
	static const struct {
		enum aws_service service;
		const char *host, *signing, *type, *target;
	} cases[] = {
		{ SERVICE_SQS, "sqs", "sqs", "application/x-amz-json-1.0", "AmazonSQS" },
		{ SERVICE_EVENTBRIDGE, "events", "events", "application/x-amz-json-1.1",
		  "AWSEvents" },
		{ SERVICE_BATCH, "batch", "batch", "application/json", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct service *row = service_row(cases[i].service);

		assert_string_equal(row->host_prefix, cases[i].host);
		assert_string_equal(row->signing_name, cases[i].signing);
		assert_string_equal(row->content_type, cases[i].type);
		if (cases[i].target)
			assert_string_equal(row->target_prefix, cases[i].target);
	}
}

static void assert_content_type(const struct service *row, const struct json_value *known)
{
	const char *protocol = json_text(known, "protocol"), *version;
	char expected[64];

	if (strcmp(protocol, "json") == 0) {
		version = json_text(known, "json_version");
		assert_int_equal(row->protocol, PROTOCOL_JSON);
		snprintf(expected, sizeof(expected), "application/x-amz-json-%s", version);
		assert_string_equal(row->content_type, expected);
		assert_string_equal(row->target_prefix, json_text(known, "target_prefix"));
		return;
	}
	assert_int_equal(row->protocol, strcmp(protocol, "query") == 0 ? PROTOCOL_QUERY
					: strcmp(protocol, "ec2") == 0 ? PROTOCOL_EC2
								       : PROTOCOL_REST_JSON);
	if (row->api_version)
		assert_string_equal(row->api_version, json_text(known, "api_version"));
}

static void rows__agree__with_the_published_names(void **state)
{
	size_t len, count = 0;
	char *text = shared_read("vectors/endpoints/service-names.json", &len);
	struct err err = { 0 };

	(void)state;
	if (!text)
		return;

	struct json_value *document = json_parse(text, len, &err);

	assert_non_null(document);
	for (const struct json_value *at = json_first(document); at; at = json_next(at)) {
		const struct service *row = by_sdk_id(json_text(at, "service_id"));
		char env[128];

		assert_non_null(row);
		snprintf(env, sizeof(env), "AWS_ENDPOINT_URL_%s", row->env_suffix);
		assert_string_equal(env, json_text(at, "env"));
		assert_string_equal(row->config_key, json_text(at, "config_key"));
		assert_string_equal(row->host_prefix, json_text(at, "endpoint_prefix"));
		assert_string_equal(row->signing_name, json_text(at, "signing_name"));
		assert_content_type(row, at);
		count++;
	}
	assert_int_equal(count, 10);
	json_free(document);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names__follow_the_sdk_id__for_every_service),
		cmocka_unit_test(row__is_whole__for_its_protocol),
		cmocka_unit_test(names__are_the_published_ones__without_vectors_too),
		cmocka_unit_test(rows__agree__with_the_published_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
