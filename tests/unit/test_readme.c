/*
 * The README's tables, help and policy are those of the program. GPUQ_GOLDEN=write in the
 * environment writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/permission.h"
#include "model/base/attr.h"
#include "model/base/io.h"
#include "model/config.h"
#include "model/filter.h"
#include "model/rule.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"
#include "views/footer.h"
#include "views/palette.h"
#include "views/screen.h"
#include "views/text/options.h"

#define README     "README.md"
#define README_MAX (256u << 10)

/* The text between "<!-- name:" (to its end of line) and "<!-- /name -->". */
static bool find_section(const char *readme, const char *name, size_t *start, size_t *end)
{
	char mark[64];
	snprintf(mark, sizeof(mark), "<!-- %s:", name);
	const char *from = strstr(readme, mark);
	from = from ? strchr(from, '\n') : NULL;
	snprintf(mark, sizeof(mark), "<!-- /%s -->", name);
	const char *to = from ? strstr(from, mark) : NULL;
	if (!to)
		return false;
	*start = (size_t)(from + 1 - readme);
	*end = (size_t)(to - readme);
	return true;
}

static void check_section(const char *name, const struct buf *wanted)
{
	struct buf readme, rewritten;
	struct err err = { 0 };
	size_t start = 0, end = 0;
	buf_init(&readme, README_MAX);
	buf_init(&rewritten, README_MAX);
	assert_true(io_read_file(README, &readme, &err));
	assert_true(find_section(buf_text(&readme), name, &start, &end));
	bool same = end - start == wanted->len &&
		    memcmp(readme.data + start, wanted->data, wanted->len) == 0;
	const char *mode = getenv("GPUQ_GOLDEN");
	if (!same && mode && strcmp(mode, "write") == 0) {
		buf_add(&rewritten, readme.data, start);
		buf_add(&rewritten, wanted->data, wanted->len);
		buf_add_text(&rewritten, readme.data + end);
		FILE *file = fopen(README, "we");
		assert_non_null(file);
		assert_int_equal(fwrite(rewritten.data, 1, rewritten.len, file), rewritten.len);
		assert_int_equal(fclose(file), 0);
	} else if (!same) {
		fail_msg("README.md: section '%s' is not the program's; GPUQ_GOLDEN=write", name);
	}
	buf_release(&readme);
	buf_release(&rewritten);
}

/* '|' would end a cell of the table. */
static void add_cell(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (*text == '|')
			buf_add_text(out, "\\|");
		else
			buf_add_char(out, *text);
}

static void add_keys(struct buf *out, const char *keys)
{
	while (*keys) {
		size_t len = strcspn(keys, " ");
		char key[32];
		snprintf(key, sizeof(key), "%.*s", (int)len, keys);
		buf_add_char(out, '`');
		add_cell(out, key);
		buf_add_char(out, '`');
		keys += len + strspn(keys + len, " ");
		if (*keys)
			buf_add_char(out, ' ');
	}
}

static void add_scopes(struct buf *wanted, const struct key_scope *const *scopes)
{
	for (size_t i = 0; scopes[i]; i++) {
		const struct key_scope *scope = scopes[i];
		buf_addf(wanted, "\n| %s | | action |\n|---|---|---|\n", scope->name);
		for (const struct key_binding *row = scope->bindings; row->keys; row++) {
			if (row->flags & KEY_HIDDEN)
				continue;
			buf_add_text(wanted, "| ");
			add_keys(wanted, row->keys);
			buf_add_text(wanted, " | ");
			add_cell(wanted, row->help);
			bool fixed = scope->answers || (row->flags & KEY_FIXED);
			buf_addf(wanted, "%s | %s%s%s |\n",
				 row->flags & KEY_CHANGES_CLOUD ? " (asks first)" : "",
				 fixed ? "" : "`", fixed ? "" : row->action, fixed ? "" : "`");
		}
	}
}

static void readme__has_the_programs_keys(void **state)
{
	(void)state;
	struct buf wanted;
	buf_init(&wanted, README_MAX);
	add_scopes(&wanted, screen_key_scopes);
	buf_add_text(&wanted, "\n| Commands | |\n|---|---|\n");
	for (const struct palette_command *row = palette_commands; row->name; row++)
		buf_addf(&wanted, "| `:%s%s%s` | %s |\n", row->name,
			 row->argument == ARGUMENT_NONE ? "" : " ",
			 palette_argument_word(row->argument), row->help);
	buf_add_char(&wanted, '\n');
	assert_false(wanted.failed);
	check_section("keys", &wanted);
	buf_release(&wanted);
}

static void readme__has_the_programs_fields(void **state)
{
	const struct filter_field_row *row;
	struct buf wanted;
	(void)state;
	buf_init(&wanted, README_MAX);
	buf_add_text(&wanted, "\n| field | as in | what it is |\n|---|---|---|\n");
	for (size_t i = 0; (row = filter_field_row(i)) != NULL; i++)
		buf_addf(&wanted, "| `%s` | `%s` | %s |\n", row->name, row->example, row->help);
	buf_add_char(&wanted, '\n');
	check_section("fields", &wanted);
	buf_release(&wanted);
}

static void nothing(void *state)
{
	(void)state;
}

