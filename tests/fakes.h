/*
 * A world without time or network of its own: a clock that is turned by hand, the timers of
 * wait_hooks, and a transport whose answers a test decides. fake_run plays the event loop.
 */
#ifndef GPUQ_TESTS_FAKES_H
#define GPUQ_TESTS_FAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/client.h"
#include "aws/transport.h"
#include "model/base/clock.h"

#define FAKE_TIMERS_MAX 4
#define FAKE_SENT_MAX   4096
#define FAKE_WALL_MS    INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */
#define FAKE_REAL_DATE  INT64_MIN              /* fake_answer.date_ms: the world's own */

struct fake_world;

struct fake_timer {
	struct fake_world *world;
	void (*wake)(void *target);
	void *target;
	bool armed;
	int64_t due_ms;
};

/* What a request gets. As given to fake_serve_fn: 200, no body, the world's Date, at once. */
struct fake_answer {
	int status;
	char *body; /* owned; NULL = empty */
	const char *request_id, *error_type;
	int64_t date_ms; /* FAKE_REAL_DATE, or another; has_date false = no Date */
	bool has_date;
	int64_t retry_after_ms; /* -1 = none */
	int64_t latency_ms;
	bool never;          /* no answer at all */
	enum err_code fails; /* not ERR_NONE: this instead of an answer */
	bool sent;           /* with fails: bytes of the request may have arrived */
};

/* The request as it was sent, and when. */
struct fake_sent {
	int64_t at_ms; /* monotonic */
	char op[64];   /* behind the dot of X-Amz-Target, or the Action of a form */
	char url[256], content_type[64], query_mode[8];
	char *body;
	char date[TIME_TEXT_SIZE]; /* X-Amz-Date */
	char authorization[512], token[128], host[128];
	int64_t timeout_ms;
	bool once;
};

typedef void fake_serve_fn(void *ctx, const struct fake_sent *request, struct fake_answer *answer);

struct fake_flight {
	uint64_t id; /* 0 = free */
	int64_t due_ms;
	struct fake_answer answer;
	reply_fn *done;
	void *ctx;
};

struct fake_world {
	struct clock clock;
	struct transport transport;
	int64_t mono_ms, wall_ms;
	int64_t server_ahead_ms; /* the service's clock minus ours */
	struct fake_timer timers[FAKE_TIMERS_MAX];
	size_t timer_count;
	fake_serve_fn *serve;
	void *ctx;
	struct fake_flight flights[64];
	uint64_t last_id;
	struct fake_sent sent[FAKE_SENT_MAX];
	size_t sent_count;
	unsigned cancelled;
	struct aws_client *client; /* of fake_client; not owned */
};

/* The world is big: allocate it with fake_world_new. */
struct fake_world *fake_world_new(fake_serve_fn *serve, void *ctx);
void fake_world_free(struct fake_world *world);

/* Hooks that call wake(target) when their time comes. */
struct wait_hooks fake_hooks(struct fake_world *world, void (*wake)(void *target), void *target);

/*
 * The world's client, in us-east-1, with keys; it starts lists at that pace (0 = no limit). To be
 * freed before the world.
 */
struct aws_client *fake_client(struct fake_world *world, enum aws_service service, double pace);

/* Lets ms pass: timers fire and answers come in their order. */
void fake_run(struct fake_world *world, int64_t ms);

/* How many requests of an operation there were. */
size_t fake_count(const struct fake_world *world, const char *op);
/* The nth (from 0) request of an operation, or NULL. */
const struct fake_sent *fake_nth(const struct fake_world *world, const char *op, size_t n);

/* Sets status and body of an answer that is an error in AWS JSON. */
void fake_error(struct fake_answer *answer, int status, const char *code, const char *message);

#endif
