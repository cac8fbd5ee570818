/* Why no answer came: in words, and as real sockets show it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/http_failure.h"
#include "model/base/mem.h"
#include "tests/httphost.h"
#include "tests/tlsserver.h"

#define HOST  "h.example"
#define PROXY "the proxy p.corp:3128 of HTTPS_PROXY"

static void words__name_the_host_or_the_proxy__and_the_fix(void **state)
{
	static const struct {
		struct http_failure failure;
		bool proxied;
		enum err_code code;
		enum err_hint hint;
		const char *text;
	} cases[] = {
		{ { .fault = FAULT_NO_HOST },
		  false,
		  ERR_NET,
		  HINT_CHECK_HOST,
		  "no address is known for " HOST },
		{ { .fault = FAULT_NO_PROXY },
		  true,
		  ERR_NET,
		  HINT_CHECK_PROXY,
		  "no address is known for " PROXY },
		{ { .fault = FAULT_UNREACHED, .detail = "Connection refused" },
		  false,
		  ERR_NET,
		  HINT_CHECK_NETWORK,
		  "no connection to " HOST ": Connection refused" },
		{ { .fault = FAULT_UNREACHED, .detail = "Connection refused" },
		  true,
		  ERR_NET,
		  HINT_CHECK_PROXY,
		  "no connection to " PROXY ": Connection refused" },
		{ { .fault = FAULT_UNREACHED_IN_TIME },
		  false,
		  ERR_TIMEOUT,
		  HINT_RETRY_LATER,
		  "no connection in time to " HOST },
		{ { .fault = FAULT_UNREACHED_IN_TIME },
		  true,
		  ERR_TIMEOUT,
		  HINT_CHECK_PROXY,
		  "no connection in time to " HOST " by " PROXY },
		{ { .fault = FAULT_PROXY, .proxy_status = 403 },
		  true,
		  ERR_NET,
		  HINT_CHECK_PROXY,
		  PROXY " does not connect to " HOST " (status 403)" },
		{ { .fault = FAULT_PROXY, .proxy_status = 407 },
		  true,
		  ERR_NET,
		  HINT_CHECK_PROXY,
		  PROXY " wants a user name and a password (status 407)" },
		{ { .fault = FAULT_PROXY, .detail = "aborted" },
		  true,
		  ERR_NET,
		  HINT_CHECK_PROXY,
		  PROXY " does not connect: aborted" },
		{ { .fault = FAULT_PROXY_SETTING },
		  true,
		  ERR_CONFIG,
		  HINT_CHECK_PROXY,
		  "HTTPS_PROXY does not hold the URL of a proxy" },
		{ { .fault = FAULT_TLS, .detail = "old" },
		  true,
		  ERR_NET,
		  HINT_CHECK_NETWORK,
		  "no encrypted connection to " HOST ": old" },
		{ { .fault = FAULT_UNTRUSTED, .detail = "self-signed" },
		  false,
		  ERR_NET,
		  HINT_SET_CA_BUNDLE,
		  "the certificate of " HOST " is not trusted: self-signed" },
		{ { .fault = FAULT_UNTRUSTED, .is_proxy_tls = true },
		  true,
		  ERR_NET,
		  HINT_SET_CA_BUNDLE,
		  "the certificate of " PROXY " is not trusted" },
		{ { .fault = FAULT_UNTRUSTED, .is_expired = true },
		  false,
		  ERR_NET,
		  HINT_CHECK_CLOCK,
		  "the certificate of " HOST " is not trusted" },
		{ { .fault = FAULT_CA_FILE, .ca_bundle = "/etc/my.pem" },
		  false,
		  ERR_CONFIG,
		  HINT_SET_CA_BUNDLE,
		  "no certificates can be read from /etc/my.pem" },
		{ { .fault = FAULT_CA_FILE },
		  false,
		  ERR_CONFIG,
		  HINT_SET_CA_BUNDLE,
		  "no certificates can be read from this machine's own file (package "
		  "ca-certificates)" },
		{ { .fault = FAULT_BROKEN, .detail = "reset" },
		  true,
		  ERR_NET,
		  HINT_CHECK_NETWORK,
		  HOST " ended the connection without an answer: reset" },
		{ { .fault = FAULT_GARBLED, .detail = "cut" },
		  false,
		  ERR_PARSE,
		  HINT_RETRY_LATER,
		  "the answer of " HOST " cannot be read: cut" },
		{ { .fault = FAULT_SLOW, .detail = "5 s" },
		  true,
		  ERR_TIMEOUT,
		  HINT_RETRY_LATER,
		  HOST " gave no whole answer: 5 s" },
		{ { .fault = FAULT_TOO_BIG, .detail = "over 9 bytes" },
		  false,
		  ERR_TOO_BIG,
		  HINT_NONE,
		  "the answer of " HOST " is too big: over 9 bytes" },
		{ { .fault = FAULT_OTHER, .detail = "odd" },
		  false,
		  ERR_NET,
		  HINT_CHECK_NETWORK,
		  "the request failed: odd" },
	};
	const struct proxy none = { .url = NULL };
	const struct proxy proxy = { "http://u:sekret@p.corp:3128", "HTTPS_PROXY", "p.corp:3128" };

	(void)state;
	assert_true(sizeof(cases) / sizeof(cases[0]) >= FAULT_COUNT);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct http_failure failure = cases[i].failure;
		struct err err = { 0 };

		failure.host = HOST;
		failure.proxy = cases[i].proxied ? &proxy : &none;
		if (!failure.detail)
			failure.detail = "";
		http_failure_explain(&failure, &err);
		assert_string_equal(err_text(&err), cases[i].text);
		assert_int_equal(err.code, cases[i].code);
		assert_int_equal(err.hint, cases[i].hint);
		err_clear(&err);
	}
}

static void set_env(const char *name, const char *value)
{
	assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* What went wrong is said of url, and no word of the proxy's secrets. */
