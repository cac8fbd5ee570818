/*
 * X: a copy of the selected job's own request with the draft's list, under a new name. Shown whole,
 * asked, sent once. The state of a sending lies in the draft, so that it outlives the modal.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/fix_words.h"
#include "views/requeue.h"
#include "views/submit_pane.h"
#include "views/words.h"

#define READ_WAIT_MS 3000 /* then it may be asked without */

struct draft *submit_draft(const struct submit *submit)
{
	return draft_find(submit->ui, submit->arn);
}

/* The row that the draft stands in. */
static const struct job *job_of(const struct submit *submit, const struct draft *draft)
{
	const struct job *job = store_find(submit->ui->env->store, submit->arn);

	return job ? job : &draft->job;
}

/* What is sent: the draft, or of its list the first entry alone. */
static struct prefs_state state_to_send(const struct submit *submit, const struct draft *draft)
{
	struct prefs_state state = draft_state(draft);

	if (submit->single)
		prefs_keep_first(&state.prefs);
	return state;
}

/* The submission as it is now; a name that copy has stays. */
static void prepare(const struct submit *submit, struct submission *copy, const struct job *job,
		    const struct draft *draft)
{
	struct prefs_state state = state_to_send(submit, draft);
	struct draft shown = *draft; /* borrows all of it but the list */

	shown.prefs = state.prefs;
	submission_prepare(copy, submit->ui, job, &shown);
}

bool submit_lacks_tags(const struct submit *submit, const struct draft *draft)
{
	const struct job_tags *tags = submission_tags(submit->ui, draft);

	return submission_source(draft) && !(tags && (tags->fresh.loaded || tags->fresh.failing));
}

/* Something of it may be known in a moment. */
bool submit_must_read(const struct submit *submit, const struct draft *draft)
{
	const struct name_look *name = &submit->ui->env->store->name;
	bool lacks_name = name->is_open && strcmp(name->name, submit->copy.name) == 0;

	return (lacks_name || submit_lacks_tags(submit, draft)) &&
	       clock_mono_ms(submit->ui->env->clock) < submit->read_until_ms;
}

/* Once for each name; one that may be there already is meant to be. */
static void ask_about_name(struct submit *submit)
{
	const struct cloud_intents *cloud = &submit->ui->env->cloud;
	const struct submission *copy = &submit->copy;

	if (!cloud->look_at_name || copy->again || strcmp(copy->name, submit->asked_name) == 0)
		return;
	memcpy(submit->asked_name, copy->name, sizeof(copy->name));
	cloud->look_at_name(cloud->host, copy->kind, copy->name);
}

static void begin_asking(struct submit *submit, const struct job *job, const struct draft *draft)
{
	prepare(submit, &submit->copy, job, draft);
	ask_about_name(submit);
	submit->step = submit->copy.blocked              ? STEP_BLOCKED
		       : submit_must_read(submit, draft) ? STEP_READING
							 : STEP_ASKING;
	if (submit->step == STEP_ASKING)
		ask_start(&submit->ask, submit->ui->env, true,
			  submit->copy.type_name ? submit->copy.typed : NULL);
}

static void begin_again(struct submit *submit, const struct job *job, const struct draft *draft)
{
	struct submission old = submit->copy;

	submit->copy = (struct submission){ .again = old.again,
					    .way = old.way,
					    .way_is_chosen = old.way_is_chosen };
	memcpy(submit->copy.name, old.name, sizeof(old.name));
	submission_release(&old);
	begin_asking(submit, job, draft);
}

/* What is asked stays as it was shown; only what is said of it is brought up to date. Where that
 * forbids it, changes what becomes of the job or what is to be typed, the question is over. */
static void look_again(struct submit *submit, const struct job *job, const struct draft *draft)
{
	const struct submission *asked = &submit->copy;
	struct submission now = { .again = asked->again,
				  .way = asked->way,
				  .way_is_chosen = asked->way_is_chosen };

	memcpy(now.name, submit->copy.name, sizeof(now.name));
	prepare(submit, &now, job, draft);
	if (now.blocked || now.way != asked->way || now.type_name != asked->type_name ||
	    strcmp(now.typed, asked->typed) != 0) {
		submission_release(&now);
		ask_release(&submit->ask);
		begin_again(submit, job, draft);
	} else if (strcmp(buf_text(&now.exact), buf_text(&submit->copy.exact)) == 0) {
		submission_release(&submit->copy);
		submit->copy = now;
	} else {
		submission_release(&now);
	}
}

