#include "tests/httphost.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"

#define PATIENCE_MS 10000

static void watch(void *ctx, int fd, short events)
{
	struct httphost *host = ctx;
	size_t i = 0;

	while (i < host->watch_count && host->watches[i].fd != fd)
		i++;
	if (events == 0) {
		if (i < host->watch_count)
			host->watches[i] = host->watches[--host->watch_count];
		return;
	}
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(i < WATCHES_MAX);
	host->watches[i] = (struct pollfd){ fd, events, 0 };
	host->watch_count += i == host->watch_count;
}

static void wake_in(void *ctx, int64_t ms)
{
	struct httphost *host = ctx;

	host->armed = ms >= 0;
	host->due_ms = clock_mono_ms(&host->clock) + ms;
}

void httphost_turn(struct httphost *host)
{
	int64_t now = clock_mono_ms(&host->clock), wait = 100;
	struct pollfd ready[WATCHES_MAX];
	size_t count = host->watch_count;

	if (host->armed && host->due_ms - now < wait)
		wait = host->due_ms > now ? host->due_ms - now : 0;
	memcpy(ready, host->watches, sizeof(ready));
	assert_true(poll(ready, count, (int)wait) >= 0);
	for (size_t i = 0; i < count; i++) {
		if (ready[i].revents)
			http_ready(host->http, ready[i].fd, ready[i].revents);
	}
	if (host->armed && host->due_ms <= clock_mono_ms(&host->clock)) {
		host->armed = false;
		http_wake(host->http);
	}
}

void httphost_run(struct httphost *host, unsigned done)
{
	int64_t end = clock_mono_ms(&host->clock) + PATIENCE_MS;

	while (host->done < done) {
		httphost_turn(host);
		assert_true(clock_mono_ms(&host->clock) < end);
	}
}

struct httphost *httphost_new_trusting(const char *ca_bundle)
{
	struct httphost *host = mem_new(1, sizeof(*host));
	struct wait_hooks hooks = { watch, wake_in, host };

	tinyserver_start(&host->server);
	host->clock = clock_system();
	host->http = http_new(&hooks, &host->clock, ca_bundle);
	host->transport = http_transport(host->http);
	return host;
}

struct httphost *httphost_new(void)
{
	return httphost_new_trusting(NULL);
}

void httphost_free(struct httphost *host)
{
	http_free(host->http);
	assert_int_equal(host->watch_count, 0);
	tinyserver_stop(&host->server);
	free(host);
}

static void ended(void *ctx, const struct http_reply *reply, const struct err *err, bool sent)
{
	struct httphost *host = ctx;

	assert_false(host->inside);
	assert_true((reply == NULL) != (err == NULL));
	host->done++;
	host->code = err ? err->code : ERR_NONE;
	host->hint = err ? err->hint : HINT_NONE;
	host->sent = sent;
	snprintf(host->text, sizeof(host->text), "%s", err ? err_text(err) : "");
	if (!reply) {
		assert_true(err_text(err)[0] != '\0');
		return;
	}
	host->status = reply->status;
	host->has_date = reply->has_date;
	host->date_ms = reply->date_ms;
	host->retry_after_ms = reply->retry_after_ms;
	assert_int_equal(strlen(reply->body), reply->body_len);
	snprintf(host->body, sizeof(host->body), "%s", reply->body);
	snprintf(host->request_id, sizeof(host->request_id), "%s", reply->request_id);
	snprintf(host->error_type, sizeof(host->error_type), "%s", reply->error_type);
}

struct http_request httphost_request(char url[128], int port, const char *path)
{
	snprintf(url, 128, "http://127.0.0.1:%d%s", port, path);
	return (struct http_request){ .method = "POST",
				      .url = url,
				      .headers = { { "Host", "example.test" },
						   { "Content-Type", "application/x-test" },
						   { "Authorization", "AWS4 x" } },
				      .header_count = 3,
				      .body = "{\"q\":1}",
				      .body_len = 7,
				      .timeout_ms = 5000,
				      .max_reply = 1000 };
}

uint64_t httphost_start(struct httphost *host, const struct http_request *request)
{
	uint64_t id;

	host->inside = true;
	id = host->transport.send(host->transport.self, request, ended, host);
	host->inside = false;
	return id;
}

void httphost_get(struct httphost *host, const char *path)
{
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, path);

	httphost_start(host, &request);
	httphost_run(host, host->done + 1);
}
