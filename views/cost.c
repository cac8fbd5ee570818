/* What the selected job costs: by the hour, so far, likely, at worst, and where that is from. */
#include "views/detail.h"

#include <stdlib.h>

#include "model/base/text.h"
#include "model/config_known.h"
#include "model/spend.h"
#include "views/prospect.h"
#include "views/words.h"

#define MICRO      INT64_C(1000000)
#define WHOLE_FROM 10

static void add_money(struct buf *out, struct money money, const struct cost *cost)
{
	words_money(out, money.micro, cost->currency, price_is_approximate(cost->source));
}

static void write_per_hour(const struct job *job, const struct cost *cost, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	words_per_hour(&text, job, cost);
	sheet_pair(sheet, "per hour", STYLE_MONEY, buf_text(&text));
	buf_release(&text);
}

static void write_money(struct sheet *sheet, const char *label, struct money money,
			const struct cost *cost, const char *if_unknown)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (money.set)
		add_money(&text, money, cost);
	else
		buf_add_text(&text, if_unknown);
	sheet_pair(sheet, label, money.set ? STYLE_MONEY : STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void write_likely(const struct ui *ui, const struct job *job, const struct cost *cost,
			 struct sheet *sheet)
{
	const struct likely_past *past = prospect_past(ui);
	if (!past) {
		sheet_pair(sheet, "likely", STYLE_DIM, "unknown: the past is being read");
		return;
	}
	struct opt_ms run = likely_run(past, job);
	struct money money = price_job_likely(job, &ui->env->store->prices, run, ui_now_ms(ui));
	write_money(sheet, "likely", money, cost,
		    run.set ? "unknown" : "unknown: no runs recorded");
}

/* Of a list: over its entries, by the chance of each to be the one. */
static void write_expected(const struct ui *ui, const struct job *job, const struct cost *cost,
			   struct sheet *sheet)
{
	const struct prospect *prospect = prospect_find(ui, NULL);
	const struct forecast *forecast = &prospect->forecast;
	struct buf text;
	if (prospect->of == PROSPECT_NONE && !prospect->learning) {
		if (!job_has_ended(job))
			write_likely(ui, job, cost, sheet);
		return;
	}
	buf_init(&text, WORDS_MAX);
	if (prospect->learning)
		buf_add_text(&text, "unknown: the past is being read");
	else if (forecast->expected_cost.set)
		words_money(&text, forecast->expected_cost.micro, prospect->likely.currency,
			    prospect->likely.is_estimate);
	else if (!forecast->complete)
		buf_add_text(&text, "unknown: n too small");
	else
		buf_add_text(&text, "unknown: runs or prices are missing");
	sheet_pair(sheet, "expected",
		   forecast->expected_cost.set && !prospect->learning ? STYLE_MONEY : STYLE_DIM,
		   buf_text(&text));
	buf_release(&text);
}

static void write_worst(const struct job *job, const struct cost *cost, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (cost->worst_case.set) {
		add_money(&text, cost->worst_case, cost);
		if (job->max_runtime.set) {
			buf_add_text(&text, " (run limit ");
			words_duration(&text, job->max_runtime.ms);
			buf_add_char(&text, ')');
		}
	} else {
		buf_add_text(&text, job->max_runtime.set ? "unknown" : "unknown: no run limit");
	}
	sheet_pair(sheet, "worst", cost->worst_case.set ? STYLE_MONEY : STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

/* Dollars are enough to compare entries. */
static int64_t whole(int64_t micro)
{
	return micro < WHOLE_FROM * MICRO ? micro : (micro + MICRO / 2) / MICRO * MICRO;
}

static bool has_price(const struct ui *ui, const struct job *job, size_t i)
{
	const char *type = job_prefs(job)->entries[i].instance_type;
	return price_find(&ui->env->store->prices, job->kind, type).source != PRICE_NONE;
}

/* Of each entry: by the hour, until the run limit, and how long the config's max_worst_case pays
 * for it. */
enum per_entry { ENTRY_PER_HOUR, ENTRY_AT_LIMIT, ENTRY_TIME };

static void add_entry(const struct ui *ui, const struct job *job, size_t i, enum per_entry what,
		      struct money budget, struct buf *out)
{
	const struct price_book *prices = &ui->env->store->prices;
	struct money money = price_entry_per_hour(job_prefs(job), i, prices, job->kind);
	struct price price =
		price_find(prices, job->kind, job_prefs(job)->entries[i].instance_type);
	struct opt_ms time = spend_time(budget, money);
	buf_addf(out, "#%zu ", i + 1);
	if (what == ENTRY_AT_LIMIT)
		money = price_in_time(money, job->max_runtime.ms);
	if (prefs_plan(job_prefs(job), i)[0])
		buf_add_text(out, "plan");
	else if (what == ENTRY_TIME && time.set)
		words_duration(out, time.ms);
	else if (what != ENTRY_TIME && money.set)
		words_money(out, whole(money.micro), price.currency,
			    price_is_approximate(price.source));
	else
		buf_add_char(out, '?');
}

/* A row with every entry; as many lines as it takes. */
static void write_row(const struct ui *ui, const struct job *job, const char *label,
		      enum per_entry what, struct money budget, struct sheet *sheet)
{
	int room = sheet->at.w - SHEET_LABEL;
	struct buf line, entry;
	buf_init(&line, WORDS_MAX);
	buf_init(&entry, WORDS_MAX);
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		buf_clear(&entry);
		add_entry(ui, job, i, what, budget, &entry);
		if (line.len > 0 &&
		    text_width(buf_text(&line)) + 2 + text_width(buf_text(&entry)) > room) {
			sheet_pair(sheet, label, STYLE_TEXT, buf_text(&line));
			buf_clear(&line);
			label = "";
		}
		buf_addf(&line, "%s%s", line.len > 0 ? "  " : "", buf_text(&entry));
	}
	if (line.len > 0)
		sheet_pair(sheet, label, STYLE_TEXT, buf_text(&line));
	buf_release(&entry);
	buf_release(&line);
}

/* What a fallback would cost is seen before it happens: the same limit and the same money mean
 * something else on each entry. Of spot all of it is a bound, and of groups one sum is. */
static void write_entries(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	const struct money none = { 0 };
	struct check_known known = { 0 };
	write_row(ui, job, "entries/h", ENTRY_PER_HOUR, none, sheet);
	if (job_prefs(job)->length < 2 || job->has_groups || job->spot || job->selected.set)
		return;
	if (job->max_runtime.set)
		write_row(ui, job, "at limit", ENTRY_AT_LIMIT, none, sheet);
	free(config_fill_known(ui->env->config, &known));
	if (known.max_worst_case.set)
		write_row(ui, job, "max buys", ENTRY_TIME, known.max_worst_case, sheet);
}

static void write_spot(const struct job *job, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (words_has_spot(job)) {
		words_spot(&text, job);
		sheet_pair(sheet, "spot", STYLE_TEXT, buf_text(&text));
	}
	buf_release(&text);
}

/* "~$50.50/h to ~$127/h"; once where both are the same, and "#2 ?" for a first one without a price
 * among what is left out. */
static void add_first_to_most(struct buf *out, const struct ui *ui, const struct draft *draft,
			      enum job_kind kind, const struct price_stakes *stakes)
{
	struct money first = price_entry_per_hour(&draft->prefs, 0, &ui->env->store->prices, kind);
	if (stakes->unpriced)
		buf_addf(out, "#%zu ?, ", stakes->unpriced);
	if (!stakes->most.set) {
		buf_add_text(out, "no price");
		return;
	}
	if (first.set && draft->prefs.is_list && first.micro != stakes->most.micro) {
		words_money(out, whole(first.micro), stakes->currency,
			    price_is_approximate(stakes->source));
		buf_add_text(out, "/h to ");
	}
	words_money(out, whole(stakes->most.micro), stakes->currency,
		    price_is_approximate(stakes->source));
	buf_add_text(out, "/h");
}

/* What the edited list would cost beside the job's own: by the hour from its first entry to the
 * dearest, and at worst until the run limit. */
static void write_draft(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	const struct draft *draft = draft_find(ui, job->arn);
	struct price_stakes stakes;
	struct buf text;
	if (!draft_changed(draft))
		return;
	stakes = price_list_stakes(&draft->prefs, &ui->env->store->prices, job->kind,
				   job->max_runtime);
	buf_init(&text, WORDS_MAX);
	add_first_to_most(&text, ui, draft, job->kind, &stakes);
	if (stakes.worst_case.set) {
		buf_add_text(&text, ", worst ");
		words_money(&text, whole(stakes.worst_case.micro), stakes.currency,
			    price_is_approximate(stakes.source));
	} else {
		buf_add_text(&text, ", worst unknown");
	}
	sheet_pair(sheet, "draft*", STYLE_MONEY, buf_text(&text));
	buf_release(&text);
}

/* What a plan has cost before, for all that it serves. */
static void write_fee(const struct ui *ui, const struct job *job, const struct cost *cost,
		      struct sheet *sheet)
{
	const struct plan *plan = cost->plan ? store_plan_of(ui->env->store, job) : NULL;
	struct buf text;
	if (!plan || !plan->fee.set)
		return;
	buf_init(&text, WORDS_MAX);
	words_money(&text, plan->fee.micro, plan->currency, false);
	buf_add_text(&text, " for the whole plan");
	sheet_pair(sheet, "plan fee", STYLE_MONEY, buf_text(&text));
	buf_release(&text);
}

/* "$3.37, $101/h while it is kept" */
static void write_pool(const struct ui *ui, const struct job *job, const struct cost *cost,
		       struct sheet *sheet)
{
	struct money rate = price_pool_per_hour(job, &ui->env->store->prices, ui_now_ms(ui));
	struct buf text;
	if (!cost->retained.set)
		return;
	buf_init(&text, WORDS_MAX);
	add_money(&text, cost->retained, cost);
	if (rate.set) {
		buf_add_text(&text, ", ");
		add_money(&text, rate, cost);
		buf_add_text(&text, "/h while it is kept");
	}
	sheet_pair(sheet, "warm pool", STYLE_MONEY, buf_text(&text));
	buf_release(&text);
}

static void write_cost(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct cost cost = price_job_cost(job, &ui->env->store->prices, ui_now_ms(ui));
	write_money(sheet, "so far", cost.so_far, &cost, "unknown");
	write_pool(ui, job, &cost, sheet);
	write_per_hour(job, &cost, sheet);
	write_fee(ui, job, &cost, sheet);
	write_expected(ui, job, &cost, sheet);
	write_worst(job, &cost, sheet);
	write_draft(ui, job, sheet);
	write_spot(job, sheet);
	write_entries(ui, job, sheet);
	sheet_text(sheet, STYLE_DIM, "storage is billed apart");
}

static void cost_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	struct sheet sheet = sheet_begin(detail, out, at, FRESH_SHOWS_NOTHING);
	(void)focused;
	if (job && job_has_details(job))
		write_cost(detail->ui, job, &sheet);
	else if (job)
		sheet_text(&sheet, STYLE_DIM, "? (not read yet)");
	else if (ui_on_local(detail->ui))
		sheet_text(&sheet, STYLE_DIM, "not a job");
	sheet_end(&sheet);
}

/* Where the prices are from, beside the title, or which one is missing. */
static void cost_note(const void *state, struct buf *out)
{
	const struct ui *ui = ((const struct detail *)state)->ui;
	const struct job *job = ui_selected(ui);
	if (!job || !job_has_details(job))
		return;
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		if (!has_price(ui, job, i)) {
			buf_addf(out, "no price for %s", job_prefs(job)->entries[i].instance_type);
			return;
		}
	struct cost cost = price_job_cost(job, &ui->env->store->prices, ui_now_ms(ui));
	if (cost.source == PRICE_NONE)
		buf_add_text(out, "no price");
	else if (cost.source == PRICE_ESTIMATE)
		buf_add_text(out, "~ estimate, no price was published");
	else if (cost.source == PRICE_LIST)
		buf_addf(out, job->spot ? "at most: on-demand list of %s" : "price list of %s",
			 cost.date);
	else
		buf_addf(out,
			 job->spot ? "~ at most: on-demand prices of %s" : "~ price table of %s",
			 cost.date && cost.date[0] ? cost.date : "?");
}

const struct pane_ops cost_pane = {
	.name = "cost",
	.title = "Cost",
	.scope = &details_scope,
	.state_size = sizeof(struct detail),
	.open = detail_open,
	.close = detail_close,
	.refresh = detail_refresh,
	.draw = cost_draw,
	.note = cost_note,
};
