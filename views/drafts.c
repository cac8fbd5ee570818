/* The drafts of the screen: found by their job or their own row. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/pane.h"

static bool is_of(const struct draft *draft, const char *key)
{
	return strcmp(draft->job.arn, key) == 0 || (draft->arn && strcmp(draft->arn, key) == 0);
}

struct draft *draft_find(const struct ui *ui, const char *key)
{
	struct draft *draft = key ? ui->drafts : NULL;

	while (draft && !is_of(draft, key))
		draft = draft->next;
	return draft;
}

void draft_next_id(struct ui *ui, char out[DRAFT_ID_SIZE])
{
	draft_make_id(clock_wall_ms(ui->env->clock), ui->drafts_made++, out);
}

void draft_add(struct ui *ui, struct draft *draft)
{
	draft->next = ui->drafts;
	ui->drafts = draft;
}

struct draft *draft_edit(struct ui *ui, const struct job *job)
{
	struct draft *draft = draft_find(ui, job->arn);
	char id[DRAFT_ID_SIZE];

	if (draft || !job->arn)
		return draft;
	draft_next_id(ui, id);
	draft = draft_of_job(id, job);
	draft_add(ui, draft);
	return draft;
}

void draft_drop(struct ui *ui, const char *key)
{
	struct draft **link = &ui->drafts;
	struct draft *gone;

	while (*link && (!key || !is_of(*link, key)))
		link = &(*link)->next;
	gone = *link;
	if (!gone)
		return;
	*link = gone->next;
	draft_free(gone);
}

void drafts_take_texts(struct ui *ui)
{
	for (struct draft *draft = ui->drafts; draft; draft = draft->next) {
		const struct job *job = draft->arn ? store_find(ui->env->store, draft->arn) : NULL;

		if (job && !draft_has_text(draft))
			(void)draft_take_text(draft, job);
	}
}

void drafts_release(struct ui *ui)
{
	while (ui->drafts) {
		struct draft *next = ui->drafts->next;

		draft_free(ui->drafts);
		ui->drafts = next;
	}
}
