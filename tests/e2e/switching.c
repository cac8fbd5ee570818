/*
 * Going from one profile and region to another, in the real program between two simulated regions;
 * the code of an MFA device, asked on the screen and by a command.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/io.h"
#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS 20000 /* generous: a sanitizer build on a busy machine */
#define ONE     "111122223333"
#define OTHER   "444455556666"
#define KEYS    "aws_access_key_id = AKIDSIM\naws_secret_access_key = simsecret\n"
#define CODE    "730519" /* that STS accepts; nothing else here has these digits */
#define FILES   "/.aws"

static const char *const options_of_one[] = { "--scenario", "still", "--seed", "3",  "--rate", "0",
					      "--account",  ONE,     "--jobs", "60", NULL };
static const char *const options_of_other[] = { "--scenario", "still", "--seed",    "9",
						"--rate",     "0",     "--account", OTHER,
						"--jobs",     "60",    "--region",  "eu-west-1",
						NULL };

struct bench {
	struct region one, other;
	char home[64];
	char job_of_one[128], job_of_other[128]; /* pending in each */
};

/* --- the user's files --- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static void write_config(const struct bench *bench)
{
	char path[128];
	struct buf text;
	buf_init(&text, 8192);
	buf_addf(&text, "[profile alpha]\nregion = us-east-1\nendpoint_url = %s\n" KEYS,
		 bench->one.url);
	buf_addf(&text,
		 "[profile beta]\nrole_arn = arn:aws:iam::" OTHER ":role/train-admin\n"
		 "source_profile = beta-keys\nregion = eu-west-1\nendpoint_url = %s\n",
		 bench->other.url);
	buf_addf(&text, "[profile beta-keys]\nendpoint_url = %s\n" KEYS, bench->other.url);
	buf_addf(&text,
		 "[profile secured]\nrole_arn = arn:aws:iam::" ONE ":role/mfa-ops\n"
		 "source_profile = alpha\nmfa_serial = arn:aws:iam::" ONE ":mfa/me\n"
		 "region = us-east-1\nendpoint_url = %s\n",
		 bench->one.url);
	snprintf(path, sizeof(path), "%s" FILES "/config", bench->home);
	write_file(path, buf_text(&text));
	buf_release(&text);
	/* The program's own: one profile may change nothing. */
	snprintf(path, sizeof(path), "%s/gpuq", bench->home);
	write_file(path, "refresh = 1\n[profile beta]\nread_only = yes\n");
}

/* A job in the queue whose name comes from the region's seed. */
static void pending_job(const struct region *region, char out[128])
{
	static const char stem[] = "embed-rerank-";
	struct region_state state;
	region_state(region, &state);
	size_t node = json_doc_child(&state.doc, json_doc_member(&state.doc, 0, "queue"));
	for (out[0] = '\0'; node != JSON_NONE; node = json_doc_next(&state.doc, node)) {
		struct buf name;
		buf_init(&name, 128);
		assert_true(json_doc_string(&state.doc, node, &name));
		if (strncmp(buf_text(&name), stem, sizeof(stem) - 1) == 0)
			snprintf(out, 128, "%s", buf_text(&name));
		buf_release(&name);
	}
	assert_true(out[0] != '\0');
	region_state_release(&state);
}

static int remove_folder(const char *folder)
{
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static int start(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	char folder[96];
	assert_non_null(bench);
	snprintf(bench->home, sizeof(bench->home), "/tmp/gpuq-switching-XXXXXX");
	assert_non_null(mkdtemp(bench->home));
	snprintf(folder, sizeof(folder), "%s" FILES, bench->home);
	assert_int_equal(mkdir(folder, 0700), 0);
	region_start(&bench->one, options_of_one);
	region_start(&bench->other, options_of_other);
	write_config(bench);
	pending_job(&bench->one, bench->job_of_one);
	pending_job(&bench->other, bench->job_of_other);
	assert_string_not_equal(bench->job_of_one, bench->job_of_other);
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;
	region_stop(&bench->one);
	region_stop(&bench->other);
	int status = remove_folder(bench->home);
	free(bench);
	return status;
}

/* --- the program --- */

/* Both end with NULL. */
static struct pty *start_with(const struct bench *bench, const char *const *variables,
			      const char *const *words)
{
	char home[96], config[128];
	const char *argv[16] = { region_program("gpuq"), "--config", config, "--pace", "5" };
	const char *env[8] = { home };
	snprintf(home, sizeof(home), "HOME=%s", bench->home);
	snprintf(config, sizeof(config), "%s/gpuq", bench->home);
	for (size_t i = 5; *words && i < 15; i++)
		argv[i] = *words++;
	for (size_t i = 1; *variables && i < 7; i++)
		env[i] = *variables++;
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 160, .lines = 48 });
}

