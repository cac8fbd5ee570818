/* Type-ahead over the catalog: typed words narrow the list, Enter takes the row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/catalog.h"
#include "model/price.h"
#include "tui/prompt.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/words.h"

#define BOX_COLUMNS   66
#define BOX_LINES     20
#define NAME_COLUMNS  24
#define PRICE_COLUMNS 12
#define NEAR_MAX      4
#define PAGE_ROWS     10

struct choice {
	const char *name;    /* borrowed from the catalog; NULL = as it is typed */
	const char *warning; /* NULL = none */
};

struct picker {
	struct ui *ui;
	enum job_kind kind;
	char *title; /* owned */
	void (*chosen)(void *ctx, const char *instance_type);
	void *ctx;
	struct prompt prompt;
	char typed[TYPE_NAME_SIZE]; /* the text as the name of a type; "" = it is none */
	struct choice *choices;     /* owned: room for the catalog, the typed text and its like */
	size_t count, cursor;
};

static bool row_has(const struct instance_type *row, const char *word)
{
	return text_contains(row->name, word) || text_contains(row->accelerator, word) ||
	       text_contains(row->arch, word);
}

/* Every blank-separated word stands somewhere in the row. */
static bool row_matches(const struct instance_type *row, const char *words)
{
	char word[PROMPT_SIZE];

	for (;;) {
		words += strspn(words, " ");
		size_t len = strcspn(words, " ");
		if (len == 0)
			return true;
		if (len >= sizeof(word))
			return false;
		memcpy(word, words, len);
		word[len] = '\0';
		if (!row_has(row, word))
			return false;
		words += len;
	}
}

/* Takes the text for the name of a type where it can be one: ml.something. */
static void read_typed(struct picker *picker)
{
	const char *text = picker->prompt.text + strspn(picker->prompt.text, " ");
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-");

	picker->typed[0] = '\0';
	if (len < 4 || len >= TYPE_NAME_SIZE || strncmp(text, "ml.", 3) != 0 ||
	    text[len + strspn(text + len, " ")] != '\0')
		return;
	memcpy(picker->typed, text, len);
	picker->typed[len] = '\0';
}

static void add_choice(struct picker *picker, const char *name, const char *warning)
{
	picker->choices[picker->count++] = (struct choice){ name, warning };
}

/* A name that the list does not offer is the operator's to decide: the row says what is odd. */
static void add_typed(struct picker *picker)
{
	const char *near[NEAR_MAX];
	bool alone = picker->count == 0;
	size_t found;

	if (catalog_find(picker->typed)) {
		add_choice(picker, NULL,
			   picker->kind == JOB_TRAINING ? "not for training jobs"
							: "not for processing jobs");
		return;
	}
	add_choice(picker, NULL, "not in the catalog");
	found = alone ? catalog_near(picker->typed, near, NEAR_MAX) : 0;
	for (size_t i = 0; i < found; i++)
		if (catalog_allows(near[i], picker->kind))
			add_choice(picker, near[i], NULL);
}

static void narrow(struct picker *picker)
{
	size_t rows;
	const struct instance_type *all = catalog_all(&rows);
	const struct instance_type *exact;

	read_typed(picker);
	exact = picker->typed[0] && catalog_allows(picker->typed, picker->kind)
			? catalog_find(picker->typed)
			: NULL;
	picker->count = picker->cursor = 0;
	if (exact)
		add_choice(picker, exact->name, NULL);
	for (size_t i = 0; i < rows; i++)
		if (&all[i] != exact && catalog_allows(all[i].name, picker->kind) &&
		    row_matches(&all[i], picker->prompt.text))
			add_choice(picker, all[i].name, NULL);
	if (picker->typed[0] && !exact)
		add_typed(picker);
}

static void open_picker(void *state, struct ui *ui, const void *argument)
{
	const struct picker_argument *wanted = argument;
	struct picker *picker = state;
	size_t rows;

	catalog_all(&rows);
	picker->ui = ui;
	picker->kind = wanted->kind;
	picker->title = mem_copy_text(wanted->title);
	picker->chosen = wanted->chosen;
	picker->ctx = wanted->ctx;
	picker->choices = mem_new(rows + 1 + NEAR_MAX, sizeof(*picker->choices));
	prompt_start(&picker->prompt, "type: ", "");
	narrow(picker);
}

