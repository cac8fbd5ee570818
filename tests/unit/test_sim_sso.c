/* The region's Identity Center: a login opens roles, is renewed, and ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simaccess.h"

#define PORTAL  "/federation/credentials?role_name=Admin&account_id=111122223333"
#define DENIED  "/federation/credentials?account_id=111122223333&role_name=Ops-denied"
#define MISSING "/federation/credentials?role_name=missing&account_id=111122223333"

struct login {
	char access[256], refresh[256], client[64], secret[256];
};

static void read_member(const struct simregion *sim, const char *before, char *out, size_t size)
{
	simaccess_between(sim, before, "\"", out, size);
}

static struct login log_in(struct simregion *sim, const char *body)
{
	struct login login = { 0 };
	simaccess_control(sim, "/_sim/login", body);
	read_member(sim, "\"accessToken\":\"", login.access, sizeof(login.access));
	read_member(sim, "\"refreshToken\":\"", login.refresh, sizeof(login.refresh));
	read_member(sim, "\"clientId\":\"", login.client, sizeof(login.client));
	read_member(sim, "\"clientSecret\":\"", login.secret, sizeof(login.secret));
	return login;
}

static int get_role(struct simregion *sim, const char *token, const char *target)
{
	const struct sigv4_header headers[] = { { "Host", "127.0.0.1:1" },
						{ token ? "x-amz-sso_bearer_token" : "x-other",
						  token ? token : "" },
						{ 0 } };
	return simaccess_send(sim, "GET", target, headers, NULL);
}

static int renew(struct simregion *sim, const struct login *login, const char *grant)
{
	const struct sigv4_header headers[] = { { "Content-Type", "application/json" }, { 0 } };
	char body[1024];
	int len = snprintf(body, sizeof(body),
			   "{\"clientId\":\"%s\",\"clientSecret\":\"%s\",\"grantType\":\"%s\","
			   "\"refreshToken\":\"%s\"}",
			   login->client, login->secret, grant, login->refresh);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	return simaccess_send(sim, "POST", "/token", headers, body);
}

/* Renews and takes over the new tokens. */
static void renew_well(struct simregion *sim, struct login *login)
{
	if (renew(sim, login, "refresh_token") != 200)
		fail_msg("%s", simregion_body(sim));
	read_member(sim, "\"accessToken\":\"", login->access, sizeof(login->access));
	read_member(sim, "\"refreshToken\":\"", login->refresh, sizeof(login->refresh));
}

static void wants_error_type(const struct simregion *sim, const char *type)
{
	assert_int_equal(sim->answer.header_count, 1);
	assert_string_equal(sim->answer.headers[0].name, "x-amzn-ErrorType");
	assert_string_equal(sim->answer.headers[0].value, type);
}

static void login__is__a_cache_file(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	simaccess_control(sim, "/_sim/login", "{\"kind\":\"sso\"}");
	simaccess_wants(sim, 200,
			"{\"startUrl\":\"https://*\",\"region\":\"us-east-1\",\"accessToken\":\"*"
			"\",\"expiresAt\":\"2026-11-30T21:48:08Z\",\"clientId\":\"*"
			"\",\"clientSecret\":\"*\",\"registrationExpiresAt\":"
			"\"2027-02-28T20:48:08Z\",\"refreshToken\":\"*\"}");
	simaccess_control(sim, "/_sim/login",
			  "{\"kind\":\"sso\",\"seconds\":60,\"registration_seconds\":90,"
			  "\"start_url\":\"https://ops.awsapps.com/start\"}");
	simaccess_wants(sim, 200,
			"\"https://ops.awsapps.com/start\"*\"expiresAt\":\"2026-11-30T20:49:08Z\"*"
			"\"registrationExpiresAt\":\"2026-11-30T20:49:38Z\"");
	assert_int_equal(simregion_control(sim, "/_sim/login", "{}"), 400);
	assert_int_equal(simregion_control(sim, "/_sim/login", "{\"kind\":\"saml\"}"), 400);
	simregion_free(sim);
}

