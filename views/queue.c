/* Pending status: how long the selected job waits, until when, why, and what its list came to. */
#include "views/detail.h"

#include <string.h>

#include "model/base/text.h"
#include "model/catalog.h"
#include "model/pool.h"
#include "model/reason.h"

/* The newest moment at which the job was known to be in its state. */
static int64_t seen_at_ms(const struct ui *ui, const struct job *job)
{
	int64_t ago_ms = clock_mono_ms(ui->env->clock) - job->described_mono_ms;
	return ui_now_ms(ui) - (ago_ms > 0 ? ago_ms : 0);
}

static bool has_accelerated(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (catalog_is_accelerated(prefs->entries[i].instance_type))
			return true;
	return false;
}

/* --- the first lines: where it stands --- */

static void write_limited(const struct ui *ui, const struct job *job, struct sheet *sheet,
			  const char *waited)
{
	int64_t now_ms = ui_now_ms(ui);
	int permille = words_limit_permille(job, now_ms);
	struct opt_ms deadline = job_pending_deadline(job, now_ms);
	struct buf before, after;
	buf_init(&before, WORDS_MAX);
	buf_init(&after, WORDS_MAX);
	buf_addf(&before, "Pending %s of ", waited);
	words_duration(&before, job->max_pending.ms);
	buf_add_text(&before, "  ");
	buf_addf(&after, " %d %%", permille < 0 ? 0 : permille / 10);
	if (deadline.set) {
		buf_add_text(&after, "  until ");
		words_time(&after, deadline.ms, now_ms, ui->env->utc);
	}
	sheet_bar(sheet, STYLE_PENDING, buf_text(&before), permille < 0 ? 0 : permille,
		  buf_text(&after));
	if (!has_accelerated(&job->prefs))
		sheet_text(sheet, STYLE_DIM, "the limit has no effect: no accelerated type");
	else if (!deadline.set && permille >= 1000)
		sheet_text(sheet, STYLE_DIM, "a plan may stop the count; when is not known here");
	buf_release(&before);
	buf_release(&after);
}

static void write_pending(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf waited;
	buf_init(&waited, WORDS_MAX);
	words_wait(&waited, job, ui_now_ms(ui));
	if (job->max_pending.set)
		write_limited(ui, job, sheet, buf_text(&waited));
	else if (job->kind == JOB_PROCESSING)
		sheet_textf(sheet, STYLE_PENDING, "Pending %s; processing jobs have no limit",
			    buf_text(&waited));
	else if (job_has_details(job))
		sheet_textf(sheet, STYLE_PENDING, "Pending %s, without a limit", buf_text(&waited));
	else
		sheet_textf(sheet, STYLE_PENDING, "Pending %s, limit not read yet",
			    buf_text(&waited));
	buf_release(&waited);
}

/* "Running since 10:02 (3h12m), Training" */
static void write_since(const struct ui *ui, const struct job *job, struct sheet *sheet,
			struct opt_ms since)
{
	int64_t now_ms = ui_now_ms(ui);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	words_first_line(&text, words_phase(job));
	if (since.set) {
		buf_add_text(&text, " since ");
		words_time(&text, since.ms, now_ms, ui->env->utc);
		buf_add_text(&text, " (");
		words_duration(&text, words_span_ms(since.ms, now_ms));
		buf_add_char(&text, ')');
	}
	if (job->secondary_status && strcmp(job->secondary_status, words_phase(job)) != 0)
		buf_addf(&text, ", %s", job->secondary_status);
	sheet_text(sheet, words_phase_style(job_phase(job)), buf_text(&text));
	buf_release(&text);
}

static void write_ended(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	words_first_line(&text, words_phase(job));
	if (job->ended.set) {
		buf_add_text(&text, " at ");
		words_time(&text, job->ended.ms, ui_now_ms(ui), ui->env->utc);
	}
	if (job->started.set && job->ended.set) {
		buf_add_text(&text, " after running ");
		words_duration(&text, words_span_ms(job->started.ms, job->ended.ms));
	} else if (job_never_started(job)) {
		buf_add_text(&text, ", never started");
	}
	sheet_text(sheet, words_phase_style(job_phase(job)), buf_text(&text));
	if (job->secondary_status && strcmp(job->secondary_status, words_phase(job)) != 0)
		sheet_pair(sheet, "ended as", STYLE_TEXT, job->secondary_status);
	buf_release(&text);
}

