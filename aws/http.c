#include "aws/http.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <curl/curl.h>
#include <openssl/x509_vfy.h>

#include "aws/http_failure.h"
#include "aws/http_head.h"
#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/version.h"

#define CONNECTIONS_MAX    6
#define CONNECT_TIMEOUT_MS 6000
/* Years 2000 to 2100: no service's clock is further off, and a signature has to be dated by it. */
#define DATE_MIN_S INT64_C(946684800)
#define DATE_MAX_S INT64_C(4102444800)

struct transfer {
	struct http *http;
	uint64_t id;
	CURL *easy;
	struct curl_slist *headers;
	char *body;
	size_t body_len;
	struct buf reply;
	struct http_head head;
	char host[ENDPOINT_HOST_SIZE]; /* for messages */
	struct proxy proxy;
	bool is_proxy_bad; /* what is set as proxy cannot be one */
	bool too_big;
	bool sent; /* bytes of the request may have arrived */
	reply_fn *done;
	void *ctx;
	bool finished;
	CURLcode result;
	char error_text[CURL_ERROR_SIZE];
	struct transfer *next; /* oldest first */
};

struct http {
	struct wait_hooks hooks;
	const struct clock *clock;
	char *ca_bundle; /* owned; NULL: the system's */
	CURLM *multi;    /* NULL until the first send */
	uint64_t last_id;
	struct transfer *transfers;
	bool has_due; /* curl wants to be called at due_ms */
	int64_t due_ms;
};

struct http *http_new(const struct wait_hooks *hooks, const struct clock *clock,
		      const char *ca_bundle)
{
	struct http *http = mem_new(1, sizeof(*http));

	http->hooks = *hooks;
	http->clock = clock;
	http->ca_bundle = mem_copy_text(ca_bundle && ca_bundle[0] ? ca_bundle : NULL);
	return http;
}

/* Authorization and the session token are in there. */
static void wipe_headers(struct curl_slist *headers)
{
	for (struct curl_slist *at = headers; at; at = at->next)
		explicit_bzero(at->data, strlen(at->data));
	curl_slist_free_all(headers);
}

static void transfer_free(struct transfer *transfer)
{
	if (transfer->easy) {
		curl_multi_remove_handle(transfer->http->multi, transfer->easy);
		curl_easy_cleanup(transfer->easy);
	}
	wipe_headers(transfer->headers);
	/* Both may hold keys: of STS, of metadata services. */
	if (transfer->body)
		explicit_bzero(transfer->body, transfer->body_len);
	free(transfer->body);
	buf_wipe(&transfer->reply);
	buf_release(&transfer->reply);
	free(transfer);
}

void http_free(struct http *http)
{
	if (!http)
		return;
	while (http->transfers) {
		struct transfer *first = http->transfers;

		http->transfers = first->next;
		transfer_free(first);
	}
	if (http->multi) {
		curl_multi_cleanup(http->multi);
		curl_global_cleanup();
	}
	free(http->ca_bundle);
	free(http);
}

/* What libcurl asks for, passed on. */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *socket_ctx)
{
	struct http *http = ctx;
	short events = 0;

	(void)easy;
	(void)socket_ctx;
	/* At CURL_POLL_REMOVE events is 0: numbers come back at once, so the loop must forget. */
	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
		events |= POLLIN;
	if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
		events |= POLLOUT;
	/* Not all are opened by on_open: libcurl's resolver has one of its own. */
	if (events)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	http->hooks.watch(http->hooks.host, fd, events);
	return 0;
}

/* Only stores: libcurl must not be called from in here, and a hook might. */
static int on_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct http *http = ctx;

	(void)multi;
	http->has_due = timeout_ms >= 0;
	http->due_ms = clock_mono_ms(http->clock) + timeout_ms;
	return 0;
}

static curl_socket_t on_open(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	(void)ctx;
	(void)purpose;
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
	struct transfer *transfer = ctx;
	size_t len = size * count;

	if (!buf_add(&transfer->reply, bytes, len)) {
		transfer->too_big = true;
		return 0;
	}
	return len;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *ctx)
{
	struct transfer *transfer = ctx;

	if (!http_head_take_line(&transfer->head, bytes, size * count)) {
		transfer->too_big = true;
		return 0;
	}
	return size * count;
}

/* The connection stands, through proxy and TLS: from here on the request goes out. */
static int on_connected(void *ctx, char *peer, char *own, int peer_port, int own_port)
{
	(void)peer;
	(void)own;
	(void)peer_port;
	(void)own_port;
	((struct transfer *)ctx)->sent = true;
	return CURL_PREREQFUNC_OK;
}

