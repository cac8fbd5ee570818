#include "aws/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/acts.h"
#include "aws/state_home.h"
#include "model/base/mem.h"
#include "model/state_folder.h"

/* What has changed is looked at soon, and what may have. */
static void on_answered(void *ctx, const struct submit_answer *answer)
{
	struct changes *changes = ctx;
	struct session *session = changes->session;
	acts_answered(changes->actions, answer);
	if (!requeuer_submitted(changes->requeuer, answer))
		changes->answered(changes->ctx, answer);
	if (answer->outcome == SUBMIT_DONE)
		session_refresh(session);
	else if (answer->err && strcmp(answer->err->aws_code, "ResourceLimitExceeded") == 0)
		session_refresh_quotas(session); /* what was read of the limits was not right */
}

static struct opt_ms skew(void *ctx)
{
	struct changes *changes = ctx;
	return session_skew(changes->session);
}

static void on_trouble(void *ctx, const struct err *err)
{
	struct changes *changes = ctx;
	changes->told(changes->ctx, err);
}

static void on_progress(void *ctx, const char *name, const char *text)
{
	struct changes *changes = ctx;
	(void)name;
	changes->progress(changes->ctx, text);
}

static void on_settled(void *ctx)
{
	struct changes *changes = ctx;
	changes->is_settling = true;
	requeuer_resume(changes->requeuer);
}

/* --- requeues --- */

static void tell_settled(struct changes *changes)
{
	if (!changes->is_settling || requeuer_left(changes->requeuer) > 0)
		return;
	changes->is_settling = false;
	if (changes->settled)
		changes->settled(changes->ctx);
}

static void on_resumed(void *ctx)
{
	tell_settled(ctx);
}

static void on_requeued(void *ctx, const struct requeue_told *told)
{
	struct changes *changes = ctx;
	struct session *session = changes->session;
	acts_requeued(changes->actions, told);
	changes->requeued(changes->ctx, told);
	if (requeue_has_ended(told->step))
		session_refresh(session);
	tell_settled(changes);
}

static void on_seen(void *ctx, enum job_kind kind, const char *name, struct job *job)
{
	struct changes *changes = ctx;
	stops_note_seen(changes->stops, kind, name, job);
}

static void create(void *ctx, const struct order *order)
{
	struct changes *changes = ctx;
	submitter_send(changes->submitter, order);
}

static void wake_requeuer(void *ctx)
{
	struct changes *changes = ctx;
	requeuer_wake(changes->requeuer);
}

static void start_requeuer(struct changes *changes)
{
	struct session *session = changes->session;
	changes->requeuer_waiter = (struct waiter){ .wake = wake_requeuer, .ctx = changes };
	const struct requeuer_options options = {
		.client = session_client(session),
		.disk = session_disk(session),
		.clock = session_options(session)->clock,
		.hooks = session_hooks(session, &changes->requeuer_waiter),
		.refresh_ms = session_options(session)->refresh_ms,
		.looks_only = session_options(session)->read_only,
		.create = create,
		.told = on_requeued,
		.seen = on_seen,
		.trouble = on_trouble,
		.resumed = on_resumed,
		.ctx = changes,
	};
	changes->requeuer = requeuer_new(&options);
}

/* --- what cannot be sent --- */

static void on_refused(void *ctx)
{
	struct changes *changes = ctx;
	waits_remove(&changes->waiter);
	const struct submit_answer answer = {
		.outcome = SUBMIT_REFUSED,
		.kind = changes->refused_kind,
		.name = changes->refused_name,
		.draft = changes->refused_draft,
		.err = &changes->refused,
	};
	acts_answered(changes->actions, &answer);
	changes->answered(changes->ctx, &answer);
}

/* Takes the error. */
static void refuse(struct changes *changes, struct session *session, const struct order *order,
		   struct err *err)
{
	waits_remove(&changes->waiter);
	changes->refused_kind = order->kind;
	snprintf(changes->refused_name, JOB_NAME_SIZE, "%.63s", order->name);
	snprintf(changes->refused_draft, JOURNAL_DRAFT_SIZE, "%.63s",
		 order->draft ? order->draft : "");
	err_move(&changes->refused, err);
	changes->waiter = (struct waiter){ .wake = on_refused, .ctx = changes };
	struct wait_hooks hooks = session_hooks(session, &changes->waiter);
	hooks.wake_in(hooks.host, 0);
}

/* --- the journal --- */

static void wake_submitter(void *ctx)
{
	struct changes *changes = ctx;
	submitter_wake(changes->submitter);
}

static bool has_place(struct changes *changes, const struct state_home *home)
{
	struct err err = { 0 };
	struct buf folder;
	buf_init(&folder, STATE_PATH_MAX);
	bool ok = state_home_add_folder(changes->session, home, &folder, &err);
	if (!ok)
		changes->told(changes->ctx, &err);
	buf_release(&folder);
	err_clear(&err);
	return ok;
}

