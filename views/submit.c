/*
 * X: a copy of the selected job's own request with the draft's list, under a new name. Shown whole,
 * asked, sent once. The state of a sending lies in the draft, so that it outlives the modal.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/pager.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/requeue.h"
#include "views/submission.h"
#include "views/words.h"

enum step { STEP_BLOCKED, STEP_ASKING, STEP_SENT };

struct submit {
	struct ui *ui;
	char *arn; /* owned; the job that is copied */
	struct submission copy;
	enum step step;
	/* Owned, of the request and of a refusal; drawing notes the height, which keys need. */
	struct pager *pagers;
	struct ask ask;
	bool made_draft; /* a plain copy: the draft only carries the sending */
	bool single;     /* the first type alone: lists are not supported there */
};

static struct draft *draft_of(const struct submit *submit)
{
	return draft_find(submit->ui, submit->arn);
}

/* What is sent: the draft, or of its list the first entry alone. */
static struct prefs_state state_to_send(const struct submit *submit, const struct draft *draft)
{
	struct prefs_state state = draft_state(draft);

	if (submit->single)
		prefs_keep_first(&state.prefs);
	return state;
}

static void begin_asking(struct submit *submit, const struct job *job, const struct draft *draft)
{
	struct prefs_state state = state_to_send(submit, draft);
	struct draft shown = *draft; /* borrows all of it but the list */

	shown.prefs = state.prefs;
	submission_prepare(&submit->copy, submit->ui, job, &shown);
	submit->step = submit->copy.blocked ? STEP_BLOCKED : STEP_ASKING;
	if (submit->step == STEP_ASKING)
		ask_start(&submit->ask, submit->ui->env, true,
			  submit->copy.type_name ? submit->copy.typed : NULL);
}

static void open_submit(void *state, struct ui *ui, const void *argument)
{
	struct submit *submit = state;
	const struct job *job = ui_selected(ui);
	struct draft *draft;

	(void)argument;
	submit->ui = ui;
	submit->pagers = mem_new(2, sizeof(*submit->pagers));
	if (!job)
		return;
	submit->arn = mem_copy_text(job->arn);
	submit->made_draft = !draft_find(ui, job->arn);
	draft = draft_edit(ui, job);
	if (!draft)
		return;
	draft->watched = true;
	begin_asking(submit, job, draft);
}

static void close_submit(void *state)
{
	struct submit *submit = state;
	struct draft *draft = draft_of(submit);

	if (draft)
		draft->watched = false;
	if (draft && submit->made_draft && !draft_changed(draft) && !draft->sent_as[0] &&
	    !draft->refused_as[0])
		draft_drop(submit->ui, submit->arn);
	free(submit->arn);
	free(submit->pagers);
	submission_release(&submit->copy);
	ask_release(&submit->ask);
}

static bool was_refused(const struct submit *submit)
{
	const struct draft *draft = draft_of(submit);

	return submit->step == STEP_SENT && draft && !draft->sent_as[0];
}

/* A list was refused by an endpoint that knows none, and there is a first entry to ask for. */
static bool may_send_first(const struct submit *submit)
{
	const struct draft *draft = draft_of(submit);

	return was_refused(submit) && draft->refusal.hint == HINT_NO_LISTS &&
	       draft->sent.prefs.is_list && draft->sent.prefs.length > 0;
}

/* The copy takes the place of the job. */
static void requeue(const struct submit *submit, const struct order *order)
{
	const struct view_env *env = submit->ui->env;
	const struct job *job = store_find(env->store, submit->arn);
	const struct requeue_wish wish = {
		.kind = order->kind,
		.old_name = job ? job->name : "",
		.old_arn = submit->arn,
		.new_name = order->name,
		.text = order->text,
		.stop_first = submit->copy.way == WAY_STOP_FIRST,
		.despite_owner = submit->copy.owner.kind != OWNER_NONE,
	};

	if (job)
		env->cloud.requeue(env->cloud.host, &wish);
}

/* The first yes takes the text away: there is nothing left that a second one could send. */
static void send(struct submit *submit)
{
	const struct view_env *env = submit->ui->env;
	struct draft *draft = draft_of(submit);
	struct buf text = submit->copy.exact;
	char name[JOB_NAME_SIZE];

	if (submit->step != STEP_ASKING || env->read_only || !draft)
		return;
	buf_init(&submit->copy.exact, 0);
	submit->step = STEP_SENT;
	memcpy(name, submit->copy.name, sizeof(name)); /* outlives pane and draft */
	memcpy(draft->sent_as, name, sizeof(draft->sent_as));
	if (!submit->copy.again)
		draft->tried_ms = clock_mono_ms(env->clock);
	draft->sent = state_to_send(submit, draft);
	draft->refused_as[0] = '\0';
	err_clear(&draft->refusal);

	struct order order = { .kind = submit->copy.kind,
			       .name = name,
			       .text = buf_text(&text),
			       .tried = { submit->copy.again, draft->tried_ms } };

	if (submit->copy.way == WAY_COPY)
		env->cloud.submit(env->cloud.host, &order);
	else
		requeue(submit, &order);
	buf_wipe(&text);
	buf_release(&text);
}