#define WORDS(...)        ((const char *const[]){ __VA_ARGS__, NULL })
#define START(bench, ...) start_with(bench, WORDS(NULL), WORDS(__VA_ARGS__))

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	/* cmocka cuts its messages; a screen is longer. */
	fprintf(stderr, "switching: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void want_gone(struct pty *pty, const char *text)
{
	if (pty_wait_no_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "switching: '%s' is still there:\n%s\n", text, pty_text(pty));
	fail();
}

static void quit(struct pty *pty)
{
	int status;
	pty_type(pty, "\x03\x03");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_stop(pty);
}

static void at(char out[64], const struct region *region)
{
	snprintf(out, 64, "at 127.0.0.1:%d", region->port);
}

/* --- places --- */

static void want_one(struct pty *pty, const struct bench *bench)
{
	char where[64];
	at(where, &bench->one);
	want(pty, "us-east-1 \u00b7 " ONE " \u00b7 alpha \u00b7 sim");
	want(pty, where);
	want(pty, bench->job_of_one);
	want(pty, "live");
}

static void want_other(struct pty *pty, const struct bench *bench)
{
	char where[64];
	at(where, &bench->other);
	want(pty, "eu-west-1 \u00b7 " OTHER " \u00b7 beta \u00b7 train-admin");
	want(pty, where);
	want(pty, bench->job_of_other);
	want(pty, "live");
}

static void profile__shows_its_queue_and_who_one_is__and_back_again(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "-p", "alpha");
	want_one(pty, bench);
	assert_null(strstr(pty_line(pty, 0), "read-only"));
	pty_type(pty, ":prof");
	want(pty, ":prof   profile");
	pty_type(pty, "\tbet\t\r");
	want_other(pty, bench);
	want_gone(pty, bench->job_of_one);
	/* What the program's own config says of a profile holds while one is there. */
	want(pty, "read-only");
	pty_type(pty, "X");
	want(pty, "read-only: ");
	pty_type(pty, ":back\r");
	want_one(pty, bench);
	want_gone(pty, bench->job_of_other);
	want_gone(pty, "read-only");
	pty_type(pty, ":back\r");
	want_other(pty, bench);
	quit(pty);
}

static void region__is_another_one__with_the_same_profile(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "-p", "beta-keys");
	want(pty, "no region is set");
	pty_type(pty, ":region eu-west\t");
	want(pty, ":region eu-west-1");
	pty_type(pty, "\r");
	want(pty, "eu-west-1 \u00b7 " OTHER " \u00b7 beta-keys \u00b7 sim");
	want(pty, bench->job_of_other);
	/* Its region takes no signatures of another. */
	pty_type(pty, ":region us-east-2\r");
	want(pty, "us-east-2 \u00b7 beta-keys");
	want(pty, "not signed in");
	want_gone(pty, bench->job_of_other);
	pty_type(pty, ":back\r");
	want(pty, bench->job_of_other);
	want(pty, "live");
	quit(pty);
}

static void profile__without_a_region__keeps_the_one_it_finds(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "-p", "beta");
	want_other(pty, bench);
	pty_type(pty, ":profile beta-keys\r");
	want(pty, "region eu-west-1, by the place before (the profile has none)");
	want(pty, "eu-west-1 \u00b7 " OTHER " \u00b7 beta-keys \u00b7 sim");
	want(pty, bench->job_of_other);
	quit(pty);
}

/* As for the AWS CLI: but here one may have forgotten it. */
static void variable__outranks_the_profiles_region__and_is_said(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = start_with(bench, WORDS("AWS_REGION=us-east-1"), WORDS("-p", "alpha"));
	want_one(pty, bench);
	pty_type(pty, ":profile beta\r");
	want(pty, "region us-east-1, by AWS_REGION; the profile's own is eu-west-1");
	quit(pty);
}

