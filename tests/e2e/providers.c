/*
 * The program with credentials of each of the ten kinds of places, from a home folder as operators
 * have it, against the stand-ins of STS, SSO, OIDC, sign-in, a container and an instance. Which
 * place it took shows in what the region was asked; files with other keys stand in the way.
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

#include "tests/awsuser.h"

#define OWN_KEYS "aws_access_key_id = AKIDSIM\naws_secret_access_key = simsecret\n"
#define BAD_KEYS                           \
	"aws_access_key_id = AKIDNOBODY\n" \
	"aws_secret_access_key = nobodyssecretkeyofall\n"
#define WEB_TOKEN    "eyJhbGciOiJub25lIn0.eyJzdWIiOiJncHVxLXRlc3QtdXNlciJ9.c2lnbmF0dXJl"
#define TASK_TOKEN   "Bearer-of-a-task-whom-nobody-knows"
#define POD_HASH     "f7490d3acf93d43bec1666e7a9c127131163d9f1"
#define LACKS_A_PART 77
#define LOGIN_ARN    "arn:aws:iam::123456789012:user/me"

static int start(void **state)
{
	struct awsuser *user = calloc(1, sizeof(*user));
	assert_non_null(user);
	awsuser_start(user);
	awsuser_use_region(user);
	awsuser_add_secret(user, "nobodyssecretkeyofall");
	awsuser_add_secret(user, WEB_TOKEN);
	*state = user;
	return 0;
}

static int stop(void **state)
{
	awsuser_stop(*state);
	free(*state);
	return 0;
}

/* Lists all jobs as a command, then on the screen, where the account is told as well. There all
 * keys that were handed out end at once: others are found, and nobody hears of it. */
static void works(struct awsuser *user, const char *place, const char *account, const char *profile)
{
	awsuser_lists(user, profile);
	awsuser_finds(user, profile, place);
	struct pty *pty = awsuser_watch(user, profile);
	awsuser_want(pty, "live");
	awsuser_want(pty, account);
	region_control(&user->region, "credentials", "{\"expire\":true}");
	awsuser_want_lists(user, pty, 1);
	awsuser_want(pty, "live");
	assert_null(strstr(buf_text(pty_raw(pty)), "stale"));
	awsuser_leave(user, pty);
}

/* --- keys that stand somewhere --- */

static void environment__wins__over_all_else(void **state)
{
	struct awsuser *user = *state;
	awsuser_set(user, "AWS_ACCESS_KEY_ID", "AKIDSIM");
	awsuser_set(user, "AWS_SECRET_ACCESS_KEY", "simsecret");
	awsuser_set(user, "AWS_PROFILE", "ops");
	awsuser_write(user, "/home/.aws/config",
		      "[profile ops]\nrole_arn = arn:aws:iam::111122223333:role/no\n"
		      "source_profile = ops\n" BAD_KEYS);
	works(user, "AWS_ACCESS_KEY_ID of the environment", "111122223333", NULL);
	awsuser_want_calls(user, "");
	/* But not over a profile that was asked for. */
	awsuser_fails(user, "ops", 4, "AssumeRole");
}

static void credentials_file__wins__over_the_config_file(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config", "[profile ops]\n" BAD_KEYS);
	awsuser_write(user, "/home/.aws/credentials", "[ops]\n" OWN_KEYS "[other]\n" BAD_KEYS);
	works(user, "profile ops of the credentials file", "111122223333", "ops");
	awsuser_set(user, "AWS_PROFILE", "ops");
	works(user, "profile ops of the credentials file", "111122223333", NULL);
	awsuser_fails(user, "other", 4, "The security token included in the request is invalid.");
	awsuser_want_calls(user, "");
}

static void config_file__has_keys__at_the_end_of_the_search(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config", "[default]\n" BAD_KEYS "[profile ops]\n" OWN_KEYS);
	works(user, "profile ops of the config file", "111122223333", "ops");
	awsuser_want_calls(user, "");
}

