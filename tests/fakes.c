#include "tests/fakes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define STEPS_MAX 1000000 /* of one fake_run: more is a timer that fires for ever */

static int64_t mono_of(void *self)
{
	return ((struct fake_world *)self)->mono_ms;
}

static int64_t wall_of(void *self)
{
	return ((struct fake_world *)self)->wall_ms;
}

static const char *header_of(const struct http_request *request, const char *name)
{
	for (size_t i = 0; i < request->header_count; i++) {
		if (strcasecmp(request->headers[i].name, name) == 0)
			return request->headers[i].value;
	}
	return "";
}

static struct fake_sent *record(struct fake_world *world, const struct http_request *request)
{
	const char *target = header_of(request, "X-Amz-Target"), *dot = strchr(target, '.');
	const char *op = dot ? dot + 1 : target;
	size_t op_len = strlen(op);

	assert(world->sent_count < FAKE_SENT_MAX);
	if (!op[0] && request->body && strncmp(request->body, "Action=", 7) == 0) {
		op = request->body + 7;
		op_len = strcspn(op, "&");
	}

	struct fake_sent *sent = &world->sent[world->sent_count++];

	*sent = (struct fake_sent){ .at_ms = world->mono_ms,
				    .body = mem_copy_bytes(request->body, request->body_len),
				    .timeout_ms = request->timeout_ms,
				    .once = request->once };
	snprintf(sent->op, sizeof(sent->op), "%.*s", (int)op_len, op);
	snprintf(sent->url, sizeof(sent->url), "%s", request->url);
	snprintf(sent->content_type, sizeof(sent->content_type), "%s",
		 header_of(request, "Content-Type"));
	snprintf(sent->query_mode, sizeof(sent->query_mode), "%s",
		 header_of(request, "X-Amzn-Query-Mode"));
	snprintf(sent->date, sizeof(sent->date), "%s", header_of(request, "X-Amz-Date"));
	snprintf(sent->authorization, sizeof(sent->authorization), "%s",
		 header_of(request, "Authorization"));
	snprintf(sent->token, sizeof(sent->token), "%s",
		 header_of(request, "X-Amz-Security-Token"));
	snprintf(sent->host, sizeof(sent->host), "%s", header_of(request, "Host"));
	return sent;
}

static uint64_t fake_send(void *self, const struct http_request *request, reply_fn *done, void *ctx)
{
	struct fake_world *world = self;
	struct fake_sent *sent = record(world, request);
	struct fake_flight *flight = world->flights;

	while (flight->id)
		flight++;
	assert(flight < world->flights + ARRAY_LEN(world->flights));
	*flight = (struct fake_flight){ .id = ++world->last_id, .done = done, .ctx = ctx };
	flight->answer = (struct fake_answer){ .status = 200,
					       .request_id = "",
					       .error_type = "",
					       .date_ms = FAKE_REAL_DATE,
					       .has_date = true,
					       .retry_after_ms = -1 };
	world->serve(world->ctx, sent, &flight->answer);
	flight->due_ms =
		flight->answer.never ? INT64_MAX : world->mono_ms + flight->answer.latency_ms;
	return flight->id;
}

static void fake_cancel(void *self, uint64_t id)
{
	struct fake_world *world = self;

	for (size_t i = 0; i < ARRAY_LEN(world->flights); i++) {
		if (world->flights[i].id == id) {
			free(world->flights[i].answer.body);
			world->flights[i] = (struct fake_flight){ 0 };
			world->cancelled++;
		}
	}
}

struct fake_world *fake_world_new(fake_serve_fn *serve, void *ctx)
{
	struct fake_world *world = mem_new(1, sizeof(*world));

	world->clock = (struct clock){ mono_of, wall_of, world };
	world->transport = (struct transport){ fake_send, fake_cancel, world };
	world->mono_ms = 5000000;
	world->wall_ms = FAKE_WALL_MS;
	world->serve = serve;
	world->ctx = ctx;
	return world;
}

void fake_world_free(struct fake_world *world)
{
	for (size_t i = 0; i < ARRAY_LEN(world->flights); i++)
		free(world->flights[i].answer.body);
	for (size_t i = 0; i < world->sent_count; i++)
		free(world->sent[i].body);
	free(world);
}

static void no_watch(void *host, int fd, short events)
{
	(void)host;
	(void)fd;
	(void)events;
}

static void wake_in(void *host, int64_t ms)
{
	struct fake_timer *timer = host;

	timer->armed = ms >= 0;
	timer->due_ms = timer->world->mono_ms + ms;
}

