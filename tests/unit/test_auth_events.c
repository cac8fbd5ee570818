/* The manager of credentials: files that change, codes of devices, searches that are cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/authscene.h"

/* --- files --- */

#define SSO_CONFIG                                                              \
	"[default]\nsso_session = my-sso\nsso_account_id = 123456789012\n"      \
	"sso_role_name = Admin\n[sso-session my-sso]\nsso_region = us-east-1\n" \
	"sso_start_url = https://d-1234567890.awsapps.com/start\n"
#define SSO_TOKEN "/home/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json"
#define SSO_ROLE  "/home/.aws/cli/cache/c30b99aca80d8f5b3178e353f05b2abcc9a4ccd3.json"

static void write_token(struct authscene *scene, const char *token, const char *expires)
{
	char text[512];
	snprintf(text, sizeof(text), "{\"accessToken\":\"%s\",\"expiresAt\":\"%s\"}", token,
		 expires);
	authbench_write(&scene->bench, SSO_TOKEN, text);
}

static void answer_role(struct authscene *scene, const char *access_key, int64_t life_ms)
{
	int64_t expires_ms = clock_wall_ms(&scene->bench.clock) + life_ms;
	char body[512];
	snprintf(body, sizeof(body),
		 "{\"roleCredentials\":{\"accessKeyId\":\"%s\",\"secretAccessKey\":\"s\","
		 "\"sessionToken\":\"t\",\"expiration\":%lld}}",
		 access_key, (long long)expires_ms);
	authbench_answer(&scene->bench, 200, body, NULL);
}

static void login_in_another_window__heals__what_failed(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	authscene_fails(scene, ERR_AUTH, "there is no login: run aws sso login");
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	answer_role(scene, "AKIDROLE", 60 * MINUTE_MS);
	authbench_pass(&scene->bench, 2000);
	authscene_end_searches(scene, 2); /* long before the five minutes are over */
	assert_in_range(clock_mono_ms(&scene->bench.clock) - scene->bench.start_mono_ms, 0,
			MINUTE_MS);
	authscene_serves(scene, "AKIDROLE");
	assert_string_equal(scene->bench.asked[0].bearer, "first");
	authscene_free(scene);
}