static void expect(struct httphost *host, const char *url, enum err_hint hint, const char *text)
{
	struct http_request request = { .method = "POST",
					.url = url,
					.headers = { { "Authorization", "AWS4 signed" } },
					.header_count = 1,
					.timeout_ms = 5000 };

	httphost_start(host, &request);
	httphost_run(host, host->done + 1);
	if (!strstr(host->text, text))
		fail_msg("%s: %s", url, host->text);
	assert_null(strstr(host->text, "sekret"));
	assert_null(strstr(host->text, "operator"));
	assert_null(strchr(host->text, '\n'));
	assert_int_equal(host->hint, hint);
}

/* A proxy of this machine, by the environment. */
static void use_proxy(const char *scheme, const char *peer, int port)
{
	char url[256];

	snprintf(url, sizeof(url), "%soperator:sekret@%s:%d", scheme, peer, port);
	set_env("https_proxy", url);
	set_env("http_proxy", url);
}

static void use_no_proxy(void)
{
	set_env("https_proxy", NULL);
	set_env("http_proxy", NULL);
	set_env("no_proxy", NULL);
}

/* A port of this machine where nothing listens. */
static int closed_port(void)
{
	struct tinyserver *server = mem_new(1, sizeof(*server));
	int port;

	tinyserver_start(server);
	port = server->port;
	tinyserver_stop(server);
	free(server);
	return port;
}

/* Longer than a name can be: no resolver is asked for it, so that it fails without a network. */
#define NO_NAME "no-such-name-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void name__is_named__when_nobody_knows_it(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	expect(host, "https://" NO_NAME "/", HINT_CHECK_HOST, "no address is known for " NO_NAME);
	assert_int_equal(host->code, ERR_NET);
	assert_false(host->sent);
	use_proxy("http://", NO_NAME, 3128);
	expect(host, "https://h.invalid/", HINT_CHECK_PROXY,
	       "no address is known for the proxy " NO_NAME ":3128 of https_proxy");
	use_no_proxy();
	httphost_free(host);
}

static void closed_port__is_named__with_the_systems_reason(void **state)
{
	struct httphost *host = httphost_new();
	char url[128], text[128];
	int port = closed_port();

	(void)state;
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/", port);
	snprintf(text, sizeof(text), "no connection to 127.0.0.1:%d: Connection refused", port);
	expect(host, url, HINT_CHECK_NETWORK, text);
	use_proxy("", "127.0.0.1", port);
	snprintf(text, sizeof(text),
		 "no connection to the proxy 127.0.0.1:%d of https_proxy: Connection refused",
		 port);
	expect(host, "https://h.invalid/", HINT_CHECK_PROXY, text);
	assert_false(host->sent);
	use_no_proxy();
	httphost_free(host);
}

