/* How long the selected job waited, its stretches, and when a list is likely to start. */
#include "views/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/stretches.h"
#include "views/prospect.h"

#define STRETCHES_SHOWN 8
#define SPARK_MAX       24
#define A_FEW           3               /* jobs: fewer tell of no usual wait */
#define WEEK_LINES      (WEEK_DAYS + 3) /* with its heads, of which one may take two */

/* The newest ones where there are many; the sum above is of all. */
static void write_stretches(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	int64_t now_ms = ui_now_ms(ui);
	struct stretch all[STRETCHES_MAX];
	size_t count = stretches_of(job, now_ms, all);
	size_t first = count > STRETCHES_SHOWN ? count - STRETCHES_SHOWN : 0;
	struct buf text;
	if (count < 2)
		return;
	buf_init(&text, WORDS_MAX);
	sheet_textf(sheet, STYLE_TEXT, "in %zu stretches%s", count, first > 0 ? ", lately:" : ":");
	for (size_t i = first; i < count; i++) {
		buf_clear(&text);
		buf_add_text(&text, "  from ");
		words_time(&text, all[i].start_ms, now_ms, ui->env->utc);
		buf_add_text(&text, " for ");
		words_duration(&text, words_span_ms(all[i].start_ms, all[i].end_ms));
		if (all[i].open)
			buf_add_text(&text, " so far");
		sheet_text(sheet, all[i].open ? STYLE_PENDING : STYLE_DIM, buf_text(&text));
	}
	buf_release(&text);
}

static void write_wait(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	int64_t now_ms = ui_now_ms(ui), wait_ms = 0;
	bool final = false, waits = job_phase(job) == PHASE_PENDING;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (!job_wait_ms(job, now_ms, &wait_ms, &final)) {
		buf_add_text(&text, "wait not known yet");
	} else {
		buf_add_text(&text, waits ? "waits " : "waited ");
		words_wait(&text, job, now_ms);
		if (job->max_pending.set && job->max_pending.ms > 0) {
			buf_add_text(&text, " of ");
			words_duration(&text, job->max_pending.ms);
		}
	}
	sheet_text(sheet, waits ? STYLE_PENDING : STYLE_TEXT, buf_text(&text));
	buf_release(&text);
	write_stretches(ui, job, sheet);
	if (job->spot && job_has_details(job)) {
		size_t count = stretches_interruptions(job);
		sheet_textf(sheet, STYLE_TEXT, "spot: interrupted %zu time%s", count,
			    count == 1 ? "" : "s");
	}
}

static void add_quantiles(struct buf *out, struct opt_ms p50, struct opt_ms p90)
{
	buf_add_text(out, "p50 ");
	words_usual(out, p50);
	buf_add_text(out, "  p90 ");
	words_usual(out, p90);
}

/* The type to compare with: the one it got, else its first choice. */
static const char *compared_type(const struct job *job)
{
	if (job->selected.set)
		return job->selected.instance_type;
	return job_prefs(job)->length > 0 ? job_prefs(job)->entries[0].instance_type : NULL;
}

static void write_statistics(const struct ui *ui, const struct job *job, const char *type,
			     struct sheet *sheet)
{
	int64_t instances = 1;
	struct usual_wait usual;
	char count[32] = "";
	bool one_line = true;
	struct buf text;
	if (job->selected.set)
		instances = job->selected.count;
	else
		(void)prefs_count(job_prefs(job), 0, &instances);
	usual = prospect_usual(ui, type, instances, job->kind, job->spot);
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s %s%s%s, this account's past:", type,
		 draw_glyph(sheet->out, GLYPH_TIMES), count_class_word(count_class_of(instances)),
		 job->spot ? " spot" : "");
	sheet_wrapped(sheet, STYLE_DIM, buf_text(&text));
	buf_clear(&text);
	if (!usual.known) {
		buf_addf(&text, "n too small (n=%zu)", usual.n);
	} else {
		add_quantiles(&text, usual.p50, usual.p90);
		(void)snprintf(count, sizeof(count), "(n=%zu)", usual.n);
		one_line = text_width(buf_text(&text)) + 2 + (int)strlen(count) <= sheet->at.w;
		if (one_line)
			buf_addf(&text, "  %s", count);
	}
	sheet_text(sheet, usual.known ? STYLE_TEXT : STYLE_DIM, buf_text(&text));
	if (!one_line)
		sheet_text(sheet, STYLE_TEXT, count);
	buf_release(&text);
}

