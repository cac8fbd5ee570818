#define _GNU_SOURCE /* strcasestr */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/http.h"
#include "model/base/mem.h"
#include "tests/tinyserver.h"

#define WATCHES_MAX 32
#define PATIENCE_MS 10000

/* The smallest event loop: one poll, one timer. */
struct host {
	struct tinyserver server;
	struct clock clock;
	struct http *http;
	struct transport transport;
	struct pollfd watches[WATCHES_MAX];
	size_t watch_count;
	bool armed, inside;
	int64_t due_ms;
	unsigned done;
	/* Of the newest end. */
	enum err_code code;
	bool sent, has_date;
	int status;
	int64_t date_ms, retry_after_ms;
	char body[8192], request_id[128], error_type[128];
};

static void watch(void *ctx, int fd, short events)
{
	struct host *host = ctx;
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
	struct host *host = ctx;

	host->armed = ms >= 0;
	host->due_ms = clock_mono_ms(&host->clock) + ms;
}

static void turn(struct host *host)
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

static void run(struct host *host, unsigned done)
{
	int64_t end = clock_mono_ms(&host->clock) + PATIENCE_MS;

	while (host->done < done) {
		turn(host);
		assert_true(clock_mono_ms(&host->clock) < end);
	}
}

static struct host *setup(void)
{
	struct host *host = mem_new(1, sizeof(*host));
	struct wait_hooks hooks = { watch, wake_in, host };

	tinyserver_start(&host->server);
	host->clock = clock_system();
	host->http = http_new(&hooks, &host->clock);
	host->transport = http_transport(host->http);
	return host;
}

static void teardown(struct host *host)
{
	http_free(host->http);
	assert_int_equal(host->watch_count, 0);
	tinyserver_stop(&host->server);
	free(host);
}

static void ended(void *ctx, const struct http_reply *reply, const struct err *err, bool sent)
{
	struct host *host = ctx;

	assert_false(host->inside);
	assert_true((reply == NULL) != (err == NULL));
	host->done++;
	host->code = err ? err->code : ERR_NONE;
	host->sent = sent;
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

static struct http_request request_to(char url[128], int port, const char *path)
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

static uint64_t start(struct host *host, const struct http_request *request)
{
	uint64_t id;

	host->inside = true;
	id = host->transport.send(host->transport.self, request, ended, host);
	host->inside = false;
	return id;
}

/* One request to a path, run to its end. */
static void get(struct host *host, const char *path)
{
	char url[128];
	struct http_request request = request_to(url, host->server.port, path);

	start(host, &request);
	run(host, host->done + 1);
}

static void reply__is_delivered_whole__with_its_headers(void **state)
{
	struct host *host = setup();

	(void)state;
	get(host, "/ok");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(host->status, 200);
	assert_true(host->sent);
	assert_string_equal(host->body, "{\"a\":1}");
	assert_string_equal(host->request_id, "id-7");
	assert_string_equal(host->error_type, "");
	assert_true(host->has_date);
	assert_int_equal(host->date_ms, INT64_C(1796071688000)); /* 2026-11-30T20:48:08Z */
	assert_int_equal(host->retry_after_ms, 1500);
	teardown(host);
}

static void request__is_sent_as_given__and_nothing_is_asked_for(void **state)
{
	struct host *host = setup();
	const char *last = host->server.last;

	(void)state;
	get(host, "/ok");
	assert_memory_equal(last, "POST /ok HTTP/1.1\r\n", 19);
	assert_non_null(strstr(last, "\r\nHost: example.test\r\n"));
	assert_non_null(strstr(last, "\r\nContent-Type: application/x-test\r\n"));
	assert_non_null(strstr(last, "\r\nContent-Length: 7\r\n"));
	assert_non_null(strstr(last, "\r\n\r\n{\"q\":1}"));
	assert_null(strcasestr(last, "expect:"));
	assert_null(strcasestr(last, "accept-encoding:"));
	assert_null(strcasestr(last, "cookie:"));
	teardown(host);
}

static void failures__are_told_apart__by_what_went_wrong(void **state)
{
	static const struct {
		const char *path;
		enum err_code code;
	} cases[] = {
		{ "/cut", ERR_PARSE },        { "/chunkcut", ERR_PARSE }, { "/big", ERR_TOO_BIG },
		{ "/bigchunk", ERR_TOO_BIG }, { "/reset", ERR_NET },      { "/garbage", ERR_PARSE },
		{ "/headers", ERR_TOO_BIG },  { "/die", ERR_NET },
	};
	struct host *host = setup();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		get(host, cases[i].path);
		if (host->code != cases[i].code)
			fail_msg("%s: %d", cases[i].path, host->code);
		assert_true(host->sent);
		/* The next one works. */
		get(host, "/ok");
		assert_int_equal(host->code, ERR_NONE);
	}
	teardown(host);
}

