/* Keys that the operator has chosen: what counts, what is refused and why, and what a key means
 * then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "tests/homescreen.h"
#include "tui/keymap.h"
#include "views/key_settings.h"

#define TOLD_MAX (64u << 10)

static const struct key_binding root_keys[] = {
	{ .keys = "? F1", .action = "help", .help = "help" },
	{ .keys = "f F4 \\", .action = "filter", .help = "filter" },
	{ .keys = "S F9", .action = "stop", .help = "stop", .flags = KEY_CHANGES_CLOUD },
	{ .keys = "1 2 3", .action = "number", .help = "by number" },
	{ .keys = "x", .action = "explain", .help = "why" },
	{ .keys = "C-c", .action = "interrupt", .help = "quit", .flags = KEY_FIXED },
	{ 0 },
};
static const struct key_scope root = { .name = "Everywhere", .bindings = root_keys };
static const struct key_binding list_keys[] = {
	{ .keys = "j Down", .action = "down", .help = "down" },
	{ .keys = "k Up", .action = "up", .help = "up" },
	{ .keys = "x", .action = "cross", .help = "cross out", .flags = KEY_SHADOWS },
	{ 0 },
};
static const struct key_scope list = { .name = "List", .bindings = list_keys, .parent = &root };
static const struct key_binding line_keys[] = {
	{ .keys = "Enter", .action = "take", .help = "take" },
	{ .keys = "Esc C-c C-g", .action = "leave", .help = "leave" },
	{ 0 },
};
static const struct key_scope line = { .name = "Line", .bindings = line_keys };
static const struct key_binding asked_keys[] = {
	{ .keys = "y", .action = "yes", .help = "yes" },
	{ 0 },
};
static const struct key_scope asked = { .name = "Question",
					.bindings = asked_keys,
					.answers = true };
static const struct key_scope *const scopes[] = { &root, &list, &line, &asked, NULL };

struct told {
	const struct keymap_line *lines;
	struct buf text;
};

static void on_refused(void *ctx, size_t index, const char *why)
{
	struct told *told = ctx;
	buf_addf(&told->text, "%zu %s: %s\n", told->lines[index].line, told->lines[index].action,
		 why);
}

static void make(struct keymap *map, const struct keymap_line *lines, size_t count,
		 const char *refused)
{
	struct told told = { .lines = lines };
	buf_init(&told.text, TOLD_MAX);
	keymap_make(map, scopes, lines, count, on_refused, &told);
	assert_string_equal(buf_text(&told.text), refused);
	buf_release(&told.text);
}

#define MAKE(map, refused, ...)                                    \
	do {                                                       \
		const struct keymap_line made[] = { __VA_ARGS__ }; \
		make(map, made, ARRAY_LEN(made), refused);         \
	} while (0)

static const char *means(const struct keymap *map, const struct key_scope *scope, const char *name)
{
	struct key key;
	assert_true(key_parse(name, &key));
	key = keymap_translate(map, scope->bindings, key);
	const struct key_binding *row = keys_find(scope->bindings, key, false);
	return row ? row->action : key.code == KEY_CODE_BAD ? "nothing" : "none";
}

static void key__means_the_action__and_the_old_one_nothing(void **state)
{
	struct keymap map;
	(void)state;
	MAKE(&map, "", { "filter", "C-f", 3 });
	assert_string_equal(means(&map, &root, "C-f"), "filter");
	assert_string_equal(means(&map, &root, "f"), "nothing");
	assert_string_equal(means(&map, &root, "\\"), "nothing");
	assert_string_equal(means(&map, &root, "F4"), "filter"); /* a twin stays */
	assert_string_equal(means(&map, &root, "x"), "explain");
	assert_string_equal(means(&map, &root, "w"), "none");
	assert_string_equal(keymap_keys(&map, &root_keys[1]), "C-f F4");
	assert_string_equal(keymap_keys(&map, &root_keys[0]), "? F1");
	assert_string_equal(keymap_keys(NULL, &root_keys[1]), "f F4 \\");
	keymap_release(&map);
	assert_string_equal(means(&map, &root, "f"), "filter");
}

/* What a row of several numbers does goes by the place of the key. */
static void numbers__keep_their_order(void **state)
{
	struct keymap map;
	struct key key;
	(void)state;
	MAKE(&map, "", { "number", "A-a  A-b A-c", 1 });
	assert_true(key_parse("A-b", &key));
	assert_int_equal(keymap_translate(&map, root_keys, key).code, '2');
	assert_int_equal(keymap_translate(&map, root_keys, key).mods, 0);
	assert_string_equal(means(&map, &root, "2"), "nothing");
	keymap_release(&map);
}

