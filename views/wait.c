/* How long the selected job waited, its stretches, and how that compares with the listed jobs. */
#include "views/detail.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/stretches.h"

#define STRETCHES_SHOWN 8
#define SPARK_MAX       24
#define SPARK_TOP       8

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

/* The type to compare with: the one it got, else its first choice. */
static const char *compared_type(const struct job *job)
{
	if (job->selected.set)
		return job->selected.instance_type;
	return job->prefs.length > 0 ? job->prefs.entries[0].instance_type : NULL;
}

static void write_statistics(const struct ui *ui, const char *type, struct sheet *sheet)
{
	struct wait_stats stats = store_wait_stats(ui->env->store, type);
	char count[32] = "";
	bool one_line = true;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	sheet_textf(sheet, STYLE_DIM, "%s, listed:", type);
	if (stats.too_few) {
		buf_addf(&text, "n too small (n=%zu)", stats.n);
	} else {
		buf_add_text(&text, "p50 ");
		words_duration(&text, stats.p50_ms);
		buf_add_text(&text, "  p90 ");
		words_duration(&text, stats.p90_ms);
		(void)snprintf(count, sizeof(count), "(n=%zu)", stats.n);
		one_line = text_width(buf_text(&text)) + 2 + (int)strlen(count) <= sheet->at.w;
		if (one_line)
			buf_addf(&text, "  %s", count);
	}
	sheet_text(sheet, stats.too_few ? STYLE_DIM : STYLE_TEXT, buf_text(&text));
	if (!one_line)
		sheet_text(sheet, STYLE_TEXT, count);
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

static void write_sparkline(const struct ui *ui, const char *type, struct sheet *sheet)
{
	int64_t waits[SPARK_MAX], longest = 1;
	unsigned char eighths[SPARK_MAX];
	size_t count = newest_waits(ui, type, waits);
	for (size_t i = 0; i < count; i++)
		longest = waits[i] > longest ? waits[i] : longest;
	/* A start at once is still a start: it has the lowest bar, not none. */
	for (size_t i = 0; i < count; i++)
		eighths[i] =
			(unsigned char)(1 + (double)waits[i] / (double)longest * (SPARK_TOP - 1));
	if (count > 1)
		sheet_sparkline(sheet, "newest", eighths, (int)count);
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
		if (type && type[0]) {
			write_statistics(detail->ui, type, &sheet);
			write_sparkline(detail->ui, type, &sheet);
		}
	} else if (ui_on_local(detail->ui)) {
		sheet_text(&sheet, STYLE_DIM, "not a job");
	}
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
