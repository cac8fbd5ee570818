#include "views/editor_cells.h"

#include <string.h>

#include "model/base/text.h"
#include "model/price.h"
#include "model/quota.h"
#include "views/plan_words.h"
#include "views/prospect.h"
#include "views/words.h"

#define RANK_COLUMNS 6  /* cursor mark and "#1 " */
#define CELL_MOST    26 /* columns of the widest cell */
#define GAP          2

/* Left out first where the pane is narrow. The type stays, and what it runs on. */
static const enum cell dropped_first[] = { CELL_QUOTA_SHORT, CELL_PRICE, CELL_HARDWARE,
					   CELL_COUNT };

static void add_price(struct buf *out, const struct editor *editor, const struct editor_look *look,
		      size_t i)
{
	const struct price_book *prices = &editor->ui->env->store->prices;
	struct money hour = price_entry_per_hour(look->prefs, i, prices, look->job->kind);
	struct price price =
		price_find(prices, look->job->kind, look->prefs->entries[i].instance_type);

	if (prefs_plan(look->prefs, i)[0]) {
		buf_add_text(out, "prepaid");
	} else if (!hour.set) {
		buf_add_text(out, "no price");
	} else {
		words_money(out, hour.micro, price.currency, price_is_approximate(price.source));
		buf_add_text(out, "/h");
	}
}

/* As its plan has it: "wins 62 % in 3h00m", "plan full". */
static void add_plan_chance(struct cells *cells, const struct editor *editor,
			    const struct editor_look *look, size_t i,
			    const struct prospect *prospect)
{
	const struct plan_start *start = &prospect->plans[i];
	const struct store *store = editor->ui->env->store;
	const char *arn = prefs_plan(look->prefs, i);
	struct buf *text = &cells->text[CELL_CHANCE];

	if (start->when != PLAN_STARTS_IN) {
		plan_start_add_why_not(text, *start,
				       store_find_plan(store,
						       arn[0] ? arn : look->prefs->job_plan_arn),
				       ui_now_ms(editor->ui));
		return;
	}
	cells->styles[CELL_CHANCE] = STYLE_TEXT;
	cells->foretold = true;
	if (prospect->forecast.complete)
		buf_addf(text, "wins %.0f %% ", prospect->forecast.entries[i].chance * 100);
	buf_add_text(text, start->in_ms > 0 ? "in " : "");
	words_usual(text, (struct opt_ms){ true, start->in_ms });
}

/* The chance to be the entry that starts, and when it would, if it stood alone. */
static void add_chance(struct cells *cells, const struct editor *editor,
		       const struct editor_look *look, size_t i)
{
	const struct prospect *prospect =
		prospect_find(editor->ui, look->prefs == &look->moved ? look->prefs : NULL);
	const struct forecast *forecast = &prospect->forecast;
	struct buf *text = &cells->text[CELL_CHANCE];

	cells->styles[CELL_CHANCE] = STYLE_DIM;
	if (prospect->of == PROSPECT_NONE || i >= forecast->count)
		return;
	if (prospect->plans[i].when != PLAN_STARTS_NOT_ASKED) {
		add_plan_chance(cells, editor, look, i, prospect);
		return;
	}
	if (!forecast->entries[i].known) {
		buf_add_text(text, "n too small");
		return;
	}
	cells->styles[CELL_CHANCE] = STYLE_TEXT;
	cells->foretold = true;
	if (forecast->complete)
		buf_addf(text, "wins %.0f %% ", forecast->entries[i].chance * 100);
	buf_add_text(text, "p50 ");
	words_usual(text, forecast->entries[i].p50);
}

/* What the entry asks of its limit; a mark where that is too much. Nothing before it is read. */
static void add_quota(struct cells *cells, const struct editor_look *look, size_t i)
{
	const struct quota_fact *quota = look->quotas ? &look->quotas[i] : NULL;
	struct buf *text = &cells->text[CELL_QUOTA_SHORT];
	const char *mark = "";
	enum style style = STYLE_DIM;
	int64_t count;

	if (!quota || !quota->told || !prefs_count(look->prefs, i, &count))
		return;
	if (count > quota->limit) {
		mark = "! ";
		style = STYLE_ERROR;
	} else if (quota->used > quota->limit - count) {
		mark = "~ ";
		style = STYLE_WARNING;
	}
	buf_addf(text, "%s%lld+%lld of %lld", mark, (long long)count, (long long)quota->used,
		 (long long)quota->limit);
	buf_addf(&cells->text[CELL_QUOTA_BRIEF], "%squota %s", mark, buf_text(text) + strlen(mark));
	buf_addf(&cells->text[CELL_QUOTA], "%sneeds %lld, %lld of %lld in use", mark,
		 (long long)count, (long long)quota->used, (long long)quota->limit);
	for (int cell = CELL_QUOTA; cell <= CELL_QUOTA_SHORT; cell++)
		cells->styles[cell] = style;
}