/* issue 8: palette, help, footer and manual come from the table, and so do the chosen keys. */
static void row__that_is_added__is_found_everywhere(void **state)
{
	static const struct key_binding rows[] = {
		{ .keys = "% F12",
		  .action = "job-frobnicate",
		  .help = "frobnicate the selected job",
		  .brief = "frob",
		  .flags = KEY_FOOTER,
		  .run = nothing },
		{ 0 },
	};
	static const struct key_scope scope = { .name = "Frobs", .bindings = rows };
	static const struct key_scope *const scopes[] = { &scope, NULL };
	const struct keymap_line line = { .action = "job-frobnicate", .keys = "C-f", .line = 1 };
	struct rect whole = { 0, 0, 80, 24 };
	struct palette_entry entry;
	struct keymap keys;
	struct buf text;
	struct fakeui fake;
	int x, y;
	(void)state;
	buf_init(&text, README_MAX);
	add_scopes(&text, scopes);
	assert_non_null(strstr(buf_text(&text), "| `%` `F12` | frobnicate the selected job | "
						"`job-frobnicate` |"));
	buf_release(&text);
	assert_true(palette_find(scopes, "frob", &entry));
	assert_ptr_equal(entry.row, rows);
	keymap_make(&keys, scopes, &line, 1, NULL, NULL);
	assert_string_equal(keymap_keys(&keys, rows), "C-f F12");
	struct offscreen *off = offscreen_new(whole.w, whole.h);
	const struct footer_scopes shown = { .focused = &scope, .keys = &keys };
	footer_draw(offscreen_surface(off), (struct rect){ 0, 0, 80, 1 }, &shown, false);
	assert_string_equal(offscreen_line(off, 0), " C-f frob");
	fakeui_start(&fake, NULL);
	fake.env.keys = &keys;
	fake.ui.push(&fake.ui, &help_pane, &scope);
	help_pane.draw(fakeui_top_state(&fake), offscreen_surface(off), whole, true);
	assert_true(offscreen_find(off, "C-f F12", &x, &y));
	assert_true(offscreen_find(off, "frobnicate the selected job", &x, &y));
	fakeui_stop(&fake);
	offscreen_free(off);
	keymap_release(&keys);
}

static void readme__has_the_programs_help(void **state)
{
	(void)state;
	struct buf help, wanted;
	buf_init(&help, README_MAX);
	buf_init(&wanted, README_MAX);
	options_help(&help, NULL);
	buf_addf(&wanted, "\n```\n%s```\n\n", buf_text(&help));
	check_section("help", &wanted);
	buf_release(&help);
	buf_release(&wanted);
}

/* The option and the variables that say the same as a setting. */
static void add_others(struct buf *out, const struct setting_row *row)
{
	bool any = row->option != NULL;
	if (row->option)
		buf_addf(out, "`%s`", row->option);
	for (size_t i = 0; i < SETTING_VARIABLES && row->variables[i]; i++) {
		buf_addf(out, "%s`%s`", any ? ", " : "", row->variables[i]);
		any = true;
	}
}

static void readme__has_the_programs_settings(void **state)
{
	(void)state;
	struct buf wanted;
	buf_init(&wanted, README_MAX);
	buf_add_text(&wanted, "\n| setting | takes | default | also | what it does |\n"
			      "|---|---|---|---|---|\n");
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting_row *row = setting_row((enum setting_id)id);
		if (row->effect != EFFECT_NOW)
			continue;
		buf_addf(&wanted, "| `%s` | ", row->name);
		value_add_allowed(&row->rule, &wanted);
		buf_addf(&wanted, " | %s | ", setting_default(row));
		add_others(&wanted, row);
		buf_addf(&wanted, " | %s |\n", row->help);
	}
	buf_add_char(&wanted, '\n');
	assert_false(wanted.failed);
	check_section("settings", &wanted);
	buf_release(&wanted);
}

static void readme__has_the_programs_policy(void **state)
{
	struct policy_action actions[POLICY_ACTIONS_MAX];
	struct buf policy, wanted;
	(void)state;
	buf_init(&policy, README_MAX);
	buf_init(&wanted, README_MAX);
	size_t count = permission_policy(actions, ARRAY_LEN(actions));
	policy_add(&policy, actions, count, "aws", false, false);
	buf_addf(&wanted, "\n```json\n%s```\n\n", buf_text(&policy));
	check_section("policy", &wanted);
	buf_release(&policy);
	buf_release(&wanted);
}

static void readme__has_the_programs_events(void **state)
{
	(void)state;
	struct buf wanted;
	buf_init(&wanted, README_MAX);
	buf_add_text(&wanted, "\n| `on` | when |\n|---|---|\n");
	for (int i = 0; i < RULE_EVENTS; i++)
		buf_addf(&wanted, "| `%s` | %s |\n", rule_event_word((enum rule_event)i),
			 rule_event_help((enum rule_event)i));
	buf_add_char(&wanted, '\n');
	check_section("events", &wanted);
	buf_release(&wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readme__has_the_programs_keys),
		cmocka_unit_test(readme__has_the_programs_fields),
		cmocka_unit_test(row__that_is_added__is_found_everywhere),
		cmocka_unit_test(readme__has_the_programs_help),
		cmocka_unit_test(readme__has_the_programs_settings),
		cmocka_unit_test(readme__has_the_programs_policy),
		cmocka_unit_test(readme__has_the_programs_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