static void token__opens__a_role(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\"}");
	(void)state;
	get_role(sim, login.access, PORTAL);
	/* 2026-11-30T21:48:08Z in milliseconds. */
	simaccess_wants(sim, 200,
			"{\"roleCredentials\":{\"accessKeyId\":\"ASIA*"
			"\"expiration\":1796075288000}}");
	struct simkeys keys =
		simaccess_json_keys(sim, "accessKeyId", "secretAccessKey", "sessionToken");
	assert_string_equal(simaccess_code(sim, &keys), "ResourceNotFound");
	simaccess_sts(sim, &keys, "Action=GetCallerIdentity&Version=2011-06-15");
	simaccess_wants(sim, 200, ":assumed-role/AWSReservedSSO_Admin/");
	simaccess_control(sim, "/_sim/credentials", "{\"expire\":true}");
	assert_string_equal(simaccess_code(sim, &keys), "ExpiredTokenException");
	assert_int_equal(get_role(sim, login.access, PORTAL), 200); /* the login stands */
	simregion_free(sim);
}

static void token__is_refused__when_unknown_or_over(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login brief = log_in(sim, "{\"kind\":\"sso\",\"seconds\":60}");
	struct login other = log_in(sim, "{\"kind\":\"sso\"}");
	(void)state;
	assert_int_equal(get_role(sim, "made-up", PORTAL), 401);
	simaccess_wants(sim, 401,
			"{\"message\":\"Session token not found or invalid\",\"__type\":"
			"\"com.amazonaws.switchboard.portal#UnauthorizedException\"}");
	wants_error_type(sim, "UnauthorizedException");
	assert_int_equal(get_role(sim, "", PORTAL), 401);
	assert_int_equal(get_role(sim, NULL, PORTAL), 401);
	simregion_pass(sim, 59999);
	assert_int_equal(get_role(sim, brief.access, PORTAL), 200);
	simregion_pass(sim, 1);
	assert_int_equal(get_role(sim, brief.access, PORTAL), 401);
	assert_int_equal(get_role(sim, other.access, PORTAL), 200);
	simregion_free(sim);
}

static void role__answers__as_its_name_says(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\"}");
	(void)state;
	get_role(sim, login.access, DENIED);
	simaccess_wants(sim, 403, "{\"message\":\"No access\"");
	wants_error_type(sim, "ForbiddenException");
	get_role(sim, login.access, MISSING);
	simaccess_wants(sim, 404, "#ResourceNotFoundException\"");
	get_role(sim, login.access, "/federation/credentials?role_name=Admin");
	simaccess_wants(sim, 400, "#InvalidRequestException\"");
	get_role(sim, login.access, "/federation/credentials?role_name=Admin&account_id=12");
	simaccess_wants(sim, 400, "#InvalidRequestException\"");
	get_role(sim, login.access, "/federation/logout");
	simaccess_wants(sim, 404, "#UnknownOperationException\"");
	simregion_free(sim);
}

static void renewal__gives__new_tokens(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\",\"seconds\":600}"), old = login;
	(void)state;
	simregion_pass(sim, 590000);
	renew_well(sim, &login);
	simaccess_wants(sim, 200,
			"\"tokenType\":\"Bearer\",\"expiresIn\":600,\"refreshToken\":\"*"
			"\",\"idToken\":null}");
	assert_string_not_equal(login.access, old.access);
	assert_string_not_equal(login.refresh, old.refresh);
	simregion_pass(sim, 10000);
	assert_int_equal(get_role(sim, old.access, PORTAL), 401);
	assert_int_equal(get_role(sim, login.access, PORTAL), 200);
	renew_well(sim, &login);
	simregion_free(sim);
}

/* The reply that replaced it may have been lost: for a minute it gives the same one again. */
static void replaced_token__serves__a_minute(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\"}"), old = login, again = login;
	(void)state;
	renew_well(sim, &login);
	renew_well(sim, &again);
	assert_string_equal(again.refresh, login.refresh);
	simregion_pass(sim, 60001);
	assert_int_equal(renew(sim, &old, "refresh_token"), 400);
	simaccess_wants(sim, 400,
			"{\"error\":\"invalid_grant\",\"error_description\":"
			"\"Invalid refresh token provided\"}");
	wants_error_type(sim, "InvalidGrantException");
	renew_well(sim, &login);
	simregion_free(sim);
}

