/* Help, made from the key tables: the focused pane first, then the whole screen, then the rest. */
#include "views/page.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "views/palette.h"
#include "views/screen.h"

#define KEYS_COLUMNS 22

static void add_keys(struct buf *out, const char *keys)
{
	int used = 0;
	buf_add_text(out, "  ");
	for (const char *key = keys; *key;) {
		size_t len = strcspn(key, " ");
		buf_addf(out, "%s%.*s", used > 0 ? " " : "", (int)len, key);
		used += (int)len + (used > 0 ? 1 : 0);
		key += len + strspn(key + len, " ");
	}
	do
		buf_add_char(out, ' ');
	while (++used < KEYS_COLUMNS);
}

static void add_scope(struct buf *out, const struct key_scope *scope, const struct view_env *env)
{
	buf_addf(out, "%s%s\n", out->len > 0 ? "\n" : "", scope->name);
	for (const struct key_binding *row = scope->bindings; row->keys; row++) {
		bool changes = (row->flags & KEY_CHANGES_CLOUD) != 0;
		if ((row->flags & KEY_HIDDEN) || (changes && env->read_only))
			continue;
		add_keys(out, keymap_keys(env->keys, row));
		buf_addf(out, "%s%s\n", row->help, changes ? " (asks)" : "");
	}
}

static void add_commands(struct buf *out)
{
	buf_add_text(out, "\nCommands\n");
	for (const struct palette_command *row = palette_commands; row->name; row++) {
		char left[32];
		int len = snprintf(left, sizeof(left), ":%s %s", row->name,
				   palette_argument_word(row->argument));
		if (len > 0)
			buf_addf(out, "  %-*s%s\n", KEYS_COLUMNS, left, row->help);
	}
}

/* What the marks of the panes mean. */
static const char legend[] =
	"\nSigns\n"
	"  K      kind of job: T training, P processing\n"
	"  SEL    rank of the entry that AWS selected: #1 was the first wish; – none yet\n"
	"  ?      not known (yet)\n"
	"  ~      money: an estimate; finding: a doubt (!: an error)\n"
	"  ▓░     part of the pending limit that is used up\n"
	"\nPhases\n"
	"  Pending    waits for capacity\n"
	"  Starting   has its instances; data and image are loaded\n"
	"  Running    works; what is done is uploaded\n"
	"  Stopping   a stop was asked for, or it is deleted\n"
	"  Completed, Failed, Stopped   has ended\n"
	"  any other word   AWS's own, not known here\n";

static void help_open(void *state, struct ui *ui, const void *argument)
{
	const struct key_scope *focused = argument;
	struct page *page = state;
	const struct view_env *env = ui->env;
	page_start(page, ui, "Help", PAGE_ABOUT_NOTHING);
	if (focused)
		add_scope(&page->text, focused, env);
	if (focused != &screen_scope)
		add_scope(&page->text, &screen_scope, env);
	for (size_t i = 0; screen_key_scopes[i]; i++)
		if (screen_key_scopes[i] != focused && screen_key_scopes[i] != &screen_scope)
			add_scope(&page->text, screen_key_scopes[i], env);
	add_commands(&page->text);
	buf_addf(&page->text,
		 "\n%sLower-case keys change nothing outside this program. What changes AWS takes "
		 "an "
		 "upper-case\nkey or a function key, shows what will be sent, and asks: y sends, "
		 "anything else is No.\n",
		 env->read_only ? "This is read-only: keys that change AWS are not bound.\n" : "");
	buf_add_text(&page->text, legend);
}

const struct pane_ops help_pane = {
	.name = "help",
	.title = "Help",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = help_open,
	.close = page_close,
	.draw = page_draw,
};
