#include "aws/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/answer.h"
#include "aws/attempt.h"
#include "aws/http.h"
#include "aws/pace.h"
#include "aws/retrier.h"
#include "aws/skew.h"
#include "aws/trace.h"
#include "model/base/mem.h"

#define PAUSE_MAX_MS    20000 /* two of them, or one before each retry: part of a call's deadline */
#define ACCESS_KEY_SIZE 132
#define GRACE_MS        2000 /* the transport keeps its own time; this is for one that hangs */

struct call {
	struct aws_client *client;
	uint64_t id;
	const struct aws_op *op;
	char *body;
	aws_done_fn *done;
	void (*drop)(void *ctx);
	void *ctx;
	unsigned tries;
	unsigned last_cost; /* paid for the newest retry */
	int64_t due_ms;     /* not before; by the monotonic clock, as all without "signed" */
	int64_t deadline_ms, budget_ms;   /* the latter from when there is something to sign with */
	bool held;                        /* waits for credentials, and is not late meanwhile */
	bool queued;                      /* waits for its turn, and is not late either */
	bool renewed;                     /* its credentials were refused once and found anew */
	char access_key[ACCESS_KEY_SIZE]; /* that the newest try was signed with */
	bool flying;
	uint64_t transfer;             /* while flying */
	int64_t started_ms, signed_ms; /* of the newest try */
	bool refused;                  /* error says why; called back at the next wake-up */
	bool open;                     /* a try may have taken effect */
	struct err error;
	struct call *next; /* oldest first, but for those ahead */
};

struct aws_client {
	struct aws_credentials credentials; /* without a source */
	struct credentials_source source;   /* get NULL: none */
	char *region;
	struct endpoint endpoint;
	const bool *read_only;
	struct retrier retrier;
	const struct clock *clock;
	struct wait_hooks hooks;
	struct transport transport;
	struct http *http; /* NULL with a transport of the caller's */
	bool http_has_due;
	int64_t http_due_ms;
	void (*on_date)(void *ctx, int64_t date_ms, int64_t mono_ms);
	void (*on_skew)(void *ctx, int64_t skew_ms); /* NULL once it was called */
	aws_change_fn *on_change;
	void *ctx;
	struct skew skew;
	struct call *calls;
	uint64_t last_id;
	struct pace pace;
	struct log *log;
};

/* libcurl's wishes: descriptors go to the loop, its timer is one of several of ours. */

static void http_watch(void *host, int fd, short events)
{
	struct aws_client *client = host;

	client->hooks.watch(client->hooks.host, fd, events);
}

static void http_wake_in(void *host, int64_t ms)
{
	struct aws_client *client = host;

	client->http_has_due = ms >= 0;
	client->http_due_ms = clock_mono_ms(client->clock) + ms;
}

static void set_retries(struct retrier *retrier, const struct aws_options *options)
{
	retrier_init(retrier, options->seed);
	retrier->random = options->random;
	retrier->ctx = options->ctx;
	if (options->max_tries)
		retrier->max_tries = options->max_tries;
	if (options->retry_rules)
		retrier->rules = options->retry_rules;
	if (options->retry_quota)
		retrier->quota = options->retry_quota;
}

static bool resolve(struct aws_client *client, const struct aws_options *options, struct err *err)
{
	const struct endpoint_query query = { .service = options->service,
					      .region = options->region,
					      .override_url = options->endpoint_url };

	if (options->endpoint)
		client->endpoint = *options->endpoint;
	else if (!endpoint_resolve(&client->endpoint, &query, err))
		return false;
	if (client->endpoint.region[0])
		return true;
	/* A host of one's own needs no region, but what is signed does. */
	err_set(err, ERR_CONFIG, "no region is set");
	err->hint = HINT_SET_REGION;
	return false;
}

static void on_turn(void *ctx);

struct aws_client *aws_client_new(const struct aws_options *options,
				  const struct aws_credentials *credentials, struct err *err)
{
	struct aws_client *client = mem_new(1, sizeof(*client));

	if (!options->source &&
	    (!credentials || !credentials->access_key || !credentials->secret_key)) {
		err_set(err, ERR_AUTH, "there are no credentials");
		err->hint = HINT_SET_CREDENTIALS;
		free(client);
		return NULL;
	}
	if (!resolve(client, options, err)) {
		free(client);
		return NULL;
	}
	if (options->source)
		client->source = *options->source;
	else
		aws_credentials_copy(&client->credentials, credentials);
	client->region = mem_copy_text(client->endpoint.region);
	client->read_only = options->read_only;
	client->skew.unsettled = options->keep_clock;
	set_retries(&client->retrier, options);
	client->clock = options->clock;
	client->hooks = options->hooks;
	client->on_date = options->on_date;
	client->on_skew = options->on_skew;
	client->on_change = options->on_change;
	client->log = options->log;
	client->ctx = options->ctx;
	pace_init(&client->pace, &(struct pace_options){ .list_starts = options->pace,
							 .shared = options->shared_pace,
							 .at_once = options->at_once,
							 .clock = client->clock,
							 .changed = on_turn,
							 .ctx = client });
	if (options->transport) {
		client->transport = *options->transport;
	} else {
		struct wait_hooks hooks = { http_watch, http_wake_in, client };

		client->http = http_new(&hooks, client->clock, options->ca_bundle);
		client->transport = http_transport(client->http);
	}
	return client;
}