/* They outrank a profile that is not named on the command line, and the header must not lie. */
static void keys_of_the_environment__are_of_no_profile(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = start_with(bench,
				     WORDS("AWS_PROFILE=alpha", "AWS_ACCESS_KEY_ID=AKIDSIM",
					   "AWS_SECRET_ACCESS_KEY=simsecret"),
				     WORDS(NULL));
	want(pty, "us-east-1 \u00b7 " ONE " \u00b7 sim");
	pty_type(pty, ":profile alpha\r");
	want_one(pty, bench);
	pty_type(pty, ":back\r");
	want(pty, "us-east-1 \u00b7 " ONE " \u00b7 sim");
	quit(pty);
}

static void unknown_profile__is_refused__with_those_that_there_are(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "-p", "alpha");
	want_one(pty, bench);
	pty_type(pty, ":profile gamma\r");
	want(pty, "no such profile: alpha  beta  beta-keys  secured");
	pty_type(pty, "\x07");
	want_gone(pty, "no such profile");
	want_one(pty, bench);
	quit(pty);
	/* At the start, too: and from there one gets on. */
	pty = START(bench, "-p", "gamma");
	want(pty, "beta-keys, secured. Name a profile with");
	want(pty, "gamma  "); /* in the header */
	pty_type(pty, ":profile al\t\r");
	want_one(pty, bench);
	quit(pty);
}

/* X, until there is something to copy: the job is described, or Search has a record of it. */
static void ask(struct pty *pty)
{
	static const char *const ends[] = { "New training job", "is not described yet", NULL };
	int end;
	for (int tries = 0; tries < 20; tries++) {
		pty_type(pty, "X");
		end = pty_wait_any(pty, ends, SOON_MS);
		if (end == 0)
			return;
		pty_type(pty, "\x07");
		if (end < 0 || !pty_wait_no_text(pty, ends[1], SOON_MS))
			break;
	}
	fprintf(stderr, "switching: nothing can be submitted:\n%s\n", pty_text(pty));
	fail();
}

/* Its answer would come to a program that is elsewhere. */
static void place__is_not_left__while_a_submission_is_under_way(void **state)
{
	static const char *const ways[] = { "name: ", "y = yes", NULL };
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "-p", "alpha");
	want_one(pty, bench);
	region_control(&bench->one, "fault",
		       "{\"operation\":\"CreateTrainingJob\",\"count\":1,\"delay_ms\":9000}");
	ask(pty);
	want(pty, "Send ");
	const char *name = strstr(pty_text(pty), "Send ") + 5;
	char copy[128];
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(name, " \n"), name);
	if (pty_wait_any(pty, ways, SOON_MS) == 0) {
		pty_type(pty, copy);
		pty_type(pty, "\r");
	} else {
		pty_type(pty, "y");
	}
	want(pty, "Sending ");
	pty_type(pty, "\x07");
	want_gone(pty, "Sending ");
	pty_type(pty, ":profile beta\r");
	want(pty, "not left: a requeue is under way");
	want(pty, "submitted ");
	assert_non_null(strstr(pty_line(pty, 0), "alpha"));
	pty_type(pty, ":profile beta\r");
	want_other(pty, bench);
	quit(pty);
	struct region_state there;
	region_state(&bench->one, &there);
	assert_true(region_state_job(&there, copy) != JSON_NONE);
	region_state_release(&there);
	region_state(&bench->other, &there);
	assert_true(region_state_job(&there, copy) == JSON_NONE);
	region_state_release(&there);
}

static void demo__has_one_region__and_says_so(void **state)
{
	const struct bench *bench = *state;
	struct pty *pty = START(bench, "--demo");
	want(pty, "live");
	assert_null(strstr(pty_line(pty, 0), "127.0.0.1"));
	pty_type(pty, ":region us-east-2\r");
	want(pty, "the demo has one region");
	pty_type(pty, "\x07");
	want_gone(pty, "the demo has one region");
	quit(pty);
}

/* --- the code of an MFA device --- */

static void expect_not_in(const char *path, const char *secret)
{
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, 64u << 20);
	assert_true(io_read_file(path, &text, &err));
	assert_true(text.len > 1000);
	if (strstr(buf_text(&text), secret))
		fail_msg("%s holds %s", path, secret);
	buf_release(&text);
}

/* So that the next one has to ask. */
static void forget_roles(const struct bench *bench)
{
	char path[128];
	snprintf(path, sizeof(path), "%s" FILES "/cli", bench->home);
	assert_int_equal(remove_folder(path), 0);
}