static const char *env(const char *name)
{
	return getenv(name);
}

/* Host and port of a URL, for messages; it has no user. */
static void note_host(struct transfer *transfer, const char *url)
{
	const char *host = strstr(url, "://");

	if (host)
		snprintf(transfer->host, sizeof(transfer->host), "%.*s",
			 (int)strcspn(host + 3, "/?#"), host + 3);
}

/* libcurl is left no choice of its own, so that what is said about the proxy is what was done. */
static bool set_peers(struct transfer *transfer, const struct http_request *request)
{
	CURL *easy = transfer->easy;
	const char *bundle = transfer->http->ca_bundle;

	note_host(transfer, request->url);
	if (!request->no_proxy && !proxy_find(&transfer->proxy, request->url, env)) {
		transfer->is_proxy_bad = true;
		return false;
	}
	if (bundle && (curl_easy_setopt(easy, CURLOPT_CAINFO, bundle) ||
		       curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) ||
		       curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, bundle) ||
		       curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, NULL)))
		return false;
	return !curl_easy_setopt(easy, CURLOPT_PROXY,
				 transfer->proxy.url ? transfer->proxy.url : "") &&
	       !curl_easy_setopt(easy, CURLOPT_NOPROXY, "") &&
	       !curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) &&
	       !curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

static bool set_request(struct transfer *transfer, const struct http_request *request)
{
	CURL *easy = transfer->easy;

	for (size_t i = 0; i < request->header_count; i++) {
		char line[8192]; /* a session token has up to some 2 KiB */
		int len = snprintf(line, sizeof(line), "%s: %s", request->headers[i].name,
				   request->headers[i].value);
		bool fits = len > 0 && (size_t)len < sizeof(line);
		struct curl_slist *more = fits ? curl_slist_append(transfer->headers, line) : NULL;

		explicit_bzero(line, sizeof(line));
		if (!more)
			return false;
		transfer->headers = more;
	}

	struct curl_slist *more = curl_slist_append(transfer->headers, "Expect:");

	if (!more)
		return false;
	transfer->headers = more;
	if (strcmp(request->method, "POST") == 0 || strcmp(request->method, "PUT") == 0) {
		transfer->body =
			mem_copy_bytes(request->body ? request->body : "", request->body_len);
		transfer->body_len = request->body_len;
		if (curl_easy_setopt(easy, CURLOPT_POST, 1L) ||
		    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) ||
		    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->body) ||
		    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
				     (curl_off_t)request->body_len))
			return false;
	} else if (strcmp(request->method, "GET") != 0) {
		return false;
	}
	return !curl_easy_setopt(easy, CURLOPT_URL, request->url) &&
	       !curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers) &&
	       !curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request->once ? 1L : 0L);
}

static bool set_limits(struct transfer *transfer, const struct http_request *request)
{
	CURL *easy = transfer->easy;
	long timeout = request->timeout_ms > 0 && request->timeout_ms < 600000
			       ? (long)request->timeout_ms
			       : 600000;
	long connect = timeout < CONNECT_TIMEOUT_MS ? timeout : CONNECT_TIMEOUT_MS;

	/* Quick exit: who ends a request does not wait for the thread that looks its name up. */
	return !curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") &&
	       !curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) &&
	       !curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       !curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, connect) &&
	       !curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout) &&
	       !curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE,
				 (curl_off_t)transfer->reply.max) &&
	       !curl_easy_setopt(easy, CURLOPT_USERAGENT, "gpuq/" GPUQ_VERSION);
}

static bool set_callbacks(struct transfer *transfer)
{
	CURL *easy = transfer->easy;

	return !curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer) &&
	       !curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error_text) &&
	       !curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open) &&
	       !curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected) &&
	       !curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer) &&
	       !curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) &&
	       !curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer) &&
	       !curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) &&
	       !curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
}

static bool start_curl(struct http *http)
{
	if (http->multi)
		return true;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return false;
	http->multi = curl_multi_init();
	if (!http->multi) {
		curl_global_cleanup();
		return false;
	}
	return !curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, on_socket) &&
	       !curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http) &&
	       !curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, on_timer) &&
	       !curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http) &&
	       !curl_multi_setopt(http->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS,
				  (long)CONNECTIONS_MAX) &&
	       !curl_multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_MAX);
}

static bool has_finished(const struct http *http)
{
	for (const struct transfer *at = http->transfers; at; at = at->next) {
		if (at->finished)
			return true;
	}
	return false;
}

