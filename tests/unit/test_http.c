#define _GNU_SOURCE /* strcasestr */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/httphost.h"

static void reply__is_delivered_whole__with_its_headers(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	httphost_get(host, "/ok");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(host->status, 200);
	assert_true(host->sent);
	assert_string_equal(host->body, "{\"a\":1}");
	assert_string_equal(host->request_id, "id-7");
	assert_string_equal(host->error_type, "");
	assert_true(host->has_date);
	assert_int_equal(host->date_ms, INT64_C(1796071688000)); /* 2026-11-30T20:48:08Z */
	assert_int_equal(host->retry_after_ms, 1500);
	httphost_free(host);
}

static void request__is_sent_as_given__and_nothing_is_asked_for(void **state)
{
	struct httphost *host = httphost_new();
	const char *last = host->server.last;

	(void)state;
	httphost_get(host, "/ok");
	assert_memory_equal(last, "POST /ok HTTP/1.1\r\n", 19);
	assert_non_null(strstr(last, "\r\nHost: example.test\r\n"));
	assert_non_null(strstr(last, "\r\nContent-Type: application/x-test\r\n"));
	assert_non_null(strstr(last, "\r\nContent-Length: 7\r\n"));
	assert_non_null(strstr(last, "\r\n\r\n{\"q\":1}"));
	assert_null(strcasestr(last, "expect:"));
	assert_null(strcasestr(last, "accept-encoding:"));
	assert_null(strcasestr(last, "cookie:"));
	httphost_free(host);
}

/* The metadata service wants its token asked for so, without a body. */
static void put__has_its_method__and_no_body(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/ok");

	(void)state;
	request.method = "PUT";
	request.body = NULL;
	request.body_len = 0;
	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->status, 200);
	assert_memory_equal(host->server.last, "PUT /ok HTTP/1.1\r\n", 18);
	assert_non_null(strstr(host->server.last, "\r\nContent-Length: 0\r\n"));
	httphost_free(host);
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
	struct httphost *host = httphost_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		httphost_get(host, cases[i].path);
		if (host->code != cases[i].code)
			fail_msg("%s: %d", cases[i].path, host->code);
		assert_true(host->sent);
		/* The next one works. */
		httphost_get(host, "/ok");
		assert_int_equal(host->code, ERR_NONE);
	}
	httphost_free(host);
}

static void timeout__ends_the_call__in_its_time(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/slow");
	int64_t before = clock_mono_ms(&host->clock), took;

	(void)state;
	request.timeout_ms = 150;
	httphost_start(host, &request);
	httphost_run(host, 1);
	took = clock_mono_ms(&host->clock) - before;
	assert_int_equal(host->code, ERR_TIMEOUT);
	assert_true(host->sent);
	assert_true(took >= 140 && took < 5000);
	httphost_free(host);
}

static void nothing_listens__is_no_network__and_nothing_was_sent(void **state)
{
	struct httphost *host = httphost_new();
	struct tinyserver *other = mem_new(1, sizeof(*other));
	char url[128];

	(void)state;
	tinyserver_start(other);
	tinyserver_stop(other);

	struct http_request request = httphost_request(url, other->port, "/ok");

	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_NET);
	assert_false(host->sent);
	free(other);
	httphost_free(host);
}

static void other_schemes__are_refused__before_anything_is_read(void **state)
{
	static const char *const urls[] = { "file:///etc/passwd", "ftp://127.0.0.1/",
					    "not a url at all" };
	struct httphost *host = httphost_new();

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char url[128];
		struct http_request request = httphost_request(url, host->server.port, "/ok");

		request.url = urls[i];
		httphost_start(host, &request);
		httphost_run(host, (unsigned)i + 1);
		assert_true(host->code != ERR_NONE);
		assert_false(host->sent);
	}
	assert_int_equal(atomic_load(&host->server.connections), 0);
	httphost_free(host);
}

static void redirect__is_an_answer__and_not_followed(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	httphost_get(host, "/redirect");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(host->status, 302);
	assert_int_equal(atomic_load(&host->server.requests), 1);
	httphost_free(host);
}

