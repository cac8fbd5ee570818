/* The key tables, and what the keys of the whole screen do: panes, quit, read-only, help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/homescreen.h"
#include "views/pane.h"

#define HELP_MAX 60

static int start(void **state)
{
	return homescreen_setup(state, 120, 40);
}

/* --- tables --- */

static void tables__have_no_clash__in_scope_or_parent(void **state)
{
	char what[256] = "";
	(void)state;
	for (size_t i = 0; screen_key_scopes[i]; i++)
		if (keys_clash(screen_key_scopes[i], what, sizeof(what)))
			fail_msg("%s", what);
}

static void rows__have_a_short_help_and_an_action__each(void **state)
{
	size_t rows = 0;
	(void)state;
	for (size_t i = 0; screen_key_scopes[i]; i++)
		for (const struct key_binding *row = screen_key_scopes[i]->bindings; row->keys;
		     row++) {
			assert_non_null(row->action);
			assert_non_null(row->help);
			assert_non_null(row->run);
			assert_true(row->help[0] && strlen(row->help) < HELP_MAX);
			rows++;
		}
	assert_true(rows > 50);
}

static void actions__are_unique__over_all_tables(void **state)
{
	const char *seen[512];
	size_t count = 0;
	(void)state;
	for (size_t i = 0; screen_key_scopes[i]; i++)
		for (const struct key_binding *row = screen_key_scopes[i]->bindings; row->keys;
		     row++) {
			for (size_t k = 0; k < count; k++)
				assert_string_not_equal(seen[k], row->action);
			assert_true(count < ARRAY_LEN(seen));
			seen[count++] = row->action;
		}
}

/* Upper-case letters and function keys alone may change AWS; the answers to a question do not count
 * among them, they belong to one. */
static void lower_case__never_changes_aws__in_any_table(void **state)
{
	(void)state;
	for (size_t i = 0; screen_key_scopes[i]; i++)
		for (const struct key_binding *row = screen_key_scopes[i]->bindings; row->keys;
		     row++) {
			if (!(row->flags & KEY_CHANGES_CLOUD))
				continue;
			for (const char *key = row->keys; *key;) {
				size_t len = strcspn(key, " ");
				assert_true(isupper((unsigned char)key[0]));
				assert_true(len == 1 || key[0] == 'F');
				key += len + strspn(key + len, " ");
			}
		}
}

static void tables__never_bind__what_tmux_and_the_terminal_take(void **state)
{
	static const char *const taken[] = { "C-a", "C-b", "C-s", "C-q", "C-z", "C-\\" };
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(taken); k++) {
		struct key key;
		assert_true(key_parse(taken[k], &key));
		for (size_t i = 0; screen_key_scopes[i]; i++)
			assert_null(keys_find(screen_key_scopes[i]->bindings, key, false));
	}
}

/* Case 116: Esc may wait for tmux, so there is another key for all that it does; those of a
 * question are any but y. */
static void esc__is_never_the_only_way_out__in_any_table(void **state)
{
	struct key esc;
	size_t found = 0;
	(void)state;
	assert_true(key_parse("Esc", &esc));
	for (size_t i = 0; screen_key_scopes[i]; i++) {
		const struct key_binding *row =
			keys_find(screen_key_scopes[i]->bindings, esc, false);
		if (!row)
			continue;
		found++;
		if (!strstr(row->keys, "C-g") && !strstr(row->keys, "q"))
			fail_msg("%s: %s", screen_key_scopes[i]->name, row->keys);
	}
	assert_true(found > 10);
}

/* --- panes --- */

static void focus__walks_over_all_panes__by_tab_and_number(void **state)
{
	static const char *const titles[] = { "┌*Jobs ",     "┌*Preferences ", "┌*Queue ",
					      "┌*Selected ", "┌*Wait ",        "┌*Cost " };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		homescreen_want(home, titles[i]);
		homescreen_keys(home, "Tab");
	}
	homescreen_want(home, titles[0]);
	homescreen_keys(home, "S-Tab");
	homescreen_want(home, "┌*Cost ");
	homescreen_keys(home, "3");
	homescreen_want(home, "┌*Queue ");
	homescreen_keys(home, "9");
	homescreen_want(home, "┌*Queue ");
	homescreen_keys(home, "P");
	homescreen_want(home, "┌*Preferences ");
	homescreen_keys(home, "Esc F2");
	homescreen_want(home, "┌*Preferences ");
}

