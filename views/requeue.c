#include "views/requeue.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/request.h"
#include "views/stop.h"
#include "views/submission.h"
#include "views/words.h"

static struct requeue_state **find(struct ui *ui, const struct requeue_told *told)
{
	struct requeue_state **link = &ui->requeues;
	while (*link &&
	       ((*link)->kind != told->kind || strcmp((*link)->old_name, told->old_name) != 0))
		link = &(*link)->next;
	return link;
}

static void forget(struct requeue_state **link)
{
	struct requeue_state *gone = *link;
	*link = gone->next;
	free(gone->text);
	free(gone);
}

void requeue_forget(struct ui *ui)
{
	requeue_many_forget(ui);
	while (ui->requeues)
		forget(&ui->requeues);
}

size_t requeue_count(const struct ui *ui)
{
	size_t count = 0;
	for (const struct requeue_state *one = ui->requeues; one; one = one->next)
		count++;
	return count;
}

const char *requeue_of(const struct ui *ui, enum job_kind kind, const char *name)
{
	for (const struct requeue_state *one = ui->requeues; one; one = one->next)
		if (one->kind == kind &&
		    (strcmp(one->old_name, name) == 0 || strcmp(one->new_name, name) == 0))
			return one->text;
	return NULL;
}

static void note(struct ui *ui, const struct requeue_told *told, const char *text)
{
	struct requeue_state **link = find(ui, told);
	if (requeue_has_ended(told->step)) {
		if (*link)
			forget(link);
		return;
	}
	if (!*link) {
		*link = mem_new(1, sizeof(**link));
		(*link)->kind = told->kind;
		memcpy((*link)->old_name, told->old_name, strlen(told->old_name) + 1);
		memcpy((*link)->new_name, told->new_name, strlen(told->new_name) + 1);
	}
	(*link)->step = told->step;
	mem_set_text(&(*link)->text, text);
}

static enum style style_of(const struct requeue_told *told)
{
	if (told->step == REQUEUE_DONE)
		return STYLE_GOOD;
	if (told->step == REQUEUE_WITHDRAWN)
		return STYLE_DIM;
	return requeue_has_ended(told->step) ? STYLE_ERROR : STYLE_PENDING;
}

/* Stopped, and the new list refused: its job is selected then, and one key asks about the old one.
 */
static bool restore_is_possible(struct ui *ui, const struct requeue_told *told)
{
	if (told->old_arn)
		ui->select(ui, told->old_arn);
	return requeue_may_restore(ui);
}

static void restore(void *ctx)
{
	requeue_restore_begin(ctx);
}

static void ask_restore(struct ui *ui, struct buf *text)
{
	struct question question = { .title = "Requeue", .yes = restore, .ctx = ui };
	buf_add_text(text, "\nThe new list stays a draft: X on its row tries it again, and O goes "
			   "back to the old list.\n\nAsk about a copy with the old list now?");
	question.text = text->data;
	ui->push(ui, &question_pane, &question);
}

/* An end that was not wished for is shown whole, with what can be done. */
static void show(struct ui *ui, const struct requeue_told *told, const char *sentence)
{
	struct buf text;
	buf_init(&text, 2 * ERR_TEXT_MAX);
	buf_addf(&text, "%s.\n", sentence);
	if (told->err && told->err->aws_code[0])
		buf_addf(&text, "\n%s", told->err->aws_code);
	if (told->err && told->err->request_id[0])
		buf_addf(&text, "\nrequest id %s", told->err->request_id);
	if (told->err && err_hint_text(told->err->hint)[0])
		buf_addf(&text, "\n%s\n", err_hint_text(told->err->hint));
	if (told->step == REQUEUE_NOT_CREATED && restore_is_possible(ui, told))
		ask_restore(ui, &text);
	else
		ui->push(ui, &message_pane, &(struct message){ "Requeue", buf_text(&text) });
	buf_release(&text);
}

