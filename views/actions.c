/* Screen Actions: what gpuq did to AWS from here, or tried, the newest first; below the table the
 * one at the cursor, whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/table.h"
#include "views/pane.h"
#include "views/text/report.h"
#include "views/words.h"
#include "views/writing.h"

#define ID_SIZE      192
#define DETAIL_LINES 6
#define PAGE_ROWS    10

struct row {
	struct action action;
	char id[ID_SIZE];
};

struct actions_view {
	struct ui *ui;
	struct row *rows; /* owned */
	size_t count, capacity;
	uint64_t version;    /* of the store's that they are made from */
	struct table *table; /* owned; drawing writes it through a const state */
};

/* --- rows --- */

static const char *id_of_row(const void *rows, size_t row)
{
	return ((const struct actions_view *)rows)->rows[row].id;
}

static const struct action *action_at(const void *rows, size_t row)
{
	return &((const struct actions_view *)rows)->rows[row].action;
}

static void refresh_actions(void *state)
{
	struct actions_view *view = state;
	const struct actions *actions = &view->ui->env->store->actions;
	if (view->rows && view->version == actions->version)
		return;
	view->version = actions->version;
	view->count = 0;
	view->rows = mem_grow(view->rows, &view->capacity, actions->count + 1, sizeof(*view->rows));
	for (size_t i = actions->count; i-- > 0;) {
		struct row *row = &view->rows[view->count++];
		row->action = actions->items[i];
		(void)snprintf(row->id, sizeof(row->id), "%lld %s %s %s",
			       (long long)row->action.at_ms, row->action.what, row->action.subject,
			       row->action.request_id);
	}
	table_settle(view->table, view->count, view, id_of_row);
}

/* --- cells --- */

static void format_time(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct actions_view *view = rows;
	(void)style;
	words_time(out, action_at(rows, row)->at_ms, ui_now_ms(view->ui), view->ui->env->utc);
}

static void format_what(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, action_at(rows, row)->what);
}

static void format_job(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, action_at(rows, row)->subject);
}

static void format_result(const void *rows, size_t row, struct buf *out, enum style *style)
{
	static const enum style styles[ACTION_RESULTS] = {
		[ACTION_DONE] = STYLE_GOOD,        [ACTION_NOTHING] = STYLE_DIM,
		[ACTION_REFUSED] = STYLE_ERROR,    [ACTION_OPEN] = STYLE_WARNING,
		[ACTION_NOT_SENT] = STYLE_WARNING,
	};
	const struct action *action = action_at(rows, row);
	*style = styles[action->result];
	buf_add_text(out, action_result_word(action->result));
}

static void format_by(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_DIM;
	buf_add_text(out, action_at(rows, row)->by);
}

static void format_request(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const char *id = action_at(rows, row)->request_id;
	*style = STYLE_DIM;
	buf_add_text(out, id[0] ? id : "-");
}

static const struct column columns[] = {
	{ .id = "time", .title = "TIME", .minimum = 12, .format = format_time },
	{ .id = "action", .title = "ACTION", .minimum = 20, .format = format_what },
	{ .id = "job", .title = "JOB", .minimum = 20, .weight = 1, .format = format_job },
	{ .id = "result", .title = "RESULT", .minimum = 8, .format = format_result },
	{ .id = "by", .title = "BY", .minimum = 12, .format = format_by },
	{ .id = "request", .title = "REQUEST ID", .minimum = 36, .format = format_request },
};
/* The request id stands below the table, too. */
#define NARROW_COLUMNS 5
#define WIDE_FROM      118

/* --- life --- */

static void open_actions(void *state, struct ui *ui, const void *argument)
{
	struct actions_view *view = state;
	(void)argument;
	view->ui = ui;
	view->table = mem_new(1, sizeof(*view->table));
	view->table->columns = columns;
	refresh_actions(view);
}

static void close_actions(void *state)
{
	struct actions_view *view = state;
	table_release(view->table);
	free(view->table);
	free(view->rows);
}

static void want_actions(const void *state, struct wants *wants)
{
	(void)state;
	wants->actions = true;
}

/* --- keys --- */

static void move(struct actions_view *view, long by)
{
	table_move(view->table, by, view->count, view, id_of_row);
}

static void go_down(void *state)
{
	move(state, 1);
}

static void go_up(void *state)
{
	move(state, -1);
}

static void page_down(void *state)
{
	move(state, PAGE_ROWS);
}

static void page_up(void *state)
{
	move(state, -PAGE_ROWS);
}

static void go_first(void *state)
{
	move(state, -ACTIONS_MAX);
}

static void go_last(void *state)
{
	move(state, ACTIONS_MAX);
}

static void write_view(void *state)
{
	writing_begin(((struct actions_view *)state)->ui);
}

static void leave(void *state)
{
	struct actions_view *view = state;
	view->ui->pop(view->ui);
}

