/* Pending status: how long the selected job waits, until when, why, and what its list came to. */
#include "views/detail.h"
#include "views/local.h"

#include <string.h>

#include "model/base/text.h"
#include "model/catalog.h"
#include "model/pool.h"
#include "model/reason.h"
#include "model/stuck.h"
#include "views/plan_words.h"
#include "views/prospect.h"

#define SIGHTINGS_MS    (24 * 60 * 60 * INT64_C(1000))
#define SIGHTINGS_SHOWN 4

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

/* "Pending 1h42m of 6h00m  ▓▓░░░░░░░░ 28 %  until 18:20"; where that is too long the bar goes, and
 * the end of the limit may take a line of its own. */
static void write_bar(struct sheet *sheet, const char *pending, int permille, const char *until)
{
	struct buf after;
	buf_init(&after, WORDS_MAX);
	buf_addf(&after, " %d %%%s%s", permille / 10, until[0] ? "  " : "", until);
	if (text_width(pending) + 2 + SHEET_BAR_LEAST + text_width(buf_text(&after)) <=
	    sheet->at.w) {
		struct buf before;
		buf_init(&before, WORDS_MAX);
		buf_addf(&before, "%s  ", pending);
		sheet_bar(sheet, STYLE_PENDING, buf_text(&before), permille, buf_text(&after));
		buf_release(&before);
	} else if (until[0] && text_width(pending) + 2 + text_width(until) > sheet->at.w) {
		sheet_text(sheet, STYLE_PENDING, pending);
		sheet_text(sheet, STYLE_PENDING, until);
	} else {
		sheet_textf(sheet, STYLE_PENDING, "%s%s%s", pending, until[0] ? ", " : "", until);
	}
	buf_release(&after);
}

