/* credential_process: programs that print, hang, fall, and leave others behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define GOOD                                                                           \
	"{\"Version\": 1, \"AccessKeyId\": \"AKIDPROCESS\", "                          \
	"\"SecretAccessKey\": \"processsecret\", \"SessionToken\": \"processtoken\", " \
	"\"Expiration\": \"2026-01-01T01:00:00Z\", \"AccountId\": \"111122223333\"}"
#define PATIENCE_TURNS 100000

struct scene {
	struct authbench bench;
	struct chain *chain;
	char script[256];
};

static void on_result(void *ctx, const struct chain_result *result)
{
	struct scene *scene = ctx;
	scene->bench.done = true;
	assert_string_equal(result->provider->name, "credential_process");
	if (result->credentials)
		aws_credentials_copy(&scene->bench.found, result->credentials);
	else
		err_copy(&scene->bench.err, result->err);
}

/* A profile whose helper is a shell script, and the search for its keys. */
static struct scene *start_as(const char *script, unsigned mode)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	char config[512];
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	snprintf(scene->script, sizeof(scene->script), "%s/helper", scene->bench.root);
	authbench_write(&scene->bench, "/helper", script);
	assert_int_equal(chmod(scene->script, mode), 0);
	snprintf(config, sizeof(config),
		 "[default]\naws_account_id = 444455556666\ncredential_process = %s\n",
		 scene->script);
	authbench_write(&scene->bench, "/home/.aws/config", config);
	assert_true(authbench_set_up(&scene->bench, NULL));
	const struct chain_options options = { .world = &scene->bench.world,
					       .part = CHAIN_SOURCE,
					       .profile = scene->bench.setup.profile };
	scene->chain = chain_start(&options, on_result, scene);
	return scene;
}

static struct scene *start(const char *script)
{
	return start_as(script, 0700);
}

static void finish(struct scene *scene)
{
	for (int i = 0; i < PATIENCE_TURNS && !scene->bench.done; i++)
		authbench_turn(&scene->bench);
	assert_true(scene->bench.done);
}

static void stop(struct scene *scene)
{
	chain_free(scene->chain);
	authbench_release(&scene->bench);
	free(scene);
}

static void gives(const char *script)
{
	struct scene *scene = start(script);
	finish(scene);
	if (!scene->bench.found.access_key)
		fail_msg("%s: %s", script, err_text(&scene->bench.err));
	assert_string_equal(scene->bench.found.access_key, "AKIDPROCESS");
	assert_string_equal(scene->bench.found.secret_key, "processsecret");
	stop(scene);
}

static void fails_as(const char *script, unsigned mode, const char *text)
{
	struct scene *scene = start_as(script, mode);
	finish(scene);
	assert_null(scene->bench.found.access_key);
	assert_int_equal(scene->bench.err.code, ERR_AUTH);
	assert_string_equal(scene->bench.err.subject, "credential_process of profile default");
	assert_string_equal(err_text(&scene->bench.err), text);
	stop(scene);
}

static void fails(const char *script, const char *text)
{
	fails_as(script, 0700, text);
}

/* --- what it prints --- */

static void keys__are_read__however_they_come(void **state)
{
	(void)state;
	gives("#!/bin/sh\necho '" GOOD "'\n");
	gives("#!/bin/sh\nprintf '\\n  '; sleep 0.1; printf %s '{\"Version\": 1, \"AccessKeyId\": "
	      "\"AKIDPRO'; sleep 0.1\nprintf %s 'CESS\", \"SecretAccessKey\": "
	      "\"processsecret\"}'\n");
	/* Its input has an end, and its errors are nobody's business. */
	gives("#!/bin/sh\ncat\necho 'trouble' >&2\necho '" GOOD "'\n");
	/* Just as much as it may print. */
	gives("#!/bin/sh\nprintf %s '" GOOD "'\nhead -c 65000 /dev/zero | tr '\\0' ' '\n");
}

static void document__is_read__whole(void **state)
{
	struct scene *scene = start("#!/bin/sh\necho '" GOOD "'\n");
	int64_t expires_ms;
	(void)state;
	finish(scene);
	assert_string_equal(scene->bench.found.session_token, "processtoken");
	assert_string_equal(scene->bench.found.account, "111122223333");
	assert_true(time_parse_iso("2026-01-01T01:00:00Z", &expires_ms));
	assert_true(scene->bench.found.expires.set);
	assert_int_equal(scene->bench.found.expires.ms, expires_ms);
	stop(scene);
	/* What it leaves out: lasting keys, of the account that the profile says. */
	scene = start("#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": \"a\", "
		      "\"SecretAccessKey\": \"b\"}'\n");
	finish(scene);
	assert_string_equal(scene->bench.found.secret_key, "b");
	assert_null(scene->bench.found.session_token);
	assert_false(scene->bench.found.expires.set);
	assert_string_equal(scene->bench.found.account, "444455556666");
	stop(scene);
}

