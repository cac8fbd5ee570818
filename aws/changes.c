#include "aws/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/state_home.h"
#include "model/base/mem.h"
#include "model/state_folder.h"

/* What has changed is looked at soon, and what may have. */
static void on_answered(void *ctx, const struct submit_answer *answer)
{
	struct changes *changes = ctx;
	struct session *session = changes->session;
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

static void on_settled(void *ctx)
{
	struct changes *changes = ctx;
	if (changes->settled)
		changes->settled(changes->ctx);
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
	if (again && !session_options(changes->session)->read_only)
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
		.skew = skew,
		.answered = on_answered,
		.settled = on_settled,
		.trouble = on_trouble,
		.ctx = changes,
	};
	changes->submitter = submitter_new(&options);
	state_home_find(session, &home);
	if (!has_place(changes, &home))
		return false;
	if (!session_options(session)->read_only)
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
	submitter_free(changes->submitter);
	changes->submitter = NULL;
	waits_remove(&changes->submitter_waiter);
	free(changes->folder);
	changes->folder = NULL;
	err_clear(&changes->refused);
}
