/*
 * Credentials that end while somebody watches: keys that are renewed ahead of their end, logins
 * that are over, and what another window does about it. Nobody presses a key of the program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/awsuser.h"

#define SSO_CONFIG                                                              \
	"[profile ops]\nsso_session = my-sso\nsso_account_id = 123456789012\n"  \
	"sso_role_name = Admin\n[sso-session my-sso]\nsso_region = us-east-1\n" \
	"sso_start_url = https://d-1234567890.awsapps.com/start\n"

#define OWN_KEYS "aws_access_key_id = AKIDSIM\naws_secret_access_key = simsecret\n"
#define BAD_KEYS                           \
	"aws_access_key_id = AKIDNOBODY\n" \
	"aws_secret_access_key = nobodyssecretkeyofall\n"
#define LOGIN_ARN "arn:aws:iam::123456789012:user/me"
#define LOGIN     "{\"kind\":\"login\",\"login_session\":\"" LOGIN_ARN "\"}"
#define JOB       "llm-pretrain-1b-" /* the oldest pending one of the region */

static int start(void **state)
{
	struct awsuser *user = calloc(1, sizeof(*user));
	assert_non_null(user);
	awsuser_start(user);
	awsuser_use_region(user);
	awsuser_add_secret(user, "nobodyssecretkeyofall");
	*state = user;
	return 0;
}

static int stop(void **state)
{
	awsuser_stop(*state);
	free(*state);
	return 0;
}

/* --- keys --- */

/* Not one request was refused, and nobody heard of a trouble. */
static void went_well(struct awsuser *user, struct pty *pty)
{
	static const char *const operations[] = { "Search",
						  "ListTrainingJobs",
						  "ListProcessingJobs",
						  "DescribeTrainingJob",
						  "DescribeProcessingJob",
						  "GetCallerIdentity" };
	struct region_state state;
	char path[96];
	region_state(&user->region, &state);
	for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
		snprintf(path, sizeof(path), "calls.%s.failed", operations[i]);
		assert_int_equal(region_number(&state, path, -1), 0);
	}
	region_state_release(&state);
	assert_null(strstr(buf_text(pty_raw(pty)), "stale"));
}

static void keys__are_renewed__ahead_of_their_end(void **state)
{
	struct awsuser *user = *state;
	region_control(&user->region, "credentials", "{\"seconds\":12}");
	awsuser_set(user, "AWS_CONTAINER_CREDENTIALS_FULL_URI", "%s/container/credentials",
		    user->region.url);
	struct pty *pty = awsuser_watch(user, NULL);
	awsuser_want(pty, "live");
	for (int waited_ms = 0; awsuser_calls(user, "ContainerCredentials") < 3; waited_ms += 100) {
		assert_true(waited_ms < 2 * AWSUSER_SOON_MS);
		pty_run(pty, 100);
	}
	awsuser_want_lists(user, pty, 2);
	went_well(user, pty);
	awsuser_leave(user, pty);
	assert_in_range(awsuser_calls(user, "ContainerCredentials"), 3, 4);
}

/* What a credential_process will print. */
static void write_process_keys(struct awsuser *user)
{
	char *keys = region_get(&user->region, "/container/credentials", NULL);
	awsuser_write(user, "/home/keys", "%s", keys);
	free(keys);
}