static void keys__are_swapped__by_two_lines(void **state)
{
	struct keymap map;
	(void)state;
	MAKE(&map, "", { "down", "k", 1 }, { "up", "j", 2 });
	assert_string_equal(means(&map, &list, "k"), "down");
	assert_string_equal(means(&map, &list, "j"), "up");
	assert_string_equal(means(&map, &list, "Down"), "down");
	assert_string_equal(keymap_keys(&map, &list_keys[0]), "k Down");
	keymap_release(&map);
}

static void further_key__goes_to_whom_a_line_gives_it(void **state)
{
	struct keymap map;
	(void)state;
	MAKE(&map, "", { "explain", "F9 e", 1 });
	assert_string_equal(means(&map, &root, "F9"), "explain");
	assert_string_equal(means(&map, &root, "S"), "stop");
	assert_string_equal(keymap_keys(&map, &root_keys[2]), "S");
	keymap_release(&map);
}

/* Each with the other place. Of two that cannot both be, the later one goes. */
static void clash__is_told_with_both_places__and_the_table_holds(void **state)
{
	struct keymap map;
	(void)state;
	MAKE(&map, "4 explain: f is the key of filter (Everywhere), by the program's own table\n",
	     { "explain", "f", 4 });
	assert_string_equal(means(&map, &root, "f"), "filter");
	assert_string_equal(means(&map, &root, "x"), "explain");
	assert_int_equal(map.count, 0);
	keymap_release(&map);
	MAKE(&map, "7 explain: F5 is the key of filter (Everywhere), by line 2\n",
	     { "explain", "F5", 7 }, { "filter", "F5", 2 });
	assert_string_equal(means(&map, &root, "F5"), "filter");
	assert_string_equal(means(&map, &root, "x"), "explain");
	keymap_release(&map);
	/* Of a table and its parent, in either direction. */
	MAKE(&map, "1 down: f is the key of filter (Everywhere), by the program's own table\n",
	     { "down", "f", 1 });
	keymap_release(&map);
	MAKE(&map, "1 filter: j is the key of down (List), by the program's own table\n",
	     { "filter", "j", 1 });
	keymap_release(&map);
	/* What may shadow may. */
	MAKE(&map, "", { "cross", "f", 1 });
	assert_string_equal(means(&map, &list, "f"), "cross");
	assert_string_equal(means(&map, &root, "f"), "filter");
	keymap_release(&map);
}

/* A refused line gives its action the table's key back, which another line had counted on. */
static void refusals__follow_from_refusals(void **state)
{
	struct keymap map;
	(void)state;
	MAKE(&map,
	     "1 explain: ? is the key of help (Everywhere), by the program's own table\n"
	     "2 filter: x is the key of explain (Everywhere), by the program's own table\n",
	     { "explain", "?", 1 }, { "filter", "x", 2 });
	assert_int_equal(map.count, 0);
	keymap_release(&map);
}

