/*
 * Cases of the AWS config and credentials files (../shared/cases 089 to 107): the files as they
 * were posted, in a home folder, read by the real program. Where one has keys that no region knows,
 * those of the simulated region stand in their place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/awsuser.h"
#include "tests/cases.h"
#include "tests/shared.h"

#define CASES    13
#define CONFIG   "/home/.aws/config"
#define OWN_KEYS "aws_access_key_id = AKIDSIM\naws_secret_access_key = simsecret\n"
#define PRINTS_KEYS                                                             \
	"echo '{\"Version\":1,\"AccessKeyId\":\"AKIDSIM\",\"SecretAccessKey\":" \
	"\"simsecret\"}'\n"

/* A case with somebody who has its input as a file; false where it is absent. */
static bool begin(struct a_case *one, struct awsuser *user, const char *folder, const char *path)
{
	if (!case_open(one, folder, path ? "input.txt" : NULL))
		return false;
	awsuser_start(user);
	awsuser_use_region(user);
	if (path)
		awsuser_write(user, path, "%s", one->input);
	return true;
}

static void end(struct a_case *one, struct awsuser *user)
{
	awsuser_stop(user);
	case_held(one);
}

/* With each of the texts replaced by its neighbour; to be freed. */
static char *replaced(const char *text, const char *const *pairs)
{
	struct buf out;
	buf_init(&out, 65536);
	while (*text) {
		const char *const *pair = pairs;
		while (*pair && strncmp(text, pair[0], strlen(pair[0])) != 0)
			pair += 2;
		if (*pair)
			buf_add_text(&out, pair[1]);
		else
			buf_add_char(&out, *text);
		text += *pair ? strlen(pair[0]) : 1;
	}
	return buf_take(&out);
}

/* Keys of the environment, and a profile that is named there as well. */
static void use_profile(struct awsuser *user, const char *profile)
{
	awsuser_set(user, "AWS_ACCESS_KEY_ID", "AKIDSIM");
	awsuser_set(user, "AWS_SECRET_ACCESS_KEY", "simsecret");
	awsuser_set(user, "AWS_PROFILE", "%s", profile);
}

static void case_089__comments__stand_anywhere_and_damage_is_local(void **state)
{
	struct a_case one;
	struct awsuser user;
	struct process_result result;
	(void)state;
	if (!begin(&one, &user, "089-comment-inside-section", CONFIG))
		return;
	awsuser_write(&user, "/home/.aws/credentials", "[production]\n" OWN_KEYS);
	awsuser_lists(&user, "production-exampleRole");
	awsuser_want_calls(&user, "AssumeRole=1");
	awsuser_write(&user, CONFIG, "%s[profile broken]\nthis is no setting\n", one.input);
	awsuser_lists(&user, "production");
	awsuser_fails(&user, "broken", 4, "/home/.aws/config, line 10");
	AWSUSER_RUN(&user, &result, "doctor", "--endpoint-url", user.region.url, "--profile",
		    "production");
	case_want_text(result.out, "/home/.aws/config: line 10, [profile broken]: ");
	process_release(&result);
	end(&one, &user);
}

static void case_090__profile__that_only_points_to_a_session(void **state)
{
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "090-sso-session-indirection", CONFIG))
		return;
	awsuser_login_sso(&user, "xx-xyz", "{\"kind\":\"sso\"}");
	awsuser_lists(&user, "AdministratorAccess-111122223333");
	awsuser_want_calls(&user, "GetRoleCredentials=1");
	end(&one, &user);
}

/* A token's file is named by the URL, byte for byte. */
static void case_092__hash__stays_in_the_url(void **state)
{
	struct a_case one;
	struct awsuser user;
	char url[128];
	(void)state;
	if (!begin(&one, &user, "092-hash-in-value", CONFIG))
		return;
	awsuser_login_sso(&user, "prd", "{\"kind\":\"sso\"}");
	awsuser_lists(&user, "prd");
	const char *start = strstr(one.input, "sso_start_url = ");
	assert_non_null(start);
	start += strlen("sso_start_url = ");
	snprintf(url, sizeof(url), "%.*s", (int)strcspn(start, "\n"), start);
	assert_int_equal(url[strlen(url) - 1], '#');
	awsuser_write(&user, CONFIG,
		      "[profile old]\nsso_start_url = %s\nsso_region = us-east-1\n"
		      "sso_account_id = 111122223333\nsso_role_name = Example\n",
		      url);
	awsuser_fails(&user, "old", 4, "there is no login");
	awsuser_login_sso(&user, url, "{\"kind\":\"sso\"}");
	awsuser_lists(&user, "old");
	end(&one, &user);
}

