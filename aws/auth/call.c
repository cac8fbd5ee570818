#include "aws/auth/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "aws/errors.h"
#include "aws/jitter.h"
#include "aws/retry.h"
#include "aws/sigv4.h"
#include "aws/skew.h"
#include "aws/trace.h"
#include "model/base/mem.h"

#define TIMEOUT_MS 10000 /* of each try */
#define URL_SIZE   (ENDPOINT_URL_SIZE + 1024)

struct auth_call {
	const struct auth_world *world;
	enum aws_service service;
	struct endpoint endpoint;
	char url[URL_SIZE], target[URL_SIZE];
	char *name, *method, *body;
	char *header_names[CALL_HEADERS_MAX], *header_values[CALL_HEADERS_MAX];
	size_t header_count;
	char *(*stamp)(void *ctx, struct err *err);
	struct aws_credentials sign_with; /* no access key: not signed */
	struct waiter waiter;
	struct wait_hooks hooks;
	struct retry_quota quota;
	struct skew skew;
	int64_t started_ms, signed_ms; /* of the newest try */
	struct jitter jitter;
	unsigned tries;
	uint64_t transfer; /* 0 = none under way */
	call_done_fn *done;
	void *ctx;
};

static void wipe(char *text)
{
	if (text)
		OPENSSL_cleanse(text, strlen(text));
	free(text);
}

void call_free(struct auth_call *call)
{
	if (!call)
		return;
	if (call->transfer != 0)
		call->world->http->cancel(call->world->http->self, call->transfer);
	waits_remove(&call->waiter);
	for (size_t i = 0; i < call->header_count; i++) {
		free(call->header_names[i]);
		wipe(call->header_values[i]);
	}
	aws_credentials_release(&call->sign_with);
	OPENSSL_cleanse(call->url, sizeof(call->url));
	OPENSSL_cleanse(call->target, sizeof(call->target));
	free(call->name);
	free(call->method);
	wipe(call->body);
	free(call);
}

static struct trace trace_of(const struct auth_call *call)
{
	return (struct trace){ .log = call->world->log,
			       .name = call->name,
			       .region = call->endpoint.region,
			       .host = call->endpoint.host,
			       .tries = call->tries,
			       .took_ms = clock_mono_ms(call->world->clock) - call->started_ms };
}

static void finish(struct auth_call *call, const struct http_reply *reply, struct err *err)
{
	bool failed = err->code != ERR_NONE;
	if (failed)
		err_subject(err, "%s at %.200s", call->name, call->endpoint.host);
	if (failed)
		trace_failed(trace_of(call), err);
	call->done(call->ctx, reply ? reply->body : "", reply ? reply->body_len : 0,
		   failed ? err : NULL);
}

static bool try_again(struct auth_call *call, enum retry_kind kind, int64_t hint_ms)
{
	unsigned cost;
	if (kind == RETRY_NOT || call->tries >= call->world->setup->retry.max_tries ||
	    !retry_quota_take(&call->quota, &retry_rules_standard, kind, &cost))
		return false;
	double pause_s = retry_delay_s(&retry_rules_standard, kind, call->tries - 1,
				       jitter_next(&call->jitter), hint_ms);
	int64_t pause_ms = (int64_t)(pause_s * 1000 + 0.5);
	call->hooks.wake_in(call->hooks.host, pause_ms);
	trace_again(trace_of(call), pause_ms);
	return true;
}

/* The first call of all may be this one: what its Date says of the clock is for everybody, and
 * then the world's clock is right by itself. */
static void learn_date(struct auth_call *call, const struct http_reply *reply)
{
	const struct auth_world *world = call->world;
	int64_t took_ms = clock_mono_ms(world->clock) - call->started_ms;
	if (!skew_learn(&call->skew, reply, took_ms, clock_wall_ms(world->clock)) ||
	    !world->note_date)
		return;
	world->note_date(world->ctx, reply->date_ms);
	call->skew.ms = 0;
}

static enum retry_kind kind_of(const struct auth_call *call, const struct http_reply *reply,
			       const struct err *said)
{
	bool is_signed = call->sign_with.access_key != NULL;
	bool is_far = reply->has_date && llabs(reply->date_ms - call->signed_ms) >= SKEW_SEEN_MS;
	/* A stamp has a time in it too, but there is no word of its own for a wrong one. */
	if ((call->stamp && is_far) ||
	    (is_signed && skew_doubt_of(said, reply, call->signed_ms) != SKEW_NONE))
		return RETRY_TRANSIENT;
	return retry_classify(call->service, reply->status, said->aws_code);
}

static void on_reply(void *ctx, const struct http_reply *reply, const struct err *err, bool sent)
{
	struct auth_call *call = ctx;
	struct err said = { 0 };
	enum retry_kind kind = RETRY_NOT;
	int64_t hint_ms = reply ? reply->retry_after_ms : -1;
	(void)sent;
	call->transfer = 0;
	if (reply)
		learn_date(call, reply);
	if (!reply) {
		err_copy(&said, err);
		kind = retry_classify_silence(err->code);
		trace_unanswered(trace_of(call), err);
	} else if (reply->status < 200 || reply->status > 299) {
		error_of_reply(call->service, reply, &said);
		kind = kind_of(call, reply, &said);
	}
	if (reply)
		trace_answered(trace_of(call), reply, said.code == ERR_NONE ? NULL : &said);
	if (!try_again(call, kind, hint_ms))
		finish(call, reply, &said);
	err_clear(&said);
}

