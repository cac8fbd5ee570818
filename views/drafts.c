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

struct draft *draft_edit(struct ui *ui, const struct job *job)
{
	struct draft *draft = draft_find(ui, job->arn);

	if (draft || !job->arn)
		return draft;
	draft = mem_new(1, sizeof(*draft));
	draft->arn = mem_copy_text(job->arn);
	draft->prefs = job->prefs;
	draft->original = job->prefs;
	prefs_history_push(&draft->history, &draft->prefs);
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
	return draft && !prefs_equal(&draft->prefs, &draft->original);
}

void drafts_release(struct ui *ui)
{
	while (ui->drafts) {
		struct draft *next = ui->drafts->next;

		draft_free(ui->drafts);
		ui->drafts = next;
	}
}
