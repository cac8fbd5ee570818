#include "aws/auth/fetch.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/trace.h"
#include "model/base/mem.h"

#define PLACE_SIZE 512

struct fetch {
	const struct auth_world *world;
	struct fetch_options options;
	char *method, *url, *names[2], *values[2];
	struct waiter waiter;
	struct wait_hooks hooks;
	unsigned tries;
	int64_t started_ms; /* of the newest */
	uint64_t transfer;  /* 0 = none under way */
	fetch_done_fn *done;
	void *ctx;
};

/* Without a query: it may be a password. */
static struct trace trace_of(const struct fetch *fetch, char place[PLACE_SIZE])
{
	snprintf(place, PLACE_SIZE, "%.*s", (int)strcspn(fetch->url, "?#"), fetch->url);
	return (struct trace){ .log = fetch->world->log,
			       .name = fetch->method,
			       .region = "metadata",
			       .host = place,
			       .tries = fetch->tries,
			       .took_ms = clock_mono_ms(fetch->world->clock) - fetch->started_ms };
}

static bool is_no_document(const struct http_reply *reply)
{
	return reply->status != 200 || reply->body_len == 0;
}

static void on_reply(void *ctx, const struct http_reply *reply, const struct err *err, bool sent)
{
	struct fetch *fetch = ctx;
	char place[PLACE_SIZE];
	(void)sent;
	fetch->transfer = 0;
	if (reply)
		trace_answered(trace_of(fetch, place), reply, NULL);
	else
		trace_unanswered(trace_of(fetch, place), err);
	if ((!reply || fetch->options.again(reply)) && fetch->tries < fetch->options.tries)
		fetch->hooks.wake_in(fetch->hooks.host, fetch->options.pause_ms);
	else
		fetch->done(fetch->ctx, reply, err);
}

static void send_once(void *ctx)
{
	struct fetch *fetch = ctx;
	char place[PLACE_SIZE];
	struct http_request request = {
		.method = fetch->method,
		.url = fetch->url,
		.header_count = fetch->options.header_count,
		.timeout_ms = fetch->options.timeout_ms,
		.max_reply = FETCH_REPLY_MAX,
		.no_proxy = true,
	};
	for (size_t i = 0; i < request.header_count; i++)
		request.headers[i] = (struct http_header){ fetch->names[i], fetch->values[i] };
	fetch->tries++;
	fetch->started_ms = clock_mono_ms(fetch->world->clock);
	trace_sent(trace_of(fetch, place), 0);
	fetch->transfer =
		fetch->world->http->send(fetch->world->http->self, &request, on_reply, fetch);
}

struct fetch *fetch_start(const struct auth_world *world, const struct fetch_options *options,
			  fetch_done_fn *done, void *ctx)
{
	struct fetch *fetch = mem_new(1, sizeof(*fetch));
	fetch->world = world;
	fetch->options = *options;
	if (!fetch->options.again)
		fetch->options.again = is_no_document;
	fetch->method = mem_copy_text(options->method);
	fetch->url = mem_copy_text(options->url);
	for (size_t i = 0; i < options->header_count; i++) {
		fetch->names[i] = mem_copy_text(options->headers[i].name);
		fetch->values[i] = mem_copy_text(options->headers[i].value);
	}
	fetch->done = done;
	fetch->ctx = ctx;
	fetch->waiter = (struct waiter){ .wake = send_once, .ctx = fetch };
	fetch->hooks = waits_add(world->waits, &fetch->waiter);
	send_once(fetch);
	return fetch;
}

void fetch_free(struct fetch *fetch)
{
	if (!fetch)
		return;
	if (fetch->transfer != 0)
		fetch->world->http->cancel(fetch->world->http->self, fetch->transfer);
	waits_remove(&fetch->waiter);
	for (size_t i = 0; i < fetch->options.header_count; i++) {
		OPENSSL_cleanse(fetch->values[i], strlen(fetch->values[i]));
		free(fetch->names[i]);
		free(fetch->values[i]);
	}
	free(fetch->method);
	free(fetch->url);
	free(fetch);
}
