/* Type-ahead over the catalog: typed words narrow the list, Enter takes the row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/price.h"
#include "model/store_quotas.h"
#include "model/type_match.h"
#include "tui/prompt.h"
#include "tui/table.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/prospect.h"
#include "views/words.h"

#define BOX_COLUMNS 78
#define BOX_LINES   22
#define PAGE_ROWS   10

struct picker {
	struct ui *ui;
	enum job_kind kind;
	enum quota_kind quota;
	bool spot;
	int64_t count;
	char *title; /* owned */
	char now[TYPE_NAME_SIZE];
	void (*chosen)(void *ctx, const char *instance_type);
	void *ctx;
	struct prompt prompt;
	struct type_matches matches;
	struct table *table; /* owned; drawing writes its scrolling through a const state */
};

/* --- columns --- */

static const struct type_choice *choice_at(const void *rows, size_t row)
{
	const struct picker *picker = rows;

	return &picker->matches.items[row];
}

static void format_name(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, choice_at(rows, row)->name);
}

static void format_hardware(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct picker *picker = rows;
	const struct type_choice *choice = choice_at(rows, row);

	*style = STYLE_WARNING;
	if (choice->doubt == TYPE_NOT_KNOWN) {
		buf_add_text(out, "~ unknown type");
	} else if (choice->doubt == TYPE_NOT_FOR_KIND) {
		buf_addf(out, "~ not for %s", job_kind_word(picker->kind));
	} else {
		*style = STYLE_TEXT;
		words_hardware(out, choice->name, 1);
	}
}

static void format_price(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct picker *picker = rows;
	struct price price = price_find(&picker->ui->env->store->prices, picker->kind,
					choice_at(rows, row)->name);

	*style = STYLE_MONEY;
	if (price.source != PRICE_NONE) {
		words_money(out, price.per_hour_micro, price.currency,
			    price_is_approximate(price.source));
		return;
	}
	*style = STYLE_DIM;
	buf_add_text(out, "no price");
}

/* What is left of the limit that a job of the kind would run into. */
static void format_quota(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct picker *picker = rows;
	struct quota_fact fact = { .instance_type = choice_at(rows, row)->name,
				   .kind = picker->quota };

	store_quota_facts(picker->ui->env->store, &fact, 1);
	*style = STYLE_DIM;
	if (!fact.told) {
		buf_add_char(out, '?');
		return;
	}
	*style = quota_left(&fact) > 0 ? STYLE_TEXT : STYLE_WARNING;
	buf_addf(out, "%lld of %lld", (long long)quota_left(&fact), (long long)fact.limit);
}

static void format_wait(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct picker *picker = rows;
	struct usual_wait waits = prospect_usual(picker->ui, choice_at(rows, row)->name,
						 picker->count, picker->kind, picker->spot);

	*style = STYLE_DIM;
	if (waits.known)
		words_usual(out, waits.p50);
	else
		buf_add_text(out, waits.n == 0 ? "never seen" : "n too small");
}

/* What is left out first stands last. */
static const struct column columns[] = {
	{ .id = "type", .title = "TYPE", .minimum = 21, .format = format_name },
	{ .id = "hardware",
	  .title = "ACCELERATORS",
	  .minimum = 18,
	  .weight = 1,
	  .format = format_hardware },
	{ .id = "price", .title = "PRICE/H", .minimum = 9, .right = true, .format = format_price },
	{ .id = "quota", .title = "LEFT", .minimum = 8, .right = true, .format = format_quota },
	{ .id = "wait",
	  .title = "USUAL WAIT",
	  .minimum = 11,
	  .right = true,
	  .format = format_wait },
};

static const struct column narrow_columns[] = {
	{ .id = "type", .title = "TYPE", .minimum = 21, .format = format_name },
	{ .id = "hardware", .title = "ACCELERATORS", .weight = 1, .format = format_hardware },
};
#define WIDE_COLUMNS 52 /* with the price */

/* --- the list --- */

/* The best match, or, before anything is typed, what the entry is now. */
static void narrow(struct picker *picker)
{
	struct table *table = picker->table;

	type_matches_find(&picker->matches, picker->kind, picker->prompt.text);
	table->cursor = table->top = 0;
	for (size_t i = 0; !picker->prompt.text[0] && i < picker->matches.count; i++)
		if (strcmp(picker->matches.items[i].name, picker->now) == 0)
			table->cursor = i;
}

static void open_picker(void *state, struct ui *ui, const void *argument)
{
	const struct picker_argument *wanted = argument;
	struct picker *picker = state;

	picker->ui = ui;
	picker->kind = wanted->kind;
	picker->spot = wanted->spot;
	picker->count = wanted->count;
	picker->quota = quota_kind_of(wanted->kind, wanted->spot);
	picker->title = mem_copy_text(wanted->title);
	if (wanted->now)
		(void)snprintf(picker->now, sizeof(picker->now), "%s", wanted->now);
	picker->chosen = wanted->chosen;
	picker->ctx = wanted->ctx;
	picker->table = mem_new(1, sizeof(*picker->table));
	picker->table->columns = columns;
	picker->table->column_count = ARRAY_LEN(columns);
	prompt_start(&picker->prompt, "type: ", "");
	narrow(picker);
}