static void other_output__is_refused__and_not_shown(void **state)
{
	(void)state;
	fails("#!/bin/sh\n", "its answer is no JSON object");
	fails("#!/bin/sh\necho processsecret\n", "its answer is no JSON object");
	fails("#!/bin/sh\necho '[" GOOD "]'\n", "its answer is no JSON object");
	fails("#!/bin/sh\necho '" GOOD "' and more\n", "its answer is no JSON object");
	fails("#!/bin/sh\necho '{\"AccessKeyId\": \"a\", \"SecretAccessKey\": "
	      "\"processsecret\"}'\n",
	      "its answer is not of Version 1");
	fails("#!/bin/sh\necho '{\"Version\": \"1\", \"AccessKeyId\": \"a\", "
	      "\"SecretAccessKey\": \"processsecret\"}'\n",
	      "its answer is not of Version 1");
	fails("#!/bin/sh\necho '{\"Version\": 0, \"AccessKeyId\": \"a\", "
	      "\"SecretAccessKey\": \"processsecret\"}'\n",
	      "its answer is not of Version 1");
	fails("#!/bin/sh\necho '{\"Version\": 2, \"AccessKeyId\": \"a\", "
	      "\"SecretAccessKey\": \"processsecret\"}'\n",
	      "its answer is not of Version 1");
	fails("#!/bin/sh\necho '{\"Version\": 1, \"SecretAccessKey\": \"processsecret\"}'\n",
	      "AccessKeyId is missing");
	fails("#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": \"a\", \"SecretAccessKey\": "
	      "7}'\n",
	      "SecretAccessKey is missing");
	fails("#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": \"a\", \"SecretAccessKey\": "
	      "\"processsecret\", \"Expiration\": \"tomorrow\"}'\n",
	      "Expiration is no time");
	fails("#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": \"a\", \"SecretAccessKey\": "
	      "\"process\\tsecret\"}'\n",
	      "SecretAccessKey holds a control character");
	fails("#!/bin/sh\nprintf %s '" GOOD "'\nhead -c 66000 /dev/zero | tr '\\0' ' '\n",
	      "it printed more than 65536 bytes");
	fails("#!/bin/sh\nexec cat /dev/zero\n", "it printed more than 65536 bytes");
}

static void end__counts__before_what_was_printed(void **state)
{
	(void)state;
	fails("#!/bin/sh\necho '" GOOD "'\necho processsecret >&2\nexit 3\n",
	      "it ended with status 3");
	fails("#!/bin/sh\necho '" GOOD "'\nkill -9 $$\n", "it was ended by signal 9");
	fails_as("#!/bin/sh\necho '" GOOD "'\n", 0600, "it cannot be run (status 127)");
}

/* --- how long it runs, and what it leaves --- */

static pid_t read_pid(struct scene *scene)
{
	char *text = authbench_read(&scene->bench, "/pid");
	pid_t pid = text && strchr(text, '\n') ? (pid_t)strtol(text, NULL, 10) : 0;
	free(text);
	return pid;
}

/* Of the process that the helper left behind. */
static pid_t wait_for_pid(struct scene *scene)
{
	pid_t pid = 0;
	for (int i = 0; i < PATIENCE_TURNS && pid == 0; i++) {
		authbench_turn(&scene->bench); /* it looks at the helper each quarter of a second */
		pid = read_pid(scene);
	}
	assert_true(pid > 0);
	return pid;
}

/* A zombie whom nobody has waited for is dead too. */
static bool is_alive(pid_t pid)
{
	char path[64], line[512] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	const char *got = fgets(line, sizeof(line), file);
	fclose(file);
	const char *name_end = got ? strrchr(line, ')') : NULL;
	return name_end && name_end[2] != 'Z' && name_end[2] != 'X';
}

static void assert_dies(pid_t pid)
{
	for (int i = 0; i < 1000 && is_alive(pid); i++)
		assert_int_equal(poll(NULL, 0, 10), 0);
	assert_false(is_alive(pid));
}

#define HANGS "#!/bin/sh\nsleep 1000 &\necho $! >\"$HOME/../pid\"\nwait\n"

static void hanging_one__is_ended_after_a_minute__with_all_its_children(void **state)
{
	struct scene *scene = start(HANGS);
	pid_t child = wait_for_pid(scene);
	(void)state;
	authbench_pass(&scene->bench, 50000);
	for (int i = 0; i < 3; i++)
		authbench_turn(&scene->bench);
	assert_false(scene->bench.done);
	assert_true(is_alive(child));
	authbench_pass(&scene->bench, 10000);
	finish(scene);
	assert_string_equal(err_text(&scene->bench.err), "it took longer than 60 seconds");
	assert_dies(child);
	stop(scene);
}

static void hanging_one__is_ended__with_the_search(void **state)
{
	struct scene *scene = start(HANGS);
	pid_t child = wait_for_pid(scene);
	(void)state;
	stop(scene);
	assert_dies(child);
}

/* An agent that it starts in the background keeps its output open, and goes on. */
static void background__does_not_hold_up__what_was_printed(void **state)
{
	struct scene *scene = start("#!/bin/sh\nsleep 1000 &\necho $! >\"$HOME/../pid\"\n"
				    "echo '" GOOD "'\n");
	(void)state;
	finish(scene);
	assert_int_equal(scene->bench.passed_ms, 0);
	assert_string_equal(scene->bench.found.access_key, "AKIDPROCESS");
	pid_t child = read_pid(scene);
	assert_true(child > 0);
	stop(scene);
	assert_true(is_alive(child));
	assert_int_equal(kill(child, SIGKILL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys__are_read__however_they_come),
		cmocka_unit_test(document__is_read__whole),
		cmocka_unit_test(other_output__is_refused__and_not_shown),
		cmocka_unit_test(end__counts__before_what_was_printed),
		cmocka_unit_test(hanging_one__is_ended_after_a_minute__with_all_its_children),
		cmocka_unit_test(hanging_one__is_ended__with_the_search),
		cmocka_unit_test(background__does_not_hold_up__what_was_printed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
