/* The command line: completion, what it runs, what it says of what there is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/regions.h"
#include "tests/homescreen.h"
#include "views/palette.h"

#define LAST_LINE 23

static const char *const profiles[] = {
	"default", "ops", "prod-eu", "prod-us", "data science", NULL
};

static int start(void **state)
{
	struct homescreen *home = mem_new(1, sizeof(*home));
	homescreen_start(home, 80, 24, NULL);
	home->sample.profiles = profiles;
	home->sample.regions = region_names;
	*state = home;
	return 0;
}

static int stop(void **state)
{
	homescreen_stop(*state);
	free(*state);
	return 0;
}

static void type(struct homescreen *home, const char *text)
{
	for (; *text; text++)
		screen_key(home->screen, (struct key){ .code = (unsigned char)*text }, NULL);
}

static void paste(struct homescreen *home, const char *text)
{
	screen_key(home->screen, (struct key){ .code = KEY_CODE_PASTE }, text);
}

static void assert_line(struct homescreen *home, const char *line)
{
	assert_string_equal(homescreen_line(home, LAST_LINE), line);
}

/* --- completion --- */

static void line__offers_the_commands__when_it_opens(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	assert_line(home, ":   profile  region  back  history  actions  mouse  help  quit");
	homescreen_keys(home, "Esc F10");
	assert_line(home, ":   profile  region  back  history  actions  mouse  help  quit");
	homescreen_golden(home, "palette-80x24");
}

static void command__is_completed__and_then_its_argument(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "prof");
	homescreen_keys(home, "Tab");
	assert_line(home, ":profile    default  ops  prod-eu  prod-us  data science");
	type(home, "prod");
	assert_line(home, ":profile prod   prod-eu  prod-us");
	homescreen_keys(home, "Tab");
	assert_line(home, ":profile prod-eu   prod-eu  prod-us");
	homescreen_keys(home, "Tab");
	assert_line(home, ":profile prod-us   prod-us");
	homescreen_keys(home, "Tab");
	assert_line(home, ":profile prod   prod-eu  prod-us");
	homescreen_keys(home, "S-Tab");
	assert_line(home, ":profile prod-us   prod-us");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 1);
	assert_string_equal(home->sample.to_profile, "prod-us");
	assert_string_equal(home->sample.to_region, "");
}

static void names__are_found_inside__when_none_begins_so(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "profile us");
	homescreen_keys(home, "Tab Enter");
	assert_string_equal(home->sample.to_profile, "prod-us");
	homescreen_keys(home, ":");
	type(home, "region gov-w");
	homescreen_keys(home, "Tab Enter");
	assert_string_equal(home->sample.to_region, "us-gov-west-1");
	assert_string_equal(home->sample.to_profile, "");
	assert_int_equal(home->sample.switches, 2);
}

static void command__without_argument__is_completed_without_a_blank(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "ba");
	homescreen_keys(home, "Tab");
	assert_line(home, ":back   back  to the profile and region before");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 1);
	assert_string_equal(home->sample.to_profile, "");
	assert_string_equal(home->sample.to_region, "");
}

/* The first that fits as it is typed, not the first of all. */
static void typing_on__ends_the_choice__of_tab(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "profile p");
	homescreen_keys(home, "Tab Backspace Backspace");
	type(home, "us");
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.to_profile, "prod-us");
}

static void names__of_a_long_list__are_counted_where_they_do_not_fit(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "region ");
	assert_line(home, ":region    us-east-1  us-east-2  us-west-1  us-west-2  af-south-1  +34");
	homescreen_keys(home, "S-Tab");
	assert_line(home, ":region eusc-de-east-1   eusc-de-east-1");
}

static void line__stays_usable__on_a_narrow_terminal(void **state)
{
	struct homescreen *home = *state;
	homescreen_stop(home);
	homescreen_start(home, 24, 6, NULL);
	home->sample.profiles = profiles;
	homescreen_keys(home, ":");
	assert_string_equal(homescreen_line(home, 5), ":   profile  +7");
	type(home, "profile data science");
	assert_string_equal(homescreen_line(home, 5), ":profile data science");
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.to_profile, "data science");
}