static void case_093__odd_names__are_found_and_odd_keys_ignored(void **state)
{
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "093-slash-in-profile-name", CONFIG))
		return;
	awsuser_write(&user, "/bin/granted",
		      "#!/bin/sh\n[ \"$*\" = 'credential-process --profile "
		      "Audit/AWSPowerUserAccess' ] || exit 9\n" PRINTS_KEYS);
	awsuser_chmod(&user, "/bin/granted", 0700);
	awsuser_set(&user, "PATH", "%s/bin:/usr/bin:/bin", user.root);
	awsuser_lists(&user, "Audit/AWSPowerUserAccess");
	end(&one, &user);
}

static void case_095__carriage_returns__are_no_part_of_a_key(void **state)
{
	static const char *const keys[] = { "AKIAIOSFODNN7EXAMPLE", "AKIDSIM",
					    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "simsecret",
					    NULL };
	static const char *const damaged[] = { "AKIAIOSFODNN7EXAMPLE", "AKIDSIM",
					       "wJalrXUtnFEMI/K7MDENG/", "wJalrXUtnFEMI K7MDENG ",
					       NULL };
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "095-crlf-secret", "/home/.aws/credentials"))
		return;
	char *text = replaced(one.input, keys);
	awsuser_write(&user, "/home/.aws/credentials", "%s", text);
	awsuser_lists(&user, NULL);
	free(text);
	text = replaced(one.input, damaged);
	awsuser_write(&user, "/home/.aws/credentials", "%s", text);
	awsuser_add_secret(&user, "bPxRfiCYEXAMPLEKEY");
	awsuser_fails(&user, NULL, 4,
		      "aws_secret_access_key: holds a blank or a control character");
	free(text);
	end(&one, &user);
}

static void put_bytes(struct awsuser *user, const char *path, const char *bytes, size_t len)
{
	char whole[512];
	awsuser_write(user, path, "x");
	snprintf(whole, sizeof(whole), "%s%s", user->root, path);
	FILE *file = fopen(whole, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void case_097__utf16__is_named_and_a_bom_skipped(void **state)
{
	static const char *const keys[] = { "01234", "AKIDSIM", "1234", "simsecret", NULL };
	struct a_case one;
	struct awsuser user;
	size_t len;
	(void)state;
	if (!begin(&one, &user, "097-utf16-or-bom", NULL))
		return;
	char *bytes = shared_read("cases/097-utf16-or-bom/input-utf16.bin", &len);
	assert_non_null(bytes);
	put_bytes(&user, "/home/.aws/credentials", bytes, len);
	awsuser_fails(&user, "myprofile", 4,
		      "/home/.aws/credentials: is saved as UTF-16; save it as UTF-8");
	free(bytes);
	bytes = shared_read("cases/097-utf16-or-bom/input-utf8bom.txt", &len);
	assert_non_null(bytes);
	assert_memory_equal(bytes, "\xef\xbb\xbf", 3);
	char *text = replaced(bytes, keys);
	awsuser_write(&user, "/home/.aws/credentials", "%s", text);
	awsuser_lists(&user, "myprofile");
	free(text);
	free(bytes);
	end(&one, &user);
}

/* Cut as a shell would, but no shell is there; on Windows' backslashes it works as on a shell. */
static void case_098__command__is_cut_as_by_a_shell(void **state)
{
	static const char tool[] = "#!/bin/sh\nfor word; do echo \"<$word>\"; done "
				   ">\"$HOME/words\"\necho 'the secret is simsecret' >&2\n"
				   "[ \"$1\" != '--username helen' ] || exit 5\n" PRINTS_KEYS;
	struct a_case one;
	struct awsuser user;
	char folders[2][128];
	(void)state;
	if (!begin(&one, &user, "098-credential-process-quoting", NULL))
		return;
	snprintf(folders[0], sizeof(folders[0]), "%s/my tools", user.root);
	snprintf(folders[1], sizeof(folders[1]), "%s/bin", user.root);
	const char *const paths[] = { "/opt/my tools", folders[0], "/opt/bin", folders[1], NULL };
	char *input = shared_read("cases/098-credential-process-quoting/input.txt", &(size_t){ 0 });
	char *config = replaced(input, paths);
	awsuser_write(&user, CONFIG, "%s", config);
	awsuser_write(&user, "/my tools/awscreds custom", "%s", tool);
	awsuser_chmod(&user, "/my tools/awscreds custom", 0700);
	awsuser_write(&user, "/bin/awscreds-custom", "%s", tool);
	awsuser_chmod(&user, "/bin/awscreds-custom", 0700);
	awsuser_lists(&user, NULL);
	char *words = awsuser_read(&user, "/home/words");
	assert_string_equal(words, "<--username>\n<helen smith>\n<\"x\">\n");
	free(words);
	awsuser_fails(&user, "developer", 4,
		      "credential_process of profile developer: it ended with status 5");
	words = awsuser_read(&user, "/home/words");
	assert_string_equal(words, "<--username helen>\n");
	free(words);
	awsuser_fails(&user, "win", 4, "it cannot be run (status 127)");
	free(config);
	free(input);
	end(&one, &user);
}

static void case_100__missing_prefix__is_explained(void **state)
{
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "100-source-profile-without-prefix", CONFIG))
		return;
	awsuser_fails(&user, "main_profile", 4,
		      "has [custom_role], where [profile custom_role] is probably meant.");
	struct pty *pty = awsuser_watch(&user, "main_profile");
	awsuser_want(pty, "no data: not signed in");
	awsuser_want(pty, "names profile \"custom_role\", which is not there");
	awsuser_leave(&user, pty);
	end(&one, &user);
}