static void process__is_run_again__ahead_of_the_end_of_its_keys(void **state)
{
	struct awsuser *user = *state;
	region_control(&user->region, "credentials", "{\"seconds\":12}");
	awsuser_write(user, "/home/helper",
		      "#!/bin/sh\necho run >>%s/home/runs\n"
		      "sed 's/\"Token\"/\"SessionToken\"/;s/^{/{\"Version\":1,/' %s/home/keys\n",
		      user->root, user->root);
	awsuser_chmod(user, "/home/helper", 0700);
	awsuser_write(user, "/home/.aws/config", "[default]\ncredential_process = %s/home/helper\n",
		      user->root);
	write_process_keys(user);
	struct pty *pty = awsuser_watch(user, NULL);
	awsuser_want(pty, "live");
	region_control(&user->region, "credentials", "{\"seconds\":0}"); /* the next last an hour */
	write_process_keys(user);
	char *runs = awsuser_read(user, "/home/runs");
	for (int waited_ms = 0; strcmp(runs, "run\nrun\n") != 0; waited_ms += 100) {
		assert_true(waited_ms < 2 * AWSUSER_SOON_MS);
		pty_run(pty, 100);
		free(runs);
		runs = awsuser_read(user, "/home/runs");
	}
	free(runs);
	awsuser_want_lists(user, pty, 2);
	went_well(user, pty);
	awsuser_leave(user, pty);
}

/* --- logins --- */

/* That a login is over is said, with the command that mends it, and the data stays. */
static void want_ended(struct pty *pty, const char *what)
{
	awsuser_want(pty, "stale: login expired");
	awsuser_want(pty, what);
	awsuser_want(pty, JOB);
}

static void want_healed(struct pty *pty)
{
	awsuser_want(pty, "live");
	awsuser_want_gone(pty, "stale");
	awsuser_want_gone(pty, "login");
	awsuser_want(pty, JOB);
}

/* A pause after a failure is one refresh at least: minutes here, which nobody waits for. */
static void sso_login__ends__and_is_made_anew_in_another_window(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/config", SSO_CONFIG);
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	struct pty *pty = awsuser_watch(user, "ops");
	want_healed(pty);
	region_control(&user->region, "login", "{\"kind\":\"sso\",\"expire\":true}");
	region_control(&user->region, "credentials", "{\"expire\":true}");
	pty_type(pty, "r");
	want_ended(pty, "profile ops: the login has ended or was revoked: "
			"run aws sso login --profile ops");
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	want_healed(pty);
	awsuser_leave(user, pty);
}

/* Yesterday's queue is there at once, of the account that the profile states. */
static void past__is_shown__while_the_login_is_over(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/config", SSO_CONFIG);
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	struct pty *pty = awsuser_watch(user, "ops");
	want_healed(pty);
	awsuser_want(pty, "why (AWS)"); /* it is described */
	awsuser_leave(user, pty);
	region_control(&user->region, "login", "{\"kind\":\"sso\",\"expire\":true}");
	region_control(&user->region, "credentials", "{\"expire\":true}");
	pty = awsuser_watch(user, "ops");
	awsuser_want(pty, "as of");
	awsuser_want(pty, "login expired");
	awsuser_want(pty, JOB);
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	want_healed(pty);
	awsuser_leave(user, pty);
}

/* The login is mended by a profile of another account: nothing of the first one stays. */
static void past__of_another_account__goes_with_the_first_keys(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/config", SSO_CONFIG);
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	struct pty *pty = awsuser_watch(user, "ops");
	want_healed(pty);
	awsuser_want(pty, "why (AWS)"); /* it is described */
	awsuser_leave(user, pty);
	region_control(&user->region, "login", "{\"kind\":\"sso\",\"expire\":true}");
	region_control(&user->region, "credentials", "{\"expire\":true}");
	pty = awsuser_watch(user, "ops");
	awsuser_want(pty, "as of");
	awsuser_want(pty, JOB);
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS "[profile ops]\nrole_arn = "
		      "arn:aws:iam::222233334444:role/Dev\nsource_profile = base\n");
	awsuser_want(pty, "another account signs now");
	awsuser_want(pty, "222233334444");
	want_healed(pty);
	awsuser_leave(user, pty);
}

static void sso_login__is_missing_at_the_start__and_is_made(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/config", SSO_CONFIG);
	struct pty *pty = awsuser_watch(user, "ops");
	awsuser_want(pty, "no data: login expired");
	awsuser_want(pty, "profile ops: there is no login: run aws sso login --profile ops");
	awsuser_login_sso(user, "my-sso", "{\"kind\":\"sso\"}");
	want_healed(pty);
	awsuser_want(pty, "123456789012");
	awsuser_leave(user, pty);
}