static void zoom__shows_one_pane_alone__until_left(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "6 z");
	homescreen_want(home, "┌*Cost ");
	homescreen_want_not(home, " Jobs ");
	homescreen_keys(home, "Esc");
	homescreen_want(home, "┌ Jobs ");
	homescreen_keys(home, "z q");
	homescreen_want(home, "┌ Jobs ");
	assert_int_equal(home->sample.quits, 0);
}

static void small__shows_a_pane_alone__only_when_asked_for(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 50, 14, NULL);
	homescreen_want(&home, "┌*Jobs ");
	homescreen_keys(&home, "P");
	homescreen_want(&home, "┌*Preferences ");
	assert_false(homescreen_shows(&home, "Jobs"));
	homescreen_keys(&home, "Esc");
	homescreen_want(&home, "┌*Jobs ");
	homescreen_stop(&home);
}

/* Keys go to what is seen: a focus that a resize has hidden is no focus. */
static void resize__gives_jobs_the_keys__when_the_focus_is_hidden(void **state)
{
	struct homescreen *home = *state;
	struct offscreen *small;
	homescreen_keys(home, "P");
	offscreen_free(home->offscreen);
	small = offscreen_new(50, 14);
	home->offscreen = small;
	homescreen_draw(home);
	homescreen_keys(home, "G");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-11"));
}

/* --- help --- */

static void help__starts_with_the_focused_pane__and_has_all_tables(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "4 ?");
	assert_non_null(strstr(homescreen_line(home, 2), "Queue, Selected, Wait, Cost"));
	homescreen_want(home, "stop the selected job, or all that are marked (asks)");
	homescreen_keys(home, "G");
	homescreen_want(home, "upper-case");
}

static void help__leaves_out_what_changes_aws__when_read_only(void **state)
{
	struct homescreen *home = *state;
	homescreen_stop(home);
	sample_start(&home->sample);
	sample_fill(&home->sample);
	home->sample.env.read_only = true;
	home->offscreen = offscreen_new(120, 400);
	home->screen = screen_new(&home->sample.env);
	homescreen_keys(home, "F1");
	homescreen_want_not(home, "stop the selected job");
	homescreen_want_not(home, "(asks)");
	homescreen_want(home, "This is read-only");
}

static void help__ends_with_the_signs__of_every_pane(void **state)
{
	static const char *const words[] = { "K      kind of job", "SEL    rank",
					     "~      money: an",   "▓░     part",
					     "Pending    waits",   "Stopping   a stop" };
	struct homescreen *home = *state;
	homescreen_keys(home, "? G");
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		homescreen_want(home, words[i]);
}

static void preferences__says_how_many_lines_more__when_there_is_no_room(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 60, 16, NULL);
	homescreen_go_to(&home, "llm-ft-0930"); /* three entries, and what is to be said of them */
	homescreen_keys(&home,
			"P i m l . g 6 . x l a r g e Enter i m l . g 6 . 2 x l a r g e Enter");
	homescreen_keys(&home, "Home");
	homescreen_want(&home, "#4 ");
	assert_false(homescreen_shows(&home, "#5 "));
	homescreen_want(&home, " more ");
	homescreen_keys(&home, "z");
	homescreen_want(&home, "#5 ");
	homescreen_stop(&home);
}

/* --- read-only --- */

static void read_only(struct sample *sample)
{
	sample->env.read_only = true;
}

static void read_only__refuses_with_a_word__what_changes_aws(void **state)
{
	static const char *const keys[] = { "S", "F9", "X" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct homescreen home;
		homescreen_start(&home, 120, 40, read_only);
		homescreen_want(&home, "read-only");
		assert_false(homescreen_shows(&home, "S stop"));
		homescreen_keys(&home, keys[i]);
		homescreen_want(&home, "read-only: no key changes AWS");
		assert_int_equal(home.sample.discards, 0);
		homescreen_stop(&home);
	}
}

/* --- leaving --- */

static void quit__is_at_once__without_drafts(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "q");
	assert_int_equal(home->sample.quits, 1);
	homescreen_keys(home, "Q");
	assert_int_equal(home->sample.quits, 2);
}

