/* The search line of the job list: each key goes to the first match from where it was opened;
 * leaving it goes back. What it asks for is written as a filter is, and hides nothing. */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/prompt.h"
#include "views/jobs_parts.h"

#define SAID_COLUMNS 60

struct line {
	struct jobs_state *jobs;
	struct prompt prompt;
	struct filter *what;   /* owned */
	size_t matches, place; /* how many there are; which of them the cursor is on, 0 = none */
	char *arn;             /* owned; where the cursor was */
};

/* The row is a job that the filter holds for. */
static bool is_match(const struct jobs_state *jobs, const struct filter *what,
		     const struct filter_ask *ask, size_t row)
{
	return !jobs_draft_at(jobs, row) && filter_matches(what, jobs_job_at(jobs, row), ask);
}

/* The next match from a row on, that row too, round the end; false: there is none. */
static bool next_match(const struct jobs_state *jobs, const struct filter *what, size_t from,
		       bool back, size_t *row)
{
	const struct filter_ask ask = ui_filter_ask(jobs->ui);
	for (size_t i = 0; i < jobs->count; i++) {
		size_t steps = back ? jobs->count - i : i;
		*row = (from + steps) % jobs->count;
		if (is_match(jobs, what, &ask, *row))
			return true;
	}
	return false;
}

static size_t count_matches(const struct jobs_state *jobs, const struct filter *what, size_t at,
			    size_t *place)
{
	const struct filter_ask ask = ui_filter_ask(jobs->ui);
	size_t count = 0;
	*place = 0;
	for (size_t row = 0; row < jobs->count; row++) {
		count += is_match(jobs, what, &ask, row);
		if (row == at && is_match(jobs, what, &ask, row))
			*place = count;
	}
	return count;
}

static void go_to(struct jobs_state *jobs, size_t row)
{
	jobs_move_by(jobs, (long)row - (long)jobs->view->table.cursor);
}

/* --- n and N --- */

void jobs_find_next(struct jobs_state *jobs, bool back)
{
	struct ui *ui = jobs->ui;
	struct filter *what = ui->find[0] ? filter_new(ui->find) : NULL;
	size_t cursor = jobs->view->table.cursor, row, place;
	char said[64];
	if (!what) {
		ui->say(ui, STYLE_DIM, "/ searches the list first");
		return;
	}
	size_t from = jobs->count > 0 ? (cursor + (back ? jobs->count - 1 : 1)) % jobs->count : 0;
	if (jobs->count > 0 && next_match(jobs, what, from, back, &row)) {
		size_t count = count_matches(jobs, what, row, &place);
		bool round = back ? row >= cursor : row <= cursor;
		go_to(jobs, row);
		(void)snprintf(said, sizeof(said), "match %zu of %zu%s", place, count,
			       round ? ", round the end" : "");
	} else {
		(void)snprintf(said, sizeof(said), "no job matches the search");
	}
	ui->say(ui, STYLE_DIM, said);
	filter_free(what);
}

/* --- the line --- */

static void find_open(void *state, struct ui *ui, const void *argument)
{
	struct line *line = state;
	const struct find_argument *wanted = argument;
	line->jobs = wanted->jobs;
	mem_set_text(&line->arn, ui->selected_arn);
	past_begin(&ui->finds);
	prompt_start(&line->prompt, "search: ", "");
}

static void find_close(void *state)
{
	struct line *line = state;
	filter_free(line->what);
	mem_set_text(&line->arn, NULL);
}

/* From where it was opened, whatever was found on the way. */
static void look(struct line *line)
{
	struct jobs_state *jobs = line->jobs;
	struct ui *ui = jobs->ui;
	size_t row;
	filter_free(line->what);
	line->what = line->prompt.text[0] ? filter_new(line->prompt.text) : NULL;
	const struct filter_wrong *wrong = filter_wrong(line->what);
	line->prompt.wrong_at = wrong ? wrong->at : 0;
	line->prompt.wrong_len = wrong ? wrong->len : 0;
	line->matches = line->place = 0;
	if (line->arn)
		ui->select(ui, line->arn);
	if (!line->what || jobs->count == 0 ||
	    !next_match(jobs, line->what, jobs->view->table.cursor, false, &row))
		return;
	line->matches = count_matches(jobs, line->what, row, &line->place);
	go_to(jobs, row);
}

static void find_keep(void *state)
{
	struct line *line = state;
	struct ui *ui = line->jobs->ui;
	if (line->prompt.text[0]) /* else as it was: n goes on with it */
		text_copy_cut(ui->find, sizeof(ui->find), line->prompt.text);
	past_add(&ui->finds, ui->find);
	ui->pop(ui);
}

static void find_undo(void *state)
{
	struct line *line = state;
	struct ui *ui = line->jobs->ui;
	if (line->arn)
		ui->select(ui, line->arn);
	ui->pop(ui);
}

static bool find_feed(void *state, struct key key, const char *paste)
{
	struct line *line = state;
	if (!paste && keys_find(find_scope.bindings, key, false))
		return false;
	if (paste || !past_feed(&line->jobs->ui->finds, &line->prompt, key))
		(void)prompt_feed(&line->prompt, key, paste);
	look(line);
	return true;
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "find-keep",
	  .help = "stay there; n and N go on",
	  .run = find_keep },
	{ .keys = "Esc C-c C-g",
	  .action = "find-undo",
	  .help = "back to where the search began",
	  .run = find_undo },
	{ 0 },
};

const struct key_scope find_scope = { .name = "Search in the list", .bindings = bindings };

static void describe(const struct line *line, char *out, size_t size)
{
	const struct filter_wrong *wrong = filter_wrong(line->what);
	if (wrong)
		(void)snprintf(out, size, "column %d: %s ",
			       text_columns(line->prompt.text, wrong->at) + 1, wrong->text);
	else if (!line->what)
		(void)snprintf(out, size, "Enter stays  Esc goes back ");
	else
		(void)snprintf(out, size, "match %zu of %zu  Enter stays  Esc goes back ",
			       line->place, line->matches);
}

static void find_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct line *line = state;
	bool bad = filter_wrong(line->what) || (line->what && line->matches == 0);
	int columns = at.w >= 2 * SAID_COLUMNS ? SAID_COLUMNS : at.w / 2;
	char text[2 * FILTER_WRONG_SIZE];
	(void)focused;
	draw_clear(out, at);
	describe(line, text, sizeof(text));
	draw_text_right(out, (struct rect){ at.x + at.w - columns, at.y, columns, 1 },
			bad ? STYLE_WARNING : STYLE_DIM, text);
	at.w -= columns;
	prompt_draw(&line->prompt, out, at);
}

const struct pane_ops find_pane = {
	.name = "find",
	.title = "Search",
	.scope = &find_scope,
	.state_size = sizeof(struct line),
	.modal = true,
	.line = true,
	.open = find_open,
	.close = find_close,
	.feed = find_feed,
	.draw = find_draw,
};
