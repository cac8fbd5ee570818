/* The list of a submission: a line for each entry, with its price, its quota and what it was. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/price.h"
#include "model/quota.h"
#include "views/submission_page.h"
#include "views/words.h"

enum cell { CELL_ENTRY, CELL_MARKET, CELL_PRICE, CELL_QUOTA, CELL_BEFORE, CELLS };

struct line {
	struct buf cells[CELLS];
};

static bool has_plan(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (prefs_plan(prefs, i)[0])
			return true;
	return prefs_has_unplaced_plan(prefs);
}

static const char *market_of(const struct submission_view *view)
{
	return view->facts->has_spot ? "spot" : "on-demand";
}

/* The entry of that type and group in another list, from 1; 0 = it has none. */
static size_t rank_in(const struct preferences *prefs, const struct preference *entry)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (strcmp(prefs->entries[i].instance_type, entry->instance_type) == 0 &&
		    strcmp(prefs->entries[i].group, entry->group) == 0)
			return i + 1;
	return 0;
}

static void add_joined(struct buf *out, const char *format, const char *text)
{
	buf_add_text(out, out->len ? ", " : "was ");
	buf_addf(out, "%s%s", format, text);
}

/* "was #2", "was ×4", "was on-demand"; "" where nothing of it has changed. */
static void add_before(struct buf *out, const struct submission_view *view, size_t i)
{
	const struct preferences *now = &view->draft->prefs, *old = &view->draft->original.prefs;
	size_t rank = rank_in(old, &now->entries[i]);
	int64_t count = 0, before = 0;
	char number[24];

	if (!rank) {
		buf_add_text(out, "new");
		return;
	}
	(void)snprintf(number, sizeof(number), "%zu", rank);
	if (rank != i + 1)
		add_joined(out, "#", number);
	bool counted = prefs_count(now, i, &count), was = prefs_count(old, rank - 1, &before);
	(void)snprintf(number, sizeof(number), "%" PRId64, before);
	if (counted != was || count != before)
		add_joined(out, "\xC3\x97", was ? number : "?");
	const char *plan = prefs_plan(old, rank - 1);
	if (strcmp(plan, prefs_plan(now, i)) != 0)
		add_joined(out, plan[0] ? "plan " : "", plan[0] ? words_plan(plan) : "on demand");
}

static void add_price(struct buf *out, const struct submission_view *view, size_t i)
{
	const struct preferences *prefs = &view->draft->prefs;
	const struct price_book *prices = &view->ui->env->store->prices;
	enum job_kind kind = view->copy->kind;
	struct money rate = price_entry_per_hour(prefs, i, prices, kind);

	if (prefs_plan(prefs, i)[0]) {
		buf_add_text(out, "prepaid");
	} else if (rate.set) {
		struct price price = price_find(prices, kind, prefs->entries[i].instance_type);

		words_money(out, rate.micro, price.currency, price_is_approximate(price.source));
		buf_add_text(out, "/h");
	} else {
		buf_add_text(out, "no price");
	}
}

/* "quota 4+12 of 16": needed, used and limit, as the editor has them; nothing before it is read. */
static void add_quota(struct buf *out, const struct submission_view *view, size_t i)
{
	/* The limits are of the request's list: of a request that cannot be made it is another. */
	const struct preferences *asked = &view->facts->prefs;
	const struct preferences *shown = &view->draft->prefs;
	bool same = i < asked->length &&
		    strcmp(asked->entries[i].instance_type, shown->entries[i].instance_type) == 0;
	const struct quota_fact *quota = view->quotas && same ? &view->quotas[i] : NULL;
	int64_t count = 0;

	if (!quota || !quota->told || !prefs_count(asked, i, &count))
		return;
	if (count > quota->limit)
		buf_add_text(out, "! ");
	else if (quota->used > quota->limit - count)
		buf_add_text(out, "~ ");
	buf_addf(out, "quota %" PRId64 "+%" PRId64 " of %" PRId64, count, quota->used,
		 quota->limit);
}