/* --- programs, containers, instances --- */

static void process__prints_keys__and_its_secrets_stay_there(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/bin/key helper",
		      "#!/bin/sh\n"
		      "tr '\\0' ' ' </proc/$$/cmdline >>\"$HOME/cmdline\"\n"
		      "tr '\\0' ' ' </proc/$PPID/cmdline >>\"$HOME/cmdline\"\n"
		      "echo 'the secret is simsecret' >&2\n"
		      "[ \"$1\" = 'for ops' ] || exit 3\n"
		      "echo '{\"Version\":1,\"AccessKeyId\":\"AKIDSIM\",'\n"
		      "echo '\"SecretAccessKey\":\"simsecret\"}'\n");
	awsuser_chmod(user, "/home/bin/key helper", 0700);
	awsuser_write(user, "/home/.aws/config",
		      "[profile ops]\ncredential_process = \"%s/home/bin/key helper\" 'for ops'\n"
		      "[profile bad]\ncredential_process = \"%s/home/bin/key helper\" no\n",
		      user->root, user->root);
	works(user, "credential_process of profile ops", "111122223333", "ops");
	awsuser_fails(user, "bad", 4, "credential_process of profile bad: it ended with status 3");
	char *seen = awsuser_read(user, "/home/cmdline");
	assert_non_null(seen);
	assert_non_null(strstr(seen, "gpuq"));
	free(seen);
	awsuser_want_calls(user, "");
}

static void container__hands_out_keys__for_its_token(void **state)
{
	struct awsuser *user = *state;
	awsuser_set(user, "AWS_CONTAINER_CREDENTIALS_FULL_URI", "%s/container/credentials",
		    user->region.url);
	awsuser_set(user, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "%s/home/task", user->root);
	awsuser_write(user, "/home/task", TASK_TOKEN);
	region_control(&user->region, "container", "{\"authorization\":\"%s\"}", TASK_TOKEN);
	works(user, "container endpoint: http://127.0.0.1:", "111122223333", NULL);
	awsuser_want_calls(user, "ContainerCredentials=4");
	awsuser_write(user, "/home/task", "another");
	awsuser_fails(user, NULL, 4, "the container's credentials endpoint");
}

static void instance__hands_out_keys__and_says_its_region(void **state)
{
	struct awsuser *user = *state;
	awsuser_set(user, "AWS_REGION", NULL);
	awsuser_set(user, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "%s/", user->region.url);
	awsuser_lists(user, NULL);
	/* A token for the keys and one for the region, each document once. */
	awsuser_want_calls(user, "MetadataToken=2 MetadataRole=1 MetadataCredentials=1 "
				 "MetadataRegion=1");
	works(user, "instance metadata: instance role sim-instance-role", "111122223333", NULL);
	/* Once more by each of the three, and for new keys. */
	awsuser_want_calls(user, "MetadataToken=9 MetadataRole=5 MetadataCredentials=5 "
				 "MetadataRegion=4");
	awsuser_set(user, "AWS_EC2_METADATA_DISABLED", "true");
	awsuser_fails(user, NULL, 2, "no region is set");
	awsuser_set(user, "AWS_REGION", "us-east-1");
	awsuser_fails(user, NULL, 4, "no credentials are set up");
}

static void old_instance__hands_out_keys__without_a_token(void **state)
{
	struct awsuser *user = *state;
	awsuser_set(user, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "%s/", user->region.url);
	region_control(&user->region, "metadata", "{\"mode\":\"v1\"}");
	awsuser_lists(user, NULL);
	awsuser_set(user, "AWS_EC2_METADATA_V1_DISABLED", "true");
	awsuser_fails(user, NULL, 4, "instance metadata service");
	region_control(&user->region, "metadata", "{\"mode\":\"v2\",\"role\":null}");
	awsuser_fails(user, NULL, 4, "no credentials are set up");
}