static bool is_refused(const struct requeue_told *told)
{
	return told->step == REQUEUE_REFUSED || told->step == REQUEUE_NOT_CREATED ||
	       told->step == REQUEUE_NEW_OVER || told->step == REQUEUE_STALE;
}

/* The row of what was refused, where no draft stands for it: of many, or of an earlier program. The
 * list is that of the old job's draft; where that is edited already, or the job is not there, it is
 * a draft of its own. */
static void keep_refused(struct ui *ui, const struct requeue_told *told)
{
	const struct job *job = told->old_arn ? store_find(ui->env->store, told->old_arn) : NULL;
	struct request request = { told->kind, mem_copy_text(told->text) };
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	struct draft *draft = NULL;
	struct err ignored = { 0 };
	char id[DRAFT_ID_SIZE];
	if (!request_facts(&request, facts, &ignored)) {
		err_clear(&ignored);
	} else if (job && !draft_find(ui, job->arn)) {
		const struct prefs_state list = { facts->prefs, facts->max_pending };
		draft = draft_edit(ui, job);
		draft_set(draft, &list);
	} else {
		draft_next_id(ui, id);
		draft = draft_of_request(id, &request, NULL, &ignored);
	}
	if (draft && draft->origin == DRAFT_FILE)
		draft_add(ui, draft);
	if (draft) {
		const struct prefs_state sent = draft_state(draft);
		draft_note_sent(draft, told->new_name, &sent);
	}
	request_release(&request);
	free(facts);
	err_clear(&ignored);
}

/* The draft goes, or is there for another try. */
static void settle_draft(struct ui *ui, const struct requeue_told *told, const char *sentence)
{
	struct err why = { 0 };
	if (is_refused(told) && told->text && !submission_find_draft(ui, told->new_name))
		keep_refused(ui, told);
	if (told->step == REQUEUE_DONE) {
		submit_pane_result(ui, told->new_name, told->new_arn, NULL);
		return;
	}
	if (told->err)
		err_copy(&why, told->err);
	else
		err_set(&why, ERR_REFUSED, "%s", sentence);
	submit_pane_result(ui, told->new_name, NULL, &why);
	err_clear(&why);
}

/* What an earlier program was to send has been sent: the old job's draft goes, unless its list has
 * become another one since. */
static void drop_sent(struct ui *ui, const struct requeue_told *told)
{
	const struct draft *draft = draft_find(ui, told->old_arn);
	struct request request = { told->kind, mem_copy_text(told->text) };
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	struct err ignored = { 0 };
	if (draft && told->text && request_facts(&request, facts, &ignored)) {
		const struct prefs_state sent = { facts->prefs, facts->max_pending };
		const struct prefs_state now = draft_state(draft);
		if (prefs_state_equal(&sent, &now)) {
			draft_keep_note(ui, draft, told->new_name);
			draft_drop(ui, told->old_arn);
		}
	}
	request_release(&request);
	free(facts);
	err_clear(&ignored);
}

void requeue_tell(struct ui *ui, const struct requeue_told *told, bool may_show)
{
	struct buf sentence, line;
	bool ended = requeue_has_ended(told->step);
	buf_init(&sentence, 2 * ERR_TEXT_MAX);
	buf_init(&line, 2 * ERR_TEXT_MAX);
	requeue_describe(told, &sentence);
	words_first_line(&line, buf_text(&sentence));
	note(ui, told, buf_text(&line));
	if (ended && (!told->late || is_refused(told)))
		settle_draft(ui, told, buf_text(&sentence));
	if (told->late && told->step == REQUEUE_DONE)
		drop_sent(ui, told);
	if (told->owner.kind != OWNER_NONE)
		stop_note_owner(ui, told->kind, told->old_name, &told->owner);
	ui->say(ui, style_of(told), buf_text(&line));
	ui->changed(ui);
	if (ended && style_of(told) == STYLE_ERROR && may_show)
		show(ui, told, buf_text(&sentence));
	buf_release(&sentence);
	buf_release(&line);
}
