#define _GNU_SOURCE /* POLLRDHUP */
#include "aws/sim/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/base/mem.h"

#define CONNECTIONS_MAX    512
#define CONNECTION_SECONDS 120                 /* idle ones are closed then */
#define CONNECTION_BYTES   (128u << 10)        /* request line and headers of one */
#define FLOOD_BYTES        (4u * SIM_BODY_MAX) /* a body beyond this is cut off unanswered */
#define TARGET_BYTES       16384
#define TURN_MS            1000 /* the world is moved on at least that often */

struct sim_server {
	struct sim_region *region; /* borrowed */
	struct MHD_Daemon *daemon;
	struct exchange *held; /* list of suspended ones; owned by their connections */
	uint16_t port;
	int signals;
};

/* One request on its way through; lives from its first line to the end of its answer. */
struct exchange {
	struct sim_server *server;
	struct MHD_Connection *connection;
	char *target; /* owned: as it stood in the request line */
	struct buf body;
	size_t received;
	bool begun, answered;
	struct sim_answer answer;
	int64_t due_ms; /* of the monotonic clock */
	struct exchange *next;
};

static int64_t mono_ms(const struct sim_server *server)
{
	return clock_mono_ms(&server->region->clock);
}

static void *begin(void *cls, const char *uri, struct MHD_Connection *connection)
{
	struct exchange *exchange = mem_new(1, sizeof(*exchange));
	exchange->server = cls;
	exchange->connection = connection;
	exchange->target = mem_copy_bytes(uri, strnlen(uri, TARGET_BYTES));
	buf_init(&exchange->body, SIM_BODY_MAX);
	return exchange;
}

static void forget_held(struct sim_server *server, const struct exchange *exchange)
{
	for (struct exchange **at = &server->held; *at; at = &(*at)->next) {
		if (*at == exchange) {
			*at = exchange->next;
			return;
		}
	}
}

static void end(void *cls, struct MHD_Connection *connection, void **con_cls,
		enum MHD_RequestTerminationCode code)
{
	struct exchange *exchange = *con_cls;
	(void)connection;
	(void)code;
	if (!exchange)
		return;
	forget_held(cls, exchange);
	buf_release(&exchange->body);
	sim_answer_release(&exchange->answer);
	free(exchange->target);
	free(exchange);
	*con_cls = NULL;
}

struct header_list {
	struct sigv4_header items[SIGV4_HEADERS_MAX];
	size_t count;
	bool too_many;
};

static enum MHD_Result add_header(void *cls, enum MHD_ValueKind kind, const char *name,
				  const char *value)
{
	struct header_list *list = cls;
	(void)kind;
	if (list->count == SIGV4_HEADERS_MAX) {
		list->too_many = true;
		return MHD_NO;
	}
	list->items[list->count++] = (struct sigv4_header){ name, value ? value : "" };
	return MHD_YES;
}

static void refuse(struct exchange *exchange, int status, const char *code, const char *message)
{
	struct sim_answer *answer = &exchange->answer;
	memset(answer, 0, sizeof(*answer));
	buf_init(&answer->body, SIM_ANSWER_MAX);
	answer->status = status;
	answer->content_type = "application/x-amz-json-1.1";
	buf_addf(&answer->body, "{\"__type\":\"%s\",\"message\":\"%s\"}", code, message);
}

/* Of the answers that are held back: those still waited for, and those whose client has gone. */
static void count_held(struct sim_server *server)
{
	struct sim_held *held = &server->region->held;
	held->now = held->gone = 0;
	for (const struct exchange *at = server->held; at; at = at->next) {
		const union MHD_ConnectionInfo *info =
			MHD_get_connection_info(at->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		struct pollfd peer = { .fd = info ? info->connect_fd : -1, .events = POLLRDHUP };
		if (info && poll(&peer, 1, 0) == 0)
			held->now++;
		else
			held->gone++;
	}
}

static void ask_region(struct exchange *exchange, const char *method)
{
	struct header_list headers = { 0 };
	count_held(exchange->server);
	MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, add_header, &headers);
	struct sim_request request = {
		.method = method,
		.target = exchange->target,
		.headers = headers.items,
		.header_count = headers.count,
		.body = buf_text(&exchange->body),
		.body_len = exchange->body.len,
	};
	if (exchange->body.failed)
		refuse(exchange, 413, "RequestEntityTooLargeException", "The request is too big.");
	else if (headers.too_many || strlen(exchange->target) >= TARGET_BYTES)
		refuse(exchange, 431, "RequestHeaderFieldsTooLarge", "The headers are too big.");
	else
		sim_region_answer(exchange->server->region, &request, &exchange->answer);
}