static void fill(struct line *line, const struct submission_view *view, size_t i)
{
	const struct preferences *prefs = &view->draft->prefs;
	const char *plan = prefs_plan(prefs, i);
	struct buf entry;

	for (size_t cell = 0; cell < CELLS; cell++)
		buf_init(&line->cells[cell], WORDS_MAX);
	buf_init(&entry, WORDS_MAX);
	buf_addf(&entry, "#%zu ", i + 1);
	words_entry(&entry, prefs, i);
	submission_add_plain(&line->cells[CELL_ENTRY], buf_text(&entry));
	buf_clear(&entry);
	if (plan[0])
		buf_addf(&entry, "plan %s", words_plan(plan));
	else if (has_plan(prefs))
		buf_add_text(&entry, market_of(view));
	submission_add_plain(&line->cells[CELL_MARKET], buf_text(&entry));
	buf_release(&entry);
	add_price(&line->cells[CELL_PRICE], view, i);
	add_quota(&line->cells[CELL_QUOTA], view, i);
	buf_init(&entry, WORDS_MAX);
	add_before(&entry, view, i);
	submission_add_plain(&line->cells[CELL_BEFORE], buf_text(&entry));
	buf_release(&entry);
}

static void add_cell(struct buf *out, const struct buf *cell, int width)
{
	if (width == 0)
		return;
	buf_add_text(out, buf_text(cell));
	for (int used = text_width(buf_text(cell)); used < width + 2; used++)
		buf_add_char(out, ' ');
}

static void add_lines(struct buf *out, const struct line *lines, size_t count)
{
	int widths[CELLS] = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t cell = 0; cell < CELLS; cell++) {
			int width = text_width(buf_text(&lines[i].cells[cell]));
			widths[cell] = width > widths[cell] ? width : widths[cell];
		}
	for (size_t i = 0; i < count; i++) {
		for (size_t cell = 0; cell < CELLS; cell++)
			add_cell(out, &lines[i].cells[cell], widths[cell]);
		while (out->len && out->data[out->len - 1] == ' ')
			out->data[--out->len] = '\0';
		buf_add_char(out, '\n');
	}
}

/* The entries that the list had and has no more. */
static void add_gone(struct buf *out, const struct submission_view *view)
{
	const struct preferences *now = &view->draft->prefs, *old = &view->draft->original.prefs;
	struct buf gone;

	buf_init(&gone, WORDS_MAX);
	for (size_t i = 0; i < old->length; i++) {
		if (rank_in(now, &old->entries[i]))
			continue;
		buf_addf(&gone, "%s#%zu ", gone.len ? ", " : "gone: ", i + 1);
		words_entry(&gone, old, i);
	}
	submission_add_plain(out, buf_text(&gone));
	buf_add_text(out, gone.len ? "\n" : "");
	buf_release(&gone);
}

/* What holds for the whole list. */
static void add_common(struct buf *out, const struct submission_view *view)
{
	const struct preferences *prefs = &view->draft->prefs;
	size_t begin = out->len;

	if (prefs->length > 1 && prefs->has_shared_count)
		buf_add_text(out, "one count for all");
	if (prefs_has_unplaced_plan(prefs)) {
		buf_addf(out, "%splan ", out->len > begin ? ", " : "");
		submission_add_plain(out, words_plan(prefs->job_plan_arn));
		buf_add_text(out, " for the entry of its type");
	} else if (prefs->length && !has_plan(prefs)) {
		buf_addf(out, "%splan: none (%s)", out->len > begin ? ", " : "", market_of(view));
	}
	if (out->len > begin)
		buf_add_char(out, '\n');
}

void submission_add_list(struct buf *out, const struct submission_view *view)
{
	struct line lines[PREFS_KEEP_MAX];
	size_t count = view->draft->prefs.length;

	for (size_t i = 0; i < count; i++)
		fill(&lines[i], view, i);
	if (count)
		add_lines(out, lines, count);
	else
		buf_add_text(out, "the list is empty\n");
	for (size_t i = 0; i < count; i++)
		for (size_t cell = 0; cell < CELLS; cell++)
			buf_release(&lines[i].cells[cell]);
	add_gone(out, view);
	add_common(out, view);
}