/* --- roles --- */

/* Where botocore is, which reads and writes the caches of the AWS CLI: the path of its Python,
 * looked for once; NULL with a line `skipped: ...`. */
static const char *find_botocore(void)
{
	static const char find[] = "exec python3 -c 'import sys, botocore; print(sys.executable)'";
	struct process_result result;
	char path[4096], home[4096];
	static char python[4096];
	static bool is_known;
	if (is_known)
		return python[0] ? python : NULL;
	is_known = true;
	assert_true(snprintf(path, sizeof(path), "PATH=%s", getenv("PATH")) < (int)sizeof(path));
	snprintf(home, sizeof(home), "HOME=%s", getenv("HOME") ? getenv("HOME") : "/nonexistent");
	process_run(&result, (const char *const[]){ "/bin/sh", "-c", find, NULL },
		    (const char *const[]){ path, home, NULL }, NULL);
	result.out[strcspn(result.out, "\n")] = '\0';
	if (result.status == 0)
		snprintf(python, sizeof(python), "%s", result.out);
	else
		printf("skipped: botocore is not present\n");
	process_release(&result);
	return python[0] ? python : NULL;
}

/* The access key that botocore has for a profile; false where it is not present. */
static bool ask_botocore(struct awsuser *user, const char *profile, char key[128])
{
	struct process_result result;
	const char *python = find_botocore();
	char script[4096];
	if (!python)
		return false;
	assert_non_null(realpath("tests/e2e/caches.py", script));
	awsuser_set(user, "AWS_DEFAULT_REGION", "us-east-1");
	process_run(&result, (const char *const[]){ python, script, profile, NULL },
		    (const char *const *)user->env, NULL);
	bool whole = result.status != LACKS_A_PART;
	if (whole && result.status != 0)
		fail_msg("botocore: %s", result.err);
	if (!whole)
		printf("skipped: botocore knows no aws login without its part crt\n");
	snprintf(key, 128, "%.*s", (int)strcspn(result.out, "\n"), result.out);
	process_release(&result);
	return whole;
}

/* A cache that the program wrote is one of the AWS CLI's, and the other way round. */
static void shares(struct awsuser *user, const char *profile, const char *hash, const char *call)
{
	char path[256], key[128];
	long calls = awsuser_calls(user, call);
	snprintf(path, sizeof(path), "/home/.aws/cli/cache/%s.json", hash);
	char *cache = awsuser_read(user, path);
	if (!cache)
		fail_msg("no %s", path);
	if (ask_botocore(user, profile, key)) {
		if (!strstr(cache, key))
			fail_msg("botocore has %s, not what is in %s", key, path);
		assert_int_equal(awsuser_calls(user, call), calls);
		awsuser_remove(user, path);
		assert_true(ask_botocore(user, profile, key));
		assert_int_equal(awsuser_calls(user, call), calls + 1);
		awsuser_lists(user, profile);
		assert_int_equal(awsuser_calls(user, call), calls + 1);
	}
	free(cache);
}

static void role__is_assumed__with_the_keys_of_its_source(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS
		      "[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
		      "source_profile = base\n" BAD_KEYS);
	works(user, "assume role: role arn:aws:iam::123456789012:role/Dev", "123456789012", "ops");
	awsuser_want_calls(user, "AssumeRole=2"); /* the screen had the first from the cache */
	shares(user, "ops", "2bb38c5db97ed7ea85d819b0a043df7bd7b4363a", "AssumeRole");
}

static void role__is_assumed__with_all_its_options(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS
		      "[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
		      "source_profile = base\nexternal_id = abc\nduration_seconds = 3600\n");
	works(user, "assume role: role arn:aws:iam::123456789012:role/Dev", "123456789012", "ops");
	shares(user, "ops", "6032edaa53edf9be5354e73bd69eaed53918a1a7", "AssumeRole");
}

