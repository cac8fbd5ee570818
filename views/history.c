/* The past of this account: jobs in groups, and under the table the group at the cursor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/history_sums.h"
#include "tui/table.h"
#include "views/counts.h"
#include "views/history_group.h"
#include "views/text/report.h"
#include "views/words.h"
#include "views/writing.h"

#define HEAD_LINES   1
#define DETAIL_LINES 13
#define WIDE_FROM    110 /* columns of the pane from which all columns are shown */
#define ROWS_MOST    HISTORY_JOBS_MAX

struct history_view {
	struct ui *ui;
	enum history_by by;
	struct table *table; /* owned; drawing writes it through a const state */
};

/* --- rows --- */

/* None, until they have been counted. */
static struct history_past past_of(const struct history_view *view)
{
	static const struct history_sums none = { 0 };
	const struct history_sums *sums = counts_find(view->ui, view->by);
	return (struct history_past){ .by = view->by,
				      .sums = sums ? sums : &none,
				      .spreads = counts_spreads(view->ui, view->by),
				      .store = view->ui->env->store };
}

static const char *id_of_row(const void *rows, size_t row)
{
	return ((const struct history_past *)rows)->sums->rows[row].key;
}

static bool count(void *state)
{
	struct history_view *view = state;
	bool counted = counts_step(view->ui, view->by);
	const struct history_past past = past_of(view);
	table_settle(view->table, past.sums->count, &past, id_of_row);
	return counted;
}

static const struct history_sum *sum_at(const void *rows, size_t row)
{
	return &((const struct history_past *)rows)->sums->rows[row];
}

/* --- cells --- */

static void format_key(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, sum_at(rows, row)->key);
}

static void format_jobs(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_addf(out, "%zu", sum_at(rows, row)->jobs);
}

static void format_started(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_addf(out, "%zu", sum_at(rows, row)->started);
}

static void format_fallback(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	(void)style;
	history_add_share(out, sum->fallback.part, sum->fallback.of);
}

static void format_p50(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = sum->started < HISTORY_STARTS_MIN ? STYLE_DIM : *style;
	history_add_wait(out, sum, sum->wait_p50);
}

static void format_p90(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = sum->started < HISTORY_STARTS_MIN ? STYLE_DIM : *style;
	history_add_wait(out, sum, sum->wait_p90);
}

static void format_timeouts(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = sum->timeouts > 0 ? STYLE_WARNING : *style;
	buf_addf(out, "%zu", sum->timeouts);
}

static void format_failed(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	(void)style;
	history_add_share(out, sum->failed, history_ended(sum));
}

static void format_run(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	(void)style;
	if (sum->run_p50.set)
		words_duration(out, sum->run_p50.ms);
	else
		buf_add_char(out, '-');
}

static void format_cost(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_MONEY;
	history_add_cost(out, sum_at(rows, row));
}

static void format_done(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	(void)style;
	history_add_share(out, sum->completed, history_ended(sum));
}

static void format_each(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = STYLE_MONEY;
	if (sum->has_cost && sum->costs > 0)
		words_money(out, sum->cost_micro / (int64_t)sum->costs, history_currency(sum),
			    sum->cost_is_estimate);
	else
		buf_add_char(out, '-');
}

static const struct history_spread *spread_at(const void *rows, size_t row)
{
	const struct history_past *past = rows;
	return history_spreads_of(past->spreads, past->sums->rows[row].key);
}

static void format_run_to_first(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	history_add_ratio(out, &spread_at(rows, row)->run_to_first);
}

static void format_cost_to_first(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	history_add_ratio(out, &spread_at(rows, row)->cost_to_first);
}

static void format_certified(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	history_add_ratio(out, &spread_at(rows, row)->run_to_certified);
}