static void write_state(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct opt_ms since = { 0 };
	if (job->transition_count > 0)
		since = job->transitions[job->transition_count - 1].start;
	switch (job_phase(job)) {
	case PHASE_PENDING:
		write_pending(ui, job, sheet);
		break;
	case PHASE_RUNNING:
		write_since(ui, job, sheet, job->started);
		break;
	case PHASE_COMPLETED:
	case PHASE_FAILED:
	case PHASE_STOPPED:
		write_ended(ui, job, sheet);
		break;
	case PHASE_UNKNOWN:
		write_since(ui, job, sheet, since);
		if (job->kind == JOB_PROCESSING && !job->described)
			sheet_text(sheet, STYLE_DIM, "pending or running: not read yet");
		break;
	default:
		write_since(ui, job, sheet, since);
		break;
	}
}

/* --- why --- */

/* AWS's own words, marked as such; the whole of a reason stands in the description. */
static void write_why(const struct job *job, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (job->failure_reason) {
		buf_add_text(&text, "reason (AWS): ");
		words_first_line(&text, job->failure_reason);
		sheet_wrapped(sheet, STYLE_FAILED, buf_text(&text));
	} else if (job->status_message && job->status_message[0]) {
		enum phase phase = job_phase(job);
		bool waits = phase == PHASE_PENDING || phase == PHASE_UNKNOWN;
		buf_add_text(&text, waits ? "why (AWS): " : "message (AWS): ");
		words_first_line(&text, job->status_message);
		sheet_wrapped(sheet, STYLE_TEXT, buf_text(&text));
	} else if (job_phase(job) == PHASE_PENDING && job->kind == JOB_PROCESSING) {
		sheet_text(sheet, STYLE_DIM, "why: AWS publishes no reason for processing jobs");
	} else if (job_phase(job) == PHASE_PENDING && job->described) {
		sheet_text(sheet, STYLE_DIM, "why: AWS gives no message");
	} else if (job_phase(job) == PHASE_FAILED && job->described) {
		sheet_text(sheet, STYLE_DIM, "reason: AWS gives none");
	}
	buf_release(&text);
}

/* What gpuq has to say of a reason, marked as its own, and the keys that follow from it. */
static void write_remark(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "gpuq: ");
	size_t mark = text.len;
	reason_add_remark(&text, job);
	if (text.len > mark)
		sheet_wrapped(sheet, STYLE_PENDING, buf_text(&text));
	if (reason_is_capacity(job) && !ui->env->read_only)
		sheet_text(sheet, STYLE_DIM, "P edits the list, X submits a copy");
	buf_release(&text);
}