static void timeout__ends_the_call__in_its_time(void **state)
{
	struct host *host = setup();
	char url[128];
	struct http_request request = request_to(url, host->server.port, "/slow");
	int64_t before = clock_mono_ms(&host->clock), took;

	(void)state;
	request.timeout_ms = 150;
	start(host, &request);
	run(host, 1);
	took = clock_mono_ms(&host->clock) - before;
	assert_int_equal(host->code, ERR_TIMEOUT);
	assert_true(host->sent);
	assert_true(took >= 140 && took < 5000);
	teardown(host);
}

static void nothing_listens__is_no_network__and_nothing_was_sent(void **state)
{
	struct host *host = setup();
	struct tinyserver *other = mem_new(1, sizeof(*other));
	char url[128];

	(void)state;
	tinyserver_start(other);
	tinyserver_stop(other);

	struct http_request request = request_to(url, other->port, "/ok");

	start(host, &request);
	run(host, 1);
	assert_int_equal(host->code, ERR_NET);
	assert_false(host->sent);
	free(other);
	teardown(host);
}

static void other_schemes__are_refused__before_anything_is_read(void **state)
{
	static const char *const urls[] = { "file:///etc/passwd", "ftp://127.0.0.1/",
					    "not a url at all" };
	struct host *host = setup();

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char url[128];
		struct http_request request = request_to(url, host->server.port, "/ok");

		request.url = urls[i];
		start(host, &request);
		run(host, (unsigned)i + 1);
		assert_true(host->code != ERR_NONE);
		assert_false(host->sent);
	}
	assert_int_equal(atomic_load(&host->server.connections), 0);
	teardown(host);
}

static void redirect__is_an_answer__and_not_followed(void **state)
{
	struct host *host = setup();

	(void)state;
	get(host, "/redirect");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(host->status, 302);
	assert_int_equal(atomic_load(&host->server.requests), 1);
	teardown(host);
}

static void error__keeps_its_code__and_bad_hints_are_left(void **state)
{
	struct host *host = setup();

	(void)state;
	get(host, "/ok"); /* nothing of it stays */
	get(host, "/error");
	assert_int_equal(host->status, 400);
	assert_string_equal(host->error_type, "Foo:http://x/");
	assert_string_equal(host->request_id, "");
	assert_int_equal(host->retry_after_ms, -1);
	assert_false(host->has_date);
	get(host, "/age");
	assert_false(host->has_date);
	teardown(host);
}

static void date__is_none__when_no_clock_can_show_it(void **state)
{
	struct host *host = setup();

	(void)state;
	get(host, "/old");
	assert_int_equal(host->status, 200);
	assert_false(host->has_date);
	get(host, "/future");
	assert_int_equal(host->status, 200);
	assert_false(host->has_date);
	teardown(host);
}

static void connection__is_kept__for_the_next_request(void **state)
{
	struct host *host = setup();

	(void)state;
	for (int i = 0; i < 5; i++)
		get(host, "/ok");
	assert_int_equal(atomic_load(&host->server.requests), 5);
	assert_int_equal(atomic_load(&host->server.connections), 1);
	teardown(host);
}

