/*
 * The mouse in a real terminal, which tells of it as xterm does: what it does, that its sequences
 * are no keys wherever a slow link cuts them, and that the terminal is left without it, on every
 * way out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>

#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS  15000
#define QUIET_MS 60
#define STEP_MS  10

/* By XTerm Control Sequences; not of our own header. */
#define ON  "\x1b[?1006h"
#define OFF "\x1b[?1006l"

struct story {
	struct region region;
	struct pty *pty;
};

static void want(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "mouse: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void want_on_line(struct pty *pty, int y, const char *text)
{
	for (int waited = 0; !strstr(pty_line(pty, y), text); waited += STEP_MS) {
		if (waited > SOON_MS) {
			fprintf(stderr, "mouse: '%s' never came to line %d:\n%s\n", text, y,
				pty_text(pty));
			fail();
		}
		pty_run(pty, STEP_MS);
	}
}

static int start_with(void **state, const char *option, const char *term)
{
	static const char *const still[] = { "--scenario", "still", "--rate", "0", NULL };
	char url[96], name[64];
	struct story *story = calloc(1, sizeof(*story));
	assert_non_null(story);
	region_start(&story->region, still);
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", story->region.url);
	snprintf(name, sizeof(name), "TERM=%s", term);
	const char *argv[] = { region_program("gpuq"), option, NULL };
	const char *env[] = { url,  "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      name, "AWS_REGION=us-east-1",      NULL };
	story->pty = pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 120, .lines = 40 });
	want(story->pty, "live");
	want(story->pty, "#1 ml."); /* the selected job is described */
	*state = story;
	return 0;
}

static int start(void **state)
{
	return start_with(state, "--mouse", "xterm-256color");
}

static int stop(void **state)
{
	struct story *story = *state;
	pty_stop(story->pty);
	region_stop(&story->region);
	free(story);
	return 0;
}

static void type_mouse(struct pty *pty, int button, int x, int y, char last)
{
	char bytes[64];
	snprintf(bytes, sizeof(bytes), "\x1b[<%d;%d;%d%c", button, x + 1, y + 1, last);
	pty_type(pty, bytes);
}

static void click(struct pty *pty, int x, int y)
{
	type_mouse(pty, 0, x, y, 'M');
	type_mouse(pty, 0, x, y, 'm');
}

/* How often a text was written to the terminal, and where last. */
static const char *last_of(struct pty *pty, const char *text, int *count)
{
	const char *last = NULL;
	*count = 0;
	for (const char *at = buf_text(pty_raw(pty)); (at = strstr(at, text)) != NULL; at++) {
		last = at;
		++*count;
	}
	return last;
}

/* The last word on the mouse is that it is off. */
static void expect_off(struct pty *pty)
{
	int on, off;
	const char *last_on = last_of(pty, ON, &on), *last_off = last_of(pty, OFF, &off);
	assert_true(on > 0 && off > 0);
	assert_true(last_off > last_on);
}

static void expect_nothing_sent(struct story *story)
{
	static const char *const paths[] = { "calls.CreateTrainingJob.ok",
					     "calls.StopTrainingJob.ok",
					     "calls.StopProcessingJob.ok" };
	struct region_state state;
	region_state(&story->region, &state);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(region_number(&state, paths[i], 0), 0);
	region_state_release(&state);
}

static void quit(struct pty *pty)
{
	int status = 0;
	pty_type(pty, "\x03");
	pty_type(pty, "\x03");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
}

static void mouse__clicks_drags_and_opens__on_the_real_program(void **state)
{
	struct story *story = *state;
	struct pty *pty = story->pty;
	int x, y;
	type_mouse(pty, 65, 10, 8, 'M');
	want_on_line(pty, 6, "▸"); /* from the first row, line 3, by three */
	click(pty, 10, 3);
	want_on_line(pty, 3, "▸");
	assert_true(pty_find(pty, "┌ Preferences", &x, &y));
	click(pty, 10, y + 1);
	want(pty, "┌*Preferences");
	want_on_line(pty, y + 1, "#1 ml.");
	char first[64];
	snprintf(first, sizeof(first), "%.20s", strstr(pty_line(pty, y + 1), "ml."));
	first[strcspn(first, " ")] = '\0';
	type_mouse(pty, 0, 10, y + 1, 'M');
	type_mouse(pty, 32, 10, y + 2, 'M');
	want_on_line(pty, y + 2, first);
	type_mouse(pty, 0, 10, y + 2, 'm');
	want(pty, "draft*");
	assert_non_null(strstr(pty_line(pty, y + 2), first));
	pty_type(pty, "u");
	assert_true(pty_wait_no_text(pty, "draft*", SOON_MS));
	click(pty, 10, 3);
	click(pty, 10, 3);
	assert_true(pty_wait_no_text(pty, "┌ Preferences", SOON_MS));
	expect_nothing_sent(story);
	quit(pty);
	expect_off(pty);
}

