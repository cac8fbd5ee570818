/* The past of this account: jobs in groups, and under the table the group at the cursor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/history_sums.h"
#include "tui/table.h"
#include "views/counts.h"
#include "views/words.h"

#define HEAD_LINES    1
#define DETAIL_LINES  9
#define BAR_COLUMNS   20
#define LABEL_COLUMNS 12
#define SPARK_TOP     8
#define ROWS_MOST     HISTORY_JOBS_MAX

struct history_view {
	struct ui *ui;
	enum history_by by;
	struct table *table; /* owned; drawing writes it through a const state */
};

/* --- rows --- */

/* None, until they have been counted. */
static const struct history_sums *sums_of(const struct history_view *view)
{
	static const struct history_sums none = { 0 };
	const struct history_sums *sums = counts_find(view->ui, view->by);
	return sums ? sums : &none;
}

static const char *id_of_row(const void *rows, size_t row)
{
	return ((const struct history_sums *)rows)->rows[row].key;
}

static bool count(void *state)
{
	struct history_view *view = state;
	bool counted = counts_step(view->ui, view->by);
	const struct history_sums *sums = sums_of(view);
	table_settle(view->table, sums->count, sums, id_of_row);
	return counted;
}

static const struct history_sum *sum_at(const void *rows, size_t row)
{
	return &((const struct history_sums *)rows)->rows[row];
}

/* --- cells --- */

static void add_share(struct buf *out, size_t part, size_t of)
{
	if (of > 0)
		buf_addf(out, "%zu%%", (part * 100 + of / 2) / of);
	else
		buf_add_char(out, '-');
}

/* Too few starts are no unknown figure, but one that would mislead. */
static void add_wait(struct buf *out, const struct history_sum *sum, struct opt_ms wait)
{
	if (sum->started < HISTORY_STARTS_MIN)
		buf_addf(out, "n=%zu", sum->started);
	else if (wait.set)
		words_duration(out, wait.ms);
	else
		buf_add_text(out, "longer");
}

static size_t ended(const struct history_sum *sum)
{
	return sum->completed + sum->failed + sum->stopped;
}

static void add_cost(struct buf *out, const struct history_sum *sum)
{
	if (!sum->has_cost)
		buf_add_char(out, '?');
	else
		words_money(out, sum->cost_micro, sum->currency, true);
	if (sum->has_cost && sum->cost_is_partial)
		buf_add_char(out, '+');
}

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
	add_share(out, sum->fallback.part, sum->fallback.of);
}

static void format_p50(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = sum->started < HISTORY_STARTS_MIN ? STYLE_DIM : *style;
	add_wait(out, sum, sum->wait_p50);
}

static void format_p90(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct history_sum *sum = sum_at(rows, row);
	*style = sum->started < HISTORY_STARTS_MIN ? STYLE_DIM : *style;
	add_wait(out, sum, sum->wait_p90);
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
	add_share(out, sum->failed, ended(sum));
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
	add_cost(out, sum_at(rows, row));
}

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
};

/* --- life and keys --- */