static void lines__are_refused__with_the_reason(void **state)
{
	static const struct {
		const char *action, *keys, *why;
	} cases[] = {
		{ "fliter", "w", "there is no such action; did you mean filter?" },
		{ "frobnicate", "w", "there is no such action" },
		{ "filter", "Dwon",
		  "Dwon is no key; they are named as in the help: x, X, C-x, A-x, F5, PgDn, "
		  "Space" },
		{ "filter", "", "takes names of keys, parted by blanks" },
		{ "filter", "C-a",
		  "C-a is tmux's or the terminal's own (C-a C-b C-s C-q C-z C-\\)" },
		{ "filter", "w C-\\",
		  "C-\\ is tmux's or the terminal's own (C-a C-b C-s C-q C-z C-\\)" },
		{ "filter", "C-g", "C-g leaves whatever is open" },
		{ "filter", "Mouse", "Mouse is no key of a keyboard" },
		{ "stop", "s",
		  "s changes nothing at AWS: that takes an upper-case letter or a function key" },
		{ "stop", "C-x",
		  "C-x changes nothing at AWS: that takes an upper-case letter or a function key" },
		{ "take", "t", "t is typed as text there" },
		{ "yes", "j", "its keys are the same for everybody" },
		{ "interrupt", "C-x", "its keys are the same for everybody" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct keymap map;
		char refused[512];
		snprintf(refused, sizeof(refused), "9 %s: %s\n", cases[i].action, cases[i].why);
		MAKE(&map, refused, { cases[i].action, cases[i].keys, 9 });
		assert_int_equal(map.count, 0);
		keymap_release(&map);
	}
}

/* --- of the whole program --- */

static struct config config;
static struct keymap chosen;

static void choose(const char *text)
{
	struct err err = { 0 };
	assert_true(config_read(&config, "config", text, strlen(text), &err));
	key_settings_read(&chosen, &config);
}

static void unchoose(void)
{
	keymap_release(&chosen);
	config_release(&config);
}

static void use_chosen(struct sample *sample)
{
	sample->env.keys = &chosen;
}

/* Every one, by a key that no table has. */
static void actions__can_all_be_given_keys__but_answers(void **state)
{
	(void)state;
	for (size_t i = 0; screen_key_scopes[i]; i++)
		for (const struct key_binding *row = screen_key_scopes[i]->bindings; row->keys;
		     row++) {
			char text[128];
			bool fixed = screen_key_scopes[i]->answers || (row->flags & KEY_FIXED);
			/* What changes AWS takes upper case: the first letter that is free there.
			 */
			bool changes = (row->flags & KEY_CHANGES_CLOUD) != 0;
			for (int letter = 'A'; letter <= 'Z'; letter++) {
				snprintf(text, sizeof(text), "[keys]\n%s = %s%c\n", row->action,
					 changes ? "" : "A-", (char)letter);
				choose(text);
				if (config.problem_count == 0 || fixed || letter == 'Z')
					break;
				unchoose();
			}
			if (config.problem_count != (fixed ? 1u : 0u))
				fail_msg("%s: %s", row->action,
					 config.problem_count ? config.problems[0].text : "taken");
			assert_int_equal(chosen.count, fixed ? 0 : 1);
			unchoose();
		}
}

static void screen__goes_by_the_chosen_keys__footer_and_help_too(void **state)
{
	struct homescreen home;
	(void)state;
	choose("[keys]\nfilter = C-f\npane-number = A-1 A-2 A-3 A-4 A-5 A-6\njob-down = C-n\n"
	       "job-stop = F9\nrequest-send = Y\n");
	homescreen_start(&home, 120, 40, use_chosen);
	assert_int_equal(config.problem_count, 1); /* an answer's keys stay */
	homescreen_want(&home, "C-f filter");
	homescreen_want(&home, "F9 stop");
	homescreen_keys(&home, "A-3");
	homescreen_want(&home, "┌*Queue ");
	homescreen_keys(&home, "1");
	homescreen_want(&home, "┌*Queue ");
	homescreen_keys(&home, "A-1 f");
	homescreen_want(&home, "┌*Jobs ");
	homescreen_keys(&home, "C-f");
	homescreen_want_not(&home, "┌*Jobs "); /* the line has the keys */
	homescreen_keys(&home, "n Esc ?");     /* typed as text */
	homescreen_want(&home, "  C-f F4                filter the jobs");
	homescreen_keys(&home, "q S");
	homescreen_want(&home, "┌*Jobs "); /* no question */
	homescreen_stop(&home);
	unchoose();
}

static void problems__have_the_line__for_gpuq_config(void **state)
{
	struct buf text;
	(void)state;
	choose("refresh = 5\n[keys]\njob-stpo = F9\nfilter = p\n");
	buf_init(&text, TOLD_MAX);
	for (size_t i = 0; i < config.problem_count; i++) {
		config_add_described(&config, &config.problems[i], &text);
		buf_add_char(&text, '\n');
	}
	assert_string_equal(buf_text(&text),
			    "config, line 3, [keys] job-stpo: there is no such action; did you "
			    "mean job-stop?\n"
			    "config, line 4, [keys] filter: p is the key of pending-only "
			    "(Everywhere), by the program's own table\n");
	buf_release(&text);
	unchoose();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(key__means_the_action__and_the_old_one_nothing),
		cmocka_unit_test(numbers__keep_their_order),
		cmocka_unit_test(keys__are_swapped__by_two_lines),
		cmocka_unit_test(further_key__goes_to_whom_a_line_gives_it),
		cmocka_unit_test(clash__is_told_with_both_places__and_the_table_holds),
		cmocka_unit_test(refusals__follow_from_refusals),
		cmocka_unit_test(lines__are_refused__with_the_reason),
		cmocka_unit_test(actions__can_all_be_given_keys__but_answers),
		cmocka_unit_test(screen__goes_by_the_chosen_keys__footer_and_help_too),
		cmocka_unit_test(problems__have_the_line__for_gpuq_config),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