/* CONNECT is no part of the request: whatever becomes of it, nothing of the request went out. */
static void proxy__that_does_not_connect__is_named_and_nothing_was_sent(void **state)
{
	static const struct {
		const char *url, *text;
	} cases[] = {
		{ "https://refused.invalid/", "does not connect to refused.invalid (status 403)" },
		{ "https://login.invalid/", "wants a user name and a password (status 407)" },
		{ "https://dropped.invalid/", "of https_proxy does not connect: " },
	};
	struct httphost *host = httphost_new();
	char proxy[64];

	(void)state;
	use_proxy("http://", "127.0.0.1", host->server.port);
	snprintf(proxy, sizeof(proxy), "the proxy 127.0.0.1:%d of https_proxy", host->server.port);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		expect(host, cases[i].url, HINT_CHECK_PROXY, cases[i].text);
		assert_memory_equal(host->text, proxy, strlen(proxy));
		assert_int_equal(host->code, ERR_NET);
		assert_false(host->sent);
		/* It got the user and password of its own, and nothing of the request's. */
		assert_memory_equal(host->server.last, "CONNECT ", 8);
		assert_non_null(strstr(host->server.last, "Proxy-Authorization: Basic "));
		assert_null(strstr(host->server.last, "AWS4"));
	}
	use_no_proxy();
	httphost_free(host);
}

static void proxy__that_says_nothing__is_named_when_time_is_over(void **state)
{
	struct httphost *host = httphost_new();
	struct http_request request = { .method = "GET",
					.url = "https://slow.invalid/",
					.timeout_ms = 200 };

	(void)state;
	use_proxy("http://", "127.0.0.1", host->server.port);
	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_TIMEOUT);
	assert_int_equal(host->hint, HINT_CHECK_PROXY);
	assert_non_null(strstr(host->text, "to slow.invalid by the proxy 127.0.0.1:"));
	assert_false(host->sent);
	use_no_proxy();
	httphost_free(host);
}

static void proxy_setting__is_named_without_its_value__when_it_is_no_url(void **state)
{
	struct httphost *host = httphost_new();

	(void)state;
	use_proxy("foo://", "127.0.0.1", 1);
	expect(host, "https://h.invalid/", HINT_CHECK_PROXY,
	       "https_proxy does not hold the URL of a proxy");
	assert_int_equal(host->code, ERR_CONFIG);
	assert_false(host->sent);
	/* What libcurl alone cannot read is not repeated either. */
	use_proxy("http://[", "127.0.0.1", 1);
	expect(host, "https://h.invalid/", HINT_CHECK_PROXY, "https_proxy");
	use_no_proxy();
	httphost_free(host);
}

static void proxy__is_used__unless_an_exception_or_the_request_says_no(void **state)
{
	struct httphost *host = httphost_new();
	struct http_request request = { .method = "GET",
					.url = "http://plain.invalid/ok",
					.timeout_ms = 5000 };

	(void)state;
	use_proxy("http://", "127.0.0.1", host->server.port);
	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_string_equal(host->body, "{\"by\":\"proxy\"}");
	/* The name is not asked of the proxy now, and has no address. */
	request.url = "http://" NO_NAME "/ok";
	request.no_proxy = true;
	httphost_start(host, &request);
	httphost_run(host, 2);
	assert_non_null(strstr(host->text, "no address is known for " NO_NAME));
	set_env("no_proxy", "x.example, " NO_NAME);
	request.no_proxy = false;
	httphost_start(host, &request);
	httphost_run(host, 3);
	assert_non_null(strstr(host->text, "no address is known for " NO_NAME));
	assert_int_equal(atomic_load(&host->server.requests), 1);
	use_no_proxy();
	httphost_free(host);
}