static void console_login__ends__and_is_made_anew_in_another_window(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/config", "[default]\nlogin_session = " LOGIN_ARN "\n");
	awsuser_login_console(user, LOGIN_ARN, LOGIN);
	struct pty *pty = awsuser_watch(user, NULL);
	want_healed(pty);
	region_control(&user->region, "login", "{\"kind\":\"login\",\"expire\":true}");
	region_control(&user->region, "credentials", "{\"expire\":true}");
	pty_type(pty, "r");
	want_ended(pty, "profile default: the login has expired: run aws login");
	awsuser_login_console(user, LOGIN_ARN, LOGIN);
	want_healed(pty);
	awsuser_leave(user, pty);
}

/* --- files that are edited --- */

static void credentials_file__is_edited__and_followed(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_write(user, "/home/.aws/credentials", "[default]\n" BAD_KEYS);
	struct pty *pty = awsuser_watch(user, NULL);
	awsuser_want(pty, "no data: not signed in");
	awsuser_want(pty, "The security token included in the request is invalid.");
	awsuser_write(user, "/home/.aws/credentials", "[default]\n" OWN_KEYS);
	want_healed(pty);
	awsuser_want(pty, "111122223333");
	awsuser_leave(user, pty);
}

static void config_file__is_damaged__and_mended(void **state)
{
	struct awsuser *user = *state;
	static const char config[] =
		"[profile base]\n" OWN_KEYS "[profile ops]\nrole_arn = arn:aws:iam::%s:role/Dev\n"
		"source_profile = base\n";
	awsuser_write(user, "/home/.aws/config", config, "123456789012");
	struct pty *pty = awsuser_watch(user, "ops");
	want_healed(pty);
	awsuser_want(pty, "123456789012");
	awsuser_write(user, "/home/.aws/config", "[profile base]\n" OWN_KEYS);
	awsuser_want(pty, "settings stay as they were: profile ops: it is named by --profile, but "
			  "is not there.");
	awsuser_want_lists(user, pty, 2);
	want_healed(pty);
	awsuser_write(user, "/home/.aws/config", config, "222233334444");
	awsuser_want(pty, "222233334444");
	want_healed(pty);
	awsuser_leave(user, pty);
}

/* --- what a key does --- */

static void key_r__asks_again__for_a_region_and_for_keys(void **state)
{
	struct awsuser *user = *state;
	user->refresh = "300";
	awsuser_set(user, "AWS_REGION", NULL);
	awsuser_set(user, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "%s/", user->region.url);
	region_control(&user->region, "metadata", "{\"mode\":\"off\"}");
	struct pty *pty = awsuser_watch(user, NULL);
	awsuser_want(pty, "no region is set");
	region_control(&user->region, "metadata", "{\"mode\":\"v2\",\"role\":null}");
	pty_type(pty, "r");
	awsuser_want(pty, "no data: not signed in");
	awsuser_want(pty, "no credentials are set up");
	region_control(&user->region, "metadata", "{\"role\":\"trainer\"}");
	pty_type(pty, "r");
	want_healed(pty);
	awsuser_leave(user, pty);
}

/* --- a clock that is wrong --- */

/* STS and sign-in are the first who see this machine's clock, a quarter of an hour behind. */
static void wrong_clock__is_no_trouble__for_roles_and_logins(void **state)
{
	struct awsuser *user = *state;
	struct process_result result;
	awsuser_write(user, "/home/.aws/config",
		      "[profile base]\n" OWN_KEYS
		      "[profile role]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
		      "source_profile = base\n"
		      "[profile login]\nlogin_session = " LOGIN_ARN "\n");
	region_control(&user->region, "advance", "{\"seconds\":900}");
	region_control(&user->region, "skew", "{\"seconds\":0}");
	awsuser_login_console(user, LOGIN_ARN,
			      "{\"kind\":\"login\",\"seconds\":0,\"login_session\":\"" LOGIN_ARN
			      "\"}");
	static const char *const profiles[] = { "role", "login" };
	for (size_t i = 0; i < ARRAY_LEN(profiles); i++) {
		AWSUSER_RUN(user, &result, "jobs", "-o", "json", "--endpoint-url", user->region.url,
			    "--pace", "0", "--profile", profiles[i]);
		if (result.status != 0)
			fail_msg("%s: %s", profiles[i], result.err);
		process_release(&result);
	}
	awsuser_want_calls(user, "AssumeRole=1 CreateOAuth2Token=1");
}

