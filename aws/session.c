#include "aws/session.h"

#include <poll.h>
#include <stdlib.h>

#include "aws/demo.h"
#include "aws/plans_feed.h"
#include "aws/sync.h"
#include "model/base/mem.h"

/* Who asks to be woken; the loop sees the earliest of their times alone. */
enum sleeper { SLEEPER_CLIENT, SLEEPER_JOBS, SLEEPER_PLANS, SLEEPER_COUNT };

struct alarm {
	struct session *session;
	int64_t due_ms; /* monotonic; INT64_MAX = none */
};

struct session {
	struct session_options options;
	struct demo demo;
	struct aws_client *client;
	struct sync *sync;
	struct plans_feed *plans;
	struct alarm alarms[SLEEPER_COUNT];
};

static void arm_earliest(struct session *session)
{
	const struct wait_hooks *hooks = &session->options.hooks;
	int64_t due_ms = INT64_MAX;
	for (size_t i = 0; i < SLEEPER_COUNT; i++)
		if (session->alarms[i].due_ms < due_ms)
			due_ms = session->alarms[i].due_ms;
	int64_t in_ms = due_ms == INT64_MAX ? -1 : due_ms - clock_mono_ms(session->options.clock);
	hooks->wake_in(hooks->host, due_ms != INT64_MAX && in_ms < 0 ? 0 : in_ms);
}

static void wake_in(void *host, int64_t ms)
{
	struct alarm *alarm = host;
	alarm->due_ms = ms < 0 ? INT64_MAX : clock_mono_ms(alarm->session->options.clock) + ms;
	arm_earliest(alarm->session);
}

static void watch(void *host, int fd, short events)
{
	const struct wait_hooks *hooks = &((struct alarm *)host)->session->options.hooks;
	hooks->watch(hooks->host, fd, events);
}

static struct wait_hooks hooks_of(struct session *session, enum sleeper sleeper)
{
	return (struct wait_hooks){ .watch = watch,
				    .wake_in = wake_in,
				    .host = &session->alarms[sleeper] };
}

void session_wake(struct session *session)
{
	int64_t now_ms = clock_mono_ms(session->options.clock);
	bool due[SLEEPER_COUNT];
	for (size_t i = 0; i < SLEEPER_COUNT; i++) {
		due[i] = session->alarms[i].due_ms <= now_ms;
		if (due[i])
			session->alarms[i].due_ms = INT64_MAX;
	}
	if (due[SLEEPER_CLIENT])
		aws_client_wake(session->client);
	if (due[SLEEPER_JOBS])
		sync_wake(session->sync);
	if (due[SLEEPER_PLANS])
		plans_feed_wake(session->plans);
	arm_earliest(session);
}

struct session *session_new(const struct session_options *options)
{
	struct session *session = mem_new(1, sizeof(*session));
	session->options = *options;
	for (size_t i = 0; i < SLEEPER_COUNT; i++)
		session->alarms[i] = (struct alarm){ session, INT64_MAX };
	return session;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	sync_free(session->sync);
	plans_feed_free(session->plans);
	aws_client_free(session->client);
	demo_stop(&session->demo);
	free(session);
}

static void note_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	struct session *session = ctx;
	store_note_date(session->options.store, date_ms, mono_ms);
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
	const struct aws_options options = {
		.region = session->options.region,
		.endpoint_url = endpoint_url,
		.read_only = session->options.read_only,
		.pace = session->options.pace,
		.clock = session->options.clock,
		.hooks = hooks_of(session, SLEEPER_CLIENT),
		.on_date = note_date,
		.ctx = session,
	};
	if (take_credentials(session, &credentials, err))
		session->client = aws_client_new(&options, &credentials, err);
	aws_credentials_release(&credentials);
	return session->client != NULL;
}

/* The region's ready line; later its end. */
static void read_demo(struct session *session)
{
	const struct wait_hooks *hooks = &session->options.hooks;
	struct err err = { 0 };
	bool ok = demo_read(&session->demo, &err);
	bool is_ready = ok && session->demo.url[0] && !session->client;
	if (is_ready)
		ok = start_client(session, session->demo.url, &err);
	if (!ok) {
		hooks->watch(hooks->host, session->demo.fd, 0);
		session->options.failed(session->options.ctx, &err);
	} else if (is_ready) {
		session->options.connected(session->options.ctx);
	}
	err_clear(&err);
}

void session_connect(struct session *session)
{
	const struct session_options *options = &session->options;
	struct err err = { 0 };
	bool ok = options->demo ? demo_start(&session->demo, &err)
				: start_client(session, options->endpoint_url, &err);
	if (ok && options->demo)
		options->hooks.watch(options->hooks.host, session->demo.fd, POLLIN);
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
	const struct sync_options sync = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = hooks_of(session, SLEEPER_JOBS),
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
	const struct plans_feed_options plans = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = hooks_of(session, SLEEPER_PLANS),
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->plans = plans_feed_new(&plans);
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

bool session_is_settled(const struct session *session)
{
	return session->sync && sync_is_settled(session->sync);
}

void session_ready(struct session *session, int fd, short events)
{
	if (session->demo.pid != 0 && fd == session->demo.fd)
		read_demo(session);
	else
		aws_client_ready(session->client, fd, events);
}
