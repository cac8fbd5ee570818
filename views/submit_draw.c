/* The submit pane painted: the page, and below it the question or what goes on. */
#include "model/fix_words.h"
#include "views/submit_pane.h"
#include "views/words.h"

/* What a key can do about it. */
static void add_blocked(const struct submit *submit, struct buf *out)
{
	buf_add_text(out, "Nothing can be sent.");
	if (submit_may_fix(submit)) {
		buf_add_text(out, " f: ");
		fix_words_add(out, submit->copy.fix);
		buf_add_char(out, '.');
	}
	if (submit_may_raise(submit))
		buf_addf(out, " R: ask for a raise of %s.", submit->copy.raise.instance_type);
	buf_add_text(out, " Esc closes.");
}

/* What is waited for. */
static void add_reading(const struct submit *submit, struct buf *out)
{
	const struct draft *draft = submit_draft(submit);
	bool lacks_tags = submit_lacks_tags(submit, draft);

	if (submit_must_read(submit, draft))
		buf_add_text(out, lacks_tags
					  ? "Reading the tags of the job, which Describe does not "
					    "tell ..."
					  : "Asking AWS whether the name is free ...");
	else if (lacks_tags)
		buf_add_text(out, "The tags do not come. Any key asks without them; Esc closes.");
	else
		buf_add_text(out, "AWS does not say whether the name is free. Any key asks "
				  "without that; Esc closes.");
}

/* The line under the text, or the sentence of the question. */
static void add_sentence(const struct submit *submit, struct buf *out)
{
	const struct view_env *env = submit->ui->env;
	const char *draft = draft_changed(submit_draft(submit)) ? "; the draft stays" : "";

	if (submit->step == STEP_BLOCKED)
		add_blocked(submit, out);
	else if (submit->step == STEP_READING)
		add_reading(submit, out);
	else if (submit_was_refused(submit) && submit_draft(submit)->refusal.outcome_open)
		buf_addf(out, "Perhaps submitted%s. Esc closes.", draft);
	else if (submit_may_send_first(submit))
		buf_addf(out, "Not submitted%s. X asks about #1 %s alone. Esc closes.", draft,
			 submit_draft(submit)->sent.prefs.entries[0].instance_type);
	else if (submit_name_was_taken(submit))
		buf_addf(out, "Not submitted%s. g goes to the job of that name. Esc closes.",
			 draft);
	else if (submit_was_refused(submit))
		buf_addf(out, "Not submitted%s. Esc closes.", draft);
	else if (submit->step == STEP_SENT)
		buf_addf(out, "Sending %s ... Esc hides this.", submit->copy.name);
	else
		buf_addf(out, "Send %s to %s (account %s)%s? %s", submit->copy.name, env->region,
			 env->account[0] ? env->account : "not known yet",
			 submit->copy.way == WAY_COPY ? "" : " in its place", submit->copy.stakes);
}

/* The request, or the refusal once it is there. */
static void draw_page(const struct submit *submit, struct surface *out, struct rect at)
{
	const struct draft *draft = submit_draft(submit);
	const char *page = submit->copy.page ? submit->copy.page : "no job is selected";
	struct buf refusal;

	buf_init(&refusal, SUBMISSION_PAGE_MAX);
	if (submit_was_refused(submit)) {
		submission_add_refusal(&refusal, draft->refused_as, &draft->refusal);
		page = buf_text(&refusal);
	}
	pager_draw(submit_pager(submit), out, at, page);
	buf_release(&refusal);
}

/* The frame comes after the page, which says how much of it is shown. */
static void draw_edge(const struct submit *submit, struct surface *out, struct rect at,
		      bool focused)
{
	const struct pager *pager = submit_pager(submit);
	size_t end = pager->top + (size_t)(pager->height > 0 ? pager->height : 0);
	struct buf note;

	buf_init(&note, WORDS_MAX);
	if (pager->lines > end)
		buf_addf(&note, "line %zu of %zu: Down, PgDn", end, pager->lines);
	else
		buf_add_text(&note, "to the end");
	draw_frame(out, at, "Submit", buf_text(&note), focused);
	buf_release(&note);
}

void submit_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct submit *submit = state;
	struct rect inner = { at.x + 2, at.y + 1, at.w - 4, at.h - 2 };
	bool asking = submit->step == STEP_ASKING;
	struct buf sentence;
	int lines, most = inner.h > 2 ? inner.h - 1 : inner.h;

	buf_init(&sentence, WORDS_MAX);
	add_sentence(submit, &sentence);
	draw_clear(out, at);
	if (asking)
		lines = ask_lines(&submit->ask, out, inner.w, buf_text(&sentence));
	else
		lines = draw_wrapped(out, (struct rect){ .w = inner.w }, STYLE_TEXT,
				     buf_text(&sentence));
	lines = lines > most ? most : lines;
	struct rect below = { inner.x, inner.y + inner.h - lines, inner.w, lines };
	inner.h -= lines + (inner.h > lines + 2); /* a line of air where there is room */
	draw_page(submit, out, inner);
	draw_edge(submit, out, at, focused);
	if (asking)
		ask_draw(&submit->ask, out, below, buf_text(&sentence));
	else
		draw_wrapped(out, below, STYLE_QUESTION, buf_text(&sentence));
	buf_release(&sentence);
}