/* Only what AWS counts goes towards the limit. */
static void write_standing(const struct ui *ui, const struct pending_clock *clock,
			   struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	words_duration(&text, clock->counted_ms);
	buf_add_text(&text, " of it count: the limit does not run while its plan is closed");
	if (clock->resumes.set) {
		buf_add_text(&text, ", until ");
		words_time(&text, clock->resumes.ms, ui_now_ms(ui), ui->env->utc);
	}
	sheet_wrapped(sheet, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void write_limited(const struct ui *ui, const struct job *job, struct sheet *sheet,
			  const char *waited)
{
	int64_t now_ms = ui_now_ms(ui);
	int permille = words_limit_permille(ui->env->store, job, now_ms);
	const struct pending_clock clock = pending_clock(ui->env->store, job, now_ms);
	struct opt_ms deadline = clock.deadline;
	struct buf pending, until;
	buf_init(&pending, WORDS_MAX);
	buf_init(&until, WORDS_MAX);
	buf_addf(&pending, "Pending %s of ", waited);
	words_duration(&pending, job->max_pending.ms);
	if (deadline.set) {
		buf_add_text(&until, "until ");
		words_time(&until, deadline.ms, now_ms, ui->env->utc);
	}
	write_bar(sheet, buf_text(&pending), permille < 0 ? 0 : permille, buf_text(&until));
	if (!has_accelerated(job_prefs(job)))
		sheet_text(sheet, STYLE_DIM, "the limit has no effect: no accelerated type");
	else if (clock.stands)
		write_standing(ui, &clock, sheet);
	else if (clock.untold && !deadline.set)
		sheet_text(sheet, STYLE_DIM, "the limit does not run while its plan is not active");
	buf_release(&pending);
	buf_release(&until);
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
		since = job_transition(job, job->transition_count - 1).start;
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

/* Why it is marked. */
static void write_stuck(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	prospect_add_stuck(&text, ui, job);
	if (text.len > 0)
		sheet_wrapped(sheet, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

static void write_pool(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf text;
	if (!job_has_ended(job) || !pool_is_asked(job))
		return;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "warm pool: ");
	words_pool(&text, job, ui_now_ms(ui), ui->env->utc);
	sheet_wrapped(sheet, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

/* --- the list --- */

/* What is known of entry i: taken, passed over when the choice was made, or not free when last
 * seen (a pending job is one for which a sweep found no entry: facts, Choice). Of groups all are
 * needed: which of them is missing is not published. */
static enum style verdict(const struct ui *ui, const struct job *job, size_t i, struct buf *out)
{
	size_t rank = job->selected.set ? job->selected.rank : 0;
	if (rank > 0 && i + 1 == rank) {
		buf_add_text(out, "selected");
		return STYLE_GOOD;
	}
	if (rank > 0) {
		buf_add_text(out, i + 1 < rank ? "was not free" : "not needed");
		return STYLE_DIM;
	}
	if (job_phase(job) != PHASE_PENDING || !job->described || job->has_groups)
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

/* The cells of a row: "✓#1 ml.p4d.24xlarge ×4", "on-demand", "not free at 14:02". */
enum cell { CELL_ENTRY, CELL_CAPACITY, CELL_VERDICT, CELLS };

static enum style write_cell(const struct ui *ui, const struct job *job, size_t i, enum cell cell,
			     struct sheet *sheet, struct buf *out)
{
	const char *group = job_prefs(job)->entries[i].group;
	switch (cell) {
	case CELL_ENTRY:
		buf_addf(out, "%s#%zu ", entry_mark(job, i, sheet->out), i + 1);
		words_entry(out, job_prefs(job), i);
		break;
	case CELL_CAPACITY:
		if (group[0])
			buf_addf(out, "group %s, ", group);
		words_capacity(out, ui->env->store, job_prefs(job), i, job->spot);
		break;
	default:
		return verdict(ui, job, i, out);
	}
	return STYLE_TEXT;
}

/* Columns of each cell over all rows. */
static void measure(const struct ui *ui, const struct job *job, struct sheet *sheet,
		    int columns[CELLS])
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	for (int cell = 0; cell < CELLS; cell++) {
		columns[cell] = 0;
		for (size_t i = 0; i < job_prefs(job)->length; i++) {
			buf_clear(&text);
			(void)write_cell(ui, job, i, (enum cell)cell, sheet, &text);
			int width = text_width(buf_text(&text));
			columns[cell] = width > columns[cell] ? width : columns[cell];
		}
	}
	buf_release(&text);
}

static void write_entry(const struct ui *ui, const struct job *job, size_t i,
			const int columns[CELLS], struct sheet *sheet)
{
	enum style style = STYLE_TEXT;
	struct buf line, text;
	int end = 0;
	buf_init(&line, WORDS_MAX);
	buf_init(&text, WORDS_MAX);
	for (int cell = 0; cell < CELLS; cell++) {
		buf_clear(&text);
		style = write_cell(ui, job, i, (enum cell)cell, sheet, &text);
		if (columns[cell] == 0)
			continue;
		while (text_width(buf_text(&line)) < end)
			buf_add_char(&line, ' ');
		buf_addf(&line, "%s%s", end > 0 ? " " : "", buf_text(&text));
		end += columns[cell] + (end > 0 ? 1 : 0);
	}
	sheet_text(sheet, style, buf_text(&line));
	buf_release(&line);
	buf_release(&text);
}

/* Where the verdicts do not fit, the marks say what was chosen, and a line what was not free. */
static void write_entries(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	int columns[CELLS];
	struct buf text;
	measure(ui, job, sheet, columns);
	buf_init(&text, WORDS_MAX);
	if (columns[CELL_ENTRY] + 1 + columns[CELL_CAPACITY] + 1 + columns[CELL_VERDICT] >
	    sheet->at.w) {
		columns[CELL_VERDICT] = 0;
		if (job_prefs(job)->length > 0 && verdict(ui, job, 0, &text) == STYLE_PENDING)
			sheet_textf(sheet, STYLE_PENDING, "%s:", buf_text(&text));
	}
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		write_entry(ui, job, i, columns, sheet);
	buf_release(&text);
}

/* "#1 lately not free 14:31, 14:02, free 11:20": what the jobs of a day saw of the type, this one
 * too; false where that is no more than the verdict. */
static bool add_sightings(const struct ui *ui, const struct job *job, size_t i, int columns,
			  struct buf *out)
{
	int64_t now_ms = ui_now_ms(ui);
	struct sightings seen = { .instance_type = job_prefs(job)->entries[i].instance_type,
				  .kind = job->kind,
				  .spot = job->spot,
				  .since_ms = now_ms - SIGHTINGS_MS };
	struct buf one;
	prospect_sight(ui, &seen);
	buf_init(&one, WORDS_MAX);
	buf_addf(out, "#%zu lately", i + 1);
	for (size_t k = 0; k < seen.count && k < SIGHTINGS_SHOWN; k++) {
		const struct sighting *sighting = &seen.newest[k];
		buf_clear(&one);
		buf_add_text(&one, k > 0 ? ", " : " ");
		if (k == 0 || seen.newest[k - 1].free != sighting->free)
			buf_add_text(&one, sighting->free ? "free " : "not free ");
		words_time(&one, sighting->at_ms, now_ms, ui->env->utc);
		if (text_width(buf_text(out)) + text_width(buf_text(&one)) > columns)
			break;
		buf_add_text(out, buf_text(&one));
	}
	buf_release(&one);
	return seen.count > 1;
}

/* Below all else, where there is room for it. */
static void write_sightings(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	struct buf text;
	if (job_phase(job) != PHASE_PENDING || !job_has_details(job) || job->has_groups)
		return;
	buf_init(&text, WORDS_MAX);
	for (size_t i = 0; i < job_prefs(job)->length && sheet->line < sheet->at.h; i++) {
		buf_clear(&text);
		if (!prefs_plan(job_prefs(job), i)[0] &&
		    add_sightings(ui, job, i, sheet->at.w, &text))
			sheet_text(sheet, STYLE_DIM, buf_text(&text));
	}
	buf_release(&text);
}

static void write_list(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	if (!job_has_details(job)) {
		sheet_text(sheet, STYLE_DIM, "list: not read yet");
		return;
	}
	if (job_prefs(job)->length == 0)
		sheet_text(sheet, STYLE_DIM, "no instance type is published for this job");
	else if (job->has_groups)
		sheet_text(sheet, STYLE_DIM, "instance groups, all of them needed:");
	else if (!job_prefs(job)->is_list)
		sheet_text(sheet, STYLE_DIM, "no preference list, one type:");
	write_entries(ui, job, sheet);
	if (prefs_has_unplaced_plan(job_prefs(job)))
		sheet_textf(sheet, STYLE_TEXT, "plan %s serves the entry of its type",
			    words_plan(job_prefs(job)->job_plan_arn));
	if (job->selected.set && job->selected.rank == 0)
		sheet_textf(sheet, STYLE_WARNING, "selected %s, which is not in the list",
			    job->selected.instance_type);
}

/* What is no job has no queue: what it is instead. */
static void write_local(const struct ui *ui, struct sheet *sheet)
{
	const struct draft *draft = ui_draft(ui);
	struct buf text;
	if (!draft)
		return;
	buf_init(&text, ERR_TEXT_MAX + WORDS_MAX);
	local_tell(&text, ui, draft);
	sheet_wrapped(sheet, local_phase(draft) == LOCAL_REFUSED ? STYLE_ERROR : STYLE_TEXT,
		      buf_text(&text));
	buf_release(&text);
}

static void queue_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	struct sheet sheet = sheet_begin(detail, out, at, FRESH_SHOWS_LIST);
	sheet.pane.leads = true;
	(void)focused;
	if (!job && ui_on_local(detail->ui)) {
		write_local(detail->ui, &sheet);
	} else if (!job) {
		sheet_text(&sheet, STYLE_DIM, "no job selected");
	} else {
		write_state(detail->ui, job, &sheet);
		write_stuck(detail->ui, job, &sheet);
		write_why(job, &sheet);
		write_remark(detail->ui, job, &sheet);
		write_pool(detail->ui, job, &sheet);
		write_list(detail->ui, job, &sheet);
		write_sightings(detail->ui, job, &sheet);
	}
	sheet_end(&sheet);
}

static void queue_note(const void *state, struct buf *out)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	if (job)
		buf_add_text(out, job->name);
	else if (ui_on_local(detail->ui) && ui_draft(detail->ui))
		buf_add_text(out, local_name(ui_draft(detail->ui)));
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