static void roles__are_assumed__one_after_the_other(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS
		      "[profile middle]\nrole_arn = arn:aws:iam::222233334444:role/middle\n"
		      "source_profile = base\n"
		      "[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
		      "source_profile = middle\n"
		      "[profile denied]\nrole_arn = arn:aws:iam::123456789012:role/denied\n"
		      "source_profile = middle\n");
	works(user, "assume role: role arn:aws:iam::123456789012:role/Dev", "123456789012", "ops");
	awsuser_want_calls(user, "AssumeRole=4");
	awsuser_remove(user, "/home/.aws/cli/cache/2bb38c5db97ed7ea85d819b0a043df7bd7b4363a.json");
	awsuser_lists(user, "ops");
	awsuser_want_calls(user, "AssumeRole=5"); /* that in the middle is kept */
	awsuser_fails(user, "denied", 4, "arn:aws:sts::222233334444:assumed-role/middle/gpuq-");
	awsuser_fails(user, "denied", 4,
		      "sts:AssumeRole is not allowed\n"
		      "principal: arn:aws:sts::222233334444:assumed-role/middle/gpuq-");
	awsuser_fails(user, "denied", 4, "resource: arn:aws:iam::123456789012:role/denied");
}

static void role__is_assumed__with_keys_from_outside_the_files(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile env]\nrole_arn = arn:aws:iam::222233334444:role/env\n"
		      "credential_source = Environment\n"
		      "[profile task]\nrole_arn = arn:aws:iam::333344445555:role/task\n"
		      "credential_source = EcsContainer\n"
		      "[profile machine]\nrole_arn = arn:aws:iam::444455556666:role/machine\n"
		      "credential_source = Ec2InstanceMetadata\n");
	awsuser_fails(user, "env", 4, "credential_source Environment: it has no credentials");
	awsuser_set(user, "AWS_ACCESS_KEY_ID", "AKIDSIM");
	awsuser_set(user, "AWS_SECRET_ACCESS_KEY", "simsecret");
	works(user, "assume role: role arn:aws:iam::222233334444:role/env", "222233334444", "env");
	awsuser_want_calls(user, "AssumeRole=2");
	awsuser_fails(user, "task", 4, "credential_source EcsContainer: it has no credentials");
	awsuser_set(user, "AWS_CONTAINER_CREDENTIALS_FULL_URI", "%s/container/credentials",
		    user->region.url);
	works(user, "assume role: role arn:aws:iam::333344445555:role/task", "333344445555",
	      "task");
	awsuser_want_calls(user, "AssumeRole=4 ContainerCredentials=2");
	awsuser_set(user, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "%s/", user->region.url);
	works(user, "assume role: role arn:aws:iam::444455556666:role/machine", "444455556666",
	      "machine");
	awsuser_want_calls(user, "AssumeRole=6 MetadataToken=2 MetadataRole=2 "
				 "MetadataCredentials=2 ContainerCredentials=2");
}

/* A command without a terminal has nobody to ask; then one that was opened serves all. */
static void role_with_a_device__wants_its_code__once(void **state)
{
	struct awsuser *user = *state;
	static const char device[] = "arn:aws:iam::123456789012:mfa/me";
	int status = 0;
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS
		      "[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/mfa-dev\n"
		      "source_profile = base\nmfa_serial = %s\n",
		      device);
	awsuser_fails(user, "ops", 4, "profile ops: wants a code of the MFA device");
	awsuser_fails(user, "ops", 4, device);
	awsuser_want_calls(user, "");
	struct pty *pty = awsuser_watch(user, "ops");
	awsuser_want(pty, device);
	awsuser_want(pty, "code: ______");
	awsuser_want_gone(pty, "(one moment)");
	pty_type(pty, AWSUSER_MFA_CODE);
	awsuser_want(pty, "Enter sends it");
	pty_type(pty, "\r");
	awsuser_want(pty, "live");
	awsuser_want(pty, "123456789012");
	/* Whoever types the digits sees them: of this screen only what stays is searched. */
	assert_null(strstr(pty_text(pty), AWSUSER_MFA_CODE));
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, AWSUSER_SOON_MS, &status));
	assert_int_equal(status, 0);
	pty_stop(pty);
	awsuser_want_calls(user, "AssumeRole=1");
	awsuser_lists(user, "ops");
	awsuser_finds(user, "ops", "assume role: role arn:aws:iam::123456789012:role/mfa-dev");
	awsuser_want_calls(user, "AssumeRole=1");
}