static void close_picker(void *state)
{
	struct picker *picker = state;

	free(picker->title);
	free(picker->choices);
}

static void move(struct picker *picker, size_t by, bool down)
{
	size_t last = picker->count ? picker->count - 1 : 0;

	if (down)
		picker->cursor = by > last - picker->cursor ? last : picker->cursor + by;
	else
		picker->cursor = by > picker->cursor ? 0 : picker->cursor - by;
}

static void go_up(void *state)
{
	move(state, 1, false);
}

static void go_down(void *state)
{
	move(state, 1, true);
}

static void page_up(void *state)
{
	move(state, PAGE_ROWS, false);
}

static void page_down(void *state)
{
	move(state, PAGE_ROWS, true);
}

static const char *choice_name(const struct picker *picker, size_t row)
{
	const char *name = picker->choices[row].name;

	return name ? name : picker->typed;
}

static void choose(void *state)
{
	struct picker *picker = state;
	char name[TYPE_NAME_SIZE];

	if (picker->cursor >= picker->count)
		return;
	if (snprintf(name, sizeof(name), "%s", choice_name(picker, picker->cursor)) < 0)
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

static void draw_price(const struct picker *picker, struct surface *out, struct rect at,
		       const char *name)
{
	struct price price = price_find(picker->ui->env->region, picker->kind, name);
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (price.source == PRICE_NONE) {
		buf_add_text(&text, "no price");
	} else {
		words_money(&text, price.per_hour_micro, price.currency, true);
		buf_add_text(&text, "/h");
	}
	draw_text_right(out, at, STYLE_MONEY, buf_text(&text));
	buf_release(&text);
}

static void draw_choice(const struct picker *picker, struct surface *out, struct rect line,
			size_t row)
{
	const struct choice *choice = &picker->choices[row];
	const char *name = choice_name(picker, row);
	bool here = row == picker->cursor;
	struct rect cell = line;
	struct buf hardware;

	draw_text(out, cell, STYLE_TEXT, here ? draw_glyph(out, GLYPH_CURSOR) : "");
	cell.x += 2;
	cell.w = line.w - 2 < NAME_COLUMNS ? line.w - 2 : NAME_COLUMNS;
	draw_text(out, cell, STYLE_TEXT, name);
	cell.x += cell.w;
	cell.w = line.x + line.w - cell.x;
	if (choice->warning) {
		draw_textf(out, cell, STYLE_WARNING, "~ %s", choice->warning);
	} else if (cell.w > PRICE_COLUMNS) {
		struct rect price = { cell.x + cell.w - PRICE_COLUMNS, cell.y, PRICE_COLUMNS, 1 };

		cell.w -= PRICE_COLUMNS;
		buf_init(&hardware, WORDS_MAX);
		words_hardware(&hardware, name, 1);
		draw_text(out, cell, STYLE_TEXT, buf_text(&hardware));
		buf_release(&hardware);
		draw_price(picker, out, price, name);
	}
	if (here)
		draw_highlight(out, line, STYLE_SELECTED);
}

static void draw_picker(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct picker *picker = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	struct rect line = { inner.x, inner.y, inner.w, 1 };
	size_t height = inner.h > 1 ? (size_t)inner.h - 1 : 0;
	size_t top = height && picker->cursor >= height ? picker->cursor - height + 1 : 0;

	draw_clear(out, box);
	draw_frame(out, box, picker->title, "", focused);
	if (inner.h < 1)
		return;
	prompt_draw(&picker->prompt, out, line);
	for (size_t i = 0; i < height && top + i < picker->count; i++) {
		line.y = inner.y + 1 + (int)i;
		draw_choice(picker, out, line, top + i);
	}
	line.y = inner.y + 1;
	if (picker->count == 0 && height)
		draw_text(out, line, STYLE_DIM,
			  "no type has these words (a full name, ml.*, can be given)");
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
	.draw = draw_picker,
};
