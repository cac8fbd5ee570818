/* The job list: live first (pending by wait), then ended, newest first; filtered by words. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/filter.h"
#include "model/order.h"
#include "tui/table.h"
#include "views/header.h"
#include "views/jobs_parts.h"
#include "views/local.h"
#include "views/prospect.h"
#include "views/requeue.h"
#include "views/text/report.h"
#include "views/words.h"

#define RENEW_MS    5000 /* as the lists are asked for */
#define AHEAD       8    /* jobs */
#define AHEAD_BYTES offsetof(struct job, created)
#define CACHE_LINE  64

const char *jobs_id_at(const void *rows, size_t row)
{
	const struct draft *draft = jobs_draft_at(rows, row);
	return draft ? draft->job.arn : jobs_job_at(rows, row)->arn;
}

static bool is_pinned(const void *rows, size_t row)
{
	const struct jobs_state *state = rows;
	return !jobs_draft_at(rows, row) && jobs_is_pinned(state->ui, jobs_job_at(state, row));
}

static bool is_marked(const void *rows, size_t row)
{
	const struct jobs_state *state = rows;
	return jobs_in_range(state, row) || marks_has(&state->ui->marks, jobs_id_at(rows, row));
}

/* --- rows --- */

static bool shows(const struct ui *ui, const struct job *job, const struct filter_ask *ask)
{
	return (!ui->pending_only || order_group(job_phase(job)) == GROUP_WAITING) &&
	       filter_matches(ui->terms, job, ask);
}

bool ui_shows(const struct ui *ui, const struct job *job)
{
	const struct filter_ask ask = ui_filter_ask(ui);
	return shows(ui, job, &ask);
}

/* While the filter stands the selected row stays, even if it has just stopped being what the filter
 * asks for: the moment a pending job starts is the one that is watched for. NULL: none stays. */
static const char *kept_id(const struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	bool stands =
		ui->pending_only == state->pending_only && strcmp(ui->filter, state->filter) == 0;
	return stands ? state->view->table.cursor_id : NULL;
}

static bool is_id(const char *id, const char *of)
{
	return id && strcmp(id, of) == 0;
}

/* The newest first: their ids are times. */
static int compare_locals(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return strcmp(y->key.draft->id, x->key.draft->id);
}

static void add_row(struct rows *rows, const struct row *row)
{
	rows->items = mem_grow(rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = *row;
}

static void sort_rows(struct rows *rows, int (*compare)(const void *a, const void *b))
{
	if (rows->count > 1)
		qsort(rows->items, rows->count, sizeof(*rows->items), compare);
}

static void collect_locals(struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	const char *kept = kept_id(state);
	state->locals.count = 0;
	for (const struct draft *draft = ui->drafts; draft; draft = draft->next) {
		if (local_has_row(ui, draft) &&
		    (local_shows(ui, draft) || is_id(kept, draft->job.arn)))
			add_row(&state->locals, &(struct row){ .key.draft = draft });
	}
	sort_rows(&state->locals, compare_locals);
}

/* 100,000 jobs lie far apart: what is looked at of a later one is on its way meanwhile. */
static void fetch_ahead(const struct store *store, size_t i)
{
	if (i + AHEAD < store->count) {
		const char *job = (const char *)store_at(store, i + AHEAD);
		for (size_t at = 0; at < AHEAD_BYTES; at += CACHE_LINE)
			__builtin_prefetch(job + at);
	}
}

static void collect_jobs(struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	const struct store *store = ui->env->store;
	const struct job *kept = store_find(store, kept_id(state));
	struct filter_memo memo = { 0 };
	struct filter_ask ask = ui_filter_ask(ui);
	int64_t now_ms = ask.now_ms;
	ask.memo = &memo;
	state->jobs.count = 0;
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);
		fetch_ahead(store, i);
		if (!shows(ui, job, &ask) && job != kept && !jobs_holds(ui, job))
			continue;
		struct row row = { .at = (uint32_t)i, .place = order_place(job, now_ms) };
		row.place.stuck = row.place.group == GROUP_WAITING && prospect_stuck(ui, job) != 0;
		jobs_sort_key(&ui->look, job, &ask, &row);
		row.pinned = jobs_is_pinned(ui, job);
		add_row(&state->jobs, &row);
	}
	sort_rows(&state->jobs,
		  ui->look.sort == 0 && ui->look.reverse ? jobs_order_back : jobs_order);
	state->sort = ui->look.sort;
	state->reverse = ui->look.reverse;
	memcpy(state->filter, ui->filter, sizeof(state->filter));
	state->pending_only = ui->pending_only;
	state->ui->shown = state->jobs.count;
	state->version = store->version;
	state->collected_ms = now_ms;
}

/* Another filter, order or pin than the rows were made with. */
static bool is_another(const struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	return state->anew || state->pending_only != ui->pending_only ||
	       strcmp(state->filter, ui->filter) != 0 || state->sort != ui->look.sort ||
	       state->reverse != ui->look.reverse;
}