static void web_identity__opens_a_role__by_environment_or_profile(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile pod]\nrole_arn = arn:aws:iam::222233334444:role/pod\n"
		      "web_identity_token_file = %s/home/token\nrole_session_name = gpu-watch\n",
		      user->root);
	awsuser_write(user, "/home/token", WEB_TOKEN);
	works(user, "web identity, role arn:aws:iam::222233334444:role/pod", "222233334444", "pod");
	awsuser_want_calls(user, "AssumeRoleWithWebIdentity=2");
	awsuser_set(user, "AWS_WEB_IDENTITY_TOKEN_FILE", "%s/home/token", user->root);
	awsuser_set(user, "AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/Dev");
	works(user, "web identity, role arn:aws:iam::123456789012:role/Dev", "123456789012", NULL);
	awsuser_want_calls(user, "AssumeRoleWithWebIdentity=4");
	shares(user, "pod", POD_HASH, "AssumeRoleWithWebIdentity");
	awsuser_set(user, "AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/Other");
	awsuser_remove(user, "/home/token");
	awsuser_fails(user, NULL, 4, "/home/token: cannot be opened: No such file or directory");
}

/* --- logins --- */

static void sso__opens_a_role__by_its_session(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile ops]\nsso_session = my-sso\nsso_account_id = 123456789012\n"
		      "sso_role_name = Admin\n" BAD_KEYS
		      "[sso-session my-sso]\nsso_region = us-east-1\n"
		      "sso_start_url = https://d-1234567890.awsapps.com/start\n");
	awsuser_fails(user, "ops", 4,
		      "profile ops: there is no login: run aws sso login --profile ops");
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	works(user, "SSO session my-sso, role Admin of 123456789012", "123456789012", "ops");
	awsuser_want_calls(user, "GetRoleCredentials=2");
	shares(user, "ops", "c30b99aca80d8f5b3178e353f05b2abcc9a4ccd3", "GetRoleCredentials");
}

static void sso_token__is_renewed__shortly_before_its_end(void **state)
{
	struct awsuser *user = *state;
	static const char path[] =
		"/home/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json";
	awsuser_write(user, "/home/.aws/config",
		      "[default]\nsso_session = my-sso\nsso_account_id = 123456789012\n"
		      "sso_role_name = Admin\n[sso-session my-sso]\nsso_region = us-east-1\n"
		      "sso_start_url = https://d-1234567890.awsapps.com/start\n");
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\",\"seconds\":600}");
	char *before = awsuser_read(user, path);
	works(user, "SSO session my-sso, role Admin of 123456789012", "123456789012", NULL);
	awsuser_want_calls(user, "GetRoleCredentials=2 CreateToken=2");
	char *after = awsuser_read(user, path);
	assert_string_not_equal(before, after);
	assert_non_null(strstr(after, "\"clientSecret\": \"eyJ"));
	free(before);
	free(after);
	/* The file is one that botocore goes on with. */
	char key[128];
	if (ask_botocore(user, "default", key))
		awsuser_want_calls(user, "GetRoleCredentials=2 CreateToken=2");
	region_control(&user->region, "login", "{\"kind\":\"sso\",\"expire\":true}");
	awsuser_remove(user, "/home/.aws/cli/cache/c30b99aca80d8f5b3178e353f05b2abcc9a4ccd3.json");
	awsuser_fails(user, NULL, 4,
		      "profile default: the login has ended or was revoked: run "
		      "aws sso login\n");
}

