#include "aws/session.h"

#include <poll.h>
#include <stdlib.h>

#include "aws/demo.h"
#include "aws/plans_feed.h"
#include "aws/settings.h"
#include "aws/sync.h"
#include "aws/tags_feed.h"
#include "aws/waits.h"
#include "model/base/mem.h"

struct session {
	struct session_options options;
	struct demo demo;
	struct aws_client *client;
	struct sync *sync;
	struct plans_feed *plans;
	struct tags_feed *tags;
	struct waits waits;
	struct waiter demo_waiter, client_waiter, sync_waiter, plans_waiter, tags_waiter;
};

static void client_ready(void *ctx, int fd, short events)
{
	struct session *session = ctx;
	aws_client_ready(session->client, fd, events);
}

static void client_wake(void *ctx)
{
	struct session *session = ctx;
	aws_client_wake(session->client);
}

static void sync_due(void *ctx)
{
	struct session *session = ctx;
	sync_wake(session->sync);
}

static void plans_due(void *ctx)
{
	struct session *session = ctx;
	plans_feed_wake(session->plans);
}

static void tags_due(void *ctx)
{
	struct session *session = ctx;
	tags_feed_wake(session->tags);
}

struct session *session_new(const struct session_options *options)
{
	struct session *session = mem_new(1, sizeof(*session));
	session->options = *options;
	waits_init(&session->waits, &options->hooks, options->clock);
	return session;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	sync_free(session->sync);
	plans_feed_free(session->plans);
	tags_feed_free(session->tags);
	aws_client_free(session->client);
	waits_remove(&session->sync_waiter);
	waits_remove(&session->plans_waiter);
	waits_remove(&session->tags_waiter);
	waits_remove(&session->client_waiter);
	waits_remove(&session->demo_waiter);
	demo_stop(&session->demo);
	waits_release(&session->waits);
	free(session);
}

static void note_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	struct session *session = ctx;
	store_note_date(session->options.store, date_ms, mono_ms);
}

static void tell_skew(void *ctx, int64_t skew_ms)
{
	struct session *session = ctx;
	session->options.on_skew(session->options.ctx, skew_ms);
}

static bool take_credentials(const struct session *session, struct aws_credentials *credentials,
			     struct err *err)
{
	if (!session->options.demo)
		return aws_credentials_from_env(credentials, err);
	*credentials = (struct aws_credentials){ .access_key = mem_copy_text(DEMO_ACCESS_KEY),
						 .secret_key = mem_copy_text(DEMO_SECRET_KEY) };
	return true;
}

static bool start_client(struct session *session, const char *endpoint_url, struct err *err)
{
	struct aws_credentials credentials = { 0 };
	session->client_waiter =
		(struct waiter){ .ready = client_ready, .wake = client_wake, .ctx = session };
	const struct aws_options options = {
		.region = session->options.region,
		.endpoint_url = endpoint_url,
		.read_only = session->options.read_only,
		.keep_clock = !session->options.demo && aws_keeps_clock(),
		.pace = session->options.pace,
		.clock = session->options.clock,
		.hooks = waits_add(&session->waits, &session->client_waiter),
		.on_date = note_date,
		.on_skew = tell_skew,
		.ctx = session,
	};
	if (take_credentials(session, &credentials, err))
		session->client = aws_client_new(&options, &credentials, err);
	aws_credentials_release(&credentials);
	return session->client != NULL;
}

/* The region's ready line; later its end. */
static void read_demo(void *ctx, int fd, short events)
{
	(void)fd, (void)events;
	struct session *session = ctx;
	struct err err = { 0 };
	bool ok = demo_read(&session->demo, &err);
	bool is_ready = ok && session->demo.url[0] && !session->client;
	if (is_ready)
		ok = start_client(session, session->demo.url, &err);
	if (!ok) {
		waits_remove(&session->demo_waiter);
		session->options.failed(session->options.ctx, &err);
	} else if (is_ready) {
		session->options.connected(session->options.ctx);
	}
	err_clear(&err);
}

static void watch_demo(struct session *session)
{
	session->demo_waiter = (struct waiter){ .ready = read_demo, .ctx = session };
	struct wait_hooks hooks = waits_add(&session->waits, &session->demo_waiter);
	hooks.watch(hooks.host, session->demo.fd, POLLIN);
}

void session_connect(struct session *session)
{
	const struct session_options *options = &session->options;
	struct err err = { 0 };
	bool ok = options->demo ? demo_start(&session->demo, &err)
				: start_client(session, options->endpoint_url, &err);
	if (ok && options->demo)
		watch_demo(session);
	else if (ok)
		options->connected(options->ctx);
	else
		options->failed(options->ctx, &err);
	err_clear(&err);
}

struct aws_client *session_client(struct session *session)
{
	return session->client;
}

void session_start_jobs(struct session *session)
{
	const struct session_options *options = &session->options;
	session->sync_waiter = (struct waiter){ .wake = sync_due, .ctx = session };
	const struct sync_options sync = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->sync_waiter),
		.region = options->region,
		.refresh_ms = options->refresh_ms,
		.since_ms = options->since_ms,
		.unpaced = options->pace == 0,
		.list_gap_ms = options->pace > 0 ? (int64_t)(1000 / options->pace) : 0,
		.want = options->want,
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->sync = sync_new(&sync);
}

void session_start_plans(struct session *session)
{
	const struct session_options *options = &session->options;
	session->plans_waiter = (struct waiter){ .wake = plans_due, .ctx = session };
	const struct plans_feed_options plans = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->plans_waiter),
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->plans = plans_feed_new(&plans);
}

void session_start_tags(struct session *session)
{
	const struct session_options *options = &session->options;
	session->tags_waiter = (struct waiter){ .wake = tags_due, .ctx = session };
	const struct tags_feed_options tags = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->tags_waiter),
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->tags = tags_feed_new(&tags);
}

void session_select(struct session *session, const char *arn)
{
	if (session->sync)
		sync_select(session->sync, arn);
}

void session_refresh(struct session *session)
{
	if (session->sync)
		sync_refresh(session->sync);
}

void session_want_plans(struct session *session, bool wanted)
{
	plans_feed_want(session->plans, wanted);
}

void session_want_tags(struct session *session, const char *arn)
{
	tags_feed_want(session->tags, arn);
}

bool session_is_settled(const struct session *session)
{
	return session->sync && sync_is_settled(session->sync);
}

void session_ready(struct session *session, int fd, short events)
{
	waits_ready(&session->waits, fd, events);
}

void session_wake(struct session *session)
{
	waits_wake(&session->waits);
}
