#define _GNU_SOURCE /* strcasestr */

#include "tests/tinyserver.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/base/buf.h"

static void send_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);

		if (sent <= 0)
			return;
		bytes += sent;
		len -= (size_t)sent;
	}
}

static void send_text(int fd, const char *text)
{
	send_all(fd, text, strlen(text));
}

static void send_filler(int fd, const char *line, size_t len)
{
	struct buf out;

	buf_init(&out, 1u << 20);
	while (out.len < len)
		buf_add_text(&out, line);
	send_all(fd, out.data, out.len);
	buf_release(&out);
}

#define OK_HEAD                                                                                \
	"HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 20:48:08 GMT\r\nX-AMZN-REQUESTID: id-7\r\n" \
	"x-amz-request-id: other\r\nx-amz-retry-after: 1500\r\nContent-Length: 7\r\n"

/* Closing with unread or lingering data makes a true reset of it. */
static void reset(int fd)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static void answer_barrier(struct tinyserver *server, int fd)
{
	server->waiting[server->waiting_count++] = fd;
	if (server->waiting_count < 3)
		return;
	for (size_t i = 0; i < 3; i++)
		send_text(server->waiting[i], OK_HEAD "\r\n{\"a\":1}");
	server->waiting_count = 0;
}

#define ESCAPED "\\u001b[31m\\u009b\\u202e"

static const struct fixed {
	const char *path, *head, *body;
} fixed[] = {
	{ "/old", "HTTP/1.1 200 OK\r\nDate: Fri, 31 Dec 1999 23:59:59 GMT\r\n", "{}" },
	{ "/future", "HTTP/1.1 200 OK\r\nDate: Fri, 31 Dec 9999 23:59:59 GMT\r\n", "{}" },
	{ "/hostile/",
	  "HTTP/1.1 400 Bad\r\nX-Amzn-RequestId: id\x1b]0;x\x07\r\n"
	  "X-Amzn-ErrorType: Odd\x1b[2J\r\n",
	  "{\"message\":\"told\\n" ESCAPED "\"}" },
	{ "refused.invalid:443", "HTTP/1.1 403 Forbidden\r\n", "not here" },
	{ "login.invalid:443", "HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=\"x\"\r\n",
	  "" },
	{ "http://plain.invalid/ok", "HTTP/1.1 200 OK\r\n", "{\"by\":\"proxy\"}" },
	{ "/created/", "HTTP/1.1 200 OK\r\n", "{\"TrainingJobArn\":\"arn:x/" ESCAPED "\"}" },
};

/* Returns whether the path is one of those. */
static bool answer_fixed(int fd, const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++) {
		struct buf out;

		if (strcmp(path, fixed[i].path) != 0)
			continue;
		buf_init(&out, 4096);
		buf_addf(&out, "%sContent-Length: %zu\r\n\r\n%s", fixed[i].head,
			 strlen(fixed[i].body), fixed[i].body);
		send_all(fd, out.data, out.len);
		buf_release(&out);
		return true;
	}
	return false;
}