/* A press on the frame's corner does nothing, and so must every piece of it. */
static void mouse__is_no_key__wherever_it_is_cut(void **state)
{
	static const char bytes[] = "\x1b[<0;1;1M";
	static const int gaps_ms[] = { 40, 150 };
	struct story *story = *state;
	for (size_t cut = 1; cut < sizeof(bytes) - 1; cut++)
		for (size_t g = 0; g < sizeof(gaps_ms) / sizeof(gaps_ms[0]); g++) {
			pty_type_cut(story->pty, bytes, cut, gaps_ms[g]);
			pty_wait_quiet(story->pty, QUIET_MS, SOON_MS);
			const char *text = pty_text(story->pty);
			if (!strstr(text, "┌*Jobs") || !strstr(text, "60 of 60") ||
			    strstr(text, "Send ") || strstr(text, "filter:")) {
				fprintf(stderr, "mouse: cut at %zu:\n%s\n", cut, text);
				fail();
			}
		}
	expect_nothing_sent(story);
	quit(story->pty);
}

static void terminal__is_left_without_it__after_a_crash(void **state)
{
	struct story *story = *state;
	int status = 0;
	pty_signal(story->pty, SIGSEGV);
	assert_true(pty_wait_exit(story->pty, SOON_MS, &status));
	expect_off(story->pty);
}

/* The shell has its terminal back without it, and it comes again with the program. */
static void terminal__is_left_without_it__while_stopped(void **state)
{
	struct story *story = *state;
	int on, off;
	pty_signal(story->pty, SIGTSTP);
	for (int waited = 0; !last_of(story->pty, OFF, &off); waited += STEP_MS) {
		assert_true(waited < SOON_MS);
		pty_run(story->pty, STEP_MS);
	}
	pty_signal(story->pty, SIGCONT);
	pty_type(story->pty, "?");
	want(story->pty, "*Help");
	(void)last_of(story->pty, OFF, &off);
	assert_true(last_of(story->pty, ON, &on) > strstr(buf_text(pty_raw(story->pty)), OFF));
	assert_true(on >= 2 && off >= 1);
	pty_type(story->pty, "q");
	quit(story->pty);
	expect_off(story->pty);
}

static int start_off(void **state)
{
	return start_with(state, NULL, "xterm-256color");
}

static void palette__turns_it_on_and_off__and_the_terminal_follows(void **state)
{
	struct story *story = *state;
	struct pty *pty = story->pty;
	int count;
	(void)last_of(pty, ON, &count);
	assert_int_equal(count, 0);
	type_mouse(pty, 65, 10, 8, 'M'); /* not asked for: not heard */
	pty_wait_quiet(pty, QUIET_MS, SOON_MS);
	assert_non_null(strstr(pty_line(pty, 3), "▸"));
	pty_type(pty, ":mouse\r");
	want(pty, "mouse on");
	(void)last_of(pty, ON, &count);
	assert_int_equal(count, 1);
	type_mouse(pty, 65, 10, 8, 'M');
	want_on_line(pty, 6, "▸");
	pty_type(pty, ":mouse\r");
	want(pty, "mouse off");
	expect_off(pty);
	quit(pty);
}

static int start_vt100(void **state)
{
	return start_with(state, "--mouse", "vt100");
}

static void terminal__without_a_mouse__is_not_asked_for_one(void **state)
{
	struct story *story = *state;
	int count;
	want(story->pty, "the terminal vt100 tells of no mouse");
	(void)last_of(story->pty, "[?100", &count);
	assert_int_equal(count, 0);
	quit(story->pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(mouse__clicks_drags_and_opens__on_the_real_program,
						start, stop),
		cmocka_unit_test_setup_teardown(mouse__is_no_key__wherever_it_is_cut, start, stop),
		cmocka_unit_test_setup_teardown(terminal__is_left_without_it__after_a_crash, start,
						stop),
		cmocka_unit_test_setup_teardown(terminal__is_left_without_it__while_stopped, start,
						stop),
		cmocka_unit_test_setup_teardown(
			palette__turns_it_on_and_off__and_the_terminal_follows, start_off, stop),
		cmocka_unit_test_setup_teardown(terminal__without_a_mouse__is_not_asked_for_one,
						start_vt100, stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
