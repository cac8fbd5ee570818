/* The drafts of the screen: found by their job or their own row, told of to be kept on disk. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/drafting.h"

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
	if (ui->env->drafts.dropped)
		ui->env->drafts.dropped(ui->env->drafts.host, gone);
	draft_free(gone);
}

void draft_rename(struct ui *ui, struct draft *draft, const char *id)
{
	bool selected = ui->selected_arn && strcmp(ui->selected_arn, draft->job.arn) == 0;

	draft_set_id(draft, id);
	if (selected)
		ui->select(ui, draft->job.arn);
}

void draft_renew(struct ui *ui, struct draft *draft)
{
	const struct draft_intents *drafts = &ui->env->drafts;
	char id[DRAFT_ID_SIZE];

	if (drafts->dropped)
		drafts->dropped(drafts->host, draft);
	draft_next_id(ui, id);
	draft_rename(ui, draft, id);
	draft->edition++;
}

void draft_keep_note(const struct ui *ui, const struct draft *draft, const char *name)
{
	const struct cloud_intents *cloud = &ui->env->cloud;
	const char *note = draft->sent_note ? draft->sent_note : draft->note;

	if (note[0] && cloud->keep_note)
		cloud->keep_note(cloud->host, draft->kind, name, note);
}

void drafts_tell(struct ui *ui)
{
	const struct draft_intents *drafts = &ui->env->drafts;

	for (struct draft *draft = ui->drafts; draft && drafts->changed; draft = draft->next) {
		if (draft->edition == draft->told || !(draft->told || draft_is_kept(draft)))
			continue;
		draft->told = draft->edition;
		drafts->changed(drafts->host, draft);
	}
}

struct draft *ui_draft(const struct ui *ui)
{
	return draft_find(ui, ui->selected_arn);
}

bool ui_on_local(const struct ui *ui)
{
	return ui->selected_arn && strncmp(ui->selected_arn, DRAFT_KEY, strlen(DRAFT_KEY)) == 0;
}

const struct job *ui_subject(const struct ui *ui)
{
	const struct draft *draft = ui_on_local(ui) ? ui_draft(ui) : NULL;
	const struct job *job;

	if (!draft)
		return ui_selected(ui);
	job = draft->arn && draft_find(ui, draft->arn) == draft
		      ? store_find(ui->env->store, draft->arn)
		      : NULL;
	return job ? job : &draft->job;
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
	drafting_forget(ui);
	drafts_settle_forget(ui);
	mem_set_text(&ui->last_path, NULL);
	mem_set_text(&ui->drafts_trouble, NULL);
}

bool ui_knows_name(const void *ui, const char *name)
{
	const struct ui *all = ui;
	if (store_find_name(all->env->store, name))
		return true;
	for (const struct draft *draft = all->drafts; draft; draft = draft->next)
		if (strcmp(draft->name, name) == 0 || strcmp(draft->sent_as, name) == 0 ||
		    strcmp(draft->refused_as, name) == 0)
			return true;
	return false;
}

/* What AWS was asked, where it was about this name. */
static void know_from_look(const struct name_look *look, enum job_kind kind, const char *name,
			   struct check_known *known)
{
	if (look->kind != kind || !name[0] || strcmp(look->name, name) != 0)
		return;
	known->name = look->state;
	known->name_why = look->is_open ? "no answer yet" : look->why[0] ? look->why : NULL;
}

void draft_know_name(const struct ui *ui, const struct draft *draft, const char *name,
		     struct check_known *known)
{
	const struct store *store = ui->env->store;

	known->knows_name = ui_knows_name;
	known->names = ui;
	if (draft->sent_as[0])
		return;
	if (!draft->refused_as[0] || strcmp(draft->refused_as, name) != 0)
		know_from_look(&store->name, draft->kind, name, known);
	else if (draft->refusal.code != ERR_CONFLICT)
		return; /* the job may be its own */
	else
		known->name = NAME_TAKEN;
	if (store_find_name(store, name))
		known->name = NAME_TAKEN;
}