/* A kept connection that breaks: libcurl sends again by itself, unless it must not. */
static void once__is_written_once__when_a_kept_connection_breaks(void **state)
{
	struct host *host = setup();
	char url[128];
	struct http_request request = request_to(url, host->server.port, "/die");

	(void)state;
	get(host, "/ok");
	get(host, "/die");
	assert_int_equal(host->code, ERR_NET);
	assert_int_equal(atomic_load(&host->server.dies), 2);
	get(host, "/ok");
	atomic_store(&host->server.dies, 0);
	request.once = true;
	start(host, &request);
	run(host, host->done + 1);
	assert_int_equal(host->code, ERR_NET);
	assert_true(host->sent);
	assert_int_equal(atomic_load(&host->server.dies), 1);
	teardown(host);
}

/* Each waits for the other two, so that one after the other would never end. */
static void requests__run_side_by_side__over_their_own_connections(void **state)
{
	struct host *host = setup();
	char url[128];
	struct http_request request = request_to(url, host->server.port, "/barrier");

	(void)state;
	for (int i = 0; i < 3; i++)
		start(host, &request);
	run(host, 3);
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(atomic_load(&host->server.connections), 3);
	teardown(host);
}

static void cancel__ends_without_call_back__and_free_too(void **state)
{
	struct host *host = setup();
	char url[128];
	struct http_request request = request_to(url, host->server.port, "/slow");

	(void)state;

	uint64_t first = start(host, &request);

	start(host, &request);
	turn(host);
	turn(host);
	host->transport.cancel(host->transport.self, first);
	host->transport.cancel(host->transport.self, first);
	host->transport.cancel(host->transport.self, 99999);
	get(host, "/ok");
	assert_int_equal(host->done, 1);
	assert_int_equal(host->code, ERR_NONE);
	teardown(host);
	http_free(NULL);
}

/* A proxy of the environment must not see what goes to this machine. */
static void loopback__is_reached__past_any_proxy(void **state)
{
	struct host *host = setup();

	(void)state;
	assert_int_equal(setenv("http_proxy", "http://127.0.0.1:1", 1), 0);
	assert_int_equal(setenv("all_proxy", "http://127.0.0.1:1", 1), 0);
	get(host, "/ok");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(unsetenv("http_proxy"), 0);
	assert_int_equal(unsetenv("all_proxy"), 0);
	teardown(host);
}

static void largest_reply__is_taken__and_one_byte_more_is_not(void **state)
{
	struct host *host = setup();
	char url[128];
	struct http_request request = request_to(url, host->server.port, "/bigchunk");

	(void)state;
	request.max_reply = 5000;
	start(host, &request);
	run(host, 1);
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(strlen(host->body), 5000);
	request.max_reply = 4999;
	start(host, &request);
	run(host, 2);
	assert_int_equal(host->code, ERR_TOO_BIG);
	teardown(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(date__is_none__when_no_clock_can_show_it),
		cmocka_unit_test(reply__is_delivered_whole__with_its_headers),
		cmocka_unit_test(request__is_sent_as_given__and_nothing_is_asked_for),
		cmocka_unit_test(failures__are_told_apart__by_what_went_wrong),
		cmocka_unit_test(timeout__ends_the_call__in_its_time),
		cmocka_unit_test(nothing_listens__is_no_network__and_nothing_was_sent),
		cmocka_unit_test(other_schemes__are_refused__before_anything_is_read),
		cmocka_unit_test(redirect__is_an_answer__and_not_followed),
		cmocka_unit_test(error__keeps_its_code__and_bad_hints_are_left),
		cmocka_unit_test(connection__is_kept__for_the_next_request),
		cmocka_unit_test(once__is_written_once__when_a_kept_connection_breaks),
		cmocka_unit_test(requests__run_side_by_side__over_their_own_connections),
		cmocka_unit_test(cancel__ends_without_call_back__and_free_too),
		cmocka_unit_test(loopback__is_reached__past_any_proxy),
		cmocka_unit_test(largest_reply__is_taken__and_one_byte_more_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
