/* The keys of the job list: moving, marking, and how the list looks. */
#include "views/compare.h"
#include "views/jobs_parts.h"
#include "views/local.h"

static long half_page(const struct jobs_state *state)
{
	return state->view->height > 2 ? state->view->height / 2 : 1;
}

static void jobs_down(void *state)
{
	jobs_move_by(state, 1);
}

static void jobs_up(void *state)
{
	jobs_move_by(state, -1);
}

static void jobs_half_down(void *state)
{
	jobs_move_by(state, half_page(state));
}

static void jobs_half_up(void *state)
{
	jobs_move_by(state, -half_page(state));
}

static void jobs_page_down(void *state)
{
	jobs_move_by(state, 2 * half_page(state));
}

static void jobs_page_up(void *state)
{
	jobs_move_by(state, -2 * half_page(state));
}

static void jobs_first(void *state)
{
	jobs_move_by(state, -(long)((struct jobs_state *)state)->count);
}

static void jobs_last(void *state)
{
	jobs_move_by(state, (long)((struct jobs_state *)state)->count);
}

static void jobs_open_selected(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	if (ui_selected(ui))
		ui->push(ui, &description_pane, NULL);
	else if (ui_draft(ui))
		ui->edit_list(ui);
}

static void jobs_discard(void *state)
{
	local_discard(((struct jobs_state *)state)->ui);
}

/* On to the next: a run of jobs is marked by as many presses. */
static void jobs_mark(void *state)
{
	struct jobs_state *jobs = state;
	if (jobs->count == 0)
		return;
	if (jobs->range_id) {
		jobs_range(jobs);
		return;
	}
	if (jobs_draft_at(jobs, jobs->view->table.cursor)) {
		jobs->ui->say(jobs->ui, STYLE_DIM, "this row is no job: it has no mark");
		return;
	}
	marks_toggle(&jobs->ui->marks, jobs_id_at(jobs, jobs->view->table.cursor));
	jobs_move_by(jobs, 1);
}

static void jobs_unmark(void *state)
{
	marks_clear(&((struct jobs_state *)state)->ui->marks);
}

static void jobs_compare(void *state)
{
	compare_begin(((struct jobs_state *)state)->ui);
}

static void jobs_columns_of(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	ui->push(ui, &columns_pane, NULL);
}

static void jobs_reverse(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	ui->look.reverse = !ui->look.reverse;
	ui->changed(ui);
}

static void jobs_wide(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	ui->look.wide = !ui->look.wide;
	ui->look.skip = 0;
	ui->changed(ui);
}

static void jobs_left(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	ui->look.skip -= ui->look.skip > 0 ? 1 : 0;
	ui->changed(ui);
}

static void jobs_right(void *state)
{
	struct ui *ui = ((struct jobs_state *)state)->ui;
	uint8_t order[JOBS_COLUMNS_MAX];
	size_t count = ui->look.wide ? jobs_column_count : jobs_look_shown(&ui->look, order);
	ui->look.skip += ui->look.skip + 2 < count ? 1 : 0;
	ui->changed(ui);
}

static void jobs_find(void *state)
{
	struct jobs_state *jobs = state;
	jobs->ui->push(jobs->ui, &find_pane, &(struct find_argument){ jobs });
}

static void jobs_next_match(void *state)
{
	jobs_find_next(state, false);
}

static void jobs_match_before(void *state)
{
	jobs_find_next(state, true);
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "job-open",
	  .help = "open the selected job: all of its description",
	  .brief = "open",
	  .flags = KEY_FOOTER,
	  .run = jobs_open_selected },
	{ .keys = "j Down", .action = "job-down", .help = "next job", .run = jobs_down },
	{ .keys = "k Up", .action = "job-up", .help = "previous job", .run = jobs_up },
	{ .keys = "g Home", .action = "job-first", .help = "first job", .run = jobs_first },
	{ .keys = "G End", .action = "job-last", .help = "last job", .run = jobs_last },
	{ .keys = "/ F3",
	  .action = "jobs-find",
	  .help = "search, as a filter is written; nothing is hidden",
	  .run = jobs_find },
	{ .keys = "n",
	  .action = "jobs-find-next",
	  .help = "the next match of the search",
	  .run = jobs_next_match },
	{ .keys = "N",
	  .action = "jobs-find-before",
	  .help = "the match before",
	  .run = jobs_match_before },
	{ .keys = "Space",
	  .action = "job-mark",
	  .help = "mark the job for a change of many, or unmark it",
	  .run = jobs_mark },
	{ .keys = "v",
	  .action = "job-range",
	  .help = "begin a range of marks, and mark it at its end",
	  .run = jobs_range },
	{ .keys = "m",
	  .action = "job-pin",
	  .help = "pin the job: first in the list, whatever it shows",
	  .run = jobs_pin },
	{ .keys = "F",
	  .action = "job-follow",
	  .help = "follow the job, into its requeue too; or no longer",
	  .run = jobs_follow },
	{ .keys = "Z",
	  .action = "jobs-freeze",
	  .help = "freeze the rows where they are, or go on",
	  .run = jobs_freeze },
	{ .keys = "=",
	  .action = "job-compare",
	  .help = "compare it with the marked one: what differs",
	  .run = jobs_compare },
	{ .keys = "U",
	  .action = "job-unmark-all",
	  .help = "take all marks away",
	  .run = jobs_unmark },
	{ .keys = "D",
	  .action = "draft-discard",
	  .help = "discard the draft or refused submission of this row",
	  .run = jobs_discard },
	{ .keys = "o F6",
	  .action = "jobs-sort",
	  .help = "sort by a column",
	  .run = jobs_columns_of },
	{ .keys = "I",
	  .action = "jobs-reverse",
	  .help = "the other way round",
	  .run = jobs_reverse },
	{ .keys = "c",
	  .action = "jobs-columns",
	  .help = "the columns: which, and in which order",
	  .run = jobs_columns_of },
	{ .keys = "w",
	  .action = "jobs-wide",
	  .help = "all columns, or those that fit",
	  .run = jobs_wide },
	{ .keys = "l Right",
	  .action = "jobs-right",
	  .help = "columns further right",
	  .run = jobs_right },
	{ .keys = "h Left",
	  .action = "jobs-left",
	  .help = "columns further left",
	  .run = jobs_left },
	{ .keys = "C-d",
	  .action = "job-half-down",
	  .help = "half a page down",
	  .run = jobs_half_down },
	{ .keys = "C-u", .action = "job-half-up", .help = "half a page up", .run = jobs_half_up },
	{ .keys = "PgDn", .action = "job-page-down", .help = "a page down", .run = jobs_page_down },
	{ .keys = "PgUp", .action = "job-page-up", .help = "a page up", .run = jobs_page_up },
	{ 0 },
};

const struct key_scope jobs_scope = { .name = "Jobs",
				      .bindings = bindings,
				      .parent = &screen_scope };
