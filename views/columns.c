/* The columns of the job list: which are shown, in which order, and by which it is sorted. */
#include <stdio.h>
#include <string.h>

#include "views/ask.h"
#include "views/jobs_parts.h"

#define BOX_COLUMNS   60
#define BOX_LINES     18
#define TITLE_COLUMNS 12

struct chooser {
	struct ui *ui;
	uint8_t rows[JOBS_COLUMNS_MAX]; /* positions in the table of columns; the shown ones first
					 */
	size_t shown, count, cursor;
};

static void collect(struct chooser *chooser)
{
	uint8_t *rows = chooser->rows;
	chooser->count = chooser->shown = jobs_look_shown(&chooser->ui->look, rows);
	for (size_t i = 0; i < jobs_column_count; i++)
		if (!memchr(rows, (int)i, chooser->shown))
			rows[chooser->count++] = (uint8_t)i;
}

static void go_to(struct chooser *chooser, size_t column)
{
	for (size_t i = 0; i < chooser->count; i++)
		if (chooser->rows[i] == column)
			chooser->cursor = i;
}

/* After a change: the cursor stays on its column. */
static void changed(struct chooser *chooser)
{
	size_t column = chooser->rows[chooser->cursor];
	collect(chooser);
	go_to(chooser, column);
	chooser->ui->changed(chooser->ui);
}

static void columns_open(void *state, struct ui *ui, const void *argument)
{
	struct chooser *chooser = state;
	(void)argument;
	chooser->ui = ui;
	collect(chooser);
	if (ui->look.sort > 0)
		go_to(chooser, ui->look.sort - 1);
}

static size_t here(const struct chooser *chooser)
{
	return chooser->rows[chooser->cursor];
}

static void go_down(void *state)
{
	struct chooser *chooser = state;
	if (chooser->cursor + 1 < chooser->count)
		chooser->cursor++;
}

static void go_up(void *state)
{
	struct chooser *chooser = state;
	if (chooser->cursor > 0)
		chooser->cursor--;
}

static void sort_by(void *state)
{
	struct chooser *chooser = state;
	jobs_look_sort(&chooser->ui->look, here(chooser));
	changed(chooser);
}

static void toggle(void *state)
{
	struct chooser *chooser = state;
	if (!jobs_look_toggle(&chooser->ui->look, here(chooser)))
		chooser->ui->say(chooser->ui, STYLE_DIM, "one column stays");
	changed(chooser);
}

static void move_down(void *state)
{
	struct chooser *chooser = state;
	(void)jobs_look_move(&chooser->ui->look, here(chooser), true);
	changed(chooser);
}

static void move_up(void *state)
{
	struct chooser *chooser = state;
	(void)jobs_look_move(&chooser->ui->look, here(chooser), false);
	changed(chooser);
}

static void reset(void *state)
{
	struct chooser *chooser = state;
	chooser->ui->look = (struct jobs_look){ 0 };
	changed(chooser);
}

static void leave(void *state)
{
	struct chooser *chooser = state;
	chooser->ui->pop(chooser->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "j Down", .action = "column-next", .help = "the next column", .run = go_down },
	{ .keys = "k Up", .action = "column-previous", .help = "the column above", .run = go_up },
	{ .keys = "Enter",
	  .action = "column-sort",
	  .help = "sort by it; again: the other way round",
	  .brief = "sort",
	  .flags = KEY_FOOTER,
	  .run = sort_by },
	{ .keys = "Space",
	  .action = "column-toggle",
	  .help = "show it, or hide it",
	  .brief = "show",
	  .flags = KEY_FOOTER,
	  .run = toggle },
	{ .keys = "J A-Down",
	  .action = "column-down",
	  .help = "move it to the right in the list",
	  .brief = "move",
	  .flags = KEY_FOOTER,
	  .run = move_down },
	{ .keys = "K A-Up",
	  .action = "column-up",
	  .help = "move it to the left in the list",
	  .run = move_up },
	{ .keys = "0",
	  .action = "column-reset",
	  .help = "columns and order as at first",
	  .brief = "as at first",
	  .flags = KEY_FOOTER,
	  .run = reset },
	{ .keys = "Esc q C-c C-g",
	  .action = "column-leave",
	  .help = "back to the list",
	  .brief = "back",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ 0 },
};

const struct key_scope columns_scope = { .name = "Columns", .bindings = bindings };

static void draw_row(const struct chooser *chooser, struct surface *out, struct rect line, size_t i)
{
	const struct jobs_look *look = &chooser->ui->look;
	size_t column = chooser->rows[i];
	const struct jobs_column *row = &jobs_columns[column];
	bool sorted = look->sort == column + 1, falls = row->greatest_first != look->reverse;
	char text[128];
	(void)snprintf(text, sizeof(text), "%s %s %-*s%s",
		       i == chooser->cursor ? draw_glyph(out, GLYPH_CURSOR) : " ",
		       i < chooser->shown ? draw_glyph(out, GLYPH_CHECK) : " ", TITLE_COLUMNS,
		       row->column.id, row->help);
	draw_text(out, line, i < chooser->shown ? STYLE_TEXT : STYLE_DIM, text);
	if (sorted)
		draw_text_right(out, line, STYLE_TITLE_FOCUS,
				draw_glyph(out, falls ? GLYPH_ARROW_DOWN : GLYPH_ARROW_UP));
	if (i == chooser->cursor)
		draw_highlight(out, line, STYLE_SELECTED);
}

static void columns_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct chooser *chooser = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	size_t height = inner.h > 0 ? (size_t)inner.h : 1;
	size_t top = chooser->cursor >= height ? chooser->cursor - height + 1 : 0;
	draw_clear(out, box);
	draw_frame(out, box, "Columns", chooser->ui->look.sort > 0 ? "sorted" : "", focused);
	for (size_t i = 0; inner.w > 2 && i < height && top + i < chooser->count; i++)
		draw_row(chooser, out, (struct rect){ inner.x, inner.y + (int)i, inner.w, 1 },
			 top + i);
}

const struct pane_ops columns_pane = {
	.name = "columns",
	.title = "Columns",
	.scope = &columns_scope,
	.state_size = sizeof(struct chooser),
	.modal = true,
	.open = columns_open,
	.draw = columns_draw,
};