/* An edit of a list refreshes all panes: the jobs are the same then, and there may be thousands. By
 * time alone, as one that gets stuck, they change their places seldom. */
static void collect_rows(struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	int64_t age_ms = ui_now_ms(ui) - state->collected_ms;
	bool another = is_another(state);
	bool old = state->version != ui->env->store->version || age_ms < 0 || age_ms >= RENEW_MS;
	collect_locals(state);
	if (another || (old && !state->is_frozen))
		collect_jobs(state);
	if (another && state->is_frozen)
		jobs_keep_frozen(state);
	else if (old && state->is_frozen)
		jobs_collect_frozen(state);
	state->anew = false;
	state->count = state->locals.count + state->jobs.count;
}

/* A job's row by its place in the store: among 100,000 ARNs are far to look at. */
static bool find_row(const void *rows, const char *id, size_t *row)
{
	const struct jobs_state *state = rows;
	size_t at;
	for (size_t i = 0; i < state->locals.count; i++) {
		*row = i;
		if (strcmp(state->locals.items[i].key.draft->job.arn, id) == 0)
			return true;
	}
	if (!store_place(state->ui->env->store, id, &at))
		return false;
	for (size_t i = 0; i < state->jobs.count; i++) {
		*row = state->locals.count + i;
		if (state->jobs.items[i].at == at)
			return true;
	}
	return false;
}

static void take_selection(struct jobs_state *state)
{
	const struct table *table = &state->view->table;
	state->selecting = true;
	state->ui->select(state->ui, state->count > 0 ? jobs_id_at(state, table->cursor) : NULL);
	state->selecting = false;
}

/* The job just submitted, or selected here before, takes the cursor when its row comes, unless that
 * has been moved since. */
static void take_awaited(struct jobs_state *state)
{
	struct ui *ui = state->ui;
	size_t row;
	if (ui->awaited_arn && find_row(state, ui->awaited_arn, &row)) {
		mem_set_text(&state->view->table.cursor_id, ui->awaited_arn);
		jobs_follow_on(state, ui->awaited_arn);
		mem_set_text(&ui->awaited_arn, NULL);
		state->settled = true;
		return;
	}
	if (ui->selected_arn)
		mem_set_text(&state->view->table.cursor_id, ui->selected_arn);
}

/* The lists come one after the other: until both have spoken, or somebody has pressed a key, the
 * cursor stands on the first job, whichever that is, and the longest wait stays in sight. */
static void stand_at_top(struct jobs_state *state)
{
	const struct ui *ui = state->ui;
	bool answered = true;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		answered = answered && (ui->env->store->sources[i].loaded ||
					ui->env->store->sources[i].failing);
	if (!state->settled && !ui->touched) {
		mem_set_text(&state->view->table.cursor_id, NULL);
		state->view->table.cursor =
			state->locals.count < state->count ? state->locals.count : 0;
		state->view->table.top = 0;
	}
	state->settled = state->settled || ui->touched || answered;
}

static void jobs_refresh(void *state)
{
	struct jobs_state *jobs = state;
	struct table *table = &jobs->view->table;
	if (jobs->selecting)
		return;
	marks_settle(&jobs->ui->marks, jobs->ui->env->store);
	marks_settle(&jobs->ui->pins, jobs->ui->env->store);
	collect_rows(jobs);
	take_awaited(jobs);
	stand_at_top(jobs);
	jobs_take_followed(jobs);
	table_settle(table, jobs->count, jobs, jobs_id_at);
	jobs_settle_range(jobs);
	take_selection(jobs);
}

/* The setting, until somebody has chosen other ones; of what it does not know it is said. */
static void read_columns(struct ui *ui)
{
	const struct config *config = ui->env->config;
	const char *text = config ? config->settings[SETTING_COLUMNS].text : NULL;
	struct buf wrong, line;
	if (!text || ui->look.count > 0)
		return;
	buf_init(&wrong, WORDS_MAX);
	buf_init(&line, WORDS_MAX);
	jobs_look_read(&ui->look, text, &wrong);
	if (wrong.len > 0) {
		buf_addf(&line, "the setting columns: there is no %s; c has those there are",
			 buf_text(&wrong));
		ui->say(ui, STYLE_WARNING, buf_text(&line));
	}
	buf_release(&line);
	buf_release(&wrong);
}

static void jobs_open(void *state, struct ui *ui, const void *argument)
{
	struct jobs_state *jobs = state;
	(void)argument;
	jobs->ui = ui;
	read_columns(ui);
	jobs->view = mem_new(1, sizeof(*jobs->view));
	jobs->view->table.marked = is_marked;
	jobs->view->table.pinned = is_pinned;
	jobs->view->table.find = find_row;
}

static void jobs_close(void *state)
{
	struct jobs_state *jobs = state;
	table_release(&jobs->view->table);
	jobs_thaw(jobs);
	free(jobs->range_id);
	free(jobs->view);
	free(jobs->locals.items);
	free(jobs->jobs.items);
}

/* --- the cursor --- */