static void arm(struct http *http)
{
	int64_t wait = -1;

	if (has_finished(http)) {
		wait = 0;
	} else if (http->has_due) {
		wait = http->due_ms - clock_mono_ms(http->clock);
		wait = wait < 0 ? 0 : wait;
	}
	http->hooks.wake_in(http->hooks.host, wait);
}

static uint64_t http_send(void *self, const struct http_request *request, reply_fn *done, void *ctx)
{
	struct http *http = self;
	struct transfer *transfer = mem_new(1, sizeof(*transfer));
	struct transfer **end = &http->transfers;
	size_t max = request->max_reply;

	transfer->http = http;
	transfer->id = ++http->last_id;
	transfer->done = done;
	transfer->ctx = ctx;
	http_head_init(&transfer->head);
	buf_init(&transfer->reply, max == 0 || max > HTTP_REPLY_MAX ? HTTP_REPLY_MAX : max);
	while (*end)
		end = &(*end)->next;
	*end = transfer;

	/* What cannot even be started fails at the next wake-up, as everything else does. */
	transfer->finished = true;
	transfer->result = CURLE_FAILED_INIT;
	if (start_curl(http)) {
		transfer->easy = curl_easy_init();
		if (transfer->easy && set_request(transfer, request) &&
		    set_peers(transfer, request) && set_limits(transfer, request) &&
		    set_callbacks(transfer) &&
		    curl_multi_add_handle(http->multi, transfer->easy) == CURLM_OK)
			transfer->finished = false;
	}
	arm(http);
	return transfer->id;
}

static void http_cancel(void *self, uint64_t id)
{
	struct http *http = self;

	for (struct transfer **at = &http->transfers; *at; at = &(*at)->next) {
		struct transfer *transfer = *at;

		if (transfer->id == id) {
			*at = transfer->next;
			transfer_free(transfer);
			arm(http);
			return;
		}
	}
}

static enum http_fault fault_of(const struct transfer *transfer)
{
	static const struct {
		CURLcode code;
		enum http_fault fault;
	} known[] = {
		{ CURLE_COULDNT_RESOLVE_HOST, FAULT_NO_HOST },
		{ CURLE_COULDNT_RESOLVE_PROXY, FAULT_NO_PROXY },
		{ CURLE_COULDNT_CONNECT, FAULT_UNREACHED },
		{ CURLE_PROXY, FAULT_PROXY },
		{ CURLE_SSL_CONNECT_ERROR, FAULT_TLS },
		{ CURLE_PEER_FAILED_VERIFICATION, FAULT_UNTRUSTED },
		{ CURLE_SSL_CACERT_BADFILE, FAULT_CA_FILE },
		{ CURLE_GOT_NOTHING, FAULT_BROKEN },
		{ CURLE_SEND_ERROR, FAULT_BROKEN },
		{ CURLE_RECV_ERROR, FAULT_BROKEN },
		{ CURLE_PARTIAL_FILE, FAULT_GARBLED },
		{ CURLE_WEIRD_SERVER_REPLY, FAULT_GARBLED },
		{ CURLE_UNSUPPORTED_PROTOCOL, FAULT_GARBLED }, /* HTTP/0.9: no HTTP at all */
		{ CURLE_BAD_CONTENT_ENCODING, FAULT_GARBLED },
		{ CURLE_FILESIZE_EXCEEDED, FAULT_TOO_BIG },
	};

	if (transfer->is_proxy_bad)
		return FAULT_PROXY_SETTING;
	if (transfer->too_big)
		return FAULT_TOO_BIG;
	if (transfer->result == CURLE_OPERATION_TIMEDOUT)
		return transfer->sent ? FAULT_SLOW : FAULT_UNREACHED_IN_TIME;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].code != transfer->result)
			continue;
		/* Broken before the request went out: it was the proxy that hung up. */
		if (known[i].fault == FAULT_BROKEN && !transfer->sent && transfer->proxy.url)
			return FAULT_PROXY;
		return known[i].fault;
	}
	return FAULT_OTHER;
}

/* What was seen beside the code; 0 where nothing was. */
static long seen(const struct transfer *transfer, CURLINFO what)
{
	long value = 0;

	if (!transfer->easy || curl_easy_getinfo(transfer->easy, what, &value))
		return 0;
	return value;
}

/* libcurl's words, but where they can repeat the proxy's URL, password included. Some are written
 * to own. */
