/* Rows that somebody holds on to: pinned ones, the one that is followed, and a range that is being
 * marked. All by ARN, so that no refresh, filter or order lets them go. */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/jobs_parts.h"

#define NO_JOB "this row is no job"

/* The ARN of the job at the cursor; NULL, having said so, where the row is none. */
static const char *arn_here(struct jobs_state *jobs)
{
	size_t cursor = jobs->view->table.cursor;
	if (jobs->count > 0 && !jobs_draft_at(jobs, cursor))
		return jobs_id_at(jobs, cursor);
	jobs->ui->say(jobs->ui, STYLE_DIM, NO_JOB);
	return NULL;
}

/* --- pins --- */

bool jobs_is_pinned(const struct ui *ui, const struct job *job)
{
	return ui->pins.count > 0 && marks_has(&ui->pins, job->arn);
}

bool jobs_holds(const struct ui *ui, const struct job *job)
{
	return jobs_is_pinned(ui, job) ||
	       (ui->followed_arn && strcmp(ui->followed_arn, job->arn) == 0);
}

void jobs_pin(void *state)
{
	struct jobs_state *jobs = state;
	struct ui *ui = jobs->ui;
	const char *arn = arn_here(jobs);
	if (!arn)
		return;
	marks_toggle(&ui->pins, arn);
	jobs->anew = true;
	ui->changed(ui);
}

/* --- the one that is followed --- */

void jobs_follow(void *state)
{
	struct jobs_state *jobs = state;
	struct ui *ui = jobs->ui;
	const char *arn = ui->followed_arn ? NULL : arn_here(jobs);
	mem_set_text(&ui->followed_arn, arn);
	jobs->anew = true;
	ui->changed(ui);
}

void jobs_follow_on(struct jobs_state *jobs, const char *arn)
{
	if (jobs->ui->followed_arn)
		mem_set_text(&jobs->ui->followed_arn, arn);
}

void jobs_take_followed(struct jobs_state *jobs)
{
	struct ui *ui = jobs->ui;
	if (ui->followed_arn && !store_find(ui->env->store, ui->followed_arn))
		mem_set_text(&ui->followed_arn, NULL);
	if (ui->followed_arn)
		mem_set_text(&jobs->view->table.cursor_id, ui->followed_arn);
}

/* --- the range --- */

void jobs_settle_range(struct jobs_state *jobs)
{
	if (!jobs->range_id)
		return;
	for (size_t row = 0; row < jobs->count; row++) {
		if (strcmp(jobs_id_at(jobs, row), jobs->range_id) != 0)
			continue;
		jobs->range_row = row;
		return;
	}
	mem_set_text(&jobs->range_id, NULL); /* its beginning has gone */
}

bool jobs_in_range(const struct jobs_state *jobs, size_t row)
{
	size_t cursor = jobs->view->table.cursor, from = jobs->range_row;
	return jobs->range_id && !jobs_draft_at(jobs, row) &&
	       (from < cursor ? row >= from && row <= cursor : row >= cursor && row <= from);
}

static void mark_range(struct jobs_state *jobs)
{
	struct marks *marks = &jobs->ui->marks;
	size_t marked = 0;
	char said[64];
	for (size_t row = 0; row < jobs->count; row++) {
		if (!jobs_in_range(jobs, row))
			continue;
		marked++;
		if (!marks_has(marks, jobs_id_at(jobs, row)))
			marks_toggle(marks, jobs_id_at(jobs, row));
	}
	(void)snprintf(said, sizeof(said), "%zu marked, U takes all marks away", marked);
	jobs->ui->say(jobs->ui, STYLE_DIM, said);
}

void jobs_range(void *state)
{
	struct jobs_state *jobs = state;
	const char *arn;
	if (jobs->range_id) {
		mark_range(jobs);
		mem_set_text(&jobs->range_id, NULL);
		return;
	}
	arn = arn_here(jobs);
	if (!arn)
		return;
	mem_set_text(&jobs->range_id, arn);
	jobs->range_row = jobs->view->table.cursor;
	jobs->ui->say(jobs->ui, STYLE_DIM,
		      "a range: move to its end; v or Space marks it, Esc not");
}

bool jobs_feed(void *state, struct key key, const char *paste)
{
	struct jobs_state *jobs = state;
	if (paste || key.code != KEY_CODE_ESC || key.mods != 0 || !jobs->range_id)
		return false;
	mem_set_text(&jobs->range_id, NULL);
	jobs->ui->say(jobs->ui, STYLE_DIM, "no range");
	return true;
}