static void open_history(void *state, struct ui *ui, const void *argument)
{
	struct history_view *view = state;
	(void)argument;
	view->ui = ui;
	view->table = mem_new(1, sizeof(*view->table));
	view->table->columns = columns;
	view->table->column_count = ARRAY_LEN(columns);
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
	const struct history_sums *sums = sums_of(view);
	table_move(view->table, by, sums->count, sums, id_of_row);
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

static const struct key_binding bindings[] = {
	{ .keys = "q Esc C-c C-g",
	  .action = "history-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "Tab l Right",
	  .action = "history-group",
	  .help = "grouped by the next: type, rank, stem, hour, tag",
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
	{ 0 },
};

const struct key_scope history_scope = { .name = "History", .bindings = bindings };

/* --- the group at the cursor --- */

struct lines {
	struct surface *out;
	struct rect at; /* what is left */
};

/* The next line, or an empty one below the pane. */
static struct rect next_line(struct lines *lines)
{
	struct rect line = layout_row(lines->at, 0);
	if (lines->at.h <= 0)
		line.w = 0;
	lines->at.y++;
	lines->at.h--;
	return line;
}

static void put(struct lines *lines, enum style style, const struct buf *text)
{
	struct rect line = next_line(lines);
	if (line.w > 0)
		draw_text(lines->out, line, style, buf_text(text));
}

static void put_bar(struct lines *lines, const char *label, size_t part, size_t of)
{
	struct rect line = next_line(lines);
	struct rect bar = { line.x + LABEL_COLUMNS, line.y, BAR_COLUMNS, 1 };
	struct rect rest = { bar.x + bar.w + 1, line.y, line.w - LABEL_COLUMNS - BAR_COLUMNS - 1,
			     1 };
	if (line.w <= 0)
		return;
	draw_text(lines->out, line, STYLE_TEXT, label);
	if (rest.w <= 0)
		return;
	draw_bar(lines->out, bar, of > 0 ? (int)(part * 1000 / of) : 0);
	draw_textf(lines->out, rest, STYLE_TEXT, "%zu of %zu", part, of);
}

/* How many started after a wait of each length. */
static void put_waits(struct lines *lines, const struct history_sum *sum)
{
	unsigned char eighths[HISTORY_BUCKETS];
	struct rect line = next_line(lines);
	struct rect spark = { line.x + LABEL_COLUMNS, line.y, HISTORY_BUCKETS, 1 };
	struct rect rest = { spark.x + spark.w + 1, line.y,
			     line.w - LABEL_COLUMNS - HISTORY_BUCKETS - 1, 1 };
	uint32_t most = 1;
	for (size_t i = 0; i < HISTORY_BUCKETS; i++)
		most = sum->buckets[i] > most ? sum->buckets[i] : most;
	for (size_t i = 0; i < HISTORY_BUCKETS; i++) {
		uint64_t share = (uint64_t)sum->buckets[i] * SPARK_TOP;
		eighths[i] = (unsigned char)((share + most - 1) / most);
	}
	if (line.w <= 0)
		return;
	draw_text(lines->out, line, STYLE_TEXT, "waits");
	if (rest.w <= 0)
		return;
	draw_sparkline(lines->out, spark, eighths, HISTORY_BUCKETS);
	draw_text(lines->out, rest, STYLE_DIM,
		  "under 1 min, 5, 15, 30, 1 h, 2, 4, 8, 1 d, 2, 7 d, longer");
}

static void add_waits(struct buf *out, const char *label, const struct history_sum *sum)
{
	buf_addf(out, "%s p50 ", label);
	add_wait(out, sum, sum->wait_p50);
	buf_add_text(out, " p90 ");
	add_wait(out, sum, sum->wait_p90);
	if (sum->started >= HISTORY_STARTS_MIN)
		buf_addf(out, " (n=%zu)", sum->started);
}

static void add_run(struct buf *out, const struct history_sum *sum)
{
	buf_add_text(out, "runs ");
	if (!sum->run_p50.set) {
		buf_add_text(out, "none completed");
	} else {
		buf_add_text(out, "p50 ");
		words_duration(out, sum->run_p50.ms);
		buf_add_text(out, " p90 ");
		words_duration(out, sum->run_p90.ms);
	}
	buf_add_text(out, ", cost ");
	add_cost(out, sum);
	if (sum->has_cost && sum->costs > 0) {
		buf_add_text(out, ", a start ");
		words_money(out, sum->cost_micro / (int64_t)sum->costs, sum->currency, true);
	}
}

static void draw_group(const struct history_view *view, struct surface *out, struct rect at)
{
	const struct history_sums *sums = sums_of(view);
	const struct history_sum *sum = &sums->rows[view->table->cursor];
	struct lines lines = { out, at };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s: %zu jobs, %zu waits, %zu started, %zu timed out", sum->key, sum->jobs,
		 sum->waits, sum->started, sum->timeouts);
	put(&lines, STYLE_TITLE, &text);
	put_waits(&lines, sum);
	put_bar(&lines, "fell back", sum->fallback.part, sum->fallback.of);
	put_bar(&lines, "completed", sum->completed, ended(sum));
	put_bar(&lines, "failed", sum->failed, ended(sum));
	buf_clear(&text);
	add_run(&text, sum);
	put(&lines, STYLE_TEXT, &text);
	buf_clear(&text);
	add_waits(&text, "all lists", &sums->lists);
	add_waits(&text, "; jobs of one type", &sums->singles);
	put(&lines, STYLE_DIM, &text);
	buf_release(&text);
}

/* --- picture --- */

static struct rect inside(struct rect at)
{
	return (struct rect){ at.x + 1, at.y + 1, at.w - 2, at.h - 2 };
}

/* The group has its lines where the table keeps as many. */
static struct rect table_place(const struct history_view *view, struct rect at)
{
	int wanted = (int)sums_of(view)->count + HEAD_LINES;
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
	const struct history_sums *sums = sums_of(view);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_state(&text, history);
	if (sums->count == 0)
		buf_add_text(&text, nothing(view));
	if (text.len > 0) {
		int lines = draw_wrapped(out, at, history->trouble ? STYLE_WARNING : STYLE_DIM,
					 buf_text(&text));
		lines = lines < at.h ? lines : at.h;
		at = (struct rect){ at.x, at.y + lines, at.w, at.h - lines };
	}
	buf_release(&text);
	if (sums->count == 0 || at.h <= HEAD_LINES)
		return;
	struct rect above = table_place(view, at);
	struct rect below = { at.x, at.y + above.h + 1, at.w, at.h - above.h - 1 };
	table_draw(view->table, out, above, sums, sums->count);
	if (below.h > 0)
		draw_group(view, out, below);
}

static void draw_history(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct history_view *view = state;
	struct rect inner = inside(at);
	char title[48], note[64];
	(void)snprintf(title, sizeof(title), "History by %s", history_by_word(view->by));
	(void)snprintf(note, sizeof(note), "this account's past: %zu jobs",
		       sums_of(view)->all.jobs);
	draw_clear(out, at);
	if (inner.w > 0 && inner.h > 0)
		draw_inside(view, out, inner);
	draw_frame(out, at, title, note, focused);
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
	.draw = draw_history,
};
