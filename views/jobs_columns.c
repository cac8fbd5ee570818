/* The columns of the job list: what each says of a job, or of a row that is none. */
#include "views/jobs_parts.h"

#include <string.h>

#include "views/local.h"
#include "views/prospect.h"
#include "views/words.h"

#define STUCK_MARK '!' /* before the wait: somebody should look at it */

const struct job *jobs_job_at(const struct jobs_state *state, size_t row)
{
	const struct store *store = state->ui->env->store;
	size_t at = state->jobs.items[row - state->locals.count].at;
	return store_at(store, at < store->count ? at : store->count - 1);
}

const struct draft *jobs_draft_at(const void *rows, size_t row)
{
	const struct jobs_state *state = rows;
	return row < state->locals.count ? state->locals.items[row].draft : NULL;
}

static void format_name(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct draft *draft = jobs_draft_at(rows, row);
	(void)style;
	buf_add_text(out, draft ? local_name(draft) : jobs_job_at(rows, row)->name);
}

static void format_kind(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_DIM;
	if (jobs_draft_at(rows, row))
		buf_add_char(out, LOCAL_LETTER);
	else
		buf_add_char(out, jobs_job_at(rows, row)->kind == JOB_TRAINING ? 'T' : 'P');
}

static void format_phase(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct draft *draft = jobs_draft_at(rows, row);
	if (draft) {
		*style = local_style(local_phase(draft));
		buf_add_text(out, local_word(local_phase(draft)));
		return;
	}
	const struct job *job = jobs_job_at(rows, row);
	const struct ui *ui = ((const struct jobs_state *)rows)->ui;
	if (gpu_watch_idle(&ui->env->store->gpus, job, ui_now_ms(ui))) {
		*style = STYLE_WARNING;
		buf_add_text(out, "Idle GPUs"); /* it is running, and paid for */
		return;
	}
	*style = words_phase_style(job_phase(job));
	if (job_phase(job) == PHASE_UNKNOWN && !job->described)
		*style = STYLE_DIM; /* a processing job before its first Describe: not odd */
	words_first_line(out, words_phase(job));
}

static void format_wait(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct jobs_state *state = rows;
	const struct draft *draft = jobs_draft_at(rows, row);
	*style = STYLE_DIM;
	if (draft) {
		local_add_wait(out, state->ui, draft);
		return;
	}
	const struct job *job = jobs_job_at(rows, row);
	*style = job_phase(job) == PHASE_PENDING ? STYLE_PENDING : STYLE_DIM;
	if (prospect_stuck(state->ui, job)) {
		*style = STYLE_WARNING;
		buf_add_char(out, STUCK_MARK);
	}
	words_wait(out, job, ui_now_ms(state->ui));
}

static int bar_limit(const void *rows, size_t row)
{
	const struct jobs_state *state = rows;
	if (jobs_draft_at(rows, row))
		return -1;
	return words_limit_permille(state->ui->env->store, jobs_job_at(rows, row),
				    ui_now_ms(state->ui));
}

static void format_limit(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_DIM;
	if (jobs_draft_at(rows, row)) {
		buf_add_text(out, "–");
		return;
	}
	const struct job *job = jobs_job_at(rows, row);
	buf_add_text(out, job_has_details(job) || job_has_ended(job) ? "–" : "?");
}

static void format_selected(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_DIM;
	if (jobs_draft_at(rows, row)) {
		buf_add_text(out, "–");
		return;
	}
	const struct job *job = jobs_job_at(rows, row);
	if (!job_has_details(job))
		buf_add_char(out, '?');
	else if (!job->selected.set)
		buf_add_text(out, "–");
	else if (job->selected.rank == 0)
		buf_add_text(out, "#?");
	else
		buf_addf(out, "#%zu", job->selected.rank);
	if (job->selected.set)
		*style = job->selected.rank == 1 ? STYLE_TEXT : STYLE_WARNING;
}

static void format_type(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct draft *draft = jobs_draft_at(rows, row);
	const struct job *job = draft ? &draft->job : jobs_job_at(rows, row);
	const struct preferences *prefs = draft ? &draft->prefs : &job->prefs;
	*style = STYLE_DIM;
	if (job->selected.set) {
		*style = STYLE_TEXT;
		buf_add_text(out, job->selected.instance_type);
	} else if (prefs->length > 0) {
		buf_add_text(out, prefs->entries[0].instance_type);
	} else {
		buf_add_char(out, '?');
	}
}

static void format_message(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct draft *draft = jobs_draft_at(rows, row);
	*style = STYLE_DIM;
	if (draft) {
		local_add_message(out, draft);
		return;
	}
	const struct job *job = jobs_job_at(rows, row);
	words_first_line(out, job->failure_reason ? job->failure_reason : job->status_message);
}

/* Free text last: whatever it does, it pushes nothing else about. */
static const struct column columns[] = {
	{ .id = "name", .title = "NAME", .minimum = 24, .weight = 3, .format = format_name },
	{ .id = "kind", .title = "K", .minimum = 1, .format = format_kind },
	{ .id = "phase", .title = "PHASE", .minimum = 10, .format = format_phase },
	{ .id = "wait", .title = "WAIT", .minimum = 6, .right = true, .format = format_wait },
	{ .id = "limit", .title = "LIMIT", .minimum = 5, .format = format_limit, .bar = bar_limit },
	{ .id = "selected", .title = "SEL", .minimum = 3, .format = format_selected },
	{ .id = "type", .title = "TYPE", .minimum = 18, .format = format_type },
	{ .id = "message",
	  .title = "MESSAGE",
	  .minimum = 36,
	  .weight = 2,
	  .format = format_message },
};

/* What is left when those above do not fit: name and phase on the narrowest. */
static const struct column narrow_columns[] = {
	{ .id = "name", .title = "NAME", .minimum = 7, .weight = 1, .format = format_name },
	{ .id = "phase", .title = "PHASE", .minimum = 10, .format = format_phase },
	{ .id = "wait", .title = "WAIT", .minimum = 6, .right = true, .format = format_wait },
	{ .id = "selected", .title = "SEL", .minimum = 3, .format = format_selected },
	{ .id = "kind", .title = "K", .minimum = 1, .format = format_kind },
};
#define WIDE_COLUMNS   56  /* NAME to SEL with their gaps and the cursor's */
#define WIDEST_COLUMNS 130 /* MESSAGE too, with names still whole */

void jobs_choose_columns(struct table *table, int width)
{
	bool wide = width >= WIDE_COLUMNS;
	table->columns = wide ? columns : narrow_columns;
	table->column_count = wide ? ARRAY_LEN(columns) : ARRAY_LEN(narrow_columns);
	if (wide && width < WIDEST_COLUMNS)
		table->column_count--;
}
