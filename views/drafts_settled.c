/* Drafts that an earlier program had sent, and what the journal says has become of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/pane.h"

#define KEPT_MAX 64 /* told before their draft is found: a start has a few at most */

struct told {
	char id[DRAFT_ID_SIZE], name[JOB_NAME_SIZE];
	struct err err; /* owned; ERR_NONE: it was submitted */
};

struct settled {
	struct told told[KEPT_MAX];
	size_t count;
	bool all; /* of the others nothing is known */
};

static struct settled *settled_of(struct ui *ui)
{
	if (!ui->settled)
		ui->settled = mem_new(1, sizeof(*ui->settled));
	return ui->settled;
}

/* What was edited after it was sent is another draft from now on. */
static void take(struct ui *ui, struct draft *draft, const char *name, const struct err *err)
{
	if (err && err->outcome_open) {
		(void)snprintf(draft->resumed_as, sizeof(draft->resumed_as), "%s", name);
		draft->answer_is_open = true;
		return;
	}
	draft->answer_is_open = false;
	if (!err)
		draft_keep_note(ui, draft, name);
	draft_note_answer(draft, name, err);
	if (err)
		return;
	if (draft_is_as_sent(draft))
		draft_drop(ui, draft->job.arn);
	else
		draft_renew(ui, draft);
}

static struct draft *find_id(const struct ui *ui, const char *id)
{
	struct draft *draft = ui->drafts;

	while (draft && strcmp(draft->id, id) != 0)
		draft = draft->next;
	return draft;
}

void drafts_settle_one(struct ui *ui, const char *id, const char *name, const struct err *err)
{
	struct settled *settled = settled_of(ui);
	struct draft *draft = find_id(ui, id);

	if (draft) {
		take(ui, draft, name, err);
	} else if (settled->count < KEPT_MAX) {
		struct told *told = &settled->told[settled->count++];

		(void)snprintf(told->id, sizeof(told->id), "%s", id);
		(void)snprintf(told->name, sizeof(told->name), "%s", name);
		if (err)
			err_copy(&told->err, err);
	}
}

/* Its program ended before the intent was on disk: nothing was sent. */
static void take_back(struct draft *draft)
{
	if (draft->resumed_as[0] && !draft->sent_as[0])
		draft_note_answer(draft, "", NULL);
}

void drafts_settle_rest(struct ui *ui)
{
	settled_of(ui)->all = true;
	for (struct draft *draft = ui->drafts; draft; draft = draft->next)
		if (!draft->answer_is_open)
			take_back(draft);
}

void drafts_settle_found(struct ui *ui, struct draft *draft)
{
	const struct settled *settled = settled_of(ui);

	for (size_t i = 0; i < settled->count; i++) {
		const struct told *told = &settled->told[i];

		if (strcmp(told->id, draft->id) != 0)
			continue;
		take(ui, draft, told->name, told->err.code ? &told->err : NULL);
		return;
	}
	if (settled->all)
		take_back(draft);
}

void drafts_settle_forget(struct ui *ui)
{
	for (size_t i = 0; ui->settled && i < ui->settled->count; i++)
		err_clear(&ui->settled->told[i].err);
	free(ui->settled);
	ui->settled = NULL;
}
