#include "views/pane.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

struct draft *draft_find(const struct ui *ui, const char *arn)
{
	struct draft *draft = arn ? ui->drafts : NULL;

	while (draft && strcmp(draft->arn, arn) != 0)
		draft = draft->next;
	return draft;
}

struct prefs_state draft_state(const struct draft *draft)
{
	return (struct prefs_state){ draft->prefs, draft->max_pending };
}

struct prefs_state draft_state_of_job(const struct job *job)
{
	return (struct prefs_state){ job->prefs, job->max_pending };
}

static void show_state(struct draft *draft, const struct prefs_state *state)
{
	draft->prefs = state->prefs;
	draft->max_pending = state->max_pending;
}

void draft_set(struct draft *draft, const struct prefs_state *state)
{
	show_state(draft, state);
	prefs_history_push(&draft->history, state);
}

bool draft_undo(struct draft *draft)
{
	struct prefs_state state;

	if (!prefs_history_undo(&draft->history, &state))
		return false;
	show_state(draft, &state);
	return true;
}

bool draft_redo(struct draft *draft)
{
	struct prefs_state state;

	if (!prefs_history_redo(&draft->history, &state))
		return false;
	show_state(draft, &state);
	return true;
}

struct draft *draft_edit(struct ui *ui, const struct job *job)
{
	struct draft *draft = draft_find(ui, job->arn);

	if (draft || !job->arn)
		return draft;
	draft = mem_new(1, sizeof(*draft));
	draft->arn = mem_copy_text(job->arn);
	draft->original = draft_state_of_job(job);
	draft_set(draft, &draft->original);
	draft->next = ui->drafts;
	ui->drafts = draft;
	return draft;
}

static void draft_free(struct draft *draft)
{
	prefs_history_release(&draft->history);
	err_clear(&draft->refusal);
	free(draft->arn);
	free(draft);
}

void draft_drop(struct ui *ui, const char *arn)
{
	struct draft **link = &ui->drafts;
	struct draft *gone;

	while (*link && (!arn || strcmp((*link)->arn, arn) != 0))
		link = &(*link)->next;
	gone = *link;
	if (!gone)
		return;
	*link = gone->next;
	draft_free(gone);
}

bool draft_changed(const struct draft *draft)
{
	struct prefs_state state;

	if (!draft)
		return false;
	state = draft_state(draft);
	return !prefs_state_equal(&state, &draft->original);
}

void drafts_release(struct ui *ui)
{
	while (ui->drafts) {
		struct draft *next = ui->drafts->next;

		draft_free(ui->drafts);
		ui->drafts = next;
	}
}