static const char *detail_of(const struct transfer *transfer, enum http_fault fault, char own[64])
{
	long number = seen(transfer, CURLINFO_OS_ERRNO);

	switch (fault) {
	case FAULT_PROXY_SETTING:
	case FAULT_NO_HOST:
	case FAULT_NO_PROXY:
	case FAULT_CA_FILE:
		return "";
	case FAULT_UNREACHED:
		return number > 0 ? strerror((int)number) : "";
	case FAULT_TOO_BIG:
		snprintf(own, 64, "over %zu bytes", transfer->reply.max);
		return own;
	case FAULT_OTHER:
		return curl_easy_strerror(transfer->result);
	default:
		return transfer->error_text;
	}
}

static void explain(const struct transfer *transfer, struct err *err)
{
	long result = seen(transfer, CURLINFO_SSL_VERIFYRESULT);
	long proxy_result = seen(transfer, CURLINFO_PROXY_SSL_VERIFYRESULT);
	long status = seen(transfer, CURLINFO_HTTP_CONNECTCODE);
	enum http_fault fault = fault_of(transfer);
	char own[64];
	const struct http_failure failure = {
		.fault = fault,
		.host = transfer->host,
		.proxy = &transfer->proxy,
		.proxy_status = fault == FAULT_PROXY ? (int)status : 0,
		.is_proxy_tls = transfer->proxy.url && status == 0 && proxy_result != 0,
		.is_expired = result == X509_V_ERR_CERT_HAS_EXPIRED ||
			      result == X509_V_ERR_CERT_NOT_YET_VALID,
		.ca_bundle = transfer->http->ca_bundle,
		.detail = detail_of(transfer, fault, own),
	};

	http_failure_explain(&failure, err);
}

/* The time of AWS's clock; unset where there is none that a clock can show, or a cache's. */
static struct opt_ms date_of(const struct http_head *head)
{
	int64_t date = head->date[0] && !head->aged ? curl_getdate(head->date, NULL) : -1;

	if (date < DATE_MIN_S || date >= DATE_MAX_S)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ .set = true, .ms = date * 1000 };
}

static void deliver_one(struct transfer *transfer)
{
	const struct http_head *head = &transfer->head;
	long status = 0;
	struct err err = { 0 };

	if (transfer->result == CURLE_OK && transfer->easy &&
	    !curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status) && status > 0) {
		struct opt_ms date = date_of(head);
		struct http_reply reply = {
			.status = (int)status,
			.body = buf_text(&transfer->reply),
			.body_len = transfer->reply.len,
			.request_id = head->request_id,
			.error_type = head->error_type,
			.query_error = head->query_error,
			.has_date = date.set,
			.date_ms = date.ms,
			.retry_after_ms = head->retry_after_ms,
		};

		transfer->done(transfer->ctx, &reply, NULL, true);
		return;
	}
	explain(transfer, &err);
	transfer->done(transfer->ctx, NULL, &err, transfer->sent);
	err_clear(&err);
}

/* A callback may send and cancel, so the list is looked at afresh after each. */
static void deliver(struct http *http)
{
	for (struct transfer **at = &http->transfers; *at;) {
		struct transfer *transfer = *at;

		if (!transfer->finished) {
			at = &transfer->next;
			continue;
		}
		*at = transfer->next;
		deliver_one(transfer);
		transfer_free(transfer);
		at = &http->transfers;
	}
}

static void collect(struct http *http)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(http->multi, &left))) {
		struct transfer *transfer = NULL;

		if (message->msg != CURLMSG_DONE ||
		    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer) ||
		    !transfer)
			continue;
		transfer->finished = true;
		transfer->result = message->data.result;
	}
}

static void turn(struct http *http, curl_socket_t fd, int mask)
{
	int running;

	if (http->multi) {
		if (fd == CURL_SOCKET_TIMEOUT)
			http->has_due = false; /* libcurl says anew when it wants more */
		curl_multi_socket_action(http->multi, fd, mask, &running);
		collect(http);
	}
	deliver(http);
	arm(http);
}

void http_ready(struct http *http, int fd, short events)
{
	int mask = 0;

	if (events & (POLLIN | POLLHUP))
		mask |= CURL_CSELECT_IN;
	if (events & POLLOUT)
		mask |= CURL_CSELECT_OUT;
	if (events & (POLLERR | POLLNVAL))
		mask |= CURL_CSELECT_ERR;
	turn(http, fd, mask);
}

void http_wake(struct http *http)
{
	if (http->has_due && http->due_ms <= clock_mono_ms(http->clock)) {
		turn(http, CURL_SOCKET_TIMEOUT, 0);
		return;
	}
	deliver(http);
	arm(http);
}

struct transport http_transport(struct http *http)
{
	return (struct transport){ .send = http_send, .cancel = http_cancel, .self = http };
}