static void case_101__circle__is_printed_and_ends_there(void **state)
{
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "101-role-chain-loop", CONFIG))
		return;
	awsuser_fails(&user, "alice", 4,
		      "source_profile leads in a circle: alice > prod > dev > alice");
	awsuser_fails(&user, "dev", 4,
		      "source_profile leads in a circle: dev > alice > prod > dev");
	awsuser_want_calls(&user, "");
	end(&one, &user);
}

/* Nothing else in the environment says where SageMaker is. */
static void case_103__services__are_no_profiles_but_endpoints(void **state)
{
	struct a_case one;
	struct awsuser user;
	struct process_result result;
	(void)state;
	if (!begin(&one, &user, "103-services-section", CONFIG))
		return;
	const char *const urls[] = { "http://127.0.0.1:5000", user.region.url, NULL };
	char *config = replaced(one.input, urls);
	awsuser_set(&user, "AWS_ENDPOINT_URL", NULL);
	awsuser_write(&user, CONFIG, "%s", config);
	use_profile(&user, "play");
	AWSUSER_RUN(&user, &result, "jobs", "-o", "json", "--kind", "training");
	if (result.status != 0)
		fail_msg("%s", result.err);
	case_want(result.out, "[0].kind", "training");
	process_release(&result);
	awsuser_fails(&user, "play-s3", 4, "Found: default, play.");
	free(config);
	end(&one, &user);
}

/* Another endpoint than the one that was asked for could be the real one. */
static void case_104__missing_services__are_an_error_until_they_come(void **state)
{
	struct a_case one;
	struct awsuser user;
	struct process_result result;
	(void)state;
	if (!begin(&one, &user, "104-services-dangling", CONFIG))
		return;
	awsuser_set(&user, "AWS_ENDPOINT_URL", NULL);
	use_profile(&user, "dev");
	AWSUSER_RUN(&user, &result, "jobs");
	assert_int_equal(result.status, 2);
	case_want_text(result.err,
		       "names services section \"my-local-services\", which is not there");
	assert_string_equal(result.out, "");
	process_release(&result);
	const char *argv[] = { region_program("gpuq"), NULL };
	struct pty *pty = pty_start(&(struct pty_options){
		.argv = argv, .env = (const char *const *)user.env, .columns = 140, .lines = 44 });
	awsuser_want(pty, "no data");
	awsuser_want(pty, "names services section \"my-local-services\"");
	awsuser_write(&user, CONFIG,
		      "%s[services my-local-services]\nsagemaker =\n  endpoint_url = %s\n",
		      one.input, user.region.url);
	awsuser_want(pty, "live");
	awsuser_leave(&user, pty);
	end(&one, &user);
}