/* A login that this program refreshes, or another, is a file that changes: no reason to ask. */
static void file__that_changes__is_no_news_while_all_is_well(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	authscene_begin(scene, NULL);
	answer_role(scene, "AKID1", 60 * MINUTE_MS);
	authscene_end_searches(scene, 1);
	write_token(scene, "second", "2026-01-01T09:00:00Z");
	for (int i = 0; i < 12; i++) { /* rounds of looking at the file */
		authbench_pass(&scene->bench, 2000);
		authbench_turn(&scene->bench);
	}
	assert_false(authscene_status(scene).searching);
	assert_int_equal(scene->bench.asked_count, 1);
	/* At the renewal it counts. */
	answer_role(scene, "AKID2", 60 * MINUTE_MS);
	authbench_pass(&scene->bench, 46 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	assert_string_equal(scene->bench.asked[1].bearer, "second");
	authscene_free(scene);
}

/* The role's keys are in the cache, but AWS has refused them. */
static void cache__is_passed_over__after_a_refusal(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	authbench_write(&scene->bench, SSO_ROLE,
			"{\"Credentials\":{\"AccessKeyId\":\"AKIDCACHED\",\"SecretAccessKey\":"
			"\"s\",\"SessionToken\":\"t\",\"Expiration\":\"2026-01-01T01:00:00Z\"}}");
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKIDCACHED");
	assert_int_equal(scene->bench.asked_count, 0);
	assert_true(authscene_refuse(scene, "AKIDCACHED"));
	answer_role(scene, "AKIDNEW", 60 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKIDNEW");
	authscene_free(scene);
}

/* --- the code of a device --- */

#define MFA_CONFIG                                                                  \
	"[profile base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = s\n" \
	"[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"            \
	"source_profile = base\nmfa_serial = arn:aws:iam::123456789012:mfa/me\n"
static struct authscene *ask_for_code(void)
{
	struct authscene *scene = authscene_new();
	authbench_write(&scene->bench, "/home/.aws/config", MFA_CONFIG);
	authscene_begin(scene, "ops");
	for (int i = 0; i < TURNS_MAX && scene->questions == 0; i++)
		authbench_turn(&scene->bench);
	assert_string_equal(scene->asked_profile, "ops");
	assert_string_equal(scene->asked_serial, "arn:aws:iam::123456789012:mfa/me");
	return scene;
}

static void code__that_is_given__opens_the_role(void **state)
{
	struct authscene *scene = ask_for_code();
	struct err err = { 0 };
	(void)state;
	assert_null(authscene_get(scene, &err)); /* calls wait for the person */
	assert_int_equal(err.code, ERR_NONE);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKIDROLE", "2026-01-01T01:00:00Z"), NULL);
	auth_code(scene->auth, "123456");
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKIDROLE");
	assert_non_null(strstr(scene->bench.asked[0].body, "TokenCode=123456"));
	assert_int_equal(scene->questions, 1);
	auth_code(scene->auth, "654321"); /* nobody has asked */
	assert_int_equal(scene->bench.asked_count, 1);
	authscene_free(scene);
}

static void code__that_is_not_given__is_said(void **state)
{
	static const struct {
		const char *code, *text;
	} wrong[] = { { NULL, "no code was given" },
		      { "12345", "a code has six digits" },
		      { "1234567", "a code has six digits" },
		      { "12345a", "a code has six digits" },
		      { "", "a code has six digits" } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct authscene *scene = ask_for_code();
		auth_code(scene->auth, wrong[i].code);
		authscene_end_searches(scene, 1);
		authscene_fails(scene, ERR_AUTH, wrong[i].text);
		assert_int_equal(scene->bench.asked_count, 0);
		authscene_free(scene);
	}
}

static void question__is_taken_back__with_its_search(void **state)
{
	struct authscene *scene = ask_for_code();
	(void)state;
	auth_stop(scene->auth);
	assert_string_equal(scene->asked_profile, "");
	auth_code(scene->auth, "123456"); /* too late */
	assert_int_equal(scene->bench.asked_count, 0);
	auth_search(scene->auth);
	for (int i = 0; i < TURNS_MAX && scene->questions == 1; i++)
		authbench_turn(&scene->bench);
	assert_string_equal(scene->asked_profile, "ops");
	authscene_free(scene);
}

/* --- searches that are cut off --- */

static void search__can_begin_anew__in_the_middle_of_one(void **state)
{
	struct authscene *scene = authscene_container();
	(void)state;
	authscene_begin(scene, NULL);
	assert_int_equal(scene->bench.flight_count, 1);
	auth_search(scene->auth);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_int_equal(scene->bench.flight_count, 1); /* the first was taken back */
	authscene_answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKID1");
	auth_search(scene->auth); /* and forgets what it had */
	assert_false(authscene_status(scene).has_credentials);
	assert_string_equal(authscene_status(scene).provider, "");
	authscene_answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKID2");
	authscene_free(scene);
}

/* Each kind of place, in the middle of whatever it waits for: disk, network, pause, process,
 * person. Nobody is called back afterwards; ASan sees to what is left. */
static const struct {
	const char *config, *token, *variable, *value;
} places[] = {
	{ "[default]\ncredential_process = sh -c 'sleep 1000'\n", NULL, NULL, NULL },
	{ SSO_CONFIG,
	  "{\"accessToken\":\"a\",\"expiresAt\":\"2026-01-01T00:10:00Z\","
	  "\"refreshToken\":\"r\",\"clientId\":\"c\",\"clientSecret\":\"s\","
	  "\"registrationExpiresAt\":\"2026-02-01T00:00:00Z\"}",
	  NULL, NULL },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\nsource_profile = base\n"
	  "[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n",
	  NULL, NULL, NULL },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "credential_source = Ec2InstanceMetadata\n",
	  NULL, "AWS_EC2_METADATA_DISABLED", "no" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "web_identity_token_file = ~/token\n",
	  NULL, NULL, NULL },
	{ "[default]\nlogin_session = arn:aws:iam::123456789012:user/me\n", NULL, NULL, NULL },
	{ "", NULL, "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/keys" },
	{ "", NULL, "AWS_EC2_METADATA_DISABLED", "no" },
	{ MFA_CONFIG "[default]\nrole_arn = arn:aws:iam::123456789012:role/x\n"
		     "source_profile = base\nmfa_serial = 123456789\n",
	  NULL, NULL, NULL },
};

static void search__may_be_freed__at_any_turn_of_any_place(void **state)
{
	(void)state;
	for (size_t place = 0; place < ARRAY_LEN(places); place++) {
		for (int turns = 0; turns < 6; turns++) {
			struct authscene *scene = authscene_new();
			if (places[place].variable)
				assert_int_equal(setenv(places[place].variable, places[place].value,
							1),
						 0);
			authbench_write(&scene->bench, "/home/.aws/config", places[place].config);
			authbench_write(&scene->bench, "/home/token", "jwt");
			if (places[place].token)
				authbench_write(&scene->bench, SSO_TOKEN, places[place].token);
			authbench_answer(&scene->bench, 500, "", NULL);
			authscene_begin(scene, NULL);
			for (int i = 0; i < turns && scene->questions == 0; i++) {
				unsigned before = scene->changes;
				authbench_pass(&scene->bench, 1000); /* no pause is waited for */
				authbench_turn(&scene->bench);
				if (scene->changes > before)
					break;
			}
			unsigned changes = scene->changes;
			auth_free(scene->auth);
			scene->auth = NULL;
			assert_int_equal(scene->bench.flight_count, 0);
			assert_string_equal(scene->asked_profile, "");
			assert_null(scene->bench.waits.waiters->next); /* the disk's alone */
			assert_int_equal(scene->changes, changes);
			authscene_free(scene);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(login_in_another_window__heals__what_failed),
		cmocka_unit_test(file__that_changes__is_no_news_while_all_is_well),
		cmocka_unit_test(cache__is_passed_over__after_a_refusal),
		cmocka_unit_test(code__that_is_given__opens_the_role),
		cmocka_unit_test(code__that_is_not_given__is_said),
		cmocka_unit_test(question__is_taken_back__with_its_search),
		cmocka_unit_test(search__can_begin_anew__in_the_middle_of_one),
		cmocka_unit_test(search__may_be_freed__at_any_turn_of_any_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