static void call_free(struct call *call)
{
	err_clear(&call->error);
	free(call->body);
	free(call);
}

/* Takes it out of the list, if it is there still. */
static void unlink_call(struct aws_client *client, const struct call *call)
{
	for (struct call **at = &client->calls; *at; at = &(*at)->next) {
		if (*at == call) {
			*at = call->next;
			return;
		}
	}
}

static void drop_call(struct aws_client *client, struct call *call)
{
	unlink_call(client, call);
	if (call->flying)
		client->transport.cancel(client->transport.self, call->transfer);
	if (call->drop)
		call->drop(call->ctx);
	call_free(call);
}

void aws_client_free(struct aws_client *client)
{
	if (!client)
		return;
	while (client->calls)
		drop_call(client, client->calls);
	http_free(client->http);
	aws_credentials_release(&client->credentials);
	free(client->region);
	pace_release(&client->pace);
	free(client);
}

const struct pace *aws_client_pace(const struct aws_client *client)
{
	return &client->pace;
}

/* Ends a call: exactly one call back, after it has left the list. */
static void finish(struct call *call, const struct http_reply *http, const struct answer *answer,
		   const struct err *err)
{
	struct aws_reply reply = {
		.json = answer ? answer->json : NULL,
		.xml = answer ? answer->xml : NULL,
		.body = answer ? http->body : "",
		.body_len = answer ? http->body_len : 0,
		.request_id = http ? http->request_id : "",
		.has_date = http && http->has_date,
		.date_ms = http ? http->date_ms : 0,
		.tries = call->tries,
		.outcome_open = err && call->open && call->op->changes,
	};

	unlink_call(call->client, call);
	if (call->op->changes && call->client->on_change)
		call->client->on_change(call->client->ctx, call->op, call->body, &reply, err);
	call->done(call->ctx, &reply, err);
	call_free(call);
}

/* As credentials_source.get. */
static const struct aws_credentials *credentials_now(struct aws_client *client, struct err *err)
{
	return client->source.get ? client->source.get(client->source.self, err)
				  : &client->credentials;
}

static struct trace trace_of(const struct call *call)
{
	const struct aws_client *client = call->client;

	return (struct trace){ .log = client->log,
			       .id = call->id,
			       .name = call->op->name,
			       .region = client->region,
			       .host = client->endpoint.host,
			       .tries = call->tries,
			       .took_ms = clock_mono_ms(client->clock) - call->started_ms };
}

static void finish_failed(struct call *call, const struct http_reply *http, struct err *err)
{
	struct aws_client *client = call->client;
	struct err none = { 0 };

	skew_explain(&client->skew, err);
	/* One of a credentials source names its own. */
	if (!err->subject[0])
		err_subject(err, "%s in %s", call->op->name, client->region);
	credentials_hide(credentials_now(client, &none), err);
	err_clear(&none);
	trace_failed(trace_of(call), err);
	finish(call, http, NULL, err);
}

/* True if the call was put back for another try. */
static bool try_again(struct call *call, enum retry_kind kind, int64_t hint_ms)
{
	struct aws_client *client = call->client;
	struct retry_pause pause;

	if ((call->open && !call->op->resend) ||
	    !retrier_take(&client->retrier, kind, call->tries, hint_ms, &pause))
		return false;
	call->last_cost = pause.cost;
	call->due_ms = clock_mono_ms(client->clock) + pause.ms;
	if (call->due_ms >= call->deadline_ms)
		return false;
	trace_again(trace_of(call), pause.ms);
	return true;
}

/* Expired or revoked: one more try, with what the source finds meanwhile. */
static bool renew(struct call *call, const struct err *err)
{
	struct credentials_source *source = &call->client->source;

	if (!source->get || call->renewed || !credentials_are_refused(err->aws_code) ||
	    !source->refused(source->self, call->access_key))
		return false;
	call->renewed = true;
	call->due_ms = clock_mono_ms(call->client->clock);
	return true;
}

static void learn_date(struct call *call, const struct http_reply *reply)
{
	struct aws_client *client = call->client;
	int64_t now = clock_mono_ms(client->clock);

	if (skew_learn(&client->skew, reply, now - call->started_ms,
		       clock_wall_ms(client->clock)) &&
	    client->on_date)
		client->on_date(client->ctx, reply->date_ms, now);
}