static void make_draft(struct homescreen *home)
{
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "P J Esc");
	assert_true(screen_has_draft(home->screen));
}

static void quit__is_at_once__with_drafts_that_are_kept(void **state)
{
	struct homescreen *home = *state;
	make_draft(home);
	homescreen_keys(home, "q");
	assert_int_equal(home->sample.quits, 1);
	screen_drafts_trouble(home->screen, "drafts are not kept on disk: it is full");
	homescreen_want(home, "drafts are not kept on disk: it is full");
	screen_drafts_trouble(home->screen, NULL);
	homescreen_want(home, "drafts are kept on disk again");
	homescreen_keys(home, "Q");
	assert_int_equal(home->sample.quits, 2);
}

static void quit__asks__when_a_draft_would_be_lost(void **state)
{
	static const char *const ways[] = { "q", "Q" };
	struct homescreen *home = *state;
	assert_false(screen_has_draft(home->screen));
	screen_drafts_trouble(home->screen, "drafts are not kept on disk: it is full");
	homescreen_keys(home, "q");
	assert_int_equal(home->sample.quits, 1);
	home->sample.quits = 0;
	make_draft(home);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		homescreen_keys(home, ways[i]);
		homescreen_want(home,
				"1 draft is not submitted. Drafts are not kept on disk: it is");
		homescreen_keys(home, "n");
		assert_int_equal(home->sample.quits, 0);
		homescreen_keys(home, ways[i]);
		homescreen_keys(home, "y");
		assert_int_equal(home->sample.quits, 1);
		home->sample.quits = 0;
	}
}

static void interrupt__quits_at_the_second__within_two_seconds(void **state)
{
	struct homescreen *home = *state;
	make_draft(home);
	homescreen_keys(home, "C-c");
	homescreen_want(home, "C-c again quits");
	sample_pass(&home->sample, 2001);
	homescreen_keys(home, "C-c");
	assert_int_equal(home->sample.quits, 0);
	homescreen_keys(home, "j C-c");
	assert_int_equal(home->sample.quits, 0);
	sample_pass(&home->sample, 2000);
	homescreen_keys(home, "C-c");
	assert_int_equal(home->sample.quits, 1);
}

static void interrupt__leaves_a_dialog_first__then_quits(void **state)
{
	static const char *const dialogs[] = { "d", "y", "?", "f", "S" };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(dialogs); i++) {
		homescreen_go_to(home, "llm-ft-0930");
		homescreen_keys(home, dialogs[i]);
		sample_pass(&home->sample, 5000);
		homescreen_keys(home, "C-c");
		homescreen_want(home, "┌*Jobs ");
		assert_int_equal(home->sample.quits, 0);
		homescreen_keys(home, "C-c");
		assert_int_equal(home->sample.quits, 1);
		home->sample.quits = 0;
	}
}

static void refresh__asks_the_app__by_r_and_f5(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "r F5");
	assert_int_equal(home->sample.refreshes, 2);
}

static void refresh__says_so__until_the_answer_or_three_seconds(void **state)
{
	struct homescreen *home = *state;
	struct freshness *list = &home->sample.store.sources[SOURCE_TRAINING];
	homescreen_keys(home, "r");
	homescreen_want(home, "asking AWS again");
	screen_refresh(home->screen); /* of something else */
	homescreen_want(home, "asking AWS again");
	list->loaded_mono_ms++;
	screen_refresh(home->screen);
	homescreen_want_not(home, "asking AWS again");
	homescreen_keys(home, "r");
	homescreen_pass(home, 2999);
	homescreen_want(home, "asking AWS again");
	homescreen_pass(home, 1);
	homescreen_want_not(home, "asking AWS again");
	homescreen_keys(home, "r");
	screen_say(home->screen, STYLE_GOOD, "something has happened");
	list->loaded_mono_ms++;
	screen_refresh(home->screen); /* another notice stays */
	homescreen_want(home, "something has happened");
}

/* The sample is what the screen's host is, and the homescreen begins with it. */
static void say_no_connection(void *host)
{
	screen_say(((struct homescreen *)host)->screen, STYLE_ERROR, "not asked");
}

static void without_connection(struct sample *sample)
{
	sample->env.cloud.refresh = say_no_connection;
}