/* "in 1h00m   38 %  (25-52)": the chance to start, and between what it lies with 95 %. */
static void write_within(const struct forecast *forecast, size_t i, struct sheet *sheet)
{
	const struct forecast_within *within = &forecast->within[i];
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, i == 0 ? "in 15m " : "in 1h  ");
	buf_addf(&text, "%s%.0f %%  (%.0f-%.0f)",
		 forecast->complete || within->chance >= 1 ? "" : "at least ", within->chance * 100,
		 within->low * 100, (forecast->complete ? within->high : 1) * 100);
	sheet_text(sheet, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

/* The list that the forecast is of: the draft's, else the job's. */
static const struct preferences *prefs_of_subject(const struct ui *ui)
{
	const struct job *job = ui_subject(ui);
	const struct draft *draft = draft_find(ui, job->arn);
	return draft ? &draft->prefs : job_prefs(job);
}

/* "#1 by its plan: at once", "#1: plan full": what the plan says of entry i. */
static void write_plan(const struct ui *ui, const struct preferences *prefs, size_t i,
		       const struct plan_start *start, struct sheet *sheet)
{
	const char *arn = prefs_plan(prefs, i);
	int64_t now_ms = ui_now_ms(ui);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "#%zu", i + 1);
	if (start->when == PLAN_STARTS_IN) {
		buf_add_text(&text, " by its plan: ");
		words_usual(&text, (struct opt_ms){ true, start->in_ms });
		if (start->in_ms > 0) {
			buf_add_text(&text, ", at ");
			words_time(&text, now_ms + start->in_ms, now_ms, ui->env->utc);
		}
	} else {
		buf_add_text(&text, ": ");
		plan_start_add_why_not(&text, *start,
				       store_find_plan(ui->env->store,
						       arn[0] ? arn : prefs->job_plan_arn),
				       now_ms);
	}
	sheet_text(sheet, start->when == PLAN_STARTS_IN ? STYLE_TEXT : STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

/* What does not rest on the past, and what it says too little of: that leaves the figures of the
 * list a bound. */
static void write_entries(const struct ui *ui, const struct prospect *prospect, struct sheet *sheet)
{
	const struct forecast *forecast = &prospect->forecast;
	const struct preferences *prefs = prefs_of_subject(ui);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	for (size_t i = 0; i < forecast->count; i++) {
		if (prospect->plans[i].when != PLAN_STARTS_NOT_ASKED)
			write_plan(ui, prefs, i, &prospect->plans[i], sheet);
		else if (!forecast->entries[i].known)
			buf_addf(&text, "%s #%zu n=%zu", text.len ? "," : "n too small:", i + 1,
				 forecast->entries[i].n);
	}
	if (text.len)
		sheet_wrapped(sheet, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

/* The waits of the newest started jobs of the type, oldest first; returns how many. */
static size_t newest_waits(const struct ui *ui, const char *type, int64_t *waits)
{
	const struct store *store = ui->env->store;
	size_t count = 0;
	for (size_t i = 0; i < store->count && count < SPARK_MAX; i++) {
		const struct job *job = store_at(store, i);
		bool final = false;
		if (job->selected.set && job->started.set &&
		    strcmp(job->selected.instance_type, type) == 0 &&
		    job_wait_ms(job, job->started.ms, &waits[count], &final))
			count++;
	}
	for (size_t i = 0; i < count / 2; i++) {
		int64_t swap = waits[i];
		waits[i] = waits[count - 1 - i];
		waits[count - 1 - i] = swap;
	}
	return count;
}

static int ascending(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

/* For a wait that no forecast is known of: how long the newest jobs listed waited for the type. */
static void write_newest(const struct ui *ui, const char *type, struct sheet *sheet)
{
	int64_t waits[SPARK_MAX];
	size_t count = newest_waits(ui, type, waits);
	struct buf text;
	if (count < A_FEW)
		return;
	qsort(waits, count, sizeof(waits[0]), ascending);
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "the newest %zu of %s waited ", count, type);
	words_duration(&text, waits[count / 2]);
	buf_add_text(&text, " (median), ");
	words_duration(&text, waits[count - 1]);
	buf_add_text(&text, " at most: no promise");
	sheet_wrapped(sheet, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

/* False: there is none to make. */
static bool write_forecast(const struct ui *ui, struct sheet *sheet)
{
	const struct prospect *prospect = prospect_find(ui, NULL);
	const struct forecast *forecast = &prospect->forecast;
	struct buf text;
	if (prospect->learning)
		sheet_text(sheet, STYLE_DIM, "the past is being read");
	if (prospect->of == PROSPECT_NONE)
		return prospect->learning;
	sheet_wrapped(sheet, STYLE_DIM,
		      prospect->of == PROSPECT_DRAFT
			      ? "draft, if submitted now, by this account's past:"
			      : "from now, by this account's past:");
	for (size_t i = 0; forecast->any && i < forecast->within_count; i++)
		write_within(forecast, i, sheet);
	if (forecast->complete) {
		buf_init(&text, WORDS_MAX);
		add_quantiles(&text, forecast->p50, forecast->p90);
		buf_addf(&text, "  (n=%zu)", forecast->n);
		sheet_wrapped(sheet, STYLE_TEXT, buf_text(&text));
		buf_release(&text);
	}
	write_entries(ui, prospect, sheet);
	if (!forecast->any && prefs_of_subject(ui)->length > 0)
		write_newest(ui, prefs_of_subject(ui)->entries[0].instance_type, sheet);
	return true;
}

static void write_sparkline(const struct ui *ui, const char *type, struct sheet *sheet)
{
	int64_t waits[SPARK_MAX], longest = 1;
	int16_t permille[SPARK_MAX];
	size_t count = newest_waits(ui, type, waits);
	for (size_t i = 0; i < count; i++)
		longest = waits[i] > longest ? waits[i] : longest;
	for (size_t i = 0; i < count; i++)
		permille[i] = (int16_t)((double)waits[i] / (double)longest * 1000);
	if (count > 1)
		sheet_sparkline(sheet, "newest", permille, (int)count);
}

/* "    0     6     12    18" and a line of digits for each day; today's is not dim. */
static void write_week(const struct week_pattern *week, struct week_hour now, struct sheet *sheet)
{
	sheet_text(sheet, STYLE_DIM, "    0     6     12    18");
	for (size_t day = 0; day < WEEK_DAYS; day++) {
		char marks[WEEK_HOURS + 1] = "";
		for (size_t hour = 0; hour < WEEK_HOURS; hour++)
			marks[hour] = week_cell_mark(week->cells[day][hour]);
		sheet_textf(sheet, day == now.day ? STYLE_TEXT : STYLE_DIM, "%s %s",
			    week_day_word(day), marks);
	}
}

/* "p5 free at once 41 % (n=312), Tue 15h 3 of 12", and where there is room the whole week. */
static void write_free(const struct ui *ui, const char *type, enum job_kind kind, bool spot,
		       struct sheet *sheet)
{
	const struct week_of of = { type, kind, spot, ui->env->utc };
	struct week_pattern week;
	struct week_hour now = week_hour_at(ui_now_ms(ui), ui->env->utc);
	struct buf text;
	if (!prospect_week(ui, &of, &week) || week.all.tries < FORECAST_STARTS_MIN)
		return;
	const struct week_cell *here = &week.cells[now.day][now.hour];
	bool whole = sheet->at.h - sheet->line > WEEK_LINES;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s free at once %.0f %% (n=%u), %s %zuh %u of %u%s", type,
		 (double)week.all.free / week.all.tries * 100, (unsigned)week.all.tries,
		 week_day_word(now.day), now.hour, (unsigned)here->free, (unsigned)here->tries,
		 whole ? "; tens of % by the hour:" : "");
	sheet_wrapped(sheet, STYLE_DIM, buf_text(&text));
	if (whole)
		write_week(&week, now, sheet);
	buf_release(&text);
}

/* Of each type on demand; a plan has hours of its own. */
static void write_weeks(const struct ui *ui, struct sheet *sheet)
{
	const struct job *job = ui_subject(ui);
	const struct preferences *prefs;
	if (!job || !job_has_details(job) || job->has_groups)
		return;
	/* Why a read failed takes the lines. */
	if (sheet->fresh.error)
		return;
	prefs = prefs_of_subject(ui);
	for (size_t i = 0; i < prefs->length && i < PREFS_MAX; i++)
		if (!prefs_plan(prefs, i)[0])
			write_free(ui, prefs->entries[i].instance_type, job->kind, job->spot,
				   sheet);
}

static void wait_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	struct sheet sheet = sheet_begin(detail, out, at, FRESH_SHOWS_LIST);
	(void)focused;
	if (job) {
		const char *type = compared_type(job);
		write_wait(detail->ui, job, &sheet);
		if (!write_forecast(detail->ui, &sheet) && type && type[0]) {
			write_statistics(detail->ui, job, type, &sheet);
			write_sparkline(detail->ui, type, &sheet);
		}
	} else if (ui_on_local(detail->ui) && !write_forecast(detail->ui, &sheet)) {
		sheet_text(&sheet, STYLE_DIM, "not a job");
	}
	write_weeks(detail->ui, &sheet);
	sheet_end(&sheet);
}

const struct pane_ops wait_pane = {
	.name = "wait",
	.title = "Wait",
	.scope = &details_scope,
	.state_size = sizeof(struct detail),
	.open = detail_open,
	.close = detail_close,
	.refresh = detail_refresh,
	.draw = wait_draw,
};