/* The last ones where there is room for all. */
static const struct column columns[] = {
	{ .id = "key", .title = "GROUP", .minimum = 14, .weight = 1, .format = format_key },
	{ .id = "jobs", .title = "JOBS", .minimum = 5, .right = true, .format = format_jobs },
	{ .id = "started",
	  .title = "START",
	  .minimum = 5,
	  .right = true,
	  .format = format_started },
	{ .id = "fallback",
	  .title = "FALLB",
	  .minimum = 5,
	  .right = true,
	  .format = format_fallback },
	{ .id = "p50", .title = "P50", .minimum = 6, .right = true, .format = format_p50 },
	{ .id = "p90", .title = "P90", .minimum = 6, .right = true, .format = format_p90 },
	{ .id = "timeouts",
	  .title = "T-OUT",
	  .minimum = 5,
	  .right = true,
	  .format = format_timeouts },
	{ .id = "failed", .title = "FAIL", .minimum = 4, .right = true, .format = format_failed },
	{ .id = "run", .title = "RUN", .minimum = 6, .right = true, .format = format_run },
	{ .id = "cost", .title = "COST", .minimum = 10, .right = true, .format = format_cost },
	{ .id = "done", .title = "DONE", .minimum = 4, .right = true, .format = format_done },
	{ .id = "each", .title = "A START", .minimum = 8, .right = true, .format = format_each },
	{ .id = "run-to-first",
	  .title = "RUN/#1",
	  .minimum = 6,
	  .right = true,
	  .format = format_run_to_first },
	{ .id = "cost-to-first",
	  .title = "COST/#1",
	  .minimum = 7,
	  .right = true,
	  .format = format_cost_to_first },
	{ .id = "run-to-certified",
	  .title = "RUN/CERT",
	  .minimum = 8,
	  .right = true,
	  .format = format_certified },
};
#define NARROW_COLUMNS 10

/* --- life and keys --- */

static void open_history(void *state, struct ui *ui, const void *argument)
{
	struct history_view *view = state;
	(void)argument;
	view->ui = ui;
	view->table = mem_new(1, sizeof(*view->table));
	view->table->columns = columns;
	(void)count(view);
}

static void close_history(void *state)
{
	struct history_view *view = state;
	table_release(view->table);
	free(view->table);
}

static void move(struct history_view *view, long by)
{
	const struct history_past past = past_of(view);
	table_move(view->table, by, past.sums->count, &past, id_of_row);
}

static void go_down(void *state)
{
	move(state, 1);
}

static void go_up(void *state)
{
	move(state, -1);
}

static void go_first(void *state)
{
	move(state, -ROWS_MOST);
}

static void go_last(void *state)
{
	move(state, ROWS_MOST);
}

static void group_by(struct history_view *view, enum history_by by)
{
	view->by = by;
	(void)count(view);
	go_first(view);
}

static void group_next(void *state)
{
	struct history_view *view = state;
	group_by(view, (view->by + 1) % HISTORY_BY_COUNT);
}

static void group_previous(void *state)
{
	struct history_view *view = state;
	group_by(view, (view->by + HISTORY_BY_COUNT - 1) % HISTORY_BY_COUNT);
}

static void leave(void *state)
{
	struct history_view *view = state;
	view->ui->pop(view->ui);
}