static void tell_skew(struct aws_client *client)
{
	void (*tell)(void *ctx, int64_t skew_ms) = client->on_skew;

	if (!tell || !client->skew.known || client->skew.unsettled ||
	    llabs(client->skew.ms) < SKEW_SEEN_MS)
		return;
	client->on_skew = NULL;
	tell(client->ctx, client->skew.ms);
}

static void on_answer(struct call *call, const struct http_reply *reply)
{
	struct aws_client *client = call->client;
	struct answer answer;

	learn_date(call, reply);
	answer_read(&answer, call->op, reply, call->signed_ms, client->skew.unsettled);
	call->open |= answer.open;
	trace_answered(trace_of(call), reply, answer.good ? NULL : &answer.err);
	if (answer.good) {
		retry_quota_refund(client->retrier.quota, call->last_cost);
		finish(call, reply, &answer, NULL);
	} else {
		if (answer.skewed)
			tell_skew(client);
		if (answer.kind == RETRY_THROTTLED)
			pace_note_throttled(&client->pace, call->op, clock_mono_ms(client->clock));
		if (!renew(call, &answer.err) &&
		    !try_again(call, answer.kind, reply->retry_after_ms))
			finish_failed(call, reply, &answer.err);
	}
	answer_release(&answer);
}

static void on_no_answer(struct call *call, const struct err *cause, bool sent)
{
	struct err err = { 0 };

	call->open |= sent;
	trace_unanswered(trace_of(call), cause);
	if (try_again(call, retry_classify_silence(cause->code), -1))
		return;
	err_copy(&err, cause);
	finish_failed(call, NULL, &err);
	err_clear(&err);
}

static void on_reply(void *ctx, const struct http_reply *reply, const struct err *err, bool sent);

/* NULL: the call is held until there are some, or refused because there are none. */
static const struct aws_credentials *take_credentials(struct call *call, int64_t now)
{
	const struct aws_credentials *credentials = credentials_now(call->client, &call->error);
	bool was_held = call->held, waited = was_held || call->queued;

	call->queued = false;
	call->held = !credentials && call->error.code == ERR_NONE;
	if (call->held && !was_held)
		trace_held(trace_of(call));
	call->refused = !credentials && !call->held;
	if (waited && credentials)
		call->deadline_ms = now + call->budget_ms;
	if (credentials)
		snprintf(call->access_key, sizeof(call->access_key), "%s", credentials->access_key);
	return credentials;
}

static void start(struct call *call, int64_t now)
{
	struct aws_client *client = call->client;
	const struct aws_credentials *credentials = take_credentials(call, now);

	if (!credentials)
		return;

	int64_t left = call->deadline_ms - now;
	struct attempt attempt = {
		.transport = &client->transport,
		.endpoint = &client->endpoint,
		.credentials = credentials,
		.region = client->region,
		.op = call->op,
		.body = call->body,
		.signed_ms = skew_signing_ms(&client->skew, clock_wall_ms(client->clock)),
		.timeout_ms = left < call->op->timeout_ms ? left : call->op->timeout_ms,
	};

	call->started_ms = now;
	call->signed_ms = attempt.signed_ms;
	if (!attempt_send(&attempt, on_reply, call, &call->transfer, &call->error)) {
		call->refused = true;
		return;
	}
	call->flying = true;
	call->tries++;
	trace_sent(trace_of(call), strlen(call->body));
	/* Sending takes time, the first one most: the pace counts from when it is out. */
	pace_note_start(&client->pace, call->op, clock_mono_ms(client->clock));
}

/* Oldest first; one that waits for its pause does not hold up those behind it. */
static void start_due(struct aws_client *client)
{
	int64_t now = clock_mono_ms(client->clock);

	for (struct call *call = client->calls; call; call = call->next) {
		if (call->flying || call->refused || call->due_ms > now)
			continue;
		if (pace_may_start(&client->pace, call->op, now))
			start(call, now);
		else
			call->queued |= pace_is_queued(&client->pace, call->op);
	}
}

/* When something has to be done about a call. */
static int64_t next_ms(struct aws_client *client, const struct call *call, int64_t now)
{
	int64_t next;

	if (call->refused)
		return INT64_MIN;
	if (call->held && !call->queued)
		return INT64_MAX;
	if (call->flying)
		return call->started_ms + call->op->timeout_ms + GRACE_MS;
	next = pace_ready_ms(&client->pace, call->op, now);
	next = next > call->due_ms ? next : call->due_ms;
	return next < call->deadline_ms || call->queued ? next : call->deadline_ms;
}