static void hold_back(struct exchange *exchange, int64_t ms)
{
	struct sim_server *server = exchange->server;
	exchange->due_ms = mono_ms(server) + ms;
	exchange->next = server->held;
	server->held = exchange;
	MHD_suspend_connection(exchange->connection);
}

/* A body that stops in the middle for a while, or ends too early, whatever Content-Length said. */
static ssize_t read_spoilt(void *cls, uint64_t at, char *out, size_t max)
{
	struct exchange *exchange = cls;
	struct sim_answer *answer = &exchange->answer;
	size_t len = answer->body.len;
	size_t end_at = answer->has_cut && answer->cut < len ? answer->cut : len;
	if (answer->stall_ms > 0 && at >= end_at / 2) {
		hold_back(exchange, answer->stall_ms);
		answer->stall_ms = 0;
		return 0;
	}
	if (at >= end_at)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (answer->stall_ms > 0)
		end_at /= 2;
	size_t part = end_at - (size_t)at < max ? end_at - (size_t)at : max;
	memcpy(out, answer->body.data + at, part);
	return (ssize_t)part;
}

static struct MHD_Response *make_response(struct exchange *exchange)
{
	struct sim_answer *answer = &exchange->answer;
	size_t len = answer->body.len;
	if (answer->stall_ms > 0 || (answer->has_cut && answer->cut < len))
		return MHD_create_response_from_callback(len, 4096, read_spoilt, exchange, NULL);
	return MHD_create_response_from_buffer(len, buf_take(&answer->body), MHD_RESPMEM_MUST_FREE);
}

/* MHD closes with FIN whatever is set; dissolving the connection gives the peer a true reset. */
static enum MHD_Result reset(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	const struct sockaddr nowhere = { .sa_family = AF_UNSPEC };
	if (info && connect(info->connect_fd, &nowhere, sizeof(nowhere)) != 0)
		return MHD_NO; /* gone already */
	return MHD_NO;
}

/* A header more; false is remembered. */
static void add_header_to(struct MHD_Response *response, const char *name, const char *value,
			  bool *fine)
{
	*fine = *fine && MHD_add_response_header(response, name, value) == MHD_YES;
}

