/* The order in which AWS settings are looked up, and endpoint URLs against the published cases. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/settings.h"
#include "tests/shared.h"

/* Three places, each a list of name and value. */
struct pair {
	const char *name, *value;
};
struct places {
	const struct pair *env, *profile, *service;
	bool section_is_missing;
};

static const char *value_of(const struct pair *pairs, const char *name)
{
	for (; pairs && pairs->name; pairs++) {
		if (strcmp(pairs->name, name) == 0)
			return pairs->value;
	}
	return NULL;
}

static const char *env(void *ctx, const char *name)
{
	return value_of(((const struct places *)ctx)->env, name);
}

static void answer(struct aws_setting *out, const char *value, const char *place, const char *name)
{
	if (!value)
		return;
	out->value = value;
	snprintf(out->origin, sizeof(out->origin), "%s, key %s", place, name);
}

static void profile_value(void *ctx, const char *key, struct aws_setting *out)
{
	answer(out, value_of(((const struct places *)ctx)->profile, key), "profile ops", key);
}

static bool service_value(void *ctx, const char *service, const char *key, struct aws_setting *out,
			  struct err *err)
{
	const struct places *places = ctx;

	if (places->section_is_missing)
		return err_set(err, ERR_CONFIG, "there is no section [services dev]");
	assert_string_equal(key, "endpoint_url");
	answer(out, value_of(places->service, service), "services dev", service);
	return true;
}

static struct aws_lookup lookup_in(struct places *places)
{
	return (struct aws_lookup){ env, profile_value, service_value, places };
}

static void assert_setting(const struct aws_setting *setting, const char *value, const char *origin)
{
	if (!value)
		assert_null(setting->value);
	else
		assert_string_equal(setting->value, value);
	assert_string_equal(setting->origin, origin);
}

