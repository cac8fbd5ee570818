#include "tests/watcher.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

#define DAY_MS INT64_C(86400000)

static void on_ready(int fd, short events, void *ctx)
{
	struct watcher *watcher = ctx;

	http_ready(watcher->http, fd, events);
	aws_client_wake(watcher->client);
}

static void watch(void *host, int fd, short events)
{
	struct watcher *watcher = host;

	loop_watch(watcher->loop, fd, events, on_ready, watcher);
}

static void no_watch(void *host, int fd, short events)
{
	(void)host;
	(void)fd;
	(void)events;
}

static void wake_http_in(void *host, int64_t ms)
{
	loop_arm(((struct watcher *)host)->loop, &((struct watcher *)host)->http_timer, ms);
}

static void wake_client_in(void *host, int64_t ms)
{
	loop_arm(((struct watcher *)host)->loop, &((struct watcher *)host)->client_timer, ms);
}

static void wake_sync_in(void *host, int64_t ms)
{
	loop_arm(((struct watcher *)host)->loop, &((struct watcher *)host)->sync_timer, ms);
}

static void on_http_due(void *ctx)
{
	http_wake(((struct watcher *)ctx)->http);
}

static void on_client_due(void *ctx)
{
	aws_client_wake(((struct watcher *)ctx)->client);
}

static void on_sync_due(void *ctx)
{
	sync_wake(((struct watcher *)ctx)->sync);
}

static void on_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	store_note_date(&((struct watcher *)ctx)->store, date_ms, mono_ms);
}

static void record(struct watcher *watcher, const char *name)
{
	int64_t now = clock_mono_ms(&watcher->clock);
	size_t i = 0;

	while (i < watcher->op_count && strcmp(watcher->ops[i].name, name) != 0)
		i++;

	struct watched_op *op = &watcher->ops[i];

	if (i == watcher->op_count) {
		assert_true(i < WATCHER_OPS_MAX);
		watcher->op_count++;
		op->shortest_ms = INT64_MAX;
		snprintf(op->name, sizeof(op->name), "%.63s", name);
	} else if (now - op->last_ms < op->shortest_ms) {
		op->shortest_ms = now - op->last_ms;
	}
	op->last_ms = now;
	op->sent++;
}

static uint64_t send(void *self, const struct http_request *request, reply_fn *done, void *ctx)
{
	struct watcher *watcher = self;

	for (size_t i = 0; i < request->header_count; i++) {
		const char *dot = strchr(request->headers[i].value, '.');

		if (strcmp(request->headers[i].name, "X-Amz-Target") == 0 && dot)
			record(watcher, dot + 1);
	}
	return watcher->wire.send(watcher->wire.self, request, done, ctx);
}

static void cancel(void *self, uint64_t id)
{
	struct watcher *watcher = self;

	watcher->wire.cancel(watcher->wire.self, id);
}

void watcher_start(struct watcher *watcher, const char *url)
{
	char access[] = "AKIDSIM", secret[] = "simsecret";
	const struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	const struct transport transport = { send, cancel, watcher };
	const struct wait_hooks http_hooks = { watch, wake_http_in, watcher };
	struct err err = { 0 };

	*watcher = (struct watcher){ .clock = clock_system() };
	watcher->loop = loop_new(&watcher->clock);
	watcher->http_timer = (struct timer){ .fire = on_http_due, .ctx = watcher };
	watcher->client_timer = (struct timer){ .fire = on_client_due, .ctx = watcher };
	watcher->sync_timer = (struct timer){ .fire = on_sync_due, .ctx = watcher };
	watcher->http = http_new(&http_hooks, &watcher->clock, NULL);
	watcher->wire = http_transport(watcher->http);
	watcher->client = aws_client_new(&(struct aws_options){ .region = "us-east-1",
								.endpoint_url = url,
								.pace = 1,
								.clock = &watcher->clock,
								.hooks = { no_watch, wake_client_in,
									   watcher },
								.transport = &transport,
								.on_date = on_date,
								.ctx = watcher },
					 &keys, &err);
	assert_non_null(watcher->client);
	watcher->sync =
		sync_new(&(struct sync_options){ .client = watcher->client,
						 .store = &watcher->store,
						 .clock = &watcher->clock,
						 .hooks = { no_watch, wake_sync_in, watcher },
						 .region = "us-east-1",
						 .refresh_ms = 5000,
						 .since_ms = 7 * DAY_MS });
}

void watcher_stop(struct watcher *watcher)
{
	sync_free(watcher->sync);
	aws_client_free(watcher->client);
	http_free(watcher->http);
	store_release(&watcher->store);
	loop_free(watcher->loop);
}

void watcher_run(struct watcher *watcher, int64_t ms)
{
	int64_t end = clock_mono_ms(&watcher->clock) + ms;

	for (int64_t now = end - ms; now < end; now = clock_mono_ms(&watcher->clock))
		loop_turn(watcher->loop, end - now);
}

struct watched_op watcher_op(const struct watcher *watcher, const char *name)
{
	for (size_t i = 0; i < watcher->op_count; i++) {
		if (strcmp(watcher->ops[i].name, name) == 0)
			return watcher->ops[i];
	}
	return (struct watched_op){ .shortest_ms = INT64_MAX };
}