struct wait_hooks fake_hooks(struct fake_world *world, void (*wake)(void *target), void *target)
{
	assert(world->timer_count < FAKE_TIMERS_MAX);

	struct fake_timer *timer = &world->timers[world->timer_count++];

	*timer = (struct fake_timer){ .world = world, .wake = wake, .target = target };
	return (struct wait_hooks){ no_watch, wake_in, timer };
}

static void wake_client(void *target)
{
	aws_client_wake(((const struct fake_world *)target)->client);
}

struct aws_client *fake_client(struct fake_world *world, enum aws_service service, double pace)
{
	char access[] = "AKIDSIM", secret[] = "simsecret";
	const struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	const struct aws_options options = {
		.service = service,
		.region = "us-east-1",
		.pace = pace,
		.seed = 7,
		.clock = &world->clock,
		.hooks = fake_hooks(world, wake_client, world),
		.transport = &world->transport,
	};
	struct err err = { 0 };

	world->client = aws_client_new(&options, &keys, &err);
	assert(world->client);
	return world->client;
}

static void deliver(struct fake_world *world, struct fake_flight *flight)
{
	struct fake_flight now = *flight;
	struct fake_answer *answer = &now.answer;
	int64_t date = world->wall_ms + world->server_ahead_ms;

	*flight = (struct fake_flight){ 0 };
	if (answer->fails != ERR_NONE) {
		struct err err = { 0 };

		err_set(&err, answer->fails, "it was scripted to fail");
		now.done(now.ctx, NULL, &err, answer->sent);
		err_clear(&err);
	} else {
		struct http_reply reply = {
			.status = answer->status,
			.body = answer->body ? answer->body : "",
			.body_len = answer->body ? strlen(answer->body) : 0,
			.request_id = answer->request_id,
			.error_type = answer->error_type,
			.has_date = answer->has_date,
			.date_ms = answer->date_ms == FAKE_REAL_DATE ? date / 1000 * 1000
								     : answer->date_ms,
			.retry_after_ms = answer->retry_after_ms,
		};

		now.done(now.ctx, &reply, NULL, true);
	}
	free(answer->body);
}

static void advance(struct fake_world *world, int64_t to_ms)
{
	world->wall_ms += to_ms - world->mono_ms;
	world->mono_ms = to_ms;
}

/* The earliest thing that is due by end_ms happens; false if there is none. */
static bool step(struct fake_world *world, int64_t end_ms)
{
	struct fake_timer *timer = NULL;
	struct fake_flight *flight = NULL;

	for (size_t i = 0; i < world->timer_count; i++) {
		struct fake_timer *at = &world->timers[i];

		if (at->armed && at->due_ms <= end_ms && (!timer || at->due_ms < timer->due_ms))
			timer = at;
	}
	for (size_t i = 0; i < ARRAY_LEN(world->flights); i++) {
		struct fake_flight *at = &world->flights[i];

		if (at->id && at->due_ms <= end_ms && (!flight || at->due_ms < flight->due_ms))
			flight = at;
	}
	if (flight && (!timer || flight->due_ms <= timer->due_ms)) {
		advance(world, flight->due_ms > world->mono_ms ? flight->due_ms : world->mono_ms);
		deliver(world, flight);
		return true;
	}
	if (!timer)
		return false;
	advance(world, timer->due_ms > world->mono_ms ? timer->due_ms : world->mono_ms);
	timer->armed = false;
	timer->wake(timer->target);
	return true;
}

void fake_run(struct fake_world *world, int64_t ms)
{
	int64_t end_ms = world->mono_ms + ms;
	unsigned steps = 0;

	while (step(world, end_ms)) {
		steps++;
		assert(steps < STEPS_MAX);
	}
	advance(world, end_ms);
}

size_t fake_count(const struct fake_world *world, const char *op)
{
	size_t count = 0;

	for (size_t i = 0; i < world->sent_count; i++)
		count += strcmp(world->sent[i].op, op) == 0;
	return count;
}

const struct fake_sent *fake_nth(const struct fake_world *world, const char *op, size_t n)
{
	for (size_t i = 0; i < world->sent_count; i++) {
		if (strcmp(world->sent[i].op, op) == 0 && n-- == 0)
			return &world->sent[i];
	}
	return NULL;
}

void fake_error(struct fake_answer *answer, int status, const char *code, const char *message)
{
	struct buf body;

	buf_init(&body, 65536);
	buf_add_text(&body, "{\"__type\":");
	text_add_json(&body, code);
	buf_add_text(&body, ",\"message\":");
	text_add_json(&body, message);
	buf_add_char(&body, '}');
	free(answer->body);
	answer->status = status;
	answer->body = buf_take(&body);
}
