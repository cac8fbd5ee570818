#include "aws/changes.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/mem.h"

/* The name travels with the call. */
struct sent {
	struct changes *changes;
	struct session *session;
	char name[JOB_NAME_SIZE];
};

static struct sent *sent_new(struct changes *changes, struct session *session, const char *name)
{
	struct sent *sent = mem_new(1, sizeof(*sent));
	*sent = (struct sent){ .changes = changes, .session = session };
	snprintf(sent->name, sizeof(sent->name), "%.63s", name);
	changes->under_way++;
	return sent;
}

/* What has changed is looked at soon, and what may have. */
static void on_created(void *ctx, const char *arn, const struct err *err)
{
	struct sent *sent = ctx;
	struct changes *changes = sent->changes;
	changes->under_way--;
	changes->submitted(changes->ctx, sent->name, arn, err);
	if (!err)
		session_refresh(sent->session);
	free(sent);
}

static void on_refused(void *ctx)
{
	struct changes *changes = ctx;
	struct err err = { 0 };
	changes_leave(changes);
	err_set(&err, ERR_NET, "nothing was sent: there is no connection to AWS yet");
	err_subject(&err, "%s", changes->refused_name);
	changes->submitted(changes->ctx, changes->refused_name, NULL, &err);
	err_clear(&err);
}

static void refuse(struct changes *changes, struct session *session, const char *name)
{
	changes_leave(changes);
	snprintf(changes->refused_name, sizeof(changes->refused_name), "%.63s", name);
	changes->waiter = (struct waiter){ .wake = on_refused, .ctx = changes };
	struct wait_hooks hooks = session_hooks(session, &changes->waiter);
	hooks.wake_in(hooks.host, 0);
}

void changes_leave(struct changes *changes)
{
	waits_remove(&changes->waiter);
}

void changes_submit(struct changes *changes, struct session *session, const struct order *order)
{
	if (!session_client(session)) {
		refuse(changes, session, order->name);
		return;
	}
	jobs_create(session_client(session), order, on_created,
		    sent_new(changes, session, order->name));
}