static void certificate__is_refused__when_nobody_vouches_for_it(void **state)
{
	struct httphost *host = httphost_new();
	struct tlsserver server;
	char url[64];

	(void)state;
	if (tlsserver_start(&server, "IP:127.0.0.1", 2)) {
		snprintf(url, sizeof(url), "https://127.0.0.1:%d/", server.port);
		expect(host, url, HINT_SET_CA_BUNDLE, "the certificate of 127.0.0.1:");
		assert_int_equal(host->code, ERR_NET);
		assert_false(host->sent);
		use_proxy("https://", "127.0.0.1", server.port);
		expect(host, "https://h.invalid/", HINT_SET_CA_BUNDLE,
		       "the certificate of the proxy 127.0.0.1:");
	}
	use_no_proxy();
	tlsserver_stop(&server);
	httphost_free(host);
}

static void certificate__is_taken__when_the_bundle_has_it(void **state)
{
	struct tlsserver server;

	(void)state;
	if (tlsserver_start(&server, "IP:127.0.0.1", 2)) {
		struct httphost *host = httphost_new_trusting(server.certificate);
		char url[64];
		struct http_request request = { .method = "GET", .url = url, .timeout_ms = 5000 };

		snprintf(url, sizeof(url), "https://127.0.0.1:%d/", server.port);
		httphost_start(host, &request);
		httphost_run(host, 1);
		assert_string_equal(host->text, "");
		assert_int_equal(host->status, 200);
		assert_true(host->sent);
		httphost_free(host);
	}
	tlsserver_stop(&server);
}

static void certificate__is_refused__for_another_name_or_time(void **state)
{
	static const struct {
		const char *names;
		int days;
		enum err_hint hint;
	} cases[] = {
		{ "IP:127.0.0.2", 2, HINT_SET_CA_BUNDLE },
		{ "IP:127.0.0.1", -1, HINT_CHECK_CLOCK },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tlsserver server;

		if (tlsserver_start(&server, cases[i].names, cases[i].days)) {
			struct httphost *host = httphost_new_trusting(server.certificate);
			char url[64];

			snprintf(url, sizeof(url), "https://127.0.0.1:%d/", server.port);
			expect(host, url, cases[i].hint, "the certificate of 127.0.0.1:");
			assert_false(host->sent);
			httphost_free(host);
		}
		tlsserver_stop(&server);
	}
}

static void bundle__is_named__when_it_holds_no_certificates(void **state)
{
	struct httphost *host = httphost_new_trusting("/nonexistent/bundle.pem");
	struct http_request request = { .method = "GET", .timeout_ms = 5000 };
	char url[64];

	(void)state;
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/ok", host->server.port);
	request.url = url;
	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_CONFIG);
	assert_string_equal(host->text, "no certificates can be read from /nonexistent/bundle.pem");
	httphost_free(host);
}

static void plain_server__is_named__where_tls_was_wanted(void **state)
{
	struct httphost *host = httphost_new();
	char url[64], text[128];

	(void)state;
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/ok", host->server.port);
	snprintf(text, sizeof(text), "127.0.0.1:%d", host->server.port);
	/* It waits for the end of a request: TLS's hello is none. */
	struct http_request request = { .method = "GET", .url = url, .timeout_ms = 200 };

	httphost_start(host, &request);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_TIMEOUT);
	assert_non_null(strstr(host->text, text));
	assert_false(host->sent);
	httphost_free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words__name_the_host_or_the_proxy__and_the_fix),
		cmocka_unit_test(name__is_named__when_nobody_knows_it),
		cmocka_unit_test(closed_port__is_named__with_the_systems_reason),
		cmocka_unit_test(proxy__that_does_not_connect__is_named_and_nothing_was_sent),
		cmocka_unit_test(proxy__that_says_nothing__is_named_when_time_is_over),
		cmocka_unit_test(proxy_setting__is_named_without_its_value__when_it_is_no_url),
		cmocka_unit_test(proxy__is_used__unless_an_exception_or_the_request_says_no),
		cmocka_unit_test(certificate__is_refused__when_nobody_vouches_for_it),
		cmocka_unit_test(certificate__is_taken__when_the_bundle_has_it),
		cmocka_unit_test(certificate__is_refused__for_another_name_or_time),
		cmocka_unit_test(bundle__is_named__when_it_holds_no_certificates),
		cmocka_unit_test(plain_server__is_named__where_tls_was_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