/* --- running --- */

static void nothing__is_run__by_an_empty_line(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ": Enter");
	assert_false(homescreen_shows(home, "profile  region  back"));
	homescreen_keys(home, ":");
	type(home, "   ");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 0);
	assert_false(homescreen_shows(home, "profile  region  back"));
}

static void keys_that_leave__run_nothing__each(void **state)
{
	static const char *const keys[] = { "Esc", "C-c", "C-g" };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		homescreen_keys(home, ":");
		type(home, "profile ops");
		homescreen_keys(home, keys[i]);
		assert_false(homescreen_shows(home, ":profile"));
		homescreen_keys(home, "j"); /* so that C-c is not the second */
	}
	assert_int_equal(home->sample.switches, 0);
	assert_int_equal(home->sample.quits, 0);
}

static void beginning__is_enough__where_no_other_command_begins_so(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "prof   ops  ");
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.to_profile, "ops");
	homescreen_keys(home, ":");
	type(home, "q");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.quits, 1);
}

static void help__is_the_help_of_the_screen__with_the_commands(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "help");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "┌*Help "));
	homescreen_keys(home, "/");
	type(home, "Everywhere");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "Everywhere"));
	homescreen_keys(home, "/");
	type(home, ":region REGION");
	homescreen_keys(home, "Enter");
	assert_true(
		homescreen_shows(home,
				 "  :region REGION        another region, with the same profile"));
}

/* A key that asks when drafts would be lost: so does the command. */
static void quit__asks__where_the_key_asks(void **state)
{
	struct homescreen *home = *state;
	screen_drafts_trouble(home->screen, "drafts are not kept on disk: it is full");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "P J :");
	type(home, "quit");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.quits, 0);
	assert_true(homescreen_shows(home, "Quit all the same?"));
}

static void paste__never_runs__what_it_brings(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	paste(home, "profile ops\rquit\n:quit\r\n");
	assert_int_equal(home->sample.switches, 0);
	assert_int_equal(home->sample.quits, 0);
	assert_true(homescreen_shows(home, ":profile opsquit:quit"));
	homescreen_keys(home, "C-u");
	paste(home, "profile ops\n");
	assert_int_equal(home->sample.switches, 0);
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.to_profile, "ops");
}

/* --- actions --- */

/* Wherever it stands and whatever it is called. */
static void palette__reaches_every_action__of_the_key_tables(void **state)
{
	size_t actions = 0;
	(void)state;
	for (size_t s = 0; screen_key_scopes[s]; s++)
		for (const struct key_binding *row = screen_key_scopes[s]->bindings; row->keys;
		     row++) {
			struct palette_entry entry;
			bool found = palette_find(screen_key_scopes, row->action, &entry);
			if (screen_key_scopes[s]->answers || keys_typed_in(screen_key_scopes[s]))
				continue; /* they belong to a line or a question that is open */
			if (!found || strcmp(entry.name, row->action) != 0)
				fail_msg("%s is not reached", row->action);
			/* help, history, quit: the command does the same */
			assert_true(entry.row == row || entry.command);
			actions++;
		}
	assert_true(actions > 100);
}

static void action__is_found__by_its_letters_and_by_its_help(void **state)
{
	struct homescreen *home = *state;
	struct palette_entry entry;
	assert_true(palette_find(screen_key_scopes, "jbstp", &entry));
	assert_string_equal(entry.name, "job-stop");
	assert_true(palette_find(screen_key_scopes, "q", &entry)); /* a command's beginning first */
	assert_string_equal(entry.name, "quit");
	assert_false(palette_find(screen_key_scopes, "job", &entry));
	assert_false(palette_find(screen_key_scopes, "zzz", &entry));
	assert_false(palette_find(screen_key_scopes, "AltGr", &entry));
	homescreen_keys(home, ":");
	type(home, "jbstp");
	assert_line(home, ":jbstp   job-stop  S F9 stop the selected job, or all that are marked");
	homescreen_keys(home, "C-u");
	type(home, "markdown");
	assert_line(home,
		    ":markdown   job-card  Y copy a card of the job in Markdown, to hand it over");
	homescreen_keys(home, "Enter"); /* a word of the help alone runs nothing */
	assert_true(homescreen_shows(home, "no such command"));
}

