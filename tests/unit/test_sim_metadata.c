/* The region's instance metadata service and container endpoint. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simaccess.h"

#define TTL   "X-aws-ec2-metadata-token-ttl-seconds"
#define ROLES "/latest/meta-data/iam/security-credentials/"

static int put_token(struct simregion *sim, const char *ttl)
{
	const struct sigv4_header headers[] = { { TTL, ttl }, { 0 } };
	return simaccess_send(sim, "PUT", "/latest/api/token", ttl ? headers : headers + 1, NULL);
}

static int get(struct simregion *sim, const char *token, const char *target)
{
	const struct sigv4_header headers[] = { { "X-aws-ec2-metadata-token", token }, { 0 } };
	return simaccess_send(sim, "GET", target, token ? headers : headers + 1, NULL);
}

/* A token for so many seconds; static buffer. */
static const char *token_for(struct simregion *sim, const char *seconds)
{
	static char token[128];
	assert_int_equal(put_token(sim, seconds), 200);
	int len = snprintf(token, sizeof(token), "%s", simregion_body(sim));
	assert_in_range(len, 1, (int)sizeof(token) - 1);
	return token;
}

static void token__opens__the_rest(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	const char *token = token_for(sim, "21600");
	assert_string_equal(sim->answer.content_type, "text/plain");
	assert_int_equal(sim->answer.header_count, 1);
	assert_string_equal(sim->answer.headers[0].value, "21600");
	assert_int_equal(get(sim, token, ROLES), 200);
	assert_string_equal(simregion_body(sim), "sim-instance-role");
	assert_int_equal(get(sim, token, ROLES "sim-instance-role"), 200);
	simaccess_wants(sim, 200,
			"{\"Code\":\"Success\",\"LastUpdated\":\"2026-11-30T20:48:08Z\","
			"\"Type\":\"AWS-HMAC\",\"AccessKeyId\":\"ASIA*"
			"\"Expiration\":\"2026-11-30T21:48:08Z\"}");
	struct simkeys keys = simaccess_json_keys(sim, "AccessKeyId", "SecretAccessKey", "Token");
	assert_string_equal(simaccess_code(sim, &keys), "ResourceNotFound");
	assert_int_equal(get(sim, token, "/latest/meta-data/placement/region"), 200);
	assert_string_equal(simregion_body(sim), "us-east-1");
	/* With the slash at the end, as botocore writes it, and without. */
	assert_int_equal(get(sim, token, "/latest/meta-data/placement/availability-zone/"), 200);
	assert_string_equal(simregion_body(sim), "us-east-1a");
	assert_int_equal(get(sim, token, "/latest/meta-data/placement/availability-zone"), 200);
	assert_int_equal(get(sim, token, ROLES "other"), 404);
	assert_int_equal(get(sim, token, "/latest/meta-data/"), 404);
	simregion_free(sim);
}

static void nothing__is_told__without_a_token(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	assert_int_equal(get(sim, NULL, ROLES), 401);
	assert_string_equal(sim->answer.content_type, "text/html");
	simaccess_wants(sim, 401, "401 - Unauthorized");
	assert_int_equal(get(sim, "made-up", ROLES "sim-instance-role"), 401);
	assert_int_equal(get(sim, "", ROLES), 401);
	const char *token = token_for(sim, "60");
	simregion_pass(sim, 59999);
	assert_int_equal(get(sim, token, ROLES), 200);
	simregion_pass(sim, 1);
	assert_int_equal(get(sim, token, ROLES), 401);
	simregion_free(sim);
}

static void token__wants__its_time_to_live(void **state)
{
	static const char *const wrong[] = { NULL, "", "0", "21601", "-1", "1h", "999999999999" };
	const struct sigv4_header passed_on[] = { { TTL, "60" },
						  { "X-Forwarded-For", "10.0.0.1" },
						  { 0 } };
	struct simregion *sim = simaccess_new();
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(put_token(sim, wrong[i]), 400);
	assert_int_equal(put_token(sim, "1"), 200);
	assert_int_equal(simaccess_send(sim, "PUT", "/latest/api/token", passed_on, NULL), 403);
	simregion_free(sim);
}

static void service__is__what_a_test_wants(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	const char *token = token_for(sim, "60");
	simaccess_control(sim, "/_sim/metadata", "{\"mode\":\"v1\"}");
	assert_int_equal(put_token(sim, "60"), 404);
	assert_int_equal(get(sim, NULL, ROLES), 200);
	simaccess_control(sim, "/_sim/metadata", "{\"mode\":\"off\"}");
	assert_int_equal(put_token(sim, "60"), 403);
	assert_int_equal(get(sim, token, ROLES), 403);
	simaccess_control(sim, "/_sim/metadata", "{\"mode\":\"v2\",\"role\":\"trainer\"}");
	assert_int_equal(get(sim, token, ROLES "sim-instance-role"), 404);
	assert_int_equal(get(sim, token, ROLES "trainer"), 200);
	struct simkeys keys = simaccess_json_keys(sim, "AccessKeyId", "SecretAccessKey", "Token");
	simaccess_sts(sim, &keys, "Action=GetCallerIdentity&Version=2011-06-15");
	simaccess_wants(sim, 200, "arn:aws:sts::111122223333:assumed-role/trainer/i-");
	simaccess_control(sim, "/_sim/metadata", "{}"); /* nothing changes */
	assert_int_equal(get(sim, token, ROLES "trainer"), 200);
	simaccess_control(sim, "/_sim/metadata", "{\"role\":null}");
	assert_int_equal(get(sim, token, ROLES), 404);
	assert_int_equal(get(sim, token, ROLES "trainer"), 404);
	assert_int_equal(simregion_control(sim, "/_sim/metadata", "{\"mode\":\"v3\"}"), 400);
	assert_int_equal(simregion_control(sim, "/_sim/metadata", "{\"role\":\"a/b\"}"), 400);
	simregion_free(sim);
}

