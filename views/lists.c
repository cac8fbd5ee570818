/* The named lists of the config: one takes the place of the list that is edited. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/config_lists.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/words.h"

#define BOX_COLUMNS  74
#define BOX_LINES    16
#define NAME_COLUMNS 20

struct lists {
	struct ui *ui;
	struct named_list *rows; /* owned */
	size_t count, cursor;
	void (*chosen)(void *ctx, const char *name, const struct preferences *prefs);
	void *ctx;
};

static void open_lists(void *state, struct ui *ui, const void *argument)
{
	const struct lists_argument *wanted = argument;
	struct lists *lists = state;

	lists->ui = ui;
	lists->chosen = wanted->chosen;
	lists->ctx = wanted->ctx;
	lists->rows = config_lists(ui->env->config, &lists->count);
}

static void close_lists(void *state)
{
	free(((struct lists *)state)->rows);
}

static void go_down(void *state)
{
	struct lists *lists = state;

	if (lists->cursor + 1 < lists->count)
		lists->cursor++;
}

static void go_up(void *state)
{
	struct lists *lists = state;

	if (lists->cursor > 0)
		lists->cursor--;
}

static void choose(void *state)
{
	struct lists *lists = state;
	const struct named_list *row = &lists->rows[lists->cursor];
	struct preferences prefs;
	char name[128];

	if (lists->count == 0)
		return;
	if (row->problem[0]) {
		lists->ui->say(lists->ui, STYLE_WARNING, row->problem);
		return;
	}
	prefs = row->prefs;
	(void)snprintf(name, sizeof(name), "%s", row->name);
	lists->ui->pop(lists->ui);
	lists->chosen(lists->ctx, name, &prefs);
}

static void cancel(void *state)
{
	struct lists *lists = state;

	lists->ui->pop(lists->ui);
}

static const struct key_binding lists_keys[] = {
	{ .keys = "j Down",
	  .action = "list-next",
	  .help = "the next list",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "list-previous",
	  .help = "the list above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "Enter",
	  .action = "list-choose",
	  .help = "put it in the place of the list",
	  .brief = "take",
	  .flags = KEY_FOOTER,
	  .run = choose },
	{ .keys = "Esc q C-c C-g",
	  .action = "list-cancel",
	  .help = "leave without a choice",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = cancel },
	{ 0 },
};

const struct key_scope lists_scope = { .name = "Named lists", .bindings = lists_keys };

static void draw_row(const struct lists *lists, struct surface *out, struct rect line, size_t i)
{
	const struct named_list *row = &lists->rows[i];
	bool here = i == lists->cursor;
	int columns = line.w - 2 < NAME_COLUMNS ? line.w - 2 : NAME_COLUMNS;
	struct rect name = { line.x + 2, line.y, columns - 1, 1 };
	struct rect rest = { line.x + 2 + columns, line.y, line.w - 2 - columns, 1 };

	draw_text(out, line, STYLE_TEXT, here ? draw_glyph(out, GLYPH_CURSOR) : "");
	if (name.w > 0)
		draw_text(out, name, STYLE_TEXT, row->name);
	if (rest.w > 0)
		draw_text(out, rest, row->problem[0] ? STYLE_WARNING : STYLE_DIM,
			  row->problem[0] ? row->problem : row->text);
	if (here)
		draw_highlight(out, line, STYLE_SELECTED);
}

static void draw_lists(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct lists *lists = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	size_t height = inner.h > 0 ? (size_t)inner.h : 1;
	size_t top = lists->cursor >= height ? lists->cursor - height + 1 : 0;

	draw_clear(out, box);
	draw_frame(out, box, "Named lists", "", focused);
	for (size_t i = 0; inner.w > 2 && i < height && top + i < lists->count; i++)
		draw_row(lists, out, (struct rect){ inner.x, inner.y + (int)i, inner.w, 1 },
			 top + i);
	if (lists->count == 0)
		draw_wrapped(out, inner, STYLE_DIM,
			     "The config has no named list. One looks like this:\n\n[list big]\n"
			     "prefs = ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
}

const struct pane_ops lists_pane = {
	.name = "lists",
	.title = "Lists",
	.scope = &lists_scope,
	.state_size = sizeof(struct lists),
	.modal = true,
	.open = open_lists,
	.close = close_lists,
	.draw = draw_lists,
};