static void error__keeps_its_code__and_bad_hints_are_left(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	httphost_get(host, "/ok"); /* nothing of it stays */
	httphost_get(host, "/error");
	assert_int_equal(host->status, 400);
	assert_string_equal(host->error_type, "Foo:http://x/");
	assert_string_equal(host->request_id, "");
	assert_int_equal(host->retry_after_ms, -1);
	assert_false(host->has_date);
	httphost_get(host, "/age");
	assert_false(host->has_date);
	httphost_free(host);
}

static void date__is_none__when_no_clock_can_show_it(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	httphost_get(host, "/old");
	assert_int_equal(host->status, 200);
	assert_false(host->has_date);
	httphost_get(host, "/future");
	assert_int_equal(host->status, 200);
	assert_false(host->has_date);
	httphost_free(host);
}

static void connection__is_kept__for_the_next_request(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	for (int i = 0; i < 5; i++)
		httphost_get(host, "/ok");
	assert_int_equal(atomic_load(&host->server.requests), 5);
	assert_int_equal(atomic_load(&host->server.connections), 1);
	httphost_free(host);
}

/* A kept connection that breaks: libcurl sends again by itself, unless it must not. */
static void once__is_written_once__when_a_kept_connection_breaks(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/die");

	(void)state;
	httphost_get(host, "/ok");
	httphost_get(host, "/die");
	assert_int_equal(host->code, ERR_NET);
	assert_int_equal(atomic_load(&host->server.dies), 2);
	httphost_get(host, "/ok");
	atomic_store(&host->server.dies, 0);
	request.once = true;
	httphost_start(host, &request);
	httphost_run(host, host->done + 1);
	assert_int_equal(host->code, ERR_NET);
	assert_true(host->sent);
	assert_int_equal(atomic_load(&host->server.dies), 1);
	httphost_free(host);
}

/* Each waits for the other two, so that one after the other would never end. */
static void requests__run_side_by_side__over_their_own_connections(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/barrier");

	(void)state;
	for (int i = 0; i < 3; i++)
		httphost_start(host, &request);
	httphost_run(host, 3);
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(atomic_load(&host->server.connections), 3);
	httphost_free(host);
}

static void cancel__ends_without_call_back__and_free_too(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/slow");

	(void)state;

	uint64_t first = httphost_start(host, &request);

	httphost_start(host, &request);
	httphost_turn(host);
	httphost_turn(host);
	host->transport.cancel(host->transport.self, first);
	host->transport.cancel(host->transport.self, first);
	host->transport.cancel(host->transport.self, 99999);
	httphost_get(host, "/ok");
	assert_int_equal(host->done, 1);
	assert_int_equal(host->code, ERR_NONE);
	httphost_free(host);
	http_free(NULL);
}

/* A proxy of the environment must not see what goes to this machine. */
static void loopback__is_reached__past_any_proxy(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	assert_int_equal(setenv("http_proxy", "http://127.0.0.1:1", 1), 0);
	assert_int_equal(setenv("all_proxy", "http://127.0.0.1:1", 1), 0);
	httphost_get(host, "/ok");
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(unsetenv("http_proxy"), 0);
	assert_int_equal(unsetenv("all_proxy"), 0);
	httphost_free(host);
}

static void largest_reply__is_taken__and_one_byte_more_is_not(void **state)
{
	struct httphost *host = httphost_new();
	char url[128];
	struct http_request request = httphost_request(url, host->server.port, "/bigchunk");

	(void)state;
	request.max_reply = 5000;
	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_NONE);
	assert_int_equal(strlen(host->body), 5000);
	request.max_reply = 4999;
	httphost_start(host, &request);
	httphost_run(host, 2);
	assert_int_equal(host->code, ERR_TOO_BIG);
	httphost_free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(date__is_none__when_no_clock_can_show_it),
		cmocka_unit_test(reply__is_delivered_whole__with_its_headers),
		cmocka_unit_test(request__is_sent_as_given__and_nothing_is_asked_for),
		cmocka_unit_test(put__has_its_method__and_no_body),
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
