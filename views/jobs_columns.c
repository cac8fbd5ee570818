/* The columns of the job list: what each says of a job, or of a row that is none. */
#include "views/jobs_parts.h"

#include <inttypes.h>
#include <string.h>

#include "model/price.h"
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
	return row < state->locals.count ? state->locals.items[row].key.draft : NULL;
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
	const struct preferences *prefs = draft ? &draft->prefs : job_prefs(job);
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

static const struct job *job_of(const void *rows, size_t row)
{
	return jobs_draft_at(rows, row) ? NULL : jobs_job_at(rows, row);
}

/* A figure of the filter's fields; "–" for a row that is no job, "?" where it is not known. */
static bool take_figure(const void *rows, size_t row, const char *field, struct buf *out,
			int64_t *figure)
{
	const struct jobs_state *state = rows;
	const struct job *job = job_of(rows, row);
	const struct filter_ask ask = ui_filter_ask(state->ui);
	if (job && filter_figure(field)(job, &ask, figure))
		return true;
	buf_add_text(out, job ? "?" : "–");
	return false;
}

static void format_count(const void *rows, size_t row, struct buf *out, enum style *style)
{
	int64_t count;
	*style = STYLE_DIM;
	if (take_figure(rows, row, "count", out, &count))
		buf_addf(out, "%" PRId64, count);
}

static void format_run(const void *rows, size_t row, struct buf *out, enum style *style)
{
	int64_t ms;
	*style = STYLE_DIM;
	if (take_figure(rows, row, "run", out, &ms))
		words_duration(out, ms);
}

static void format_created(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct jobs_state *state = rows;
	const struct job *job = job_of(rows, row);
	*style = STYLE_DIM;
	if (job && job->created.set)
		words_time(out, job->created.ms, ui_now_ms(state->ui), state->ui->env->utc);
	else
		buf_add_text(out, job ? "?" : "–");
}

static void format_money(const void *rows, size_t row, struct buf *out, const char *field)
{
	const struct jobs_state *state = rows;
	int64_t micro;
	if (!take_figure(rows, row, field, out, &micro))
		return;
	const struct cost cost =
		price_job_cost(jobs_job_at(state, row), &state->ui->env->store->prices,
			       ui_now_ms(state->ui));
	words_money(out, micro, cost.currency, price_is_approximate(cost.source));
}

static void format_cost(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_MONEY;
	format_money(rows, row, out, "cost");
}

static void format_hour(const void *rows, size_t row, struct buf *out, enum style *style)
{
	*style = STYLE_MONEY;
	format_money(rows, row, out, "hour");
}

/* --- what is sorted by --- */

static const char *name_text(const struct job *job)
{
	return job->name;
}

static const char *type_text(const struct job *job)
{
	if (job->selected.set)
		return job->selected.instance_type;
	return job_prefs(job)->length > 0 ? job_prefs(job)->entries[0].instance_type : NULL;
}

static const char *message_text(const struct job *job)
{
	return job->failure_reason ? job->failure_reason : job->status_message;
}

static bool kind_figure(const struct job *job, int64_t *out)
{
	*out = job->kind;
	return true;
}

static bool phase_figure(const struct job *job, int64_t *out)
{
	*out = job_phase(job);
	return true;
}

static bool created_figure(const struct job *job, int64_t *out)
{
	*out = job->created.ms;
	return job->created.set;
}

/* The standard ones first (jobs_look.c), and of them free text last: whatever it does, it pushes
 * nothing else about. */
const struct jobs_column jobs_columns[] = {
	{ { .id = "name", .title = "NAME", .minimum = 24, .weight = 3, .format = format_name },
	  "the job's name",
	  .text = name_text },
	{ { .id = "kind", .title = "K", .minimum = 1, .format = format_kind },
	  "training or processing",
	  .figure = kind_figure },
	{ { .id = "phase", .title = "PHASE", .minimum = 10, .format = format_phase },
	  "what it does",
	  .figure = phase_figure },
	{ { .id = "wait", .title = "WAIT", .minimum = 6, .right = true, .format = format_wait },
	  "how long it has waited",
	  .field = "wait",
	  .greatest_first = true },
	{ { .id = "limit",
	    .title = "LIMIT",
	    .minimum = 5,
	    .format = format_limit,
	    .bar = bar_limit },
	  "how much of its pending limit is over",
	  .field = "limit" },
	{ { .id = "selected", .title = "SEL", .minimum = 3, .format = format_selected },
	  "the choice that it runs on",
	  .field = "rank",
	  .greatest_first = true },
	{ { .id = "type", .title = "TYPE", .minimum = 18, .format = format_type },
	  "its instance type, else its first choice",
	  .text = type_text },
	{ { .id = "message",
	    .title = "MESSAGE",
	    .minimum = 36,
	    .weight = 2,
	    .format = format_message },
	  "AWS's reason or newest message",
	  .text = message_text },
	{ { .id = "count", .title = "N", .minimum = 3, .right = true, .format = format_count },
	  "its instances",
	  .field = "count",
	  .greatest_first = true },
	{ { .id = "created",
	    .title = "CREATED",
	    .minimum = 12,
	    .right = true,
	    .format = format_created },
	  "when it was submitted",
	  .figure = created_figure,
	  .greatest_first = true },
	{ { .id = "run", .title = "RUN", .minimum = 6, .right = true, .format = format_run },
	  "how long it has run",
	  .field = "run",
	  .greatest_first = true },
	{ { .id = "cost", .title = "COST", .minimum = 8, .right = true, .format = format_cost },
	  "what it has cost so far",
	  .field = "cost",
	  .greatest_first = true },
	{ { .id = "hour", .title = "PER HOUR", .minimum = 8, .right = true, .format = format_hour },
	  "what it costs by the hour",
	  .field = "hour",
	  .greatest_first = true },
};
const size_t jobs_column_count = ARRAY_LEN(jobs_columns);

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

static void use_narrow(struct view *view)
{
	memcpy(view->columns, narrow_columns, sizeof(narrow_columns));
	view->table.column_count = ARRAY_LEN(narrow_columns);
}

/* All there are: those that are shown, and the others behind them. */
static size_t take_all(const struct jobs_look *look, uint8_t out[JOBS_COLUMNS_MAX])
{
	size_t count = jobs_look_shown(look, out), shown = count;
	for (size_t i = 0; i < jobs_column_count; i++) {
		size_t at = 0;
		while (at < shown && out[at] != i)
			at++;
		if (at == shown)
			out[count++] = (uint8_t)i;
	}
	return count;
}

/* The first one stays while the others are scrolled. */
static void use(const struct jobs_look *look, const uint8_t *order, size_t count, struct view *view)
{
	size_t skip = look->skip + 1 < count ? look->skip : count - 1;
	view->table.column_count = 0;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || i > skip)
			view->columns[view->table.column_count++] = jobs_columns[order[i]].column;
}

void jobs_choose_columns(const struct jobs_look *look, struct view *view, int width)
{
	uint8_t order[JOBS_COLUMNS_MAX];
	size_t count = look->wide ? take_all(look, order) : jobs_look_shown(look, order);
	bool standard = !look->wide && look->count == 0;
	view->table.columns = view->columns;
	view->table.sorted = look->sort > 0 ? jobs_columns[look->sort - 1].column.id : NULL;
	view->table.falls =
		look->sort > 0 && jobs_columns[look->sort - 1].greatest_first != look->reverse;
	if (standard && width < WIDE_COLUMNS) {
		use_narrow(view);
		return;
	}
	if (standard && width < WIDEST_COLUMNS && look->skip == 0)
		count--;
	use(look, order, count, view);
}