static void refresh__gives_way__to_what_the_app_says(void **state)
{
	struct homescreen *home = *state;
	homescreen_stop(home); /* one at a time: curses is global */
	homescreen_start(home, 80, 24, without_connection);
	homescreen_keys(home, "r");
	homescreen_want(home, "not asked");
	homescreen_want_not(home, "asking AWS again");
}

/* A job's name typed where y is asked for: its letters are no commands. */
static void name__typed_where_y_is_enough__does_nothing(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "S");
	homescreen_want(home, "Stop the job?");
	homescreen_pass(home, 300);
	homescreen_keys(home, "l l m - f t - 0 9 z q");
	homescreen_want_not(home, "Stop the job?");
	homescreen_want(home, "not stopped: llm-ft-0930");
	homescreen_want(home, "eval-nightly-20261130"); /* no filter, and no other pane */
	homescreen_pass(home, 499);
	homescreen_keys(home, "9");
	homescreen_want_not(home, "there are six panes");
	homescreen_pass(home, 500);
	homescreen_keys(home, "9");
	homescreen_want(home, "there are six panes");
}

/* What a key said may be wrong after the next; what AWS answered is there to be read. */
static void notice__goes_with_the_next_key__once_it_could_be_read(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "9");
	homescreen_want(home, "there are six panes");
	homescreen_keys(home, "j");
	homescreen_want_not(home, "there are six panes");
	screen_say(home->screen, STYLE_GOOD, "something has happened");
	homescreen_keys(home, "j");
	homescreen_want(home, "something has happened");
	homescreen_pass(home, 4900);
	homescreen_keys(home, "j");
	homescreen_want(home, "something has happened");
	homescreen_pass(home, 100);
	homescreen_keys(home, "k");
	homescreen_want_not(home, "something has happened");
}

static void notice__goes_away__by_time_or_esc(void **state)
{
	struct homescreen *home = *state;
	screen_say(home->screen, STYLE_GOOD, "something has happened");
	homescreen_want(home, "something has happened");
	homescreen_keys(home, "Esc");
	homescreen_want_not(home, "something has happened");
	screen_say(home->screen, STYLE_GOOD, "something has happened");
	sample_pass(&home->sample, screen_tick_ms(home->screen));
	for (int i = 0; i < 60 && homescreen_shows(home, "something has happened"); i++)
		sample_pass(&home->sample, screen_tick_ms(home->screen));
	homescreen_want_not(home, "something has happened");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables__have_no_clash__in_scope_or_parent),
		cmocka_unit_test(rows__have_a_short_help_and_an_action__each),
		cmocka_unit_test(actions__are_unique__over_all_tables),
		cmocka_unit_test(lower_case__never_changes_aws__in_any_table),
		cmocka_unit_test(tables__never_bind__what_tmux_and_the_terminal_take),
		cmocka_unit_test(esc__is_never_the_only_way_out__in_any_table),
		TEST(focus__walks_over_all_panes__by_tab_and_number),
		TEST(zoom__shows_one_pane_alone__until_left),
		cmocka_unit_test(small__shows_a_pane_alone__only_when_asked_for),
		TEST(resize__gives_jobs_the_keys__when_the_focus_is_hidden),
		TEST(help__starts_with_the_focused_pane__and_has_all_tables),
		TEST(help__leaves_out_what_changes_aws__when_read_only),
		TEST(help__ends_with_the_signs__of_every_pane),
		cmocka_unit_test(preferences__says_how_many_lines_more__when_there_is_no_room),
		cmocka_unit_test(read_only__refuses_with_a_word__what_changes_aws),
		TEST(quit__is_at_once__without_drafts),
		TEST(quit__is_at_once__with_drafts_that_are_kept),
		TEST(quit__asks__when_a_draft_would_be_lost),
		TEST(interrupt__quits_at_the_second__within_two_seconds),
		TEST(interrupt__leaves_a_dialog_first__then_quits),
		TEST(refresh__asks_the_app__by_r_and_f5),
		TEST(refresh__says_so__until_the_answer_or_three_seconds),
		TEST(refresh__gives_way__to_what_the_app_says),
		TEST(name__typed_where_y_is_enough__does_nothing),
		TEST(notice__goes_with_the_next_key__once_it_could_be_read),
		TEST(notice__goes_away__by_time_or_esc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
