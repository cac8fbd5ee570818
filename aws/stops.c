#include "aws/stops.h"

#include <stddef.h>

#include "aws/acts.h"

static void on_stopped(void *ctx, const struct stop_result *result)
{
	struct stops *stops = ctx;
	acts_stopped(stops->actions, result);
	stops->stopped(stops->ctx, result);
	if (result->left == 0 && stops->session)
		session_refresh(stops->session);
}

/* The row shows at once what the look before the stop has found. */
void stops_note_seen(struct stops *stops, enum job_kind kind, const char *name, struct job *job)
{
	const struct job *known = store_find_name(stops->store, name);
	if (job)
		store_take_described(stops->store, job);
	else if (known && known->kind == kind)
		store_forget(stops->store, known->arn);
	stops->changed(stops->ctx);
}

static void on_seen(void *ctx, enum job_kind kind, const char *name, struct job *job)
{
	stops_note_seen(ctx, kind, name, job);
}

static void on_due(void *ctx)
{
	struct stops *stops = ctx;
	stopper_wake(stops->stopper);
}

static void start(struct stops *stops, struct session *session)
{
	stops->session = session;
	stops->waiter = (struct waiter){ .wake = on_due, .ctx = stops };
	const struct stopper_options options = {
		.client = session_client(session),
		.clock = session_options(session)->clock,
		.hooks = session_hooks(session, &stops->waiter),
		.stopped = on_stopped,
		.seen = on_seen,
		.ctx = stops,
	};
	stops->stopper = stopper_new(&options);
}

bool stops_send(struct stops *stops, struct session *session, const struct stop_wish *wishes,
		size_t count)
{
	if (!session_client(session))
		return false;
	if (!stops->stopper)
		start(stops, session);
	stopper_add(stops->stopper, wishes, count);
	return true;
}

size_t stops_left(const struct stops *stops)
{
	return stopper_left(stops->stopper);
}

void stops_leave(struct stops *stops)
{
	stopper_free(stops->stopper);
	stops->stopper = NULL;
	stops->session = NULL;
	waits_remove(&stops->waiter);
}