static void renewal__is_refused__by_what_is_wrong(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\",\"registration_seconds\":100}");
	struct login wrong = login;
	(void)state;
	memcpy(wrong.secret, "no", 3);
	renew(sim, &wrong, "refresh_token");
	simaccess_wants(sim, 401, "{\"error\":\"invalid_client\"");
	wants_error_type(sim, "InvalidClientException");
	renew(sim, &login, "authorization_code");
	simaccess_wants(sim, 400, "{\"error\":\"unsupported_grant_type\"");
	renew(sim, &login, "");
	simaccess_wants(sim, 400, "{\"error\":\"invalid_request\"");
	simaccess_send(sim, "POST", "/token", NULL, "refresh");
	simaccess_wants(sim, 400, "{\"error\":\"invalid_request\"");
	simregion_pass(sim, 99999);
	renew_well(sim, &login);
	simregion_pass(sim, 1);
	renew(sim, &login, "refresh_token");
	simaccess_wants(sim, 401, "{\"error\":\"invalid_client\"*registration*expired");
	simregion_free(sim);
}

static void logins__end__all_at_once(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\"}");
	(void)state;
	get_role(sim, login.access, PORTAL);
	struct simkeys keys =
		simaccess_json_keys(sim, "accessKeyId", "secretAccessKey", "sessionToken");
	simaccess_control(sim, "/_sim/login", "{\"kind\":\"login\",\"expire\":true}");
	assert_int_equal(get_role(sim, login.access, PORTAL), 200); /* another kind */
	simaccess_control(sim, "/_sim/login", "{\"kind\":\"sso\",\"expire\":true}");
	assert_string_equal(simregion_body(sim), "{\"now\":\"2026-11-30T20:48:08Z\"}");
	assert_int_equal(get_role(sim, login.access, PORTAL), 401);
	assert_int_equal(renew(sim, &login, "refresh_token"), 400);
	/* What has been handed out lasts on. */
	assert_string_equal(simaccess_code(sim, &keys), "ResourceNotFound");
	login = log_in(sim, "{\"kind\":\"sso\"}");
	assert_int_equal(get_role(sim, login.access, PORTAL), 200);
	simregion_free(sim);
}

static void faults__and_counts__are_by_operation(void **state)
{
	struct simregion *sim = simaccess_new();
	struct login login = log_in(sim, "{\"kind\":\"sso\"}");
	(void)state;
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"GetRoleCredentials\",\"status\":429,"
			  "\"code\":\"TooManyRequestsException\"}");
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"CreateToken\",\"code\":\"SlowDownException\"}");
	get_role(sim, login.access, PORTAL);
	simaccess_wants(sim, 429, "{\"message\":\"Rate exceeded\"");
	renew(sim, &login, "refresh_token");
	simaccess_wants(sim, 400, "{\"error\":\"slow_down\"");
	renew_well(sim, &login);
	simregion_control(sim, "/_sim/state", NULL);
	simaccess_wants(sim, 200,
			"\"GetRoleCredentials\":{\"ok\":0,\"throttled\":1,\"failed\":0}*"
			"\"CreateToken\":{\"ok\":1,\"throttled\":1,\"failed\":0}");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(login__is__a_cache_file),
		cmocka_unit_test(token__opens__a_role),
		cmocka_unit_test(token__is_refused__when_unknown_or_over),
		cmocka_unit_test(role__answers__as_its_name_says),
		cmocka_unit_test(renewal__gives__new_tokens),
		cmocka_unit_test(replaced_token__serves__a_minute),
		cmocka_unit_test(renewal__is_refused__by_what_is_wrong),
		cmocka_unit_test(logins__end__all_at_once),
		cmocka_unit_test(faults__and_counts__are_by_operation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