/* --- a home folder that hangs --- */

static bool has_strace(struct awsuser *user)
{
	struct process_result result;
	process_run(&result, (const char *const[]){ "/bin/sh", "-c", "strace -V", NULL },
		    (const char *const *)user->env, NULL);
	bool has = result.status == 0;
	process_release(&result);
	if (!has)
		printf("skipped: strace is not present\n");
	return has;
}

/* strace itself goes on with the call that it holds: its log has the end. */
static void want_end(struct awsuser *user, struct pty *pty)
{
	bool has_ended = false;
	for (int waited_ms = 0; !has_ended && waited_ms < AWSUSER_SOON_MS; waited_ms += 100) {
		pty_run(pty, 100);
		char *log = awsuser_read(user, "/home/strace");
		has_ended = log && strstr(log, "+++ exited with 0 +++");
		free(log);
	}
	assert_true(has_ended);
}

/* The file is opened an hour late: as of a server that does not answer. No key waits for that, and
 * neither does the end. */
static void disk__that_hangs__holds_up_no_key(void **state)
{
	struct awsuser *user = *state;
	char path[128], log[128];
	if (!has_strace(user))
		return;
	snprintf(path, sizeof(path), "%s/home/.aws/config", user->root);
	snprintf(log, sizeof(log), "%s/home/strace", user->root);
	awsuser_write(user, "/home/.aws/config", "[default]\n" OWN_KEYS);
	awsuser_set(user, "ASAN_OPTIONS", "detect_leaks=0"); /* it cannot, beside strace */
	const char *argv[] = { "strace",
			       "-f",
			       "-q",
			       "-o",
			       log,
			       "-P",
			       path,
			       "-e",
			       "trace=openat",
			       "-e",
			       "inject=openat:delay_enter=3600000000",
			       region_program("gpuq"),
			       "--endpoint-url",
			       user->region.url,
			       NULL };
	struct pty *pty = pty_start(&(struct pty_options){
		.argv = argv, .env = (const char *const *)user->env, .columns = 140, .lines = 44 });
	awsuser_want(pty, "loading");
	pty_type(pty, "?");
	awsuser_want(pty, "this help");
	pty_type(pty, "\x07");
	awsuser_want_gone(pty, "this help");
	assert_int_equal(awsuser_calls(user, "ListTrainingJobs"), 0);
	pty_type(pty, "Q");
	want_end(user, pty);
	pty_stop(pty);
}

#define WITH_USER(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_USER(keys__are_renewed__ahead_of_their_end),
		WITH_USER(process__is_run_again__ahead_of_the_end_of_its_keys),
		WITH_USER(sso_login__ends__and_is_made_anew_in_another_window),
		WITH_USER(past__is_shown__while_the_login_is_over),
		WITH_USER(past__of_another_account__goes_with_the_first_keys),
		WITH_USER(sso_login__is_missing_at_the_start__and_is_made),
		WITH_USER(console_login__ends__and_is_made_anew_in_another_window),
		WITH_USER(credentials_file__is_edited__and_followed),
		WITH_USER(config_file__is_damaged__and_mended),
		WITH_USER(key_r__asks_again__for_a_region_and_for_keys),
		WITH_USER(wrong_clock__is_no_trouble__for_roles_and_logins),
		WITH_USER(disk__that_hangs__holds_up_no_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