static void leave(void *state)
{
	struct submit *submit = state;

	if (submit->step == STEP_ASKING)
		submit->ui->say(submit->ui, STYLE_DIM,
				draft_changed(draft_of(submit))
					? "nothing was sent; the draft stays"
					: "nothing was sent");
	submit->ui->pop(submit->ui);
}

/* Never by itself: another question, with another request in sight. */
static void ask_for_first(void *state)
{
	struct submit *submit = state;
	const struct job *job = store_find(submit->ui->env->store, submit->arn);

	if (!may_send_first(submit) || !job)
		return;
	submission_release(&submit->copy);
	ask_release(&submit->ask);
	memset(submit->pagers, 0, 2 * sizeof(*submit->pagers));
	submit->single = true;
	begin_asking(submit, job, draft_of(submit));
}

/* Another order, or a plain copy: another question, read from its beginning. */
static void switch_way(void *state)
{
	struct submit *submit = state;
	const struct job *job = store_find(submit->ui->env->store, submit->arn);
	struct submission before = submit->copy;

	if (submit->step != STEP_ASKING || !job || !submission_next_way(&before)) {
		submit->ui->say(submit->ui, STYLE_DIM, "there is no other way");
		return;
	}
	submission_release(&submit->copy);
	ask_release(&submit->ask);
	submit->copy.way = before.way;
	submit->copy.way_is_chosen = true;
	begin_asking(submit, job, draft_of(submit));
}

static struct pager *pager_of(const struct submit *submit)
{
	return &submit->pagers[was_refused(submit)];
}

static void scroll(const struct submit *submit, long delta)
{
	pager_scroll(pager_of(submit), delta);
}

static void line_up(void *state)
{
	scroll(state, -1);
}

static void line_down(void *state)
{
	scroll(state, 1);
}

static long page_of(const struct submit *submit)
{
	int height = pager_of(submit)->height;

	return height > 1 ? height - 1 : 1;
}

static void page_up(void *state)
{
	scroll(state, -page_of(state));
}

static void page_down(void *state)
{
	scroll(state, page_of(state));
}

static bool feed_submit(void *state, struct key key, const char *paste);

static void key_yes(void *state)
{
	feed_submit(state, (struct key){ .code = 'y' }, NULL);
}

/* The rows for reading are keys of their own; y and the leaving keys are answers and go through
 * feed_submit, where their rows stand for footer and help. */
static const struct key_binding reading_keys[] = {
	{ .keys = "Up",
	  .action = "request-up",
	  .help = "read one line up",
	  .brief = "read",
	  .run = line_up },
	{ .keys = "Down",
	  .action = "request-down",
	  .help = "read one line down",
	  .brief = "read",
	  .flags = KEY_FOOTER,
	  .run = line_down },
	{ .keys = "PgUp", .action = "request-page-up", .help = "read a page up", .run = page_up },
	{ .keys = "PgDn",
	  .action = "request-page-down",
	  .help = "read a page down",
	  .brief = "page",
	  .flags = KEY_FOOTER,
	  .run = page_down },
	{ .keys = "Tab F6",
	  .action = "request-way",
	  .help = "of a pending job: another order, or a plain copy",
	  .brief = "way",
	  .run = switch_way },
	{ .keys = "y",
	  .action = "request-send",
	  .help = "send it, where no name is asked for",
	  .brief = "send",
	  .flags = KEY_FOOTER,
	  .run = key_yes },
	{ .keys = "Esc Enter q C-c C-g",
	  .action = "request-leave",
	  .help = "no: send nothing; every other key is No too",
	  .brief = "no",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "X",
	  .action = "request-first-type",
	  .help = "where lists are not supported: ask again, #1 alone",
	  .brief = "#1 alone",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = ask_for_first },
	{ 0 },
};
#define READING_ROWS 5 /* the rows that never answer */

const struct key_scope submit_scope = { .name = "Submit", .bindings = reading_keys };

/* What the footer names instead while y does not send. */
#define READING_FOOTER                                                                 \
	{ .keys = "Down", .brief = "read", .flags = KEY_FOOTER, .run = line_down },    \
	{                                                                              \
		.keys = "PgDn", .brief = "page", .flags = KEY_FOOTER, .run = page_down \
	}