static void refresh_submit(void *state)
{
	struct submit *submit = state;
	const struct draft *draft = submit_draft(submit);

	if (!draft)
		return;
	const struct job *job = job_of(submit, draft);

	if (submit->step == STEP_ASKING)
		look_again(submit, job, draft);
	else if (submit->step == STEP_READING || submit->step == STEP_BLOCKED)
		begin_again(submit, job, draft);
}

static void open_submit(void *state, struct ui *ui, const void *argument)
{
	struct submit *submit = state;
	const struct job *job = ui_subject(ui);
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
	submit->read_until_ms = clock_mono_ms(ui->env->clock) + READ_WAIT_MS;
	begin_asking(submit, job, draft);
	if (submit->step == STEP_READING)
		ui->env->intents.wake_in(ui->env->intents.host, READ_WAIT_MS);
}

/* The source's tags go with a copy. */
static void want_of_submit(const void *state, struct wants *wants)
{
	const struct submit *submit = state;
	const struct draft *draft = submit->arn ? draft_find(submit->ui, submit->arn) : NULL;

	wants->plans = true;
	if (draft && submission_source(draft))
		wants->tags = submission_source(draft);
	ui_want_quotas(submit->ui, wants);
}

static void close_submit(void *state)
{
	struct submit *submit = state;
	struct draft *draft = submit_draft(submit);

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

bool submit_was_refused(const struct submit *submit)
{
	const struct draft *draft = submit_draft(submit);

	return submit->step == STEP_SENT && draft && !draft->sent_as[0];
}

/* A list was refused by an endpoint that knows none, and there is a first entry to ask for. */
bool submit_may_send_first(const struct submit *submit)
{
	const struct draft *draft = submit_draft(submit);

	return submit_was_refused(submit) && draft->refusal.hint == HINT_NO_LISTS &&
	       draft->sent.prefs.is_list && draft->sent.prefs.length > 0;
}

bool submit_name_was_taken(const struct submit *submit)
{
	return submit_was_refused(submit) && submit_draft(submit)->refusal.code == ERR_CONFLICT;
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
void submit_send(struct submit *submit)
{
	const struct view_env *env = submit->ui->env;
	struct draft *draft = submit_draft(submit);
	struct buf text = submit->copy.exact;
	char name[JOB_NAME_SIZE];

	if (submit->step != STEP_ASKING || submit->copy.blocked || env->read_only || !draft)
		return;
	buf_init(&submit->copy.exact, 0);
	submit->step = STEP_SENT;
	memcpy(name, submit->copy.name, sizeof(name)); /* outlives pane and draft */
	const struct prefs_state sent = state_to_send(submit, draft);
	draft_note_sent(draft, name, &sent);
	if (!submit->copy.again)
		draft->tried_ms = clock_mono_ms(env->clock);

	struct order order = { .kind = submit->copy.kind,
			       .name = name,
			       .text = buf_text(&text),
			       .draft = draft->id,
			       .tried = { submit->copy.again, draft->tried_ms } };

	if (submit->copy.way == WAY_COPY)
		env->cloud.submit(env->cloud.host, &order);
	else
		requeue(submit, &order);
	buf_wipe(&text);
	buf_release(&text);
}

static void say_nothing_sent(const struct submit *submit)
{
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (submit->ask.is_mistyped)
		buf_addf(&text, "%s is not the name asked for: ", submit->ask.prompt.text);
	buf_add_text(&text, "nothing was sent");
	if (draft_changed(submit_draft(submit)))
		buf_add_text(&text, "; the draft stays");
	submit->ui->say(submit->ui, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

void submit_leave(void *state)
{
	struct submit *submit = state;

	if (submit->step == STEP_ASKING)
		say_nothing_sent(submit);
	submit->ui->pop(submit->ui);
}

/* Never by itself: another question, with another request in sight. */
void submit_ask_for_first(void *state)
{
	struct submit *submit = state;

	if (!submit_may_send_first(submit))
		return;
	submission_release(&submit->copy);
	ask_release(&submit->ask);
	memset(submit->pagers, 0, 2 * sizeof(*submit->pagers));
	submit->single = true;
	begin_asking(submit, job_of(submit, submit_draft(submit)), submit_draft(submit));
}

/* The job that has the name; NULL where none is asked for, or it is not among those read. */
static const struct job *taken_by(const struct submit *submit)
{
	const struct store *store = submit->ui->env->store;
	const struct draft *draft = submit_draft(submit);

	for (size_t i = 0; submit_name_was_taken(submit) && i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (job->kind == draft->kind && strcmp(job->name, draft->refused_as) == 0)
			return job;
	}
	return NULL;
}

/* To the job that was there before: perhaps it is the operator's own (case 048). */
void submit_go_to_other(void *state)
{
	struct submit *submit = state;
	struct ui *ui = submit->ui;
	const struct job *job = taken_by(submit);

	if (!submit_name_was_taken(submit))
		return;
	if (!job || !ui_shows(ui, job)) {
		ui->say(ui, STYLE_WARNING,
			job ? "it is hidden by the filter: a shows all"
			    : "it is not among the jobs read so far");
		return;
	}
	ui->pop(ui);
	ui->select(ui, job->arn);
}

/* Another order, or a plain copy: another question, read from its beginning. */
void submit_switch_way(void *state)
{
	struct submit *submit = state;
	const struct draft *draft = submit_draft(submit);
	struct submission before = submit->copy;

	if (submit->step != STEP_ASKING || !draft || !submission_next_way(&before)) {
		submit->ui->say(submit->ui, STYLE_DIM, "there is no other way");
		return;
	}
	submission_release(&submit->copy);
	ask_release(&submit->ask);
	submit->copy.way = before.way;
	submit->copy.way_is_chosen = true;
	submit->copy.again = before.again;
	memcpy(submit->copy.name, before.name, sizeof(before.name)); /* it may be half typed */
	memset(submit->pagers, 0, 2 * sizeof(*submit->pagers));      /* what is new stands above */
	begin_asking(submit, job_of(submit, draft), draft);
}

bool submit_may_fix(const struct submit *submit)
{
	return submit->step == STEP_BLOCKED && submit->copy.fix && !submit->single;
}

static void say_fix(const struct submit *submit, const struct err *err)
{
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (err) {
		buf_add_text(&text, err_text(err));
	} else {
		buf_add_text(&text, "mended in the draft: ");
		fix_words_add(&text, submit->copy.fix);
	}
	submit->ui->say(submit->ui, err ? STYLE_ERROR : STYLE_GOOD, buf_text(&text));
	buf_release(&text);
}

bool submit_may_raise(const struct submit *submit)
{
	return submit->step == STEP_BLOCKED && submit->copy.raise.desired > 0;
}

/* Asks for itself before anything is sent. */
void submit_raise(void *state)
{
	const struct submit *submit = state;
	const struct quota_raise *raise = &submit->copy.raise;

	if (submit_may_raise(submit))
		raise_begin(submit->ui, raise->instance_type, raise->kind, raise->desired);
}

/* Changes the draft, as the editor would; what that makes of it is shown. */
void submit_make_fix(void *state)
{
	struct submit *submit = state;
	struct draft *draft = submit_draft(submit);
	struct request request = { 0 };
	struct err err = { 0 };

	if (!submit_may_fix(submit) || !draft)
		return;
	bool ok = draft_request(draft, submit->copy.name, false, &request, &err) &&
		  request_apply_fix(&request, submit->copy.fix, &err) &&
		  draft_set_text(draft, &request, submit->copy.name, &err);

	request_release(&request);
	say_fix(submit, ok ? NULL : &err);
	err_clear(&err);
	if (ok && submit->copy.fix->fix == FIX_SET_NAME)
		submit->copy.name[0] = '\0'; /* the draft has another one now */
	submit->ui->changed(submit->ui);     /* refresh_submit shows the page anew */
}

/* Until all is read nothing is asked; when that takes too long, a key asks without. */
void submit_feed_waiting(struct submit *submit)
{
	const struct draft *draft = submit_draft(submit);

	if (draft && !submit_must_read(submit, draft))
		begin_again(submit, job_of(submit, draft), draft);
}

const struct pane_ops submit_pane = {
	.name = "submit",
	.title = "Submit",
	.scope = &submit_scope,
	.state_size = sizeof(struct submit),
	.modal = true,
	.open = open_submit,
	.close = close_submit,
	.wants = want_of_submit,
	.refresh = refresh_submit,
	.feed = submit_feed,
	.draw = submit_draw,
	.footer = submit_footer,
};

/* Why X does nothing now; "" = it opens the pane. */
static void add_hindrance(const struct ui *ui, struct buf *out)
{
	const struct job *job = ui_subject(ui);
	const struct draft *draft = job ? draft_find(ui, job->arn) : NULL;

	if (ui->env->read_only)
		buf_add_text(out, "read-only: nothing can be submitted");
	else if (!job)
		buf_add_text(out, "no job is selected");
	else if (!job->request_json && !(draft && draft_has_text(draft)))
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
