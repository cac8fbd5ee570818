/*
 * gpuq without its screen against a region: the real loop, network, client and sync, which fill a
 * store. Every request is counted, and the shortest time between two of one operation kept. A
 * failure ends the test.
 */
#ifndef GPUQ_TESTS_WATCHER_H
#define GPUQ_TESTS_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "aws/client.h"
#include "aws/http.h"
#include "aws/sync.h"
#include "tui/loop.h"

#define WATCHER_OPS_MAX 16

/* What was sent of one operation. */
struct watched_op {
	char name[64];
	unsigned sent;
	int64_t last_ms;
	int64_t shortest_ms; /* between two sends; INT64_MAX before the second */
};

struct watcher {
	struct clock clock;
	struct loop *loop;
	struct timer http_timer, client_timer, sync_timer;
	struct http *http;
	struct transport wire;
	struct aws_client *client;
	struct sync *sync;
	struct store store;
	struct watched_op ops[WATCHER_OPS_MAX];
	size_t op_count;
};

/* With standard pace and refresh. */
void watcher_start(struct watcher *watcher, const char *url);
void watcher_stop(struct watcher *watcher);
/* Lets so much time pass. */
void watcher_run(struct watcher *watcher, int64_t ms);
/* {0} for an operation that was never sent. */
struct watched_op watcher_op(const struct watcher *watcher, const char *name);

#endif