/* Writes Authorization and what it rests on into the request; the texts are state's. */
struct signature {
	char date[TIME_TEXT_SIZE];
	struct sigv4 state;
};

static bool sign(struct auth_call *call, struct http_request *request, struct signature *signature,
		 struct err *err)
{
	struct sigv4_header headers[HTTP_HEADERS_MAX];
	const struct aws_credentials *keys = &call->sign_with;
	time_format_amz(call->signed_ms, signature->date);
	request->headers[request->header_count++] =
		(struct http_header){ "X-Amz-Date", signature->date };
	if (keys->session_token)
		request->headers[request->header_count++] =
			(struct http_header){ "X-Amz-Security-Token", keys->session_token };
	for (size_t i = 0; i < request->header_count; i++)
		headers[i] = (struct sigv4_header){ request->headers[i].name,
						    request->headers[i].value };
	const struct sigv4_request signed_request = {
		.method = call->method,
		.target = call->target,
		.headers = headers,
		.header_count = request->header_count,
		.body = call->body,
		.body_len = strlen(call->body),
		.amz_date = signature->date,
		.region = call->endpoint.region,
		.service = service_row(call->service)->signing_name,
	};
	if (!sigv4_sign(&signature->state, &signed_request, keys->access_key, keys->secret_key,
			err))
		return false;
	request->headers[request->header_count++] =
		(struct http_header){ "Authorization", buf_text(&signature->state.authorization) };
	return true;
}

static bool renew_stamp(struct auth_call *call, struct err *err)
{
	char *value = call->stamp ? call->stamp(call->ctx, err) : NULL;
	if (!value)
		return !call->stamp;
	wipe(call->header_values[0]);
	call->header_values[0] = value;
	return true;
}

static void send_once(void *ctx)
{
	struct auth_call *call = ctx;
	struct signature signature = { 0 };
	struct err err = { 0 };
	struct http_request request = {
		.method = call->method,
		.url = call->url,
		.headers = { { "Host", call->endpoint.host } },
		.header_count = 1,
		.body = call->body,
		.body_len = strlen(call->body),
		.timeout_ms = TIMEOUT_MS,
		.max_reply = CALL_REPLY_MAX,
	};
	bool stamped = renew_stamp(call, &err);
	if (call->body[0])
		request.headers[request.header_count++] =
			(struct http_header){ "Content-Type",
					      service_row(call->service)->content_type };
	for (size_t i = 0; i < call->header_count; i++)
		request.headers[request.header_count++] =
			(struct http_header){ call->header_names[i], call->header_values[i] };
	call->tries++;
	call->started_ms = clock_mono_ms(call->world->clock);
	call->signed_ms = skew_signing_ms(&call->skew, clock_wall_ms(call->world->clock));
	trace_sent(trace_of(call), request.body_len);
	if (stamped && (!call->sign_with.access_key || sign(call, &request, &signature, &err)))
		call->transfer =
			call->world->http->send(call->world->http->self, &request, on_reply, call);
	else
		finish(call, NULL, &err);
	sigv4_release(&signature.state);
	err_clear(&err);
}

static bool join(struct auth_call *call, const char *path, struct err *err)
{
	const char *rest = path[0] == '/' ? path + 1 : path;
	int url = snprintf(call->url, sizeof(call->url), "%s%s", call->endpoint.url, rest);
	int target =
		snprintf(call->target, sizeof(call->target), "%s%s", call->endpoint.target, rest);
	return (url > 0 && (size_t)url < sizeof(call->url) && target > 0 &&
		(size_t)target < sizeof(call->target)) ||
	       err_set(err, ERR_CONFIG, "the URL of %s is too long", call->name);
}

struct auth_call *call_start(const struct auth_world *world, const struct call_options *options,
			     call_done_fn *done, void *ctx, struct err *err)
{
	struct auth_call *call = mem_new(1, sizeof(*call));
	call->world = world;
	call->service = options->service;
	call->name = mem_copy_text(options->name);
	call->method = mem_copy_text(options->method);
	call->body = mem_copy_text(options->body ? options->body : "");
	call->header_count = options->header_count;
	call->stamp = options->stamp;
	for (size_t i = 0; i < options->header_count; i++) {
		call->header_names[i] = mem_copy_text(options->headers[i].name);
		call->header_values[i] = mem_copy_text(options->headers[i].value);
	}
	if (options->sign_with)
		aws_credentials_copy(&call->sign_with, options->sign_with);
	call->done = done;
	call->ctx = ctx;
	retry_quota_init(&call->quota);
	jitter_init(&call->jitter, 0);
	call->waiter = (struct waiter){ .wake = send_once, .ctx = call };
	call->hooks = waits_add(world->waits, &call->waiter);
	if (!setup_endpoint(world->setup, options->service, options->region, &call->endpoint,
			    err) ||
	    !join(call, options->path, err)) {
		err_subject(err, "%s", options->name);
		call_free(call);
		return NULL;
	}
	call->hooks.wake_in(call->hooks.host, 0);
	return call;
}