static enum MHD_Result send_answer(struct exchange *exchange)
{
	struct sim_answer *answer = &exchange->answer;
	char date[SIM_DATE_SIZE];
	bool fine = true;
	if (answer->drop)
		return reset(exchange->connection);
	struct MHD_Response *response = make_response(exchange);
	if (!response)
		return MHD_NO;
	sim_region_date(exchange->server->region, date);
	add_header_to(response, MHD_HTTP_HEADER_DATE, date, &fine);
	add_header_to(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->content_type, &fine);
	if (answer->request_id[0])
		add_header_to(response, "x-amzn-RequestId", answer->request_id, &fine);
	for (size_t i = 0; i < answer->header_count; i++)
		add_header_to(response, answer->headers[i].name, answer->headers[i].value, &fine);
	enum MHD_Result result =
		fine ? MHD_queue_response(exchange->connection, (unsigned)answer->status, response)
		     : MHD_NO;
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result take_upload(struct exchange *exchange, const char *bytes, size_t *len)
{
	exchange->received += *len;
	if (exchange->received > FLOOD_BYTES)
		return MHD_NO;
	(void)buf_add(&exchange->body, bytes, *len); /* a failure sticks and is told at the end */
	*len = 0;
	return MHD_YES;
}

static enum MHD_Result handle(void *cls, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_len, void **con_cls)
{
	struct exchange *exchange = *con_cls;
	(void)cls;
	(void)connection;
	(void)url;
	(void)version;
	if (!exchange)
		return MHD_NO;
	if (!exchange->begun) {
		exchange->begun = true;
		return MHD_YES;
	}
	if (*upload_len > 0)
		return take_upload(exchange, upload, upload_len);
	if (!exchange->answered) {
		exchange->answered = true;
		ask_region(exchange, method);
		if (exchange->answer.delay_ms > 0) {
			hold_back(exchange, exchange->answer.delay_ms);
			return MHD_YES;
		}
	}
	return send_answer(exchange);
}

/* Lets go of those whose time has come, or of all. */
static void resume_due(struct sim_server *server, bool all)
{
	int64_t now_ms = mono_ms(server);
	for (struct exchange **at = &server->held; *at;) {
		struct exchange *exchange = *at;
		if (!all && exchange->due_ms > now_ms) {
			at = &exchange->next;
			continue;
		}
		*at = exchange->next;
		exchange->next = NULL;
		server->region->held.released++;
		MHD_resume_connection(exchange->connection);
	}
}

static int64_t turn_ms(const struct sim_server *server)
{
	int64_t wait_ms = TURN_MS;
	MHD_UNSIGNED_LONG_LONG wanted_ms = 0;
	if (MHD_get_timeout(server->daemon, &wanted_ms) == MHD_YES && wanted_ms < TURN_MS)
		wait_ms = (int64_t)wanted_ms;
	for (const struct exchange *at = server->held; at; at = at->next) {
		int64_t left_ms = at->due_ms - mono_ms(server);
		if (left_ms < wait_ms)
			wait_ms = left_ms > 0 ? left_ms : 0;
	}
	return wait_ms;
}

bool sim_server_run(struct sim_server *server, struct err *err)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (!info)
		return err_set(err, ERR_IO, "the server has no descriptor to wait for");
	struct pollfd fds[] = { { .fd = info->epoll_fd, .events = POLLIN },
				{ .fd = server->signals, .events = POLLIN } };
	for (;;) {
		if (poll(fds, 2, (int)turn_ms(server)) < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "poll: %s", strerror(errno));
		if (fds[1].revents != 0)
			return true;
		resume_due(server, false);
		if (MHD_run(server->daemon) != MHD_YES)
			return err_set(err, ERR_IO, "the server has stopped by itself");
		sim_region_catch_up(server->region);
	}
}

static bool watch_signals(struct sim_server *server, struct err *err)
{
	sigset_t wanted;
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	server->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (server->signals >= 0)
		return true;
	return err_set(err, ERR_IO, "signalfd: %s", strerror(errno));
}

struct sim_server *sim_server_new(struct sim_region *region, struct err *err)
{
	struct sim_server *server = mem_new(1, sizeof(*server));
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(region->options.port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	server->region = region;
	server->signals = -1;
	if (!watch_signals(server, err)) {
		sim_server_free(server);
		return NULL;
	}
	server->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK,
		region->options.port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_URI_LOG_CALLBACK, begin, server, MHD_OPTION_NOTIFY_COMPLETED, end,
		server, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
		CONNECTION_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_END);
	const union MHD_DaemonInfo *info =
		server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)
			       : NULL;
	if (!info) {
		err_set(err, ERR_IO, "cannot listen on 127.0.0.1:%u: %s", region->options.port,
			strerror(errno));
		sim_server_free(server);
		return NULL;
	}
	server->port = info->port;
	return server;
}

uint16_t sim_server_port(const struct sim_server *server)
{
	return server->port;
}

void sim_server_free(struct sim_server *server)
{
	if (!server)
		return;
	if (server->daemon) {
		resume_due(server, true);
		MHD_stop_daemon(server->daemon);
	}
	if (server->signals >= 0)
		close(server->signals);
	free(server);
}