static int get_container(struct simregion *sim, const char *authorization)
{
	const struct sigv4_header headers[] = { { "Authorization", authorization }, { 0 } };
	return simaccess_send(sim, "GET", "/container/credentials",
			      authorization ? headers : headers + 1, NULL);
}

static void container__is_given__the_keys_of_its_task(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	simaccess_control(sim, "/_sim/credentials", "{\"seconds\":30}");
	assert_int_equal(get_container(sim, NULL), 200);
	simaccess_wants(sim, 200,
			"{\"RoleArn\":\"arn:aws:iam::111122223333:role/sim-task-role\","
			"\"AccessKeyId\":\"ASIA*\"Expiration\":\"2026-11-30T20:48:38Z\"}");
	assert_string_equal(sim->answer.content_type, "application/json");
	struct simkeys keys = simaccess_json_keys(sim, "AccessKeyId", "SecretAccessKey", "Token");
	assert_string_equal(simaccess_code(sim, &keys), "ResourceNotFound");
	simregion_pass(sim, 30000);
	assert_string_equal(simaccess_code(sim, &keys), "ExpiredTokenException");
	simaccess_control(sim, "/_sim/container", "{\"authorization\":\"Basic abc\"}");
	assert_int_equal(get_container(sim, NULL), 401);
	simaccess_wants(sim, 401, "{\"code\":\"AccessDeniedException\",\"message\":\"");
	assert_int_equal(get_container(sim, "Basic abd"), 401);
	assert_int_equal(get_container(sim, "Basic abc"), 200);
	simaccess_control(sim, "/_sim/container", "{\"authorization\":null}");
	assert_int_equal(get_container(sim, NULL), 200);
	simregion_free(sim);
}

static void faults__and_counts__are_by_operation(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	const char *token = token_for(sim, "60");
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"MetadataCredentials\",\"status\":500}");
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"ContainerCredentials\",\"status\":200,"
			  "\"body\":\"not JSON\"}");
	assert_int_equal(get(sim, token, ROLES "sim-instance-role"), 500);
	assert_int_equal(get(sim, token, ROLES "sim-instance-role"), 200);
	assert_int_equal(get_container(sim, NULL), 200);
	assert_string_equal(simregion_body(sim), "not JSON");
	/* A token was made, but the refusal tells nothing of it. */
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"MetadataToken\",\"status\":503,\"after\":true}");
	assert_int_equal(put_token(sim, "60"), 503);
	assert_int_equal(sim->answer.header_count, 0);
	simaccess_wants(sim, 503, "<html>*503 - ServiceUnavailable");
	simregion_control(sim, "/_sim/state", NULL);
	simaccess_wants(sim, 200,
			"\"MetadataToken\":{\"ok\":1,\"throttled\":0,\"failed\":1}*"
			"\"MetadataCredentials\":{\"ok\":1,\"throttled\":0,\"failed\":1}*"
			"\"ContainerCredentials\":{\"ok\":1,");
	simregion_free(sim);
}

/* What a test searches for has to be whole. */
static void secrets__are_told__to_a_test(void **state)
{
	static const char *const members[] = { "accessToken", "refreshToken", "clientSecret" };
	struct simregion *sim = simaccess_new();
	struct simkeys keys;
	char secrets[4][1024], texts[1200];
	(void)state;
	snprintf(secrets[0], sizeof(secrets[0]), "%s", token_for(sim, "60"));
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		simaccess_control(sim, "/_sim/login", "{\"kind\":\"sso\"}");
		snprintf(texts, sizeof(texts), "\"%s\":\"", members[i]);
		simaccess_between(sim, texts, "\"", secrets[i + 1], sizeof(secrets[i + 1]));
	}
	simaccess_control(sim, "/_sim/container", "{\"authorization\":\"Basic abc\"}");
	assert_int_equal(get_container(sim, "Basic abc"), 200);
	keys = simaccess_json_keys(sim, "AccessKeyId", "SecretAccessKey", "Token");
	assert_int_equal(simaccess_send(sim, "GET", "/_sim/secrets", NULL, NULL), 200);
	snprintf(texts, sizeof(texts), "[\"simsecret\",\"123456\",\"%s\",\"%s\",\"",
		 keys.secret_key, keys.session_token);
	simaccess_wants(sim, 200, texts);
	simaccess_wants(sim, 200, "\"Basic abc\"*]");
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
		snprintf(texts, sizeof(texts), "\"%.1023s\"", secrets[i]);
		simaccess_wants(sim, 200, texts);
	}
	assert_null(strstr(simregion_body(sim), keys.access_key));
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(token__opens__the_rest),
		cmocka_unit_test(nothing__is_told__without_a_token),
		cmocka_unit_test(token__wants__its_time_to_live),
		cmocka_unit_test(service__is__what_a_test_wants),
		cmocka_unit_test(container__is_given__the_keys_of_its_task),
		cmocka_unit_test(faults__and_counts__are_by_operation),
		cmocka_unit_test(secrets__are_told__to_a_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