/* Returns whether the connection stays open. */
static bool answer(struct tinyserver *server, int fd, const char *path)
{
	if (answer_fixed(fd, path))
		return true;
	if (strcmp(path, "/ok") == 0) {
		send_text(fd, OK_HEAD "\r\n{\"a\":1}");
		return true;
	}
	if (strcmp(path, "/age") == 0) {
		send_text(fd, OK_HEAD "Age: 30\r\n\r\n{\"a\":1}");
		return true;
	}
	if (strcmp(path, "/barrier") == 0) {
		answer_barrier(server, fd);
		return true;
	}
	if (strcmp(path, "/slow") == 0 || strcmp(path, "slow.invalid:443") == 0)
		return true;
	if (strcmp(path, "/redirect") == 0) {
		send_text(fd, "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n");
		return true;
	}
	if (strcmp(path, "/error") == 0) {
		send_text(fd, "HTTP/1.1 400 Bad\r\nX-Amzn-ErrorType: Foo:http://x/\r\n"
			      "x-amz-retry-after: soon\r\nContent-Length: 2\r\n\r\n{}");
		return true;
	}
	if (strcmp(path, "/cut") == 0) {
		send_text(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":");
	} else if (strcmp(path, "/chunkcut") == 0) {
		send_text(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":");
	} else if (strcmp(path, "/big") == 0) {
		send_text(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
		send_filler(fd, "1234567890", 5000);
	} else if (strcmp(path, "/bigchunk") == 0) {
		send_text(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
		send_filler(fd, "1234567890", 5000);
	} else if (strcmp(path, "/headers") == 0) {
		send_text(fd, "HTTP/1.1 200 OK\r\n");
		send_filler(fd, "X-Filler: 0123456789012345678901234567890123456789\r\n", 102400);
		send_text(fd, "Content-Length: 0\r\n\r\n");
	} else if (strcmp(path, "/garbage") == 0) {
		send_text(fd, "hello, this is not the protocol\r\n\r\n");
	} else if (strcmp(path, "/reset") == 0) {
		reset(fd);
	} else if (strcmp(path, "/die") == 0) {
		atomic_fetch_add(&server->dies, 1);
	}
	return false;
}

/* The end of the first whole request in text, or 0. */
static size_t whole_request(const char *text)
{
	const char *end = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "content-length:");

	if (!end)
		return 0;

	size_t len = (size_t)(end - text) + 4;

	if (length && length < end)
		len += strtoul(length + 15, NULL, 10);
	return strlen(text) >= len ? len : 0;
}

static void drop_peer(struct tinyserver *server, size_t i)
{
	close(server->peers[i].fd);
	server->peers[i].fd = -1;
	server->peers[i].len = 0;
}

static void serve_peer(struct tinyserver *server, size_t i)
{
	char *text = server->peers[i].request, path[64];
	size_t room = TINY_REQUEST_MAX - 1 - server->peers[i].len, len;
	ssize_t got = recv(server->peers[i].fd, text + server->peers[i].len, room, 0);

	if (got <= 0) {
		drop_peer(server, i);
		return;
	}
	server->peers[i].len += (size_t)got;
	text[server->peers[i].len] = '\0';
	len = whole_request(text);
	if (len == 0)
		return;
	atomic_fetch_add(&server->requests, 1);
	memcpy(server->last, text, len);
	server->last[len] = '\0';

	const char *start = strchr(text, ' ') + 1;

	snprintf(path, sizeof(path), "%.*s", (int)strcspn(start, " "), start);
	server->peers[i].len = 0;
	if (!answer(server, server->peers[i].fd, path))
		drop_peer(server, i);
}

static void take_peer(struct tinyserver *server)
{
	int fd = accept(server->listener, NULL, NULL);

	if (fd < 0)
		return;
	atomic_fetch_add(&server->connections, 1);
	for (size_t i = 0; i < TINY_CONNECTIONS_MAX; i++) {
		if (server->peers[i].fd < 0) {
			server->peers[i].fd = fd;
			return;
		}
	}
	close(fd);
}

static void *run(void *ctx)
{
	struct tinyserver *server = ctx;

	for (;;) {
		struct pollfd polls[TINY_CONNECTIONS_MAX + 2];

		for (size_t i = 0; i < TINY_CONNECTIONS_MAX; i++)
			polls[i] = (struct pollfd){ server->peers[i].fd, POLLIN, 0 };
		polls[TINY_CONNECTIONS_MAX] = (struct pollfd){ server->listener, POLLIN, 0 };
		polls[TINY_CONNECTIONS_MAX + 1] = (struct pollfd){ server->stop[0], POLLIN, 0 };
		if (poll(polls, TINY_CONNECTIONS_MAX + 2, -1) < 0)
			return NULL;
		if (polls[TINY_CONNECTIONS_MAX + 1].revents)
			return NULL;
		for (size_t i = 0; i < TINY_CONNECTIONS_MAX; i++) {
			if (polls[i].fd >= 0 && polls[i].revents)
				serve_peer(server, i);
		}
		if (polls[TINY_CONNECTIONS_MAX].revents)
			take_peer(server);
	}
}

void tinyserver_start(struct tinyserver *server)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	int failed;

	memset(server, 0, sizeof(*server));
	for (size_t i = 0; i < TINY_CONNECTIONS_MAX; i++)
		server->peers[i].fd = -1;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	failed = server->listener < 0 ||
		 bind(server->listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
		 listen(server->listener, 16) != 0 ||
		 getsockname(server->listener, (struct sockaddr *)&address, &len) != 0 ||
		 pipe(server->stop) != 0;
	assert(!failed);
	server->port = ntohs(address.sin_port);
	failed = pthread_create(&server->thread, NULL, run, server);
	assert(!failed);
}

void tinyserver_stop(struct tinyserver *server)
{
	ssize_t written = write(server->stop[1], "x", 1);

	assert(written == 1);
	pthread_join(server->thread, NULL);
	for (size_t i = 0; i < TINY_CONNECTIONS_MAX; i++) {
		if (server->peers[i].fd >= 0)
			close(server->peers[i].fd);
	}
	close(server->listener);
	close(server->stop[0]);
	close(server->stop[1]);
}