static void arm(struct aws_client *client)
{
	int64_t now = clock_mono_ms(client->clock), next = INT64_MAX;

	if (client->http_has_due)
		next = client->http_due_ms;
	for (const struct call *call = client->calls; call; call = call->next) {
		int64_t due = next_ms(client, call, now);

		next = due < next ? due : next;
	}
	if (next == INT64_MAX)
		client->hooks.wake_in(client->hooks.host, -1);
	else
		client->hooks.wake_in(client->hooks.host, next > now ? next - now : 0);
}

static void on_reply(void *ctx, const struct http_reply *reply, const struct err *err, bool sent)
{
	struct call *call = ctx;
	struct aws_client *client = call->client;

	call->flying = false;
	if (reply)
		on_answer(call, reply);
	else
		on_no_answer(call, err, sent);
	/* The call is gone or waits for its pause; others may go now. */
	start_due(client);
	arm(client);
}

/* A call whose time is over: hanging in the transport, or still waiting at its deadline. */
static bool end_late(struct aws_client *client, int64_t now)
{
	for (struct call *call = client->calls; call; call = call->next) {
		struct err err = { 0 };

		if (call->refused || call->queued || next_ms(client, call, now) > now ||
		    (!call->flying && now < call->deadline_ms))
			continue;
		err_set(&err, ERR_TIMEOUT, "no answer in time");
		err.hint = HINT_RETRY_LATER;
		if (call->flying) {
			call->flying = false;
			client->transport.cancel(client->transport.self, call->transfer);
			on_no_answer(call, &err, true);
		} else {
			finish_failed(call, NULL, &err);
		}
		err_clear(&err);
		return true;
	}
	return false;
}

static bool end_refused(struct aws_client *client)
{
	for (struct call **at = &client->calls; *at; at = &(*at)->next) {
		struct call *call = *at;

		if (call->refused) {
			*at = call->next;
			finish_failed(call, NULL, &call->error);
			return true;
		}
	}
	return false;
}

/* Each call back may change the list, so it is walked afresh until nothing is left to end. */
static void advance(struct aws_client *client)
{
	while (end_refused(client) || end_late(client, clock_mono_ms(client->clock)))
		;
	start_due(client);
	arm(client);
}

static void on_turn(void *ctx)
{
	advance(ctx);
}

void aws_client_ready(struct aws_client *client, int fd, short events)
{
	if (client->http)
		http_ready(client->http, fd, events);
	advance(client);
}

void aws_client_wake(struct aws_client *client)
{
	if (client->http)
		http_wake(client->http);
	advance(client);
}

void aws_client_credentials_changed(struct aws_client *client)
{
	advance(client);
}

uint64_t aws_client_call(struct aws_client *client, const struct aws_op *op, const char *body,
			 aws_done_fn *done, void *ctx)
{
	struct call *call = mem_new(1, sizeof(*call)), **end = &client->calls;
	int64_t now = clock_mono_ms(client->clock);
	int64_t max_tries = client->retrier.max_tries, tries = op->resend ? max_tries : 1;
	int64_t pauses = max_tries > 3 ? max_tries - 1 : 2;

	call->client = client;
	call->id = ++client->last_id;
	call->op = op;
	call->body = mem_copy_text(body);
	call->done = done;
	call->ctx = ctx;
	call->due_ms = now;
	call->budget_ms = tries * op->timeout_ms + pauses * PAUSE_MAX_MS;
	call->deadline_ms = now + call->budget_ms;
	if (op->changes && client->read_only && *client->read_only) {
		call->refused = true;
		err_set(&call->error, ERR_CONFIG, "read-only: nothing is changed on AWS");
	}
	while (*end && !op->ahead)
		end = &(*end)->next;
	call->next = *end;
	*end = call;
	start_due(client);
	arm(client);
	return call->id;
}

static struct call *find_call(struct aws_client *client, uint64_t id)
{
	for (struct call *call = client->calls; call; call = call->next)
		if (call->id == id)
			return call;
	return NULL;
}

struct opt_ms aws_client_skew(const struct aws_client *client)
{
	return (struct opt_ms){ client->skew.known, client->skew.ms };
}

const char *aws_client_region(const struct aws_client *client)
{
	return client->region;
}

int64_t aws_client_mono_ms(const struct aws_client *client)
{
	return clock_mono_ms(client->clock);
}

int64_t aws_client_server_ms(const struct aws_client *client, int64_t mono_ms)
{
	return clock_wall_ms(client->clock) + client->skew.ms +
	       (mono_ms - clock_mono_ms(client->clock));
}

void aws_client_on_drop(struct aws_client *client, uint64_t id, void (*drop)(void *ctx))
{
	struct call *call = find_call(client, id);
	if (call)
		call->drop = drop;
}

void aws_client_cancel(struct aws_client *client, uint64_t id)
{
	struct call *call = find_call(client, id);
	if (call) {
		drop_call(client, call);
		arm(client);
	}
}
