/* The ways back from a requeue: V while it is under way, O once the old job is stopped and the new
 * list refused. */
#include <stdio.h>
#include <string.h>

#include "views/requeue.h"
#include "views/words.h"

/* --- V --- */

/* Of the selected job, old or new; else the only one. */
static const struct requeue_state *find(const struct ui *ui)
{
	const struct job *job = ui_selected(ui);
	for (const struct requeue_state *one = ui->requeues; one && job; one = one->next)
		if (one->kind == job->kind && (strcmp(one->old_name, job->name) == 0 ||
					       strcmp(one->new_name, job->name) == 0))
			return one;
	return ui->requeues && !ui->requeues->next ? ui->requeues : NULL;
}

/* The selected draft, where its plain submission is on its way. */
static const struct draft *find_sent(const struct ui *ui)
{
	const struct draft *draft = ui_draft(ui);
	return draft && draft->sent_as[0] && !requeue_of(ui, draft->kind, draft->sent_as) ? draft
											  : NULL;
}

bool requeue_may_withdraw(const struct ui *ui)
{
	return ui->requeues || find_sent(ui);
}

static void say_outcome(struct ui *ui, enum withdrawal outcome, const char *name)
{
	static const struct {
		enum style style;
		const char *text;
	} words[] = {
		[WITHDRAWN] = { STYLE_PENDING, "taking back" },
		[WITHDRAWN_LATE] = { STYLE_WARNING,
				     "it may be at AWS already: looked up, and not sent again:" },
		[WITHDRAWN_NOT] = { STYLE_WARNING,
				    "too late to take it back, what comes of it is told:" },
		[WITHDRAWN_NONE] = { STYLE_DIM, "nothing is under way any more for" },
	};
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s %s", words[outcome].text, name);
	ui->say(ui, words[outcome].style, buf_text(&text));
	buf_release(&text);
}

static void withdraw(void *ctx)
{
	struct ui *ui = ctx;
	const struct cloud_intents *cloud = &ui->env->cloud;
	const struct draft *draft = find_sent(ui);
	const struct requeue_state *one = draft ? NULL : find(ui);
	char name[JOB_NAME_SIZE] = "";
	enum withdrawal outcome = WITHDRAWN_NONE;
	if (one) {
		memcpy(name, one->new_name, sizeof(name));
		outcome = cloud->withdraw(cloud->host, one->kind, one->old_name, one->new_name);
	} else if (draft) {
		memcpy(name, draft->sent_as, sizeof(name));
		outcome = cloud->withdraw(cloud->host, draft->kind, NULL, name);
	}
	say_outcome(ui, outcome, name);
}

static void add_requeue(struct buf *out, const struct requeue_state *one)
{
	const char *old = one->old_name, *new = one->new_name;
	switch (one->step) {
	case REQUEUE_STOP_OLD:
	case REQUEUE_LOOK_FIRST:
		buf_addf(out, "%s is not submitted. %s stays, unless its stop is on its way.", new,
			 old);
		break;
	case REQUEUE_AWAIT_END:
		buf_addf(out,
			 "%s is not submitted. The stop of %s cannot be taken back: it ends, and "
			 "the new list stays a draft on its row.",
			 new, old);
		break;
	case REQUEUE_REPLACE:
		buf_addf(out, "%s is there: it is stopped again, if %s has not been stopped yet.",
			 new, old);
		break;
	default:
		buf_addf(out,
			 "%s may be at AWS already. Then this is too late: what comes of it is "
			 "told, and S stops it. If it is not there, it is not sent again.",
			 new);
		break;
	}
}

void requeue_withdraw_begin(struct ui *ui)
{
	const struct draft *draft = find_sent(ui);
	const struct requeue_state *one = draft ? NULL : find(ui);
	struct question question = {
		.title = "Take it back?", .changes_cloud = true, .yes = withdraw, .ctx = ui
	};
	struct buf text;
	if (!draft && !one) {
		ui->say(ui, STYLE_DIM,
			ui->requeues ? "several requeues are under way: select one of their jobs"
				     : "nothing is under way that could be taken back");
		return;
	}
	buf_init(&text, WORDS_MAX);
	if (one)
		add_requeue(&text, one);
	else
		buf_addf(&text,
			 "%s may be at AWS already: it is looked up, and if it is not there it is "
			 "not sent again.",
			 draft->sent_as);
	question.text = text.data;
	ui->push(ui, &question_pane, &question);
	buf_release(&text);
}

/* --- O --- */

bool requeue_may_restore(const struct ui *ui)
{
	const struct draft *draft = ui_draft(ui);
	const struct job *job = ui_subject(ui);
	return draft && job && draft->origin == DRAFT_OF_JOB && draft->refused_as[0] &&
	       !draft->sent_as[0] && draft_changed(draft) && !job_is_live(job);
}

void requeue_restore_begin(struct ui *ui)
{
	struct draft *draft = ui_draft(ui);
	if (!requeue_may_restore(ui)) {
		ui->say(ui, STYLE_DIM,
			"O goes back to the old list where a job is stopped and its new list "
			"refused");
		return;
	}
	draft_set(draft, &draft->original);
	ui->changed(ui);
	submit_begin(ui);
}