static void close_picker(void *state)
{
	struct picker *picker = state;

	free(picker->title);
	type_matches_release(&picker->matches);
	table_release(picker->table);
	free(picker->table);
}

static const char *name_at(const void *rows, size_t row)
{
	return choice_at(rows, row)->name;
}

static void move(struct picker *picker, long by)
{
	table_move(picker->table, by, picker->matches.count, picker, name_at);
}

static void go_up(void *state)
{
	move(state, -1);
}

static void go_down(void *state)
{
	move(state, 1);
}

static void page_up(void *state)
{
	move(state, -PAGE_ROWS);
}

static void page_down(void *state)
{
	move(state, PAGE_ROWS);
}

static void choose(void *state)
{
	struct picker *picker = state;
	char name[TYPE_NAME_SIZE];

	if (picker->table->cursor >= picker->matches.count ||
	    snprintf(name, sizeof(name), "%s", name_at(picker, picker->table->cursor)) < 0)
		return;
	picker->ui->pop(picker->ui);
	picker->chosen(picker->ctx, name);
}

static void cancel(void *state)
{
	struct picker *picker = state;

	picker->ui->pop(picker->ui);
}

static const struct key_binding picker_keys[] = {
	{ .keys = "Up C-p",
	  .action = "type-previous",
	  .help = "the type above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "Down C-n",
	  .action = "type-next",
	  .help = "the type below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "PgUp",
	  .action = "type-page-up",
	  .help = "ten types up",
	  .brief = "page up",
	  .run = page_up },
	{ .keys = "PgDn",
	  .action = "type-page-down",
	  .help = "ten types down",
	  .brief = "page down",
	  .run = page_down },
	{ .keys = "Enter",
	  .action = "type-choose",
	  .help = "take the type; what else is typed narrows the list",
	  .brief = "choose",
	  .flags = KEY_FOOTER,
	  .run = choose },
	{ .keys = "Esc C-c C-g",
	  .action = "type-cancel",
	  .help = "leave without a choice",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = cancel },
	{ 0 },
};

static bool feed_picker(void *state, struct key key, const char *paste)
{
	struct picker *picker = state;

	if (!paste && keys_find(picker_keys, key, false))
		return false;
	if (prompt_feed(&picker->prompt, key, paste) == PROMPT_CANCEL)
		picker->ui->pop(picker->ui);
	else
		narrow(picker);
	return true;
}

/* --- picture --- */

/* Where the rows stand, below the prompt and, for near names, the line that says so. */
static struct rect place_of_rows(const struct picker *picker, struct rect at)
{
	struct rect rows = layout_inset(ask_box(at, BOX_COLUMNS, BOX_LINES), 1);
	int above = picker->matches.near ? 2 : 1;

	rows.x += 1;
	rows.w -= 2;
	rows.y += above;
	rows.h -= above;
	return rows;
}

static bool mouse_on_picker(void *state, struct rect at, const struct mouse *mouse)
{
	struct picker *picker = state;
	struct rect rows = place_of_rows(picker, at);
	size_t row;

	if (mouse->act != MOUSE_PRESS || mouse->x < rows.x || mouse->x >= rows.x + rows.w ||
	    !table_row_at(picker->table, rows, mouse->y, picker->matches.count, &row))
		return false;
	move(picker, (long)row - (long)picker->table->cursor);
	return true;
}

static void draw_picker(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct picker *picker = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect rows = place_of_rows(picker, at);
	struct rect line = { rows.x, box.y + 1, rows.w, 1 };

	draw_clear(out, box);
	draw_frame(out, box, picker->title, "", focused);
	if (box.h < 3 || rows.w < 1)
		return;
	prompt_draw(&picker->prompt, out, line);
	line.y++;
	if (picker->matches.near && line.y < box.y + box.h - 1)
		draw_text(out, line, STYLE_WARNING,
			  picker->matches.count > 0 ? "no type is called so; the nearest:"
						    : "no type has these words (a full name, ml.*, "
						      "can be given)");
	picker->table->columns = rows.w < WIDE_COLUMNS ? narrow_columns : columns;
	picker->table->column_count =
		rows.w < WIDE_COLUMNS ? ARRAY_LEN(narrow_columns) : ARRAY_LEN(columns);
	if (rows.h > 0 && picker->matches.count > 0)
		table_draw(picker->table, out, rows, picker, picker->matches.count);
}

/* Of the type under the cursor, and of the list: one is read a second. */
static void want_of_picker(const void *state, struct wants *wants)
{
	const struct picker *picker = state;
	size_t row = picker->table->cursor;

	if (row < picker->matches.count)
		wants_quota(wants, (struct quota_key){ name_at(picker, row), picker->quota });
	ui_want_quotas(picker->ui, wants);
}

const struct key_scope picker_scope = { .name = "Types", .bindings = picker_keys };

const struct pane_ops picker_pane = {
	.name = "picker",
	.title = "Instance type",
	.scope = &picker_scope,
	.state_size = sizeof(struct picker),
	.modal = true,
	.open = open_picker,
	.close = close_picker,
	.feed = feed_picker,
	.mouse = mouse_on_picker,
	.wants = want_of_picker,
	.draw = draw_picker,
};