static void action__does_what_its_key_does__in_its_pane(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "pane-number 2");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "*Preferences"));
	homescreen_keys(home, "Esc");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, ":");
	type(home, "entry-move-down");
	homescreen_keys(home, "Enter");
	assert_true(screen_has_draft(home->screen));
	homescreen_keys(home, "u :");
	type(home, "entry-rank 3");
	homescreen_keys(home, "Enter");
	assert_true(screen_has_draft(home->screen));
	homescreen_keys(home, ":");
	type(home, "entry-rank 0");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "no such number"));
}

/* What changes AWS asks as it does with its key, and a read-only dashboard has none of it. */
static void action__asks__where_its_key_asks(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, ":");
	type(home, "job-stop");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.stops, 0);
	assert_int_equal(home->sample.discards, 1);
	homescreen_keys(home, "Enter"); /* No */
	assert_int_equal(home->sample.stops, 0);
	homescreen_stop(home);
	homescreen_start(home, 80, 24, NULL);
	home->sample.env.read_only = true;
	struct view_env env = home->sample.env;
	screen_free(home->screen);
	home->screen = screen_new(&env);
	homescreen_keys(home, ":");
	type(home, "job-stop");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "read-only: no key changes AWS"));
	assert_int_equal(home->sample.discards, 0);
}

static void line__opens_above_what_is_read__and_knows_its_actions(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "page-last");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "which is not open"));
	homescreen_keys(home, "? :");
	type(home, "page-last");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "any other word   AWS's own"));
	homescreen_keys(home, "q");
	/* Never above an answer. */
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "S");
	sample_pass(&home->sample, 1000);
	homescreen_keys(home, ":");
	assert_false(homescreen_shows(home, ":   profile"));
	assert_int_equal(home->sample.stops, 0);
}

static void lines__come_back__by_up_and_down(void **state)
{
	struct homescreen *home = *state;
	static const char *const lines[] = { "pane-zoom", "profile ops", "profile ops",
					     "pane-zoom" };
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		homescreen_keys(home, ":");
		type(home, lines[i]);
		homescreen_keys(home, "Enter");
	}
	homescreen_keys(home, ": Up Up");
	assert_true(homescreen_shows(home, ":profile ops "));
	homescreen_keys(home, "Down");
	assert_true(homescreen_shows(home, ":pane-zoom "));
	homescreen_keys(home, "Down");
	assert_true(homescreen_shows(home, ":   profile  region"));
	homescreen_keys(home, "Up Up Enter");
	assert_int_equal(home->sample.switches, 3);
}

/* --- what there is not --- */

static void unknown__is_said__with_what_there_is(void **state)
{
	static const struct {
		const char *typed, *said;
	} cases[] = {
		{ "frobnicate", "no such command: profile  region  back  history  actions  +3" },
		{ "profile prod", "no such profile: default  ops  prod-eu  prod-us  data science" },
		{ "profile Ops", "no such profile: default" },
		{ "profile", "which profile? default  ops  prod-eu  prod-us  data science" },
		{ "region", "which region? us-east-1  us-east-2" },
		{ "region mars", "no such region: us-east-1  us-east-2  us-west-1  +36" },
		{ "region us-east-1a", "no such region: us-east-1" },
		{ "back now", "back takes nothing more" },
	};
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char line[160];
		homescreen_keys(home, ":");
		type(home, cases[i].typed);
		homescreen_keys(home, "Enter");
		snprintf(line, sizeof(line), ":%s   %s", cases[i].typed, cases[i].said);
		if (!homescreen_shows(home, line))
			fail_msg("'%s' is not: %s", line, homescreen_line(home, LAST_LINE));
		/* It is there to be mended, and what is wrong goes with the next key. */
		homescreen_keys(home, "Backspace");
		assert_false(homescreen_shows(home, cases[i].said));
		homescreen_keys(home, "Esc");
	}
	assert_int_equal(home->sample.switches, 0);
}

