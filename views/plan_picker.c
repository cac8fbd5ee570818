/* Which training plan serves an entry: on demand, or one of its type that training jobs may use. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "views/ask.h"
#include "views/fresh.h"
#include "views/plan_words.h"
#include "views/words.h"

#define BOX_COLUMNS   76
#define BOX_LINES     14
#define NAME_COLUMNS  26
#define STATE_COLUMNS 11
#define FREE_COLUMNS  15

struct plan_picker {
	struct ui *ui;
	size_t rank;
	char instance_type[TYPE_NAME_SIZE];
	char *bound; /* owned; "" = on demand */
	char **arns; /* owned, each too; [0] is "", on demand */
	size_t count, capacity, cursor;
	size_t *top; /* owned; the first row shown: drawing writes it through a const state */
	void (*chosen)(void *ctx, const char *plan_arn);
	void *ctx;
};

static void clear(struct plan_picker *picker)
{
	for (size_t i = 0; i < picker->count; i++)
		free(picker->arns[i]);
	picker->count = 0;
}

static void add(struct plan_picker *picker, const char *arn)
{
	picker->arns =
		mem_grow(picker->arns, &picker->capacity, picker->count + 1, sizeof(*picker->arns));
	picker->arns[picker->count++] = mem_copy_text(arn);
}

/* The row of an ARN; the first where it has none. */
static size_t find(const struct plan_picker *picker, const char *arn)
{
	for (size_t i = 0; i < picker->count; i++)
		if (strcmp(picker->arns[i], arn) == 0)
			return i;
	return 0;
}

/* The rows anew; the bound plan has one even where it is not listed or not of the type. */
static void fill(struct plan_picker *picker)
{
	const struct store *store = picker->ui->env->store;

	clear(picker);
	add(picker, "");
	for (size_t i = 0; i < store->plan_count; i++)
		if (plan_serves(&store->plans[i], picker->instance_type))
			add(picker, store->plans[i].arn);
	if (picker->bound[0] && find(picker, picker->bound) == 0)
		add(picker, picker->bound);
}

static void open_plan_picker(void *state, struct ui *ui, const void *argument)
{
	const struct plan_picker_argument *wanted = argument;
	struct plan_picker *picker = state;

	picker->ui = ui;
	picker->rank = wanted->rank;
	picker->bound = mem_copy_text(wanted->bound);
	picker->chosen = wanted->chosen;
	picker->ctx = wanted->ctx;
	memcpy(picker->instance_type, wanted->instance_type,
	       strnlen(wanted->instance_type, TYPE_NAME_SIZE - 1));
	picker->top = mem_new(1, sizeof(*picker->top));
	fill(picker);
	picker->cursor = find(picker, picker->bound);
}

static void close_plan_picker(void *state)
{
	struct plan_picker *picker = state;

	clear(picker);
	free(picker->arns);
	free(picker->bound);
	free(picker->top);
}

/* The cursor stays on its plan; while the first list is on its way it waits for the bound one. */
static void refresh_plan_picker(void *state)
{
	struct plan_picker *picker = state;
	char *here = mem_copy_text(picker->arns[picker->cursor]);

	fill(picker);
	picker->cursor = find(picker, here);
	free(here);
}

static void go_up(void *state)
{
	struct plan_picker *picker = state;

	picker->cursor -= picker->cursor > 0;
}

static void go_down(void *state)
{
	struct plan_picker *picker = state;

	picker->cursor += picker->cursor + 1 < picker->count;
}

static void choose(void *state)
{
	struct plan_picker *picker = state;

	picker->ui->pop(picker->ui);
	picker->chosen(picker->ctx, picker->arns[picker->cursor]);
}

static void cancel(void *state)
{
	struct plan_picker *picker = state;

	picker->ui->pop(picker->ui);
}

static const struct key_binding plan_keys[] = {
	{ .keys = "j Down C-n",
	  .action = "plan-next",
	  .help = "the plan below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up C-p",
	  .action = "plan-previous",
	  .help = "the plan above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "Enter",
	  .action = "plan-choose",
	  .help = "bind the plan, or none",
	  .brief = "bind",
	  .flags = KEY_FOOTER,
	  .run = choose },
	{ .keys = "Esc q C-c C-g",
	  .action = "plan-cancel",
	  .help = "leave without a choice",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = cancel },
	{ 0 },
};

const struct key_scope plan_picker_scope = { .name = "Plan of an entry", .bindings = plan_keys };

static void draw_cell(struct surface *out, struct rect *line, int columns, enum style style,
		      const char *text)
{
	struct rect cell = { line->x, line->y, columns < line->w ? columns : line->w, 1 };

	if (cell.w > 0)
		draw_text(out, (struct rect){ cell.x, cell.y, cell.w - (cell.w > 1), 1 }, style,
			  text);
	line->x += cell.w;
	line->w -= cell.w;
}

