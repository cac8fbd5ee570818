/*
 * The smallest event loop around aws/http.c: one poll, one timer, a server that answers by the path
 * (tests/tinyserver.h), and what became of the newest request. A failure ends the test.
 */
#ifndef GPUQ_TESTS_HTTPHOST_H
#define GPUQ_TESTS_HTTPHOST_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "aws/http.h"
#include "tests/tinyserver.h"

#define WATCHES_MAX 32

struct httphost {
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
	enum err_hint hint;
	bool sent, has_date;
	int status;
	int64_t date_ms, retry_after_ms;
	char body[8192], request_id[128], error_type[128], text[1024];
};

struct httphost *httphost_new(void);
/* One that trusts the certificates of a file alone. */
struct httphost *httphost_new_trusting(const char *ca_bundle);
void httphost_free(struct httphost *host);

/* A POST to a path of a server on this machine, with room for its URL. */
struct http_request httphost_request(char url[128], int port, const char *path);

/* Starts it; its end is counted in done. */
uint64_t httphost_start(struct httphost *host, const struct http_request *request);

/* One turn of the loop / turns until so many requests have ended. */
void httphost_turn(struct httphost *host);
void httphost_run(struct httphost *host, unsigned done);

/* One request to a path of the host's own server, run to its end. */
void httphost_get(struct httphost *host, const char *path);

#endif
