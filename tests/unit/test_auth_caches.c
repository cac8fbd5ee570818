/*
 * The caches of the AWS CLI: the names of its files (made with botocore's own code), what their
 * texts may look like, and logins by SSO in all states that a file can be in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "aws/auth/cache.h"
#include "aws/auth/document.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define CLI              "/home/.aws/cli/cache/"
#define SSO              "/home/.aws/sso/cache/"
#define TOKEN_FILE       SSO "0ad374308c5a4e22f723adf10145eafad7c4031c.json"
#define OLD_TOKEN_FILE   SSO "7487b5b67d5fa1132cf33fa93ae51ef38cc37752.json"
#define ROLE             "role_arn = arn:aws:iam::123456789012:role/Dev\nsource_profile = base\n"
#define BASE             "[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n"
#define SESSION                                                                 \
	"[default]\nsso_session = my-sso\nsso_account_id = 123456789012\n"      \
	"sso_role_name = Admin\n[sso-session my-sso]\nsso_region = us-east-1\n" \
	"sso_start_url = https://d-1234567890.awsapps.com/start\n"
#define OLD_SSO(url, role)                                             \
	"[default]\nsso_start_url = " url "\nsso_region = us-east-1\n" \
	"sso_account_id = 123456789012\nsso_role_name = " role "\n"
#define KEYS(expires)                                                                      \
	"{\"Credentials\": {\"AccessKeyId\": \"AKIDCACHED\", \"SecretAccessKey\": \"s\", " \
	"\"SessionToken\": \"t\", \"Expiration\": \"" expires "\"}}"
#define ROLE_ANSWER                                                                    \
	"{\"roleCredentials\":{\"accessKeyId\":\"AKIDNEW\",\"secretAccessKey\":\"s\"," \
	"\"sessionToken\":\"t\",\"expiration\":1767229200000}}"

static struct authbench *bench_with(const char *config)
{
	struct authbench *bench = mem_new(1, sizeof(*bench));
	authbench_init(bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
	assert_int_equal(setenv("AWS_MAX_ATTEMPTS", "1", 1), 0);
	authbench_write(bench, "/home/.aws/config", config);
	return bench;
}

static void search(struct authbench *bench)
{
	if (!authbench_set_up(bench, NULL))
		fail_msg("%s", err_text(&bench->err));
	authbench_search(bench, CHAIN_WHOLE);
}

static void release(struct authbench *bench)
{
	authbench_release(bench);
	free(bench);
}

/* --- names --- */

static const struct {
	const char *config, *path;
} names[] = {
	{ "[default]\n" ROLE BASE, CLI "2bb38c5db97ed7ea85d819b0a043df7bd7b4363a.json" },
	{ "[default]\n" ROLE "duration_seconds = 3600\nexternal_id = abc\n" BASE,
	  CLI "6032edaa53edf9be5354e73bd69eaed53918a1a7.json" },
	{ "[default]\n" ROLE "duration_seconds = an hour\n" BASE, /* does not count */
	  CLI "2bb38c5db97ed7ea85d819b0a043df7bd7b4363a.json" },
	{ "[default]\n" ROLE "role_session_name = night-shift\n"
	  "mfa_serial = arn:aws:iam::123456789012:mfa/me\n" BASE,
	  CLI "64faf337fd028c8e3b88398e1cb4af6c7703510c.json" },
	{ "[default]\n" ROLE "external_id = Gr\xc3\xb6\xc3\x9f"
	  "e \"1\" \\ \xf0\x9f\x98\x80\n" BASE,
	  CLI "43e47d4cf2c522c324acd0455a09edec51ecb620.json" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "web_identity_token_file = /nonexistent\n",
	  CLI "2bb38c5db97ed7ea85d819b0a043df7bd7b4363a.json" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "web_identity_token_file = /nonexistent\nrole_session_name = pod\n",
	  CLI "42a1849051a282f2285ec31787ea5f73e8086af4.json" },
	{ SESSION, CLI "c30b99aca80d8f5b3178e353f05b2abcc9a4ccd3.json" },
	{ OLD_SSO("https://d-1234567890.awsapps.com/start", "Admin"),
	  CLI "84fb414419be704038110523505e04e6df696e23.json" },
	{ OLD_SSO("https://x/start/#", "Gr\xc3\xb6\xc3\x9f"
				       "e"),
	  CLI "eef7466b0073feb520dc49b4c115524db14c6537.json" },
};