static void write_view(void *state)
{
	writing_begin(((struct history_view *)state)->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc C-c C-g",
	  .action = "history-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "Tab l Right",
	  .action = "history-group",
	  .help = "group by the next: type, rank, stem, hour, tag, role, list",
	  .brief = "group by",
	  .flags = KEY_FOOTER,
	  .run = group_next },
	{ .keys = "S-Tab h Left",
	  .action = "history-group-back",
	  .help = "grouped by the one before",
	  .run = group_previous },
	{ .keys = "j Down",
	  .action = "history-next",
	  .help = "the group below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "history-previous",
	  .help = "the group above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "g Home", .action = "history-first", .help = "the first group", .run = go_first },
	{ .keys = "G End", .action = "history-last", .help = "the last group", .run = go_last },
	{ .keys = "W",
	  .action = "history-write",
	  .help = "write the table to a file: csv, json, jsonl, md, txt",
	  .brief = "write",
	  .run = write_view },
	{ 0 },
};

const struct key_scope history_scope = { .name = "History", .bindings = bindings };

/* --- picture --- */

static struct rect inside(struct rect at)
{
	return (struct rect){ at.x + 1, at.y + 1, at.w - 2, at.h - 2 };
}

/* The group has its lines where the table keeps as many. */
static struct rect table_place(const struct history_view *view, struct rect at)
{
	int wanted = (int)past_of(view).sums->count + HEAD_LINES;
	int most = at.h > 2 * DETAIL_LINES ? at.h - DETAIL_LINES : (at.h + 1) / 2;
	return (struct rect){ at.x, at.y, at.w, wanted < most ? wanted : most };
}

/* Why there is nothing, or not all. */
static void add_state(struct buf *out, const struct history *history)
{
	if (history->notice)
		buf_addf(out, "%s. ", history->notice);
	if (history->trouble)
		buf_addf(out, "%s. ", history->trouble);
}

/* Why there is no row. */
static const char *nothing(const struct history_view *view)
{
	if (!view->ui->env->store->history.loaded)
		return "What was seen before is being read.";
	return counts_find(view->ui, view->by) ? "No job of this kind has been seen here yet."
					       : "The jobs are being counted.";
}

static void draw_inside(const struct history_view *view, struct surface *out, struct rect at)
{
	const struct history *history = &view->ui->env->store->history;
	const struct history_past past = past_of(view);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_state(&text, history);
	if (past.sums->count == 0)
		buf_add_text(&text, nothing(view));
	if (text.len > 0) {
		int lines = draw_wrapped(out, at, history->trouble ? STYLE_WARNING : STYLE_DIM,
					 buf_text(&text));
		lines = lines < at.h ? lines : at.h;
		at = (struct rect){ at.x, at.y + lines, at.w, at.h - lines };
	}
	buf_release(&text);
	if (past.sums->count == 0 || at.h <= HEAD_LINES)
		return;
	struct rect above = table_place(view, at);
	struct rect below = { at.x, at.y + above.h + 1, at.w, at.h - above.h - 1 };
	view->table->column_count = at.w >= WIDE_FROM ? ARRAY_LEN(columns) : NARROW_COLUMNS;
	table_draw(view->table, out, above, &past, past.sums->count);
	if (below.h > 0)
		history_draw_group(&past, view->table->cursor, out, below);
}

/* Fees are told of the plans that jobs ran on. */
static void want_of_history(const void *state, struct wants *wants)
{
	wants->plans |= past_of(state).sums->all.plan_count > 0;
}

static void draw_history(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct history_view *view = state;
	struct rect inner = inside(at);
	char title[48], note[64];
	(void)snprintf(title, sizeof(title), "History by %s", history_by_word(view->by));
	(void)snprintf(note, sizeof(note), "this account's past: %zu jobs",
		       past_of(view).sums->all.jobs);
	draw_clear(out, at);
	if (inner.w > 0 && inner.h > 0)
		draw_inside(view, out, inner);
	draw_frame(out, at, title, note, focused);
}

static void write_history(const void *state, const struct report_context *context, struct buf *out)
{
	const struct history_view *view = state;
	const struct history_past past = past_of(view);
	const struct store *store = view->ui->env->store;
	const struct report_history report = { .history = &store->history,
					       .sums = past.sums,
					       .spreads = past.spreads,
					       .by = view->by,
					       .plans = store->plans,
					       .plan_count = store->plan_count };
	if (counts_find(view->ui, view->by))
		report_history(out, context, &report);
}

const struct pane_ops history_pane = {
	.name = "history",
	.title = "History",
	.scope = &history_scope,
	.state_size = sizeof(struct history_view),
	.modal = true,
	.open = open_history,
	.close = close_history,
	.idle = count,
	.wants = want_of_history,
	.draw = draw_history,
	.writes = "csv json jsonl md txt",
	.write = write_history,
};