static void write_pool(const struct job *job, struct sheet *sheet)
{
	struct buf text;
	if (!job_has_ended(job) || !pool_is_asked(job))
		return;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "warm pool: ");
	pool_add_words(&text, job);
	sheet_wrapped(sheet, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

/* --- the list --- */

/* What is known of entry i: taken, passed over when the choice was made, or not free when last
 * seen (a pending job is one for which a sweep found no entry: facts, Choice). */
static enum style verdict(const struct ui *ui, const struct job *job, size_t i, struct buf *out)
{
	size_t rank = job->selected.set ? job->selected.rank : 0;
	if (rank > 0 && i + 1 == rank) {
		buf_add_text(out, "selected");
		return STYLE_GOOD;
	}
	if (rank > 0) {
		buf_add_text(out, i + 1 < rank ? "not free at the choice" : "not needed");
		return STYLE_DIM;
	}
	if (job_phase(job) != PHASE_PENDING || !job->described)
		return STYLE_DIM;
	buf_add_text(out, "not free at ");
	words_time(out, seen_at_ms(ui, job), ui_now_ms(ui), ui->env->utc);
	return STYLE_PENDING;
}

static const char *entry_mark(const struct job *job, size_t i, struct surface *out)
{
	size_t rank = job->selected.set ? job->selected.rank : 0;
	if (rank == 0 || i + 1 > rank)
		return " ";
	return draw_glyph(out, i + 1 == rank ? GLYPH_CHECK : GLYPH_CROSS);
}

/* "✓#1 ml.p4d.24xlarge ×4" */
static void add_entry(struct buf *out, const struct job *job, size_t i, struct surface *surface)
{
	buf_addf(out, "%s#%zu ", entry_mark(job, i, surface), i + 1);
	words_entry(out, &job->prefs, i);
}

/* Columns of the longest entry: what is known of them stands in one column. */
static int entry_columns(const struct job *job, struct surface *surface)
{
	int most = 0;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	for (size_t i = 0; i < job->prefs.length; i++) {
		buf_clear(&text);
		add_entry(&text, job, i, surface);
		int columns = text_width(buf_text(&text));
		most = columns > most ? columns : most;
	}
	buf_release(&text);
	return most;
}

static void write_entry(const struct ui *ui, const struct job *job, size_t i, int columns,
			struct sheet *sheet)
{
	const struct preference *entry = &job->prefs.entries[i];
	const char *plan = prefs_plan(&job->prefs, i);
	struct buf text, what;
	buf_init(&text, WORDS_MAX);
	buf_init(&what, WORDS_MAX);
	enum style style = verdict(ui, job, i, &what);
	add_entry(&text, job, i, sheet->out);
	for (int used = text_width(buf_text(&text)); used < columns; used++)
		buf_add_char(&text, ' ');
	if (what.len > 0)
		buf_addf(&text, " %s", buf_text(&what));
	if (entry->group[0])
		buf_addf(&text, " group %s", entry->group);
	else if (plan[0])
		buf_addf(&text, " plan %s", words_plan(plan));
	sheet_text(sheet, style, buf_text(&text));
	buf_release(&text);
	buf_release(&what);
}

static void write_list(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	if (!job_has_details(job)) {
		sheet_text(sheet, STYLE_DIM, "list: not read yet");
		return;
	}
	if (job->prefs.length == 0)
		sheet_text(sheet, STYLE_DIM, "no instance type is published for this job");
	else if (job->has_groups)
		sheet_text(sheet, STYLE_DIM, "instance groups, all of them needed:");
	else if (!job->prefs.is_list)
		sheet_text(sheet, STYLE_DIM, "no preference list, one type:");
	int columns = entry_columns(job, sheet->out);
	for (size_t i = 0; i < job->prefs.length; i++)
		write_entry(ui, job, i, columns, sheet);
	if (prefs_has_unplaced_plan(&job->prefs))
		sheet_textf(sheet, STYLE_TEXT, "plan %s serves the entry of its type",
			    words_plan(job->prefs.job_plan_arn));
	if (job->selected.set && job->selected.rank == 0)
		sheet_textf(sheet, STYLE_WARNING, "selected %s, which is not in the list",
			    job->selected.instance_type);
}

static void write_describe_failure(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	const struct freshness *source = &ui->env->store->sources[SOURCE_DESCRIBE];
	struct buf text;
	if (!source->failing || job->described)
		return;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "details not read: ");
	words_failure(&text, &source->error);
	sheet_text(sheet, STYLE_ERROR, buf_text(&text));
	buf_release(&text);
}

static void queue_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	struct sheet sheet = sheet_begin(detail, out, at);
	(void)focused;
	if (!job) {
		sheet_text(&sheet, STYLE_DIM, "no job selected");
	} else {
		write_state(detail->ui, job, &sheet);
		write_why(job, &sheet);
		write_remark(detail->ui, job, &sheet);
		write_pool(job, &sheet);
		write_describe_failure(detail->ui, job, &sheet);
		write_list(detail->ui, job, &sheet);
	}
	sheet_end(&sheet);
}

static void queue_note(const void *state, struct buf *out)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	if (job)
		buf_add_text(out, job->name);
}

const struct pane_ops queue_pane = {
	.name = "queue",
	.title = "Queue",
	.scope = &details_scope,
	.state_size = sizeof(struct detail),
	.open = detail_open,
	.close = detail_close,
	.refresh = detail_refresh,
	.draw = queue_draw,
	.note = queue_note,
};
