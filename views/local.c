#include "views/local.h"

#include <string.h>

#include "model/arn.h"
#include "model/filter.h"
#include "views/submission.h"
#include "views/words.h"

static const struct {
	const char *word;
	enum style style;
} phases[] = {
	[LOCAL_DRAFT] = { "Draft", STYLE_DIM },
	[LOCAL_SENDING] = { "Sending", STYLE_PENDING },
	[LOCAL_REFUSED] = { "Refused", STYLE_ERROR },
};

enum local_phase local_phase(const struct draft *draft)
{
	if (draft->sent_as[0] || draft->resumed_as[0])
		return LOCAL_SENDING;
	return draft->refused_as[0] ? LOCAL_REFUSED : LOCAL_DRAFT;
}

const char *local_word(enum local_phase phase)
{
	return phases[phase].word;
}

enum style local_style(enum local_phase phase)
{
	return phases[phase].style;
}

const char *local_name(const struct draft *draft)
{
	const char *const names[] = { draft->sent_as, draft->resumed_as, draft->refused_as,
				      draft->name };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i][0])
			return names[i];
	return draft->job.name[0] ? draft->job.name : "(no name)";
}

static bool is_here(const struct ui *ui, const struct draft *draft)
{
	const struct draft_intents *drafts = &ui->env->drafts;
	const struct store *store = ui->env->store;

	if (draft->arn && store->count > 0 && !arn_same_place(store_at(store, 0)->arn, draft->arn))
		return false;
	return !drafts->is_here || drafts->is_here(drafts->host, draft);
}

/* The job that its list is of has come into sight, or may still. */
static bool is_shown_by_job(const struct ui *ui, const struct draft *draft)
{
	const struct store *store = ui->env->store;
	enum source_id source = draft->kind == JOB_TRAINING ? SOURCE_TRAINING : SOURCE_PROCESSING;

	if (!draft->arn || draft_find(ui, draft->arn) != draft)
		return false;
	return store_find(store, draft->arn) || !store->sources[source].loaded;
}

bool local_has_row(const struct ui *ui, const struct draft *draft)
{
	return is_here(ui, draft) && draft_is_kept(draft) &&
	       (local_phase(draft) != LOCAL_DRAFT || !is_shown_by_job(ui, draft));
}

bool local_shows(const struct ui *ui, const struct draft *draft)
{
	struct job job = draft->job; /* borrows all of it */
	struct preferences prefs = draft->prefs;
	const char *name = local_name(draft);
	const struct filter_ask ask = ui_filter_ask(ui);

	memset(job.name, 0, sizeof(job.name));
	memcpy(job.name, name, strlen(name));
	job.prefs = &prefs;
	return (!ui->pending_only || local_phase(draft) != LOCAL_DRAFT) &&
	       filter_matches(ui->terms, &job, &ask);
}

static int64_t sent_for_ms(const struct ui *ui, const struct draft *draft)
{
	int64_t ms = clock_mono_ms(ui->env->clock) - draft->tried_ms;

	return ms > 0 ? ms : 0;
}

void local_add_wait(struct buf *out, const struct ui *ui, const struct draft *draft)
{
	if (draft->sent_as[0])
		words_duration(out, sent_for_ms(ui, draft));
	else
		buf_add_text(out, "–");
}

void local_add_message(struct buf *out, const struct draft *draft)
{
	switch (local_phase(draft)) {
	case LOCAL_SENDING:
		buf_add_text(out, "sent: AWS has not answered yet");
		break;
	case LOCAL_REFUSED:
		words_first_line(out, err_text(&draft->refusal));
		break;
	case LOCAL_DRAFT:
		words_first_line(out, draft->note[0] ? draft->note : "not submitted");
		break;
	}
}

static void tell_origin(struct buf *out, const struct draft *draft)
{
	if (draft->origin == DRAFT_FILE && draft->source)
		buf_addf(out, "from %s\n", draft->source);
	else if (draft->source_name[0])
		buf_addf(out, "a copy of %s\n", draft->source_name);
	if (draft->note[0])
		buf_addf(out, "note: %s\n", draft->note);
}

void local_tell(struct buf *out, const struct ui *ui, const struct draft *draft)
{
	switch (local_phase(draft)) {
	case LOCAL_SENDING:
		buf_addf(out, "%s is not a job yet: it was sent", local_name(draft));
		if (draft->sent_as[0]) {
			buf_add_char(out, ' ');
			words_duration(out, sent_for_ms(ui, draft));
			buf_add_text(out, " ago");
		}
		buf_add_text(out, ", and AWS has not answered.\n");
		break;
	case LOCAL_REFUSED:
		buf_addf(out, "%s is not a job. X tries again, D discards it.\n",
			 local_name(draft));
		submission_add_refusal(out, draft->refused_as, &draft->refusal);
		break;
	case LOCAL_DRAFT:
		buf_addf(out,
			 "%s is not a job: a draft, kept on this machine. P edits its list, E "
			 "its request, X submits it, D discards it.\n",
			 local_name(draft));
		break;
	}
	tell_origin(out, draft);
}

int64_t local_next_ms(const struct ui *ui)
{
	int64_t next_ms = -1;

	for (const struct draft *draft = ui->drafts; draft; draft = draft->next) {
		int64_t ms = draft->sent_as[0] ? words_next_change_ms(sent_for_ms(ui, draft)) : -1;

		if (ms >= 0 && (next_ms < 0 || ms < next_ms))
			next_ms = ms;
	}
	return next_ms;
}

/* --- discarding --- */

/* What is left of it when the row goes: a list that was edited on its job. */
static bool stays_with_job(const struct ui *ui, const struct draft *draft)
{
	return ui_subject(ui) != &draft->job && draft_changed(draft);
}

static void discard(void *ctx)
{
	struct ui *ui = ctx;
	struct draft *draft = ui_on_local(ui) ? ui_draft(ui) : NULL;

	if (!draft || draft->sent_as[0])
		return;
	if (stays_with_job(ui, draft))
		draft_note_answer(draft, "", NULL);
	else
		draft_drop(ui, ui->selected_arn);
	ui->changed(ui);
}

static void ask_discard(struct ui *ui, const struct draft *draft)
{
	struct question question = { .title = "Discard?", .yes = discard, .ctx = ui };
	struct buf text;

	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s is no job: %s.\n\nDiscard it?", local_name(draft),
		 stays_with_job(ui, draft)
			 ? "a refused submission; the edited list stays with its job"
			 : "what is here exists nowhere else, and cannot be brought back");
	question.text = text.data;
	ui->push(ui, &question_pane, &question);
	buf_release(&text);
}

void local_discard(struct ui *ui)
{
	const struct draft *draft = ui_on_local(ui) ? ui_draft(ui) : NULL;

	if (!draft)
		ui->say(ui, STYLE_DIM, "D discards a draft's row: this one is a job");
	else if (draft->sent_as[0])
		ui->say(ui, STYLE_WARNING, "it is being sent: wait for the answer");
	else
		ask_discard(ui, draft);
}