static void put_file(struct awsuser *user, const char *name)
{
	char path[128];
	size_t len;
	snprintf(path, sizeof(path), "cases/106-malformed-corpus/%s", name);
	char *bytes = shared_read(path, &len);
	assert_non_null(bytes);
	put_bytes(user, CONFIG, bytes, len);
	free(bytes);
}

/* Profiles that are whole have keys, if only such as AWS does not know. */
static void case_106__damage__stays_where_it_is(void **state)
{
	static const char unknown[] = "The security token included in the request is invalid.";
	struct a_case one;
	struct awsuser user;
	(void)state;
	if (!begin(&one, &user, "106-malformed-corpus", NULL))
		return;
	put_file(&user, "bad_profile.txt");
	awsuser_fails(&user, NULL, 4, unknown);
	awsuser_fails(&user, "my profile", 4, unknown);
	awsuser_fails(&user, "personal1", 4, unknown);
	awsuser_fails(&user, "nobody", 4, "Found: default, my profile, personal1.");
	put_file(&user, "no_section.txt");
	awsuser_fails(&user, "personal", 4, unknown);
	put_file(&user, "nested_bad.txt");
	awsuser_fails(&user, NULL, 4,
		      "config, line 5, [default] s3: this line under it is no `name = value`");
	put_file(&user, "badbytes.bin");
	awsuser_fails(&user, NULL, 4, "config: is no config file: it holds a NUL byte");
	end(&one, &user);
}

static void case_107__blanks_links_and_tildes__are_followed(void **state)
{
	struct a_case one;
	struct awsuser user;
	char link[256];
	(void)state;
	if (!begin(&one, &user, "107-home-with-blank", NULL))
		return;
	awsuser_set(&user, "AWS_REGION", NULL);
	awsuser_set(&user, "AWS_EC2_METADATA_DISABLED", "true");
	awsuser_set(&user, "HOME", "%s/my home", user.root);
	awsuser_write(&user, "/my home/.aws/config", "[default]\n" OWN_KEYS);
	awsuser_fails(&user, NULL, 2, "/my home/.aws/config (read) and ");
	awsuser_fails(&user, NULL, 2, "/my home/.aws/credentials (there is no such file)");
	awsuser_write(&user, "/my home/.aws/config", "[default]\nregion = us-east-1\n" OWN_KEYS);
	awsuser_lists(&user, NULL);
	awsuser_write(&user, "/my home/a folder/c", "[profile ops]\nregion = us-east-1\n" OWN_KEYS);
	snprintf(link, sizeof(link), "%s/my home/a link", user.root);
	assert_int_equal(symlink("a folder/c", link), 0);
	awsuser_set(&user, "AWS_CONFIG_FILE", "~/a link");
	awsuser_lists(&user, "ops");
	awsuser_set(&user, "AWS_CONFIG_FILE", "$HOME/a folder/c");
	awsuser_lists(&user, "ops");
	end(&one, &user);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_089__comments__stand_anywhere_and_damage_is_local),
		cmocka_unit_test(case_090__profile__that_only_points_to_a_session),
		cmocka_unit_test(case_092__hash__stays_in_the_url),
		cmocka_unit_test(case_093__odd_names__are_found_and_odd_keys_ignored),
		cmocka_unit_test(case_095__carriage_returns__are_no_part_of_a_key),
		cmocka_unit_test(case_097__utf16__is_named_and_a_bom_skipped),
		cmocka_unit_test(case_098__command__is_cut_as_by_a_shell),
		cmocka_unit_test(case_100__missing_prefix__is_explained),
		cmocka_unit_test(case_101__circle__is_printed_and_ends_there),
		cmocka_unit_test(case_103__services__are_no_profiles_but_endpoints),
		cmocka_unit_test(case_104__missing_services__are_an_error_until_they_come),
		cmocka_unit_test(case_106__damage__stays_where_it_is),
		cmocka_unit_test(case_107__blanks_links_and_tildes__are_followed),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	return !case_count(CASES) || failed;
}