/* To the job that it was about, or to the one that has taken its place. */
static void go_to_job(void *state)
{
	struct actions_view *view = state;
	struct ui *ui = view->ui;
	const struct action *action = view->count > 0 ? action_at(view, view->table->cursor) : NULL;
	const struct job *job = NULL;
	if (action && action->other[0])
		job = store_find_name(ui->env->store, action->other);
	if (action && !job)
		job = store_find_name(ui->env->store, action->subject);
	if (!job) {
		ui->say(ui, STYLE_DIM, "that job is not listed here");
		return;
	}
	leave(view);
	ui->select(ui, job->arn);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc C-c C-g",
	  .action = "actions-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "j Down",
	  .action = "actions-next",
	  .help = "the one below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "actions-previous",
	  .help = "the one above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "PgDn C-d Space",
	  .action = "actions-page-down",
	  .help = "ten below",
	  .run = page_down },
	{ .keys = "PgUp C-u", .action = "actions-page-up", .help = "ten above", .run = page_up },
	{ .keys = "g Home", .action = "actions-first", .help = "the newest", .run = go_first },
	{ .keys = "G End", .action = "actions-last", .help = "the oldest", .run = go_last },
	{ .keys = "Enter",
	  .action = "actions-job",
	  .help = "to its job",
	  .brief = "to job",
	  .flags = KEY_FOOTER,
	  .run = go_to_job },
	{ .keys = "W",
	  .action = "actions-write",
	  .help = "write them to a file: csv, json, jsonl, md, txt",
	  .brief = "write",
	  .flags = KEY_FOOTER,
	  .run = write_view },
	{ 0 },
};

const struct key_scope actions_scope = { .name = "Actions", .bindings = bindings };

/* --- picture --- */

static void add_detail(const struct actions_view *view, const struct action *action,
		       struct buf *out)
{
	char at[TIME_TEXT_SIZE];
	time_format_full(action->at_ms, view->ui->env->utc, at);
	buf_addf(out, "%s  %s %s: %s (by %s)\n", at, action->what, action->subject,
		 action_result_word(action->result), action->by);
	if (action->other[0])
		buf_addf(out, "in its place: %s\n", action->other);
	if (action->request_id[0])
		buf_addf(out, "request id %s%s%s\n", action->request_id,
			 action->code[0] ? ", " : "", action->code);
	buf_add_text(out, action->text);
}

static struct rect inside(struct rect at)
{
	return (struct rect){ at.x + 1, at.y + 1, at.w - 2, at.h - 2 };
}

static struct rect table_place(struct rect at)
{
	int most = at.h > 2 * DETAIL_LINES ? at.h - DETAIL_LINES - 1 : (at.h + 1) / 2;
	return (struct rect){ at.x, at.y, at.w, most };
}

static void draw_inside(const struct actions_view *view, struct surface *out, struct rect at)
{
	struct rect above = table_place(at);
	struct rect below = { at.x, above.y + above.h + 1, at.w, at.h - above.h - 1 };
	struct buf text;
	view->table->column_count = at.w >= WIDE_FROM ? ARRAY_LEN(columns) : NARROW_COLUMNS;
	table_draw(view->table, out, above, view, view->count);
	if (below.h <= 0)
		return;
	buf_init(&text, WORDS_MAX);
	add_detail(view, action_at(view, view->table->cursor), &text);
	(void)draw_wrapped(out, below, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

static void draw_actions(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct actions_view *view = state;
	const struct actions *actions = &view->ui->env->store->actions;
	struct rect inner = inside(at);
	char note[64];
	(void)snprintf(note, sizeof(note), "%zu from here", view->count);
	draw_clear(out, at);
	if (inner.w > 0 && inner.h > 0 && view->count > 0)
		draw_inside(view, out, inner);
	else if (inner.w > 0 && inner.h > 0)
		(void)draw_wrapped(out, inner, STYLE_DIM,
				   actions->is_read ? "gpuq has changed nothing here yet."
						    : "What was done before is being read.");
	draw_frame(out, at, "Actions of gpuq", note, focused);
}

static bool mouse_on_actions(void *state, struct rect at, const struct mouse *mouse)
{
	struct actions_view *view = state;
	size_t row;
	if (mouse->act != MOUSE_PRESS || view->count == 0 ||
	    !table_row_at(view->table, table_place(inside(at)), mouse->y, view->count, &row))
		return false;
	move(view, (long)row - (long)view->table->cursor);
	return true;
}

static void write_actions(const void *state, const struct report_context *context, struct buf *out)
{
	const struct actions_view *view = state;
	const struct action **rows = mem_new(view->count + 1, sizeof(const struct action *));
	for (size_t i = 0; i < view->count; i++)
		rows[i] = &view->rows[i].action;
	report_actions(out, context, rows, view->count);
	free(rows);
}

const struct pane_ops actions_pane = {
	.name = "actions",
	.title = "Actions of gpuq",
	.scope = &actions_scope,
	.state_size = sizeof(struct actions_view),
	.modal = true,
	.wants = want_actions,
	.open = open_actions,
	.close = close_actions,
	.refresh = refresh_actions,
	.mouse = mouse_on_actions,
	.draw = draw_actions,
	.writes = "csv json jsonl md txt",
	.write = write_actions,
};