static void sso__opens_a_role__in_its_older_form(void **state)
{
	struct awsuser *user = *state;
	awsuser_write(user, "/home/.aws/config",
		      "[profile ops]\nsso_start_url = https://d-1234567890.awsapps.com/start\n"
		      "sso_region = us-east-1\nsso_account_id = 123456789012\n"
		      "sso_role_name = Admin\n");
	awsuser_login_sso(user, "https://d-1234567890.awsapps.com/start",
			  "{\"kind\":\"sso\",\"seconds\":600}");
	works(user, "SSO at https://d-1234567890.awsapps.com/start, role Admin of 123456789012",
	      "123456789012", "ops");
	/* Its tokens are never renewed. */
	awsuser_want_calls(user, "GetRoleCredentials=2");
	shares(user, "ops", "84fb414419be704038110523505e04e6df696e23", "GetRoleCredentials");
}

static void console_login__gives_keys__and_is_renewed(void **state)
{
	struct awsuser *user = *state;
	static const char path[] =
		"/home/.aws/login/cache/"
		"286187707741fc2ccb93cf9e56dbd0ee0a16208feed5fbc8ae1baa86d44c283f"
		".json";
	awsuser_write(user, "/home/.aws/config", "[profile ops]\nlogin_session = " LOGIN_ARN "\n");
	awsuser_fails(user, "ops", 4,
		      "profile ops: there is no login: run aws login --profile ops");
	awsuser_login_console(user, LOGIN_ARN,
			      "{\"kind\":\"login\",\"login_session\":\"" LOGIN_ARN "\"}");
	works(user, "aws login of " LOGIN_ARN, "123456789012", "ops");
	awsuser_want_calls(user, "CreateOAuth2Token=1"); /* the first are of the login itself */
	awsuser_login_console(user, LOGIN_ARN,
			      "{\"kind\":\"login\",\"seconds\":120,\"login_session\":\"" LOGIN_ARN
			      "\"}");
	works(user, "aws login of " LOGIN_ARN, "123456789012", "ops");
	awsuser_want_calls(user, "CreateOAuth2Token=3");
	char *file = awsuser_read(user, path), key[128];
	assert_non_null(strstr(file, "\"accountId\": \"123456789012\""));
	assert_non_null(strstr(file, "BEGIN EC PRIVATE KEY"));
	if (ask_botocore(user, "ops", key)) {
		assert_non_null(strstr(file, key));
		awsuser_want_calls(user, "CreateOAuth2Token=3");
	}
	free(file);
}

#define WITH_USER(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_USER(environment__wins__over_all_else),
		WITH_USER(credentials_file__wins__over_the_config_file),
		WITH_USER(config_file__has_keys__at_the_end_of_the_search),
		WITH_USER(process__prints_keys__and_its_secrets_stay_there),
		WITH_USER(container__hands_out_keys__for_its_token),
		WITH_USER(instance__hands_out_keys__and_says_its_region),
		WITH_USER(old_instance__hands_out_keys__without_a_token),
		WITH_USER(role__is_assumed__with_the_keys_of_its_source),
		WITH_USER(role__is_assumed__with_all_its_options),
		WITH_USER(roles__are_assumed__one_after_the_other),
		WITH_USER(role__is_assumed__with_keys_from_outside_the_files),
		WITH_USER(role_with_a_device__wants_its_code__once),
		WITH_USER(web_identity__opens_a_role__by_environment_or_profile),
		WITH_USER(sso__opens_a_role__by_its_session),
		WITH_USER(sso_token__is_renewed__shortly_before_its_end),
		WITH_USER(sso__opens_a_role__in_its_older_form),
		WITH_USER(console_login__gives_keys__and_is_renewed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