static const struct key_binding naming_keys[] = {
	READING_FOOTER,
	{ .keys = "Enter", .brief = "send (name typed)", .flags = KEY_FOOTER, .run = key_yes },
	{ .keys = "Esc", .brief = "no", .flags = KEY_FOOTER, .run = leave },
	{ 0 },
};
static const struct key_binding sending_keys[] = {
	READING_FOOTER,
	{ .keys = "Esc", .brief = "hide", .flags = KEY_FOOTER, .run = leave },
	{ 0 },
};
static const struct key_binding closing_keys[] = {
	READING_FOOTER,
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = leave },
	{ 0 },
};
static const struct key_binding offering_keys[] = {
	READING_FOOTER,
	{ .keys = "X",
	  .brief = "#1 alone",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = ask_for_first },
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = leave },
	{ 0 },
};
static const struct key_scope naming_scope = { .name = "Submit", .bindings = naming_keys };
static const struct key_scope sending_scope = { .name = "Submit", .bindings = sending_keys };
static const struct key_scope closing_scope = { .name = "Submit", .bindings = closing_keys };
static const struct key_scope offering_scope = { .name = "Submit", .bindings = offering_keys };

static const struct key_scope *footer_of_submit(const void *state)
{
	const struct submit *submit = state;

	if (may_send_first(submit))
		return &offering_scope;
	if (submit->step == STEP_BLOCKED || was_refused(submit))
		return &closing_scope;
	if (submit->step == STEP_SENT)
		return &sending_scope;
	return submit->ask.type_name ? &naming_scope : NULL;
}

static bool is_reading(struct key key)
{
	const struct key_binding *row = keys_find(reading_keys, key, false);

	return row && row - reading_keys < READING_ROWS;
}

static bool feed_submit(void *state, struct key key, const char *paste)
{
	struct submit *submit = state;
	bool asking = submit->step == STEP_ASKING;

	if (asking && ask_is_deaf(&submit->ask))
		return true;
	if (!asking || is_reading(key))
		return false; /* the rows decide: what is shown stays until it is left */
	switch (ask_feed(&submit->ask, key, paste)) {
	case ANSWER_YES:
		send(submit);
		break;
	case ANSWER_NO:
		leave(submit);
		break;
	case ANSWER_NONE:
		break;
	}
	return true;
}

/* The line under the text, or the sentence of the question. */
static void add_sentence(const struct submit *submit, struct buf *out)
{
	const struct view_env *env = submit->ui->env;
	const char *draft = draft_changed(draft_of(submit)) ? "; the draft stays" : "";

	if (submit->step == STEP_BLOCKED)
		buf_add_text(out, "Nothing can be sent. Esc closes.");
	else if (was_refused(submit) && draft_of(submit)->refusal.outcome_open)
		buf_addf(out, "Perhaps submitted%s. Esc closes.", draft);
	else if (may_send_first(submit))
		buf_addf(out, "Not submitted%s. X asks about #1 %s alone. Esc closes.", draft,
			 draft_of(submit)->sent.prefs.entries[0].instance_type);
	else if (was_refused(submit))
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
	const struct draft *draft = draft_of(submit);
	const char *page = submit->copy.page ? submit->copy.page : "no job is selected";
	struct buf refusal;

	buf_init(&refusal, SUBMISSION_PAGE_MAX);
	if (was_refused(submit)) {
		submission_add_refusal(&refusal, draft->refused_as, &draft->refusal);
		page = buf_text(&refusal);
	}
	pager_draw(pager_of(submit), out, at, page);
	buf_release(&refusal);
}

/* The frame comes after the page, which says how much of it is shown. */
static void draw_edge(const struct submit *submit, struct surface *out, struct rect at,
		      bool focused)
{
	const struct pager *pager = pager_of(submit);
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

static void draw_submit(const void *state, struct surface *out, struct rect at, bool focused)
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

const struct pane_ops submit_pane = {
	.name = "submit",
	.title = "Submit",
	.scope = &submit_scope,
	.state_size = sizeof(struct submit),
	.modal = true,
	.open = open_submit,
	.close = close_submit,
	.feed = feed_submit,
	.draw = draw_submit,
	.footer = footer_of_submit,
};

/* Why X does nothing now; "" = it opens the pane. */
static void add_hindrance(const struct ui *ui, struct buf *out)
{
	const struct job *job = ui_selected(ui);
	const struct draft *draft = job ? draft_find(ui, job->arn) : NULL;

	if (ui->env->read_only)
		buf_add_text(out, "read-only: nothing can be submitted");
	else if (!job)
		buf_add_text(out, "no job is selected");
	else if (!job->request_json)
		buf_addf(out, "%s is not described yet: try again in a moment", job->name);
	else if (draft && draft->sent_as[0])
		buf_addf(out, "%s is being sent: wait for the answer", draft->sent_as);
}

void submit_begin(struct ui *ui)
{
	struct buf why;

	buf_init(&why, WORDS_MAX);
	add_hindrance(ui, &why);
	if (why.len)
		ui->say(ui, STYLE_WARNING, buf_text(&why));
	else if (ui->marks.count > 0)
		requeue_many_begin(ui);
	else
		ui->push(ui, &submit_pane, NULL);
	buf_release(&why);
}