static void names__are__those_of_the_aws_cli(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct authbench *bench = bench_with(names[i].config);
		authbench_write(bench, names[i].path, KEYS("2026-01-01T01:00:00Z"));
		search(bench);
		if (!bench->found.access_key)
			fail_msg("%s: %s", names[i].path, err_text(&bench->err));
		assert_string_equal(bench->found.access_key, "AKIDCACHED");
		assert_int_equal(bench->asked_count, 0);
		release(bench);
	}
	printf("names of caches: %zu right\n", ARRAY_LEN(names));
}

static void home__is_found__without_its_variable(void **state)
{
	char *path;
	(void)state;
	assert_int_equal(unsetenv("HOME"), 0);
	path = cache_path(CACHE_CLI, "abc");
	assert_non_null(path);
	assert_int_equal(path[0], '/');
	assert_non_null(strstr(path, "/.aws/cli/cache/abc.json"));
	free(path);
}

/* --- keys in them --- */

static void cache__is_used__for_another_quarter_of_an_hour(void **state)
{
	static const struct {
		const char *text;
		bool used;
	} caches[] = {
		{ KEYS("2026-01-01T01:00:00Z"), true },
		{ KEYS("2026-01-01T01:00:00+00:00"), true },
		{ KEYS("2026-01-01T01:00:00UTC"), true },
		{ KEYS("2026-01-01T02:00:00.123+01:00"), true },
		{ KEYS("2026-01-01T00:16:00Z"), true },
		{ KEYS("2026-01-01T00:14:59Z"), false },
		{ KEYS("2025-12-31T23:59:59Z"), false },
		{ KEYS("soon"), false },
		{ KEYS(""), false },
		{ "", false },
		{ "{", false },
		{ "[]", false },
		{ "null", false },
		{ "{\"Credentials\": []}", false },
		{ "{\"Credentials\": {\"AccessKeyId\": \"a\", \"SecretAccessKey\": \"s\"}}",
		  false },
		{ "{\"Credentials\": {\"AccessKeyId\": 7, \"SecretAccessKey\": \"s\", "
		  "\"Expiration\": \"2026-01-01T01:00:00Z\"}}",
		  false },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(caches); i++) {
		struct authbench *bench = bench_with(SESSION);
		authbench_write(bench, names[7].path, caches[i].text);
		authbench_write(bench, TOKEN_FILE,
				"{\"accessToken\":\"t\",\"expiresAt\":"
				"\"2026-01-01T08:00:00Z\"}");
		authbench_answer(bench, 200, ROLE_ANSWER, NULL);
		search(bench);
		assert_non_null(bench->found.access_key);
		if ((bench->asked_count == 0) != caches[i].used)
			fail_msg("%s", caches[i].text);
		assert_string_equal(bench->found.access_key,
				    caches[i].used ? "AKIDCACHED" : "AKIDNEW");
		release(bench);
	}
}

static void cache__is_written__for_its_owner_alone(void **state)
{
	struct authbench *bench = bench_with(SESSION);
	struct stat status;
	char path[512];
	(void)state;
	authbench_write(bench, TOKEN_FILE,
			"{\"accessToken\":\"t\",\"expiresAt\":\"2026-01-01T08:00:00Z\"}");
	authbench_answer(bench, 200, ROLE_ANSWER, NULL);
	search(bench);
	waits_remove(&bench->disk_waiter);
	disk_free(bench->disk); /* waits for what is to be written */
	bench->disk = NULL;
	snprintf(path, sizeof(path), "%s%s", bench->root, names[7].path);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	char *text = authbench_read(bench, names[7].path);
	assert_string_equal(text,
			    "{\"ProviderType\": \"sso\", \"Credentials\": {\"AccessKeyId\": "
			    "\"AKIDNEW\", \"SecretAccessKey\": \"s\", \"SessionToken\": \"t\", "
			    "\"Expiration\": \"2026-01-01T01:00:00Z\", \"AccountId\": "
			    "\"123456789012\"}}");
	free(text);
	release(bench);
}