static void type_code(struct pty *pty, const char *code)
{
	want(pty, "code: ______   ");
	want_gone(pty, "(one moment)");
	pty_type(pty, code);
	want(pty, "Enter sends it");
	pty_type(pty, "\r");
	want_gone(pty, "code: ");
}

static void code__is_asked_for__until_it_is_right(void **state)
{
	const struct bench *bench = *state;
	char log[128];
	forget_roles(bench);
	region_control(&bench->one, "credentials", "{\"mfa\":\"" CODE "\"}");
	snprintf(log, sizeof(log), "%s/log", bench->home);
	struct pty *pty = START(bench, "-p", "alpha", "--log", log, "-v");
	want_one(pty, bench);
	pty_type(pty, ":profile secured\r");
	want(pty, "Profile secured asks for the code of its MFA device");
	want(pty, "arn:aws:iam::" ONE ":mfa/me");
	type_code(pty, "111111");
	want(pty, "profile secured: MultiFactorAuthentication failed with invalid MFA one time");
	/* The role says of which account it is, and alpha has been there. */
	want(pty, " ago: not signed in");
	pty_type(pty, "r");
	want(pty, "code: ______   ");
	want_gone(pty, "(one moment)");
	pty_type(pty, "\x07");
	want(pty, "no code was given: r asks for it again");
	pty_type(pty, "r");
	type_code(pty, CODE);
	want(pty, "us-east-1 \u00b7 " ONE " \u00b7 secured \u00b7 mfa-ops");
	want(pty, bench->job_of_one);
	want(pty, "live");
	quit(pty);
	expect_not_in(log, CODE);
}

/* The question was the old place's. */
static void code__is_wanted_no_more__elsewhere(void **state)
{
	const struct bench *bench = *state;
	forget_roles(bench);
	struct pty *pty = START(bench, "-p", "secured");
	want(pty, "code: ______   ");
	want_gone(pty, "(one moment)");
	pty_type(pty, "\x07");
	want(pty, "no code was given");
	pty_type(pty, ":profile alpha\r");
	want_one(pty, bench);
	assert_null(strstr(pty_text(pty), "code: "));
	quit(pty);
}

static int run_command(const struct bench *bench, const char *code, const char *said)
{
	int status;
	forget_roles(bench);
	region_control(&bench->one, "credentials", "{\"mfa\":\"" CODE "\"}");
	struct pty *pty = START(bench, "plans", "-p", "secured");
	want(pty, "profile secured, code of the MFA device arn:aws:iam::" ONE ":mfa/me:");
	pty_type(pty, code);
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	if (!strstr(pty_text(pty), said))
		fail_msg("no '%s' in:\n%s", said, pty_text(pty));
	/* What is typed is not shown. */
	assert_null(strstr(pty_text(pty), CODE));
	pty_stop(pty);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void command__asks_on_its_terminal__too(void **state)
{
	const struct bench *bench = *state;
	assert_int_equal(run_command(bench, CODE "\r", "p5-plan"), 0);
	assert_int_equal(run_command(bench, "111111\r", "MultiFactorAuthentication failed"), 4);
	assert_int_equal(run_command(bench, "12345\r", "a code has six digits"), 4);
	assert_int_equal(run_command(bench, "\r", "no code was given"), 4);
	assert_int_equal(run_command(bench, "\x04", "no code was given"), 4);
	assert_int_equal(run_command(bench, "\x03", "code of the MFA device"), 130);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profile__shows_its_queue_and_who_one_is__and_back_again),
		cmocka_unit_test(region__is_another_one__with_the_same_profile),
		cmocka_unit_test(profile__without_a_region__keeps_the_one_it_finds),
		cmocka_unit_test(variable__outranks_the_profiles_region__and_is_said),
		cmocka_unit_test(keys_of_the_environment__are_of_no_profile),
		cmocka_unit_test(unknown_profile__is_refused__with_those_that_there_are),
		cmocka_unit_test(place__is_not_left__while_a_submission_is_under_way),
		cmocka_unit_test(demo__has_one_region__and_says_so),
		cmocka_unit_test(code__is_asked_for__until_it_is_right),
		cmocka_unit_test(code__is_wanted_no_more__elsewhere),
		cmocka_unit_test(command__asks_on_its_terminal__too),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