void cells_fill(struct cells *cells, const struct editor *editor, const struct editor_look *look,
		size_t i, const char *times)
{
	static const enum style styles[CELLS] = {
		[CELL_TYPE] = STYLE_TEXT,    [CELL_COUNT] = STYLE_TEXT,  [CELL_PLAN] = STYLE_GOOD,
		[CELL_HARDWARE] = STYLE_DIM, [CELL_PRICE] = STYLE_MONEY,
	};
	const struct preference *entry = &look->prefs->entries[i];
	struct buf *text = cells->text;
	int64_t count = 1;

	cells->foretold = false;
	for (int cell = 0; cell < CELLS; cell++) {
		buf_init(&text[cell], WORDS_MAX);
		cells->styles[cell] = styles[cell];
	}
	buf_add_text(&text[CELL_TYPE], entry->instance_type);
	if (prefs_count(look->prefs, i, &count))
		buf_addf(&text[CELL_COUNT], "%s%lld", times, (long long)count);
	else
		buf_addf(&text[CELL_COUNT], "%s?", times);
	if (entry->group[0])
		buf_addf(&text[CELL_PLAN], "group %s, ", entry->group);
	words_capacity(&text[CELL_PLAN], editor->ui->env->store, look->prefs, i, look->job->spot);
	cells->plain = !entry->group[0] && !look->job->spot && !prefs_plan(look->prefs, i)[0] &&
		       !prefs_has_unplaced_plan(look->prefs);
	words_hardware(&text[CELL_HARDWARE], entry->instance_type, count);
	if (text[CELL_HARDWARE].len == 0)
		buf_add_text(&text[CELL_HARDWARE], "hardware unknown");
	add_price(&text[CELL_PRICE], editor, look, i);
	add_chance(cells, editor, look, i);
	add_quota(cells, look, i);
}

void cells_release(struct cells *cells)
{
	for (int cell = 0; cell < CELLS; cell++)
		buf_release(&cells->text[cell]);
}

static int sum_of(const int widths[CELLS])
{
	int sum = RANK_COLUMNS - GAP;

	for (int cell = 0; cell < CELLS; cell++)
		sum += widths[cell] ? widths[cell] + GAP : 0;
	return sum;
}

/* Where nothing but on-demand is meant, it need not be said. */
static bool are_plain(const struct cells *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!rows[i].plain)
			return false;
	return true;
}

/* Of the three ways to say it the longest that fits, else the shortest. */
static void choose_quota(int widths[CELLS], int columns)
{
	int full[CELLS];

	for (int cell = CELL_QUOTA; cell <= CELL_QUOTA_SHORT; cell++) {
		full[cell] = widths[cell];
		widths[cell] = 0;
	}
	for (int cell = CELL_QUOTA; cell <= CELL_QUOTA_SHORT; cell++) {
		widths[cell] = full[cell];
		if (sum_of(widths) <= columns || cell == CELL_QUOTA_SHORT)
			return;
		widths[cell] = 0;
	}
}

/* A chance is worth shorter words for the quota; that nothing is known of it is not. */
static void choose_chance(int widths[CELLS], int columns, bool foretold)
{
	int without[CELLS];

	memcpy(without, widths, sizeof(without));
	without[CELL_CHANCE] = 0;
	choose_quota(widths, columns);
	choose_quota(without, columns);
	if (sum_of(widths) > columns ||
	    (!foretold && memcmp(&widths[CELL_QUOTA], &without[CELL_QUOTA],
				 (CELLS - CELL_QUOTA) * sizeof(widths[0])) != 0))
		memcpy(widths, without, sizeof(without));
}

void cells_measure(const struct cells *rows, size_t count, int columns, int widths[CELLS])
{
	bool foretold = false;

	for (size_t i = 0; i < count; i++)
		foretold = foretold || rows[i].foretold;
	for (int cell = 0; cell < CELLS; cell++) {
		widths[cell] = 0;
		for (size_t i = 0; i < count; i++) {
			int width = text_width(buf_text(&rows[i].text[cell]));

			width = width > CELL_MOST ? CELL_MOST : width;
			widths[cell] = width > widths[cell] ? width : widths[cell];
		}
	}
	choose_chance(widths, columns, foretold);
	if (sum_of(widths) > columns && widths[CELL_QUOTA_SHORT] && are_plain(rows, count))
		widths[CELL_PLAN] = 0;
	for (size_t i = 0; i < ARRAY_LEN(dropped_first) && sum_of(widths) > columns; i++)
		widths[dropped_first[i]] = 0;
}

void cells_draw(const struct cells *cells, const int widths[CELLS], size_t rank,
		struct surface *out, struct rect line)
{
	struct rect at = { line.x + 2, line.y, line.w - 2, 1 };
	int end = line.x + line.w;

	draw_textf(out, at, STYLE_TEXT, "#%zu", rank);
	at.x = line.x + RANK_COLUMNS - 1;
	for (int cell = 0; cell < CELLS; cell++) {
		const char *text = buf_text(&cells->text[cell]);

		if (widths[cell] == 0 || at.x >= end)
			continue;
		at.w = end - at.x < widths[cell] ? end - at.x : widths[cell];
		if (cell == CELL_PRICE)
			draw_text_right(out, at, cells->styles[cell], text);
		else
			draw_text(out, at, cells->styles[cell], text);
		at.x += widths[cell] + GAP;
	}
}