/* --- documents --- */

static void documents__are_read__with_care(void **state)
{
	static const struct document_names members = { "A", "S", "T", "E", "N" };
	static const struct {
		const char *text, *error; /* NULL: none */
	} documents[] = {
		{ "{\"A\":\"a\",\"S\":\"s\",\"T\":\"t\",\"E\":\"2026-01-01T00:00:00Z\",\"N\":"
		  "\"111122223333\"}",
		  NULL },
		{ "{\"A\":\"a\",\"S\":\"s\",\"T\":\"\",\"E\":null,\"N\":7}", NULL },
		{ "{\"A\":\"a\",\"S\":\"s s\",\"E\":1767225600000}", NULL },
		{ "{\"S\":\"s\"}", "A is missing" },
		{ "{\"A\":\"\",\"S\":\"s\"}", "A is missing" },
		{ "{\"A\":null,\"S\":\"s\"}", "A is missing" },
		{ "{\"A\":[\"a\"],\"S\":\"s\"}", "A is missing" },
		{ "{\"A\":\"a\",\"S\":5}", "S is missing" },
		{ "{\"A\":\"a\",\"S\":\"s\\r\"}", "S holds a control character" },
		{ "{\"A\":\"a\",\"S\":\"s\",\"T\":\"t\\u007f\"}", "T holds a control character" },
		{ "{\"A\":\"\\u00e9\",\"S\":\"s\"}", "A holds a control character" },
		{ "{\"A\":\"a\",\"S\":\"s\",\"E\":\"\"}", "E is no time" },
		{ "{\"A\":\"a\",\"S\":\"s\",\"E\":\"2026-13-01T00:00:00Z\"}", "E is no time" },
		{ "{\"A\":\"a\",\"S\":\"s\",\"E\":{}}", "E is no time" },
		{ "{\"A\":\"a\",\"S\":\"s\",\"E\":true}", "E is no time" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
		struct aws_credentials found = { 0 };
		struct err err = { 0 };
		struct json_value *json =
			json_parse(documents[i].text, strlen(documents[i].text), &err);
		bool ok = document_credentials(json, &members, &found, &err);
		if (ok != !documents[i].error)
			fail_msg("%s: %s", documents[i].text, err_text(&err));
		if (documents[i].error)
			assert_string_equal(err_text(&err), documents[i].error);
		assert_true(ok || (!found.access_key && !found.secret_key));
		aws_credentials_release(&found);
		json_free(json);
		err_clear(&err);
	}
}

/* --- logins --- */

#define LOGIN(token, expires) "{\"accessToken\":\"" token "\",\"expiresAt\":\"" expires "\""
#define CLIENT                                                                      \
	",\"clientId\":\"id\",\"clientSecret\":\"csec\",\"refreshToken\":\"rtok\"," \
	"\"startUrl\":\"u\",\"region\":\"us-east-1\",\"registrationExpiresAt\":"    \
	"\"2026-02-01T00:00:00Z\"}"
#define AGAIN ": run aws sso login"

static void login_file__in_any_state__is_said_with_the_command(void **state)
{
	static const struct {
		const char *text, *error;
	} files[] = {
		{ NULL, "there is no login" AGAIN },
		{ "", "the cache of the login cannot be read" AGAIN },
		{ "{\"accessTok", "the cache of the login cannot be read" AGAIN },
		{ "[]", "the cache of the login cannot be read" AGAIN },
		{ "{}", "the cache of the login cannot be read" AGAIN },
		{ LOGIN("t", "2026-01-01T08:00:00Z"),
		  "the cache of the login cannot be read" AGAIN },
		{ "{\"accessToken\":7,\"expiresAt\":\"2026-01-01T08:00:00Z\"}",
		  "the cache of the login cannot be read" AGAIN },
		{ "{\"accessToken\":\"t\",\"expiresAt\":1767254400}",
		  "the cache of the login cannot be read" AGAIN },
		{ "{\"accessToken\":\"t\"}", "the cache of the login cannot be read" AGAIN },
		{ LOGIN("t\\r\\nX-Other: 1", "2026-01-01T08:00:00Z") "}",
		  "the cache of the login cannot be read" AGAIN },
		{ LOGIN("t", "never") "}", "the cache of the login cannot be read" AGAIN },
		{ LOGIN("t", "2025-12-31T12:00:00Z") "}",
		  "the login expired at 2025-12-31T12:00:00Z" AGAIN },
		{ LOGIN("t", "2025-12-31T12:00:00UTC") "}",
		  "the login expired at 2025-12-31T12:00:00Z" AGAIN },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct authbench *bench = bench_with(SESSION);
		if (files[i].text)
			authbench_write(bench, TOKEN_FILE, files[i].text);
		search(bench);
		assert_null(bench->found.access_key);
		assert_string_equal(err_text(&bench->err), files[i].error);
		assert_string_equal(bench->err.subject, "profile default");
		assert_int_equal(bench->err.code, ERR_AUTH);
		assert_int_equal(bench->err.hint, HINT_LOGIN_AS_TOLD);
		assert_int_equal(bench->asked_count, 0);
		release(bench);
	}
}

static void command__can_be_pasted__whatever_the_profile_is_called(void **state)
{
	static const struct {
		const char *name, *command;
	} profiles[] = {
		{ "ops", "run aws sso login --profile ops" },
		{ "Audit/AWSPowerUserAccess",
		  "run aws sso login --profile Audit/AWSPowerUserAccess" },
		{ "it's ours", "run aws sso login --profile 'it'\\''s ours'" },
		{ "a;reboot", "run aws sso login --profile 'a;reboot'" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(profiles); i++) {
		char config[512];
		snprintf(config, sizeof(config),
			 "[profile \"%s\"]\nsso_start_url = u\nsso_region = us-east-1\n"
			 "sso_account_id = 123456789012\nsso_role_name = Admin\n",
			 profiles[i].name);
		struct authbench *bench = bench_with(config);
		if (!authbench_set_up(bench, profiles[i].name))
			fail_msg("%s: %s", profiles[i].name, err_text(&bench->err));
		authbench_search(bench, CHAIN_WHOLE);
		if (!strstr(err_text(&bench->err), profiles[i].command))
			fail_msg("%s", err_text(&bench->err));
		release(bench);
	}
}

/* What a refresh is answered, and what comes of a token that has ended, and of one that lasts. */
static void refresh__that_fails__leaves_what_lasts(void **state)
{
	static const struct {
		int status;
		const char *body;
		enum err_code code;
		const char *error; /* of a token that has ended */
	} answers[] = {
		{ 400, "{\"error\":\"invalid_grant\",\"error_description\":\"over\"}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 401, "{\"error\":\"invalid_client\",\"error_description\":\"who\"}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 500, "<html>", ERR_SERVER, NULL },
		{ 0, NULL, ERR_NET, "nothing answers there" },
		{ 200, "", ERR_AUTH, "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 200, "{\"accessToken\":\"\",\"expiresIn\":3600}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 200, "{\"accessToken\":\"n\\n\",\"expiresIn\":3600}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 200, "{\"accessToken\":\"n\",\"expiresIn\":-1}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
		{ 200, "{\"accessToken\":\"n\",\"expiresIn\":\"3600\"}", ERR_AUTH,
		  "the login expired at 2025-12-31T23:59:00Z" AGAIN },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct authbench *bench = bench_with(SESSION);
		authbench_write(bench, TOKEN_FILE, LOGIN("old", "2025-12-31T23:59:00Z") CLIENT);
		authbench_answer(bench, answers[i].status, answers[i].body, NULL);
		search(bench);
		assert_null(bench->found.access_key);
		assert_int_equal(bench->err.code, answers[i].code);
		if (answers[i].error)
			assert_string_equal(err_text(&bench->err), answers[i].error);
		assert_int_equal(bench->asked_count, 1);
		release(bench);
		bench = bench_with(SESSION);
		authbench_write(bench, TOKEN_FILE, LOGIN("old", "2026-01-01T00:10:00Z") CLIENT);
		authbench_answer(bench, answers[i].status, answers[i].body, NULL);
		authbench_answer(bench, 200, ROLE_ANSWER, NULL);
		search(bench);
		assert_string_equal(bench->found.access_key, "AKIDNEW");
		assert_string_equal(bench->asked[1].bearer, "old");
		release(bench);
	}
}

static void refresh__is_written_down__with_all_that_was_there(void **state)
{
	struct authbench *bench = bench_with(SESSION);
	(void)state;
	authbench_write(bench, TOKEN_FILE, LOGIN("old", "2026-01-01T00:14:00Z") CLIENT);
	authbench_answer(bench, 200, "{\"accessToken\":\"new\",\"expiresIn\":28800}", NULL);
	authbench_answer(bench, 200, ROLE_ANSWER, NULL);
	search(bench);
	assert_string_equal(bench->asked[0].url, "https://oidc.us-east-1.amazonaws.com/token");
	assert_string_equal(bench->asked[0].body,
			    "{\"grantType\": \"refresh_token\", \"clientId\": \"id\", "
			    "\"clientSecret\": \"csec\", \"refreshToken\": \"rtok\"}");
	assert_string_equal(bench->asked[1].bearer, "new");
	waits_remove(&bench->disk_waiter);
	disk_free(bench->disk);
	bench->disk = NULL;
	char *text = authbench_read(bench, TOKEN_FILE);
	static const char begin[] = "{\"accessToken\": \"new\", \"expiresAt\": \"2026-01-01T08:00:";
	assert_memory_equal(text, begin, sizeof(begin) - 1);
	assert_non_null(strstr(text, "\", \"startUrl\": \"u\", \"region\": \"us-east-1\", "
				     "\"clientId\": \"id\", \"clientSecret\": \"csec\", "
				     "\"registrationExpiresAt\": \"2026-02-01T00:00:00Z\", "
				     "\"refreshToken\": \"rtok\"}"));
	free(text);
	release(bench);
}

/* Nobody asks for what cannot be had: an older login, a registration that is over, a long life. */
static void refresh__is_left_out__where_it_is_no_use(void **state)
{
	static const struct {
		const char *config, *path, *text;
	} files[] = {
		{ OLD_SSO("https://d-1234567890.awsapps.com/start", "Admin"), OLD_TOKEN_FILE,
		  LOGIN("old", "2026-01-01T00:10:00Z") CLIENT },
		{ SESSION, TOKEN_FILE,
		  LOGIN("old", "2026-01-01T00:10:00Z") ",\"clientId\":\"id\",\"clientSecret\":"
						       "\"csec\",\"refreshToken\":\"rtok\","
						       "\"registrationExpiresAt\":"
						       "\"2025-12-01T00:00:00Z\"}" },
		{ SESSION, TOKEN_FILE,
		  LOGIN("old", "2026-01-01T00:10:00Z") ",\"clientId\":\"id\",\"refreshToken\":"
						       "\"rtok\",\"registrationExpiresAt\":\"2026-"
						       "02-01T00:00:00Z\"}" },
		{ SESSION, TOKEN_FILE, LOGIN("old", "2026-01-01T00:16:00Z") CLIENT },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct authbench *bench = bench_with(files[i].config);
		authbench_write(bench, files[i].path, files[i].text);
		authbench_answer(bench, 200, ROLE_ANSWER, NULL);
		search(bench);
		if (!bench->found.access_key)
			fail_msg("%zu: %s", i, err_text(&bench->err));
		assert_int_equal(bench->asked_count, 1);
		assert_string_equal(bench->asked[0].bearer, "old");
		release(bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names__are__those_of_the_aws_cli),
		cmocka_unit_test(home__is_found__without_its_variable),
		cmocka_unit_test(cache__is_used__for_another_quarter_of_an_hour),
		cmocka_unit_test(cache__is_written__for_its_owner_alone),
		cmocka_unit_test(documents__are_read__with_care),
		cmocka_unit_test(login_file__in_any_state__is_said_with_the_command),
		cmocka_unit_test(command__can_be_pasted__whatever_the_profile_is_called),
		cmocka_unit_test(refresh__that_fails__leaves_what_lasts),
		cmocka_unit_test(refresh__is_written_down__with_all_that_was_there),
		cmocka_unit_test(refresh__is_left_out__where_it_is_no_use),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
