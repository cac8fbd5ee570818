/* Actions by their name: what the command line runs as if its key had been pressed. */
#include <stdio.h>
#include <string.h>

#include "views/screen_state.h"

/* The open thing that has the scope: the modal, or one of its scope's parents. */
static const struct modal *modal_of(const struct screen *screen, const struct key_scope *scope)
{
	if (screen->top)
		for (const struct key_scope *own = screen->top->ops->scope; own; own = own->parent)
			if (own == scope)
				return screen->top;
	return NULL;
}

/* The pane of home that has the scope, the focused one first; HOME_PANES: none. */
static enum home_pane pane_of(const struct screen *screen, const struct key_scope *scope)
{
	int pane = 0;
	if (screen_home[screen_focus(screen)]->scope == scope)
		return screen_focus(screen);
	while (pane < HOME_PANES && screen_home[pane]->scope != scope)
		pane++;
	return (enum home_pane)pane;
}

static void say_closed(struct screen *screen, const struct key_scope *scope,
		       const struct key_binding *row)
{
	char text[NOTICE_SIZE];
	if (snprintf(text, sizeof(text), "%s belongs to \"%s\", which is not open", row->action,
		     scope->name) > 0)
		screen_say(screen, STYLE_WARNING, text);
}

/* Of a row of several numbers the one that was asked for. */
static struct key key_of_row(const struct key_binding *row, char number)
{
	char name[KEY_NAME_SIZE] = "";
	struct key key = { .code = KEY_CODE_BAD };
	size_t len = strcspn(row->keys, " ");
	if (strncmp(row->keys, "1 2 ", 4) == 0)
		return (struct key){ .code = (unsigned char)number };
	if (len < sizeof(name))
		memcpy(name, row->keys, len);
	(void)key_parse(name, &key);
	return key;
}

static void run_row(struct screen *screen, const struct pane_ops *ops, void *state,
		    const struct key_binding *row, char number)
{
	screen->key = key_of_row(row, number);
	if (!ops || !ops->feed || !ops->feed(state, screen->key, NULL))
		row->run(state);
}

void screen_act(struct ui *ui, const struct key_scope *scope, const struct key_binding *row,
		char number)
{
	struct screen *screen = ui->screen;
	const struct modal *modal = modal_of(screen, scope);
	enum home_pane pane = pane_of(screen, scope);
	if (screen->env.read_only && (row->flags & KEY_CHANGES_CLOUD)) {
		screen_say_read_only(screen, row);
	} else if (modal) {
		run_row(screen, modal->ops, modal->state, row, number);
	} else if (scope == &screen_scope) {
		run_row(screen, NULL, screen, row, number);
	} else if (pane < HOME_PANES && !screen->top) {
		screen_go_to(screen, pane);
		run_row(screen, screen_home[pane], screen->panes[pane], row, number);
	} else {
		say_closed(screen, scope, row);
	}
}