static void open_journal(struct changes *changes, const struct state_home *home, const char *folder)
{
	const struct submitter_place place = { folder, home->account, home->region, home->endpoint,
					       home->access_key };
	bool again = changes->folder != NULL;
	mem_set_text(&changes->folder, folder);
	submitter_open(changes->submitter, &place);
	requeuer_open(changes->requeuer, &place);
	if (again)
		submitter_settle(changes->submitter, NULL);
}

void changes_note(struct changes *changes)
{
	struct state_home home;
	struct err ignored = { 0 };
	struct buf folder;
	if (!changes->submitter || !state_home_find(changes->session, &home))
		return;
	buf_init(&folder, STATE_PATH_MAX);
	bool found = state_home_add_folder(changes->session, &home, &folder, &ignored);
	if (found && (!changes->folder || (strcmp(changes->folder, buf_text(&folder)) != 0 &&
					   submitter_is_idle(changes->submitter))))
		open_journal(changes, &home, buf_text(&folder));
	buf_release(&folder);
	err_clear(&ignored);
}

bool changes_connect(struct changes *changes, struct session *session, const char *but)
{
	struct state_home home;
	changes->session = session;
	changes->submitter_waiter = (struct waiter){ .wake = wake_submitter, .ctx = changes };
	const struct submitter_options options = {
		.client = session_client(session),
		.disk = session_disk(session),
		.clock = session_options(session)->clock,
		.hooks = session_hooks(session, &changes->submitter_waiter),
		.looks_only = session_options(session)->read_only,
		.skew = skew,
		.answered = on_answered,
		.progress = on_progress,
		.settled = on_settled,
		.trouble = on_trouble,
		.ctx = changes,
	};
	changes->submitter = submitter_new(&options);
	start_requeuer(changes);
	state_home_find(session, &home);
	if (!has_place(changes, &home))
		return false;
	submitter_settle(changes->submitter, but);
	changes_note(changes);
	return true;
}

/* --- the owner's side --- */

void changes_submit(struct changes *changes, struct session *session, const struct order *order)
{
	struct state_home home;
	struct err err = { 0 };
	struct buf folder;
	if (!changes->submitter) {
		err_set(&err, ERR_NET, "nothing was sent: there is no connection to AWS yet");
		err_subject(&err, "%s", order->name);
		refuse(changes, session, order, &err);
		return;
	}
	buf_init(&folder, STATE_PATH_MAX);
	state_home_find(session, &home);
	if (state_home_add_folder(session, &home, &folder, &err))
		submitter_send(changes->submitter, order);
	else
		refuse(changes, session, order, &err);
	buf_release(&folder);
}

bool changes_requeue(struct changes *changes, const struct requeue_wish *wish, struct err *err)
{
	struct state_home home;
	struct buf folder;
	if (!changes->requeuer)
		return err_set(err, ERR_NET, "there is no connection to AWS yet");
	buf_init(&folder, STATE_PATH_MAX);
	state_home_find(changes->session, &home);
	bool ok = state_home_add_folder(changes->session, &home, &folder, err);
	if (ok)
		requeuer_start(changes->requeuer, wish);
	buf_release(&folder);
	return ok;
}

enum withdrawal changes_withdraw(struct changes *changes, enum job_kind kind, const char *old_name,
				 const char *name)
{
	enum withdrawal outcome =
		old_name ? requeuer_withdraw(changes->requeuer, kind, old_name) : WITHDRAWN_NONE;
	bool is_done = outcome == WITHDRAWN || (old_name && outcome == WITHDRAWN_NONE);
	enum withdrawal sent =
		is_done ? outcome : submitter_withdraw(changes->submitter, kind, name);
	return sent == WITHDRAWN_NONE ? outcome : sent;
}

size_t changes_withdraw_requeues(struct changes *changes)
{
	return requeuer_withdraw_all(changes->requeuer);
}

size_t changes_requeues(const struct changes *changes)
{
	return requeuer_left(changes->requeuer);
}

void changes_take_back(struct changes *changes)
{
	if (changes->submitter)
		submitter_take_back(changes->submitter);
}

unsigned changes_under_way(const struct changes *changes)
{
	return changes->submitter ? submitter_under_way(changes->submitter) : 0;
}

void changes_leave(struct changes *changes)
{
	waits_remove(&changes->waiter);
	requeuer_free(changes->requeuer);
	changes->requeuer = NULL;
	waits_remove(&changes->requeuer_waiter);
	changes->is_settling = false;
	submitter_free(changes->submitter);
	changes->submitter = NULL;
	waits_remove(&changes->submitter_waiter);
	free(changes->folder);
	changes->folder = NULL;
	err_clear(&changes->refused);
}