static void region__is_the_first_that_is_set__with_its_origin(void **state)
{
	static const struct pair both[] = { { "AWS_REGION", "r-1" },
					    { "AWS_DEFAULT_REGION", "r-2" },
					    { 0 } };
	static const struct pair older[] = { { "AWS_REGION", "" },
					     { "AWS_DEFAULT_REGION", "r-2" },
					     { 0 } };
	static const struct pair own[] = { { "region", "r-3" }, { 0 } };
	static const struct pair empty[] = { { "region", "" }, { 0 } };
	static const struct {
		const char *option;
		const struct pair *env, *profile;
		const char *value, *origin;
	} cases[] = {
		{ "r-0", both, own, "r-0", "--region" },
		{ NULL, both, own, "r-1", "AWS_REGION" },
		{ "", older, own, "r-2", "AWS_DEFAULT_REGION" },
		{ NULL, NULL, own, "r-3", "profile ops, key region" },
		{ NULL, NULL, empty, NULL, "" },
		{ NULL, NULL, NULL, NULL, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct places places = { .env = cases[i].env, .profile = cases[i].profile };
		struct aws_lookup lookup = lookup_in(&places);
		struct aws_setting region;

		aws_setting_find(&region, AWS_SETTING_REGION, cases[i].option, &lookup);
		assert_setting(&region, cases[i].value, cases[i].origin);
	}
}

static void switch__is_on__for_the_word_true_alone(void **state)
{
	static const struct {
		const char *value;
		bool on;
	} cases[] = {
		{ "true", true }, { "True", true },   { "TRUE", true }, { "false", false },
		{ "1", false },   { "yes", false },   { "", false },    { NULL, false },
		{ "on", false },  { "true ", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct aws_setting setting = { .value = cases[i].value };

		assert_int_equal(aws_setting_is_true(&setting), cases[i].on);
	}
}

static void switches__are_found__under_their_published_names(void **state)
{
	static const struct {
		enum aws_setting_id id;
		const char *variable, *key;
	} cases[] = {
		{ AWS_SETTING_FIPS, "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint" },
		{ AWS_SETTING_DUALSTACK, "AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint" },
		{ AWS_SETTING_IGNORE_URLS, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
		  "ignore_configured_endpoint_urls" },
		{ AWS_SETTING_CA_BUNDLE, "AWS_CA_BUNDLE", "ca_bundle" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pair variable[] = { { cases[i].variable, "false" }, { 0 } };
		const struct pair key[] = { { cases[i].key, "true" }, { 0 } };
		struct places places = { .env = variable, .profile = key };
		struct aws_lookup lookup = lookup_in(&places);
		struct aws_setting setting;

		/* The environment wins, also to switch something off. */
		aws_setting_find(&setting, cases[i].id, NULL, &lookup);
		assert_setting(&setting, "false", cases[i].variable);
		places.env = NULL;
		aws_setting_find(&setting, cases[i].id, NULL, &lookup);
		assert_true(aws_setting_is_true(&setting));
		lookup.profile_value = NULL;
		aws_setting_find(&setting, cases[i].id, NULL, &lookup);
		assert_setting(&setting, NULL, "");
	}
}

static void endpoint__has_the_origin__of_the_place_that_named_it(void **state)
{
	static const struct pair own[] = { { "AWS_ENDPOINT_URL_SERVICE_QUOTAS", "http://a" },
					   { "AWS_ENDPOINT_URL", "http://b" },
					   { 0 } };
	static const struct pair all[] = { { "AWS_ENDPOINT_URL_SERVICE_QUOTAS", "" },
					   { "AWS_ENDPOINT_URL", "http://b" },
					   { 0 } };
	static const struct pair service[] = { { "service_quotas", "http://c" }, { 0 } };
	static const struct pair profile[] = { { "endpoint_url", "http://d" }, { 0 } };
	static const struct {
		const char *option;
		const struct pair *env, *service;
		const char *value, *origin;
	} cases[] = {
		{ "http://o", own, service, "http://o", "--endpoint-url" },
		{ NULL, own, service, "http://a", "AWS_ENDPOINT_URL_SERVICE_QUOTAS" },
		{ "", all, service, "http://b", "AWS_ENDPOINT_URL" },
		{ NULL, NULL, service, "http://c", "services dev, key service_quotas" },
		{ NULL, NULL, NULL, "http://d", "profile ops, key endpoint_url" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct places places = { .env = cases[i].env,
					 .profile = profile,
					 .service = cases[i].service };
		struct aws_lookup lookup = lookup_in(&places);
		struct aws_setting url;
		struct err err = { 0 };

		assert_true(aws_setting_endpoint_url(&url, service_row(SERVICE_QUOTAS),
						     cases[i].option, &lookup, &err));
		assert_setting(&url, cases[i].value, cases[i].origin);
	}
}

static void missing_section__is_an_error__only_where_it_would_decide(void **state)
{
	static const struct pair all[] = { { "AWS_ENDPOINT_URL", "http://b" }, { 0 } };
	static const struct pair profile[] = { { "endpoint_url", "http://d" }, { 0 } };
	static const struct pair ignored[] = { { "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true" },
					       { 0 } };
	struct places places = { .profile = profile, .section_is_missing = true };
	struct aws_lookup lookup = lookup_in(&places);
	const struct service *service = service_row(SERVICE_STS);
	struct aws_setting url;
	struct err err = { 0 };

	(void)state;
	assert_false(aws_setting_endpoint_url(&url, service, NULL, &lookup, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_null(url.value);
	err_clear(&err);
	assert_true(aws_setting_endpoint_url(&url, service, "http://o", &lookup, &err));
	places.env = all;
	assert_true(aws_setting_endpoint_url(&url, service, NULL, &lookup, &err));
	assert_setting(&url, "http://b", "AWS_ENDPOINT_URL");
	places.env = ignored;
	assert_true(aws_setting_endpoint_url(&url, service, NULL, &lookup, &err));
	assert_setting(&url, NULL, "");
}

/* The published cases are about two services that gpuq does not have. */
static const struct service storage = { .env_suffix = "S3",
					.config_key = "s3",
					.host_prefix = "s3" };
static const struct service database = { .env_suffix = "DYNAMODB",
					 .config_key = "dynamodb",
					 .host_prefix = "dynamodb" };

struct suite {
	const struct json_value *env, *profile, *services;
	bool client_ignores;
};

/* A parameter of the SDKs' clients: the program's own twin is the variable. */
static const char *suite_env(void *ctx, const char *name)
{
	const struct suite *suite = ctx;

	if (suite->client_ignores && strcmp(name, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == 0)
		return "true";
	return json_text(suite->env, name);
}

static void suite_profile(void *ctx, const char *key, struct aws_setting *out)
{
	answer(out, json_text(((const struct suite *)ctx)->profile, key), "profile", key);
}

static bool suite_service(void *ctx, const char *service, const char *key, struct aws_setting *out,
			  struct err *err)
{
	const struct suite *suite = ctx;
	const char *section = json_text(suite->profile, "services");
	const struct json_value *found = section ? json_object(suite->services, section) : NULL;

	(void)err;
	answer(out, json_text(json_object(found, service), key), "services", key);
	return true;
}

static const struct json_value *named(const struct json_value *suite, const char *kind,
				      const struct json_value *test, const char *by)
{
	const struct json_value *found = json_object(json_object(suite, kind), json_text(test, by));

	assert_non_null(found);
	return found;
}

static void assert_published(const struct json_value *whole, const struct json_value *test)
{
	const struct json_value *client = named(whole, "client_configs", test, "client_config");
	struct suite suite = { .env = named(whole, "environments", test, "environment"),
			       .profile = named(whole, "profiles", test, "profile"),
			       .services = json_object(whole, "services") };
	const struct aws_lookup lookup = { suite_env, suite_profile, suite_service, &suite };
	const char *name = json_text(test, "service");
	const struct service *service = strcmp(name, "s3") == 0 ? &storage : &database;
	const char *expected = json_text(json_object(test, "output"), "endpointUrl");
	struct aws_setting url;
	struct err err = { 0 };
	char host[128];

	if (!json_boolean(client, "ignore_configured_endpoint_urls", &suite.client_ignores))
		suite.client_ignores = false;
	assert_string_equal(service->config_key, name);
	assert_true(aws_setting_endpoint_url(&url, service, json_text(client, "endpoint_url"),
					     &lookup, &err));
	/* Nothing set: the region's own host, by the general rule. */
	snprintf(host, sizeof(host), "https://%s.fake-region-10.amazonaws.com", name);
	if (strcmp(url.value ? url.value : host, expected) != 0)
		fail_msg("%s: %s", json_text(test, "name"), url.value ? url.value : host);
}

static void endpoints__agree__with_every_published_case(void **state)
{
	size_t len, count = 0;
	char *text = shared_read("vectors/endpoints/configured-endpoint-urls.json", &len);
	struct err err = { 0 };

	(void)state;
	if (!text)
		return;

	struct json_value *document = json_parse(text, len, &err);
	const struct json_value *suite = json_first(json_array(document, "testSuites"));

	assert_non_null(suite);
	for (const struct json_value *at = json_first(json_array(suite, "endpointUrlTests")); at;
	     at = json_next(at), count++)
		assert_published(suite, at);
	printf("endpoint URLs: %zu of %zu\n", count, count);
	assert_int_equal(count, 39);
	json_free(document);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(region__is_the_first_that_is_set__with_its_origin),
		cmocka_unit_test(switch__is_on__for_the_word_true_alone),
		cmocka_unit_test(switches__are_found__under_their_published_names),
		cmocka_unit_test(endpoint__has_the_origin__of_the_place_that_named_it),
		cmocka_unit_test(missing_section__is_an_error__only_where_it_would_decide),
		cmocka_unit_test(endpoints__agree__with_every_published_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