void jobs_move_by(struct jobs_state *state, long delta)
{
	if (state->count == 0)
		return;
	mem_set_text(&state->ui->awaited_arn, NULL);
	table_move(&state->view->table, delta, state->count, state, jobs_id_at);
	if (delta != 0)
		jobs_follow_on(state, NULL);
	take_selection(state);
}

static bool jobs_mouse(void *state, struct rect at, const struct mouse *mouse)
{
	struct jobs_state *jobs = state;
	const struct table *table = &jobs->view->table;
	size_t row;
	if (mouse->act != MOUSE_PRESS || jobs->count == 0 ||
	    !table_row_at(table, at, mouse->y, jobs->count, &row))
		return false;
	jobs_move_by(jobs, (long)row - (long)table->cursor);
	return true;
}

/* --- picture --- */

static bool is_loaded(const struct store *store)
{
	return store->sources[SOURCE_TRAINING].loaded || store->sources[SOURCE_PROCESSING].loaded;
}

static void draw_empty(const struct jobs_state *state, struct surface *out, struct rect at)
{
	const struct ui *ui = state->ui;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (ui->env->store->count > 0)
		buf_add_text(&text, "No job matches. a shows all.");
	else if (is_loaded(ui->env->store))
		buf_add_text(&text, "No jobs in this region.\n");
	else if (state->ui->env->store->sources[SOURCE_TRAINING].failing)
		buf_add_text(&text, "No data.\n");
	else
		buf_add_text(&text, "Waiting for the first answer of AWS.\n");
	if (ui->env->store->count == 0)
		header_add_trouble(ui, &text);
	(void)draw_wrapped(out, at, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void jobs_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct jobs_state *jobs = state;
	(void)focused;
	jobs->view->height = at.h - 1;
	jobs_choose_columns(&jobs->ui->look, jobs->view, at.w);
	if (jobs->count == 0 || (jobs->locals.count == 0 && jobs->ui->env->store->count == 0))
		draw_empty(jobs, out, at);
	else
		table_draw(&jobs->view->table, out, at, jobs, jobs->count);
}

/* Marks of jobs that the filter leaves out: an action takes them all the same. */
static size_t hidden_marks(const struct jobs_state *state)
{
	const struct marks *marks = &state->ui->marks;
	size_t hidden = 0;
	for (size_t i = 0; i < marks->count; i++) {
		const struct job *job = store_find(state->ui->env->store, marks->arns[i]);
		hidden += !job || !(ui_shows(state->ui, job) || is_id(kept_id(state), job->arn));
	}
	return hidden;
}

static void jobs_note(const void *state, struct buf *out)
{
	const struct jobs_state *jobs = state;
	const struct ui *ui = jobs->ui;
	const size_t hidden = hidden_marks(jobs);
	if (hidden > 0)
		buf_addf(out, "%zu marked (%zu not shown)  ", ui->marks.count, hidden);
	else if (ui->marks.count > 0)
		buf_addf(out, "%zu marked  ", ui->marks.count);
	if (jobs->is_frozen)
		buf_add_text(out, "frozen  ");
	if (jobs->range_id)
		buf_add_text(out, "a range  ");
	if (ui->pins.count > 0)
		buf_addf(out, "%zu pinned  ", ui->pins.count);
	if (ui->followed_arn)
		buf_add_text(out, "following  ");
	if (requeue_count(ui) > 0)
		buf_addf(out, "%zu being requeued  ", requeue_count(ui));
	if (ui->pending_only)
		buf_add_text(out, "pending only  ");
	if (ui->filter[0])
		buf_addf(out, "filter: %s  ", ui->filter);
	if (ui->look.sort > 0)
		buf_addf(out, "by %s%s  ", jobs_columns[ui->look.sort - 1].column.id,
			 ui->look.reverse ? " reversed" : "");
	else if (ui->look.reverse)
		buf_add_text(out, "reversed  ");
	if (ui->drafts_trouble)
		buf_add_text(out, "drafts not on disk  ");
	if (jobs->locals.count)
		buf_addf(out, "%zu local  ", jobs->locals.count);
	buf_addf(out, "%zu of %zu", jobs->jobs.count, ui->env->store->count);
}

/* The jobs that pass the filter, in their order; drafts are none. */
static void jobs_write(const void *state, const struct report_context *context, struct buf *out)
{
	const struct jobs_state *jobs = state;
	const struct job **rows = mem_new(jobs->jobs.count + 1, sizeof(const struct job *));
	size_t count = 0;
	for (size_t row = jobs->locals.count; row < jobs->count; row++)
		rows[count++] = jobs_job_at(jobs, row);
	report_jobs(out, context, rows, count);
	free(rows);
}

const struct pane_ops jobs_pane = {
	.name = "jobs",
	.title = "Jobs",
	.scope = &jobs_scope,
	.state_size = sizeof(struct jobs_state),
	.open = jobs_open,
	.close = jobs_close,
	.refresh = jobs_refresh,
	.feed = jobs_feed,
	.mouse = jobs_mouse,
	.draw = jobs_draw,
	.note = jobs_note,
	.writes = "csv json jsonl md txt",
	.write = jobs_write,
};
