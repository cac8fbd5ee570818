/*
 * A slow link cuts keys in pieces, and people paste: on the real program, no piece of a key is a
 * command, nothing of it is typed into a prompt, and neither a paste nor what was typed before a
 * question sends anything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS  15000
#define QUIET_MS 60
#define COLUMNS  120
#define LINES    40

struct story {
	struct region region;
	struct pty *pty;
};

static const char *const still[] = { "--scenario", "still", "--rate", "0", NULL };

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "keys: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

/* What stands below a modal says nothing of whether it is closed yet. */
static void want_gone(struct pty *pty, const char *text)
{
	if (pty_wait_no_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "keys: '%s' never went:\n%s\n", text, pty_text(pty));
	fail();
}

static int start(void **state)
{
	char url[96];
	struct story *story = calloc(1, sizeof(*story));
	assert_non_null(story);
	region_start(&story->region, still);
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", story->region.url);
	const char *argv[] = { region_program("gpuq"), NULL };
	const char *env[] = { url, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };
	story->pty = pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
	want(story->pty, "live");
	want(story->pty, "#1 ml."); /* the selected job is described */
	*state = story;
	return 0;
}

static int stop(void **state)
{
	struct story *story = *state;
	int status = 0;
	pty_type(story->pty, "\x03");
	pty_type(story->pty, "\x03");
	assert_true(pty_wait_exit(story->pty, SOON_MS, &status));
	pty_stop(story->pty);
	region_stop(&story->region);
	free(story);
	return 0;
}

static void expect_nothing_sent(struct story *story)
{
	static const char *const calls[] = { "CreateTrainingJob", "CreateProcessingJob",
					     "StopTrainingJob", "StopProcessingJob" };
	struct region_state state;
	char path[64];
	region_state(&story->region, &state);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		snprintf(path, sizeof(path), "calls.%s.ok", calls[i]);
		assert_int_equal(region_number(&state, path, 0), 0);
		snprintf(path, sizeof(path), "calls.%s.failed", calls[i]);
		assert_int_equal(region_number(&state, path, 0), 0);
	}
	region_state_release(&state);
}

struct cut_key {
	const char *name, *bytes;
	size_t cut;
	int gap_ms;
};

/* None of these opens anything by itself; each is cut at another place with another gap. */
static const struct cut_key keys[] = {
	{ "Up", "\x1b[A", 1, 150 },        { "Down", "\x1b[B", 2, 150 },
	{ "Right", "\x1b[C", 1, 40 },      { "Left", "\x1b[D", 2, 10 },
	{ "Up (SS3)", "\x1bOA", 1, 150 },  { "Down (SS3)", "\x1bOB", 2, 40 },
	{ "Home", "\x1b[H", 1, 10 },       { "End", "\x1b[F", 2, 150 },
	{ "Home (~)", "\x1b[1~", 3, 150 }, { "End (~)", "\x1b[4~", 1, 40 },
	{ "PgUp", "\x1b[5~", 2, 150 },     { "PgDn", "\x1b[6~", 3, 40 },
	{ "Insert", "\x1b[2~", 1, 150 },   { "Delete", "\x1b[3~", 2, 10 },
	{ "S-Tab", "\x1b[Z", 1, 150 },     { "C-Right", "\x1b[1;5C", 4, 150 },
	{ "A-Up", "\x1b[1;3A", 1, 150 },   { "S-F5", "\x1b[15;2~", 5, 150 },
	{ "S-F6", "\x1b[17;2~", 3, 150 },  { "S-F8", "\x1b[19;2~", 1, 150 },
};

/* Home with no modal: the footer of home, no question, no filter. */
static void expect_home(struct story *story, const char *name)
{
	const char *text = pty_text(story->pty);
	if (strstr(text, "? help") && strstr(text, "60 of 60") && !strstr(text, "Send ") &&
	    !strstr(text, "filter:"))
		return;
	fprintf(stderr, "keys: after %s:\n%s\n", name, text);
	fail();
}

static void cut_keys__are_no_commands__at_home(void **state)
{
	struct story *story = *state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		pty_type_cut(story->pty, keys[i].bytes, keys[i].cut, keys[i].gap_ms);
		pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
		expect_home(story, keys[i].name);
	}
	expect_nothing_sent(story);
}

/* In the filter's prompt a cut key may move the cursor or, as Esc, leave; it never types. */
static void cut_keys__type_nothing__into_a_prompt(void **state)
{
	struct story *story = *state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		pty_type(story->pty, "f");
		want(story->pty, "Enter keeps");
		pty_type_cut(story->pty, keys[i].bytes, keys[i].cut, keys[i].gap_ms);
		pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
		if (!strstr(pty_text(story->pty), "60 of 60")) {
			fprintf(stderr, "keys: %s typed into the filter:\n%s\n", keys[i].name,
				pty_text(story->pty));
			fail();
		}
		pty_type(story->pty, "\x07"); /* C-g */
		pty_wait_no_text(story->pty, "Enter keeps", SOON_MS);
	}
	expect_nothing_sent(story);
}

static void late_paste__still_opens__after_a_lone_esc(void **state)
{
	struct story *story = *state;
	pty_type_cut(story->pty, "\x1b[200~Xyyyy\x1b[201~", 1, 150);
	pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
	expect_home(story, "a late paste");
	pty_type(story->pty, "f");
	want(story->pty, "Enter keeps");
	pty_type(story->pty, "\x1b[200~llm\x1b[201~");
	want(story->pty, "filter: llm");
	pty_type(story->pty, "\x07");
	want_gone(story->pty, "filter: ");
}

static void paste__of_X_and_y__sends_nothing(void **state)
{
	struct story *story = *state;
	pty_type(story->pty, "\x1b[200~Xyyyy\x1b[201~");
	pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
	expect_home(story, "a paste");
	/* Into the open question it is no answer either, neither yes nor no. */
	pty_type(story->pty, "X");
	want(story->pty, "Send ");
	pty_run(story->pty, 400); /* past the deaf time */
	pty_type(story->pty, "\x1b[200~yyyy\ry\r\x1b[201~");
	pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
	want(story->pty, "Send ");
	expect_nothing_sent(story);
	pty_type(story->pty, "\x07");
	want_gone(story->pty, "Send ");
}

static void keys_typed_ahead__do_not_answer__a_question(void **state)
{
	struct story *story = *state;
	pty_type(story->pty, "Xy\ry\r"); /* in one burst: all of it before the deaf time is over */
	want(story->pty, "Send ");
	want(story->pty, "= No"); /* it listens now, and has heard nothing */
	pty_type(story->pty, "\x07");
	want_gone(story->pty, "Send ");
	pty_type(story->pty, "Sy\ry\r");
	want(story->pty, "Stop the job?");
	want(story->pty, "= No");
	pty_type(story->pty, "\r"); /* Enter is No */
	want_gone(story->pty, "Stop the job?");
	expect_nothing_sent(story);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_keys__are_no_commands__at_home),
		cmocka_unit_test(cut_keys__type_nothing__into_a_prompt),
		cmocka_unit_test(late_paste__still_opens__after_a_lone_esc),
		cmocka_unit_test(paste__of_X_and_y__sends_nothing),
		cmocka_unit_test(keys_typed_ahead__do_not_answer__a_question),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