/* AWS opens regions: one that has the form of one may be new. */
static void region__that_is_not_known__is_tried_at_the_second_enter(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "region us-esat-1");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 0);
	assert_true(homescreen_shows(home, "no region known here; Enter again tries it"));
	homescreen_keys(home, "Backspace");
	type(home, "2");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 0);
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.switches, 1);
	assert_string_equal(home->sample.to_region, "us-esat-2");
}

static void tab__says_so__where_nothing_fits(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, ":");
	type(home, "profile zzz");
	homescreen_keys(home, "Tab");
	assert_true(homescreen_shows(home, ":profile zzz   nothing fits: default  ops"));
	homescreen_keys(home, "C-u");
	type(home, "x y");
	homescreen_keys(home, "Tab");
	assert_true(homescreen_shows(home, ":x y   nothing fits"));
}

static void one_place__is_said__where_there_is_no_other(void **state)
{
	struct homescreen *home = *state;
	struct view_env env = home->sample.env;
	env.fixed = "the demo has one region";
	screen_move(home->screen, &env);
	homescreen_keys(home, ":");
	type(home, "region us-east-2");
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, ":region us-east-2   the demo has one region"));
	assert_int_equal(home->sample.switches, 0);
}

/* Profiles have the names that somebody gave them. */
static void hostile_names__are_shown_harmless__and_are_not_run(void **state)
{
	static const char *const odd[] = { "a\x1b[31mb", "x\ny", NULL };
	struct homescreen *home = *state;
	home->sample.profiles = odd;
	homescreen_keys(home, ":");
	type(home, "profile ");
	assert_null(strchr(homescreen_line(home, LAST_LINE), '\x1b'));
	homescreen_keys(home, "Tab Enter");
	assert_int_equal(home->sample.switches, 0);
}

static void regions__of_the_profiles__are_offered_once(void **state)
{
	static const char *const twice[] = { "eu-west-1", "local", "eu-west-1", NULL };
	struct homescreen *home = *state;
	home->sample.regions = twice;
	homescreen_keys(home, ":");
	type(home, "region ");
	assert_line(home, ":region    eu-west-1  local");
	/* Of no form, but a profile has it. */
	type(home, "local");
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.to_region, "local");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(line__offers_the_commands__when_it_opens),
		TEST(command__is_completed__and_then_its_argument),
		TEST(names__are_found_inside__when_none_begins_so),
		TEST(command__without_argument__is_completed_without_a_blank),
		TEST(typing_on__ends_the_choice__of_tab),
		TEST(names__of_a_long_list__are_counted_where_they_do_not_fit),
		TEST(line__stays_usable__on_a_narrow_terminal),
		TEST(nothing__is_run__by_an_empty_line),
		TEST(keys_that_leave__run_nothing__each),
		TEST(beginning__is_enough__where_no_other_command_begins_so),
		TEST(help__is_the_help_of_the_screen__with_the_commands),
		TEST(quit__asks__where_the_key_asks),
		TEST(paste__never_runs__what_it_brings),
		cmocka_unit_test(palette__reaches_every_action__of_the_key_tables),
		TEST(action__is_found__by_its_letters_and_by_its_help),
		TEST(action__does_what_its_key_does__in_its_pane),
		TEST(action__asks__where_its_key_asks),
		TEST(line__opens_above_what_is_read__and_knows_its_actions),
		TEST(lines__come_back__by_up_and_down),
		TEST(unknown__is_said__with_what_there_is),
		TEST(region__that_is_not_known__is_tried_at_the_second_enter),
		TEST(tab__says_so__where_nothing_fits),
		TEST(one_place__is_said__where_there_is_no_other),
		TEST(hostile_names__are_shown_harmless__and_are_not_run),
		TEST(regions__of_the_profiles__are_offered_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