/* Where there is no room for all the cells, the names get what they need and no more. */
static int name_columns(const struct plan_picker *picker, int columns)
{
	int most = 0;

	if (columns >= NAME_COLUMNS + STATE_COLUMNS + FREE_COLUMNS)
		return NAME_COLUMNS;
	for (size_t row = 1; row < picker->count; row++) {
		int width = text_width(words_plan(picker->arns[row])) + 2;

		most = width > most ? width : most;
	}
	return most < NAME_COLUMNS ? most : NAME_COLUMNS;
}

static void draw_plan(const struct plan_picker *picker, struct surface *out, struct rect line,
		      const char *arn)
{
	const struct plan *plan = store_find_plan(picker->ui->env->store, arn);
	int64_t now_ms = ui_now_ms(picker->ui);
	struct buf text;

	draw_cell(out, &line, name_columns(picker, line.w), STYLE_TEXT,
		  plan ? plan->name : words_plan(arn));
	if (!plan) {
		draw_text(out, line, STYLE_WARNING, "bound now; not among the plans known here");
		return;
	}
	buf_init(&text, WORDS_MAX);
	words_plan_state(&text, plan, now_ms);
	draw_cell(out, &line, STATE_COLUMNS, words_plan_style(plan, now_ms), buf_text(&text));
	buf_clear(&text);
	words_plan_free(&text, plan);
	draw_cell(out, &line, FREE_COLUMNS, STYLE_TEXT, buf_text(&text));
	buf_clear(&text);
	words_plan_window(&text, plan, picker->ui);
	if (line.w > 0)
		draw_text(out, line, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

static void draw_row(const struct plan_picker *picker, struct surface *out, struct rect line,
		     size_t row)
{
	bool here = row == picker->cursor;
	struct rect rest = { line.x + 2, line.y, line.w - 2, 1 };

	draw_text(out, line, STYLE_TEXT, here ? draw_glyph(out, GLYPH_CURSOR) : "");
	if (rest.w > 0 && row == 0)
		draw_text(out, rest, STYLE_TEXT, "on demand (no plan)");
	else if (rest.w > 0)
		draw_plan(picker, out, rest, picker->arns[row]);
	if (here)
		draw_highlight(out, line, STYLE_SELECTED);
}

/* In the last line: what is missing from the rows, and why. */
static void draw_remark(const struct plan_picker *picker, struct surface *out, struct rect line)
{
	struct fresh fresh = fresh_of_plans(picker->ui);

	if (fresh.state != FRESH_CURRENT)
		fresh_draw_line(&fresh, FRESH_SHOWS_NOTHING, out, line);
	else if (picker->count == 1)
		draw_textf(out, line, STYLE_DIM, "no plan for training jobs reserves %s",
			   picker->instance_type);
}

static struct rect place_of_rows(struct rect at)
{
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);

	/* The last line is the remark's. */
	return (struct rect){ box.x + 2, box.y + 1, box.w - 4, box.h > 3 ? box.h - 3 : 1 };
}

static bool mouse_on_plans(void *state, struct rect at, const struct mouse *mouse)
{
	struct plan_picker *picker = state;
	struct rect rows = place_of_rows(at);
	size_t row = *picker->top + (size_t)(mouse->y - rows.y);

	if (mouse->act != MOUSE_PRESS || row >= picker->count ||
	    !layout_contains(rows, (struct rect){ mouse->x, mouse->y, 1, 1 }))
		return false;
	picker->cursor = row;
	return true;
}

/* The cursor stays in sight, and rows where they are. */
static void scroll(const struct plan_picker *picker, size_t height)
{
	if (picker->cursor < *picker->top)
		*picker->top = picker->cursor;
	if (picker->cursor - *picker->top >= height)
		*picker->top = picker->cursor - height + 1;
}

static void draw_plan_picker(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct plan_picker *picker = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect rows = place_of_rows(at);
	struct buf text;

	scroll(picker, (size_t)rows.h);
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "Plan of #%zu, %s", picker->rank, picker->instance_type);
	draw_clear(out, box);
	draw_frame(out, box, buf_text(&text), "", focused);
	buf_release(&text);
	if (box.h < 3 || rows.w < 1)
		return;
	for (size_t i = 0; i < (size_t)rows.h && *picker->top + i < picker->count; i++)
		draw_row(picker, out, (struct rect){ rows.x, rows.y + (int)i, rows.w, 1 },
			 *picker->top + i);
	if (box.h > 3)
		draw_remark(picker, out, (struct rect){ rows.x, box.y + box.h - 2, rows.w, 1 });
}

static void want_plans(const void *state, struct wants *wants)
{
	(void)state;
	wants->plans = true;
}

const struct pane_ops plan_picker_pane = {
	.name = "plan-picker",
	.title = "Plan",
	.scope = &plan_picker_scope,
	.state_size = sizeof(struct plan_picker),
	.modal = true,
	.wants = want_plans,
	.open = open_plan_picker,
	.close = close_plan_picker,
	.refresh = refresh_plan_picker,
	.mouse = mouse_on_plans,
	.draw = draw_plan_picker,
};
