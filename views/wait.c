/* How long the selected job waited, its stretches, and how that compares with the listed jobs. */
#include "views/detail.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

#define STRETCHES_MAX 8
#define SPARK_MAX     24
#define SPARK_TOP     8

struct stretch {
	int64_t start_ms, end_ms;
};

struct stretches {
	struct stretch items[STRETCHES_MAX];
	size_t count;
};

/* Adds one, joined to the last where they touch; the oldest goes when there are too many. */
static void add_stretch(struct stretches *all, int64_t start_ms, int64_t end_ms)
{
	struct stretch *last = all->count > 0 ? &all->items[all->count - 1] : NULL;
	if (end_ms <= start_ms)
		return;
	if (last && start_ms <= last->end_ms) {
		last->end_ms = end_ms > last->end_ms ? end_ms : last->end_ms;
		return;
	}
	if (all->count == STRETCHES_MAX)
		memmove(all->items, all->items + 1, --all->count * sizeof(*all->items));
	all->items[all->count++] = (struct stretch){ start_ms, end_ms };
}

/* Each time it was pending, from the submission on (interface.md, wait_seconds). */
static struct stretches collect_stretches(const struct job *job, int64_t now_ms)
{
	struct stretches all = { 0 };
	if (job->transition_count > 0 && job->created.set && job->transitions[0].start.set)
		add_stretch(&all, job->created.ms, job->transitions[0].start.ms);
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct transition *transition = &job->transitions[i];
		struct opt_ms end = job_transition_end(job, i, now_ms);
		if (transition->start.set && end.set &&
		    phase_of_secondary(transition->status) == PHASE_PENDING)
			add_stretch(&all, transition->start.ms, end.ms);
	}
	return all;
}

static void write_stretches(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	int64_t now_ms = ui_now_ms(ui);
	struct stretches all = collect_stretches(job, now_ms);
	struct buf text;
	if (all.count < 2)
		return;
	buf_init(&text, WORDS_MAX);
	for (size_t i = 0; i < all.count; i++) {
		buf_clear(&text);
		buf_add_text(&text, "  from ");
		words_time(&text, all.items[i].start_ms, now_ms, ui->env->utc);
		buf_add_text(&text, " for ");
		words_duration(&text, words_span_ms(all.items[i].start_ms, all.items[i].end_ms));
		sheet_text(sheet, STYLE_DIM, buf_text(&text));
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
