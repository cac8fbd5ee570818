#include "aws/attempt.h"

#include <stdio.h>
#include <string.h>

#include "aws/sigv4.h"

#define SIGNED_MAX 8

/* A request as it goes out, but for what the caller of the attempt holds. */
struct wire {
	char url[ENDPOINT_URL_SIZE], path[ENDPOINT_URL_SIZE]; /* path: of the request line */
	char target[128], date[TIME_TEXT_SIZE];
	struct sigv4_header headers[SIGNED_MAX]; /* those that are signed: all of ours */
	size_t count;
};

static void add_header(struct wire *wire, const char *name, const char *value)
{
	wire->headers[wire->count++] = (struct sigv4_header){ name, value };
}

static bool write_addresses(struct wire *wire, const struct attempt *attempt, struct err *err)
{
	/* The endpoint ends with a slash, with which the path of an operation begins. */
	const char *path = attempt->op->path ? attempt->op->path + 1 : "";
	int url = snprintf(wire->url, sizeof(wire->url), "%s%s", attempt->endpoint->url, path);
	int line =
		snprintf(wire->path, sizeof(wire->path), "%s%s", attempt->endpoint->target, path);

	if (url >= 0 && line >= 0 && (size_t)url < sizeof(wire->url) &&
	    (size_t)line < sizeof(wire->path))
		return true;
	return err_set(err, ERR_CONFIG, "the endpoint URL is too long for this operation");
}

static void write_headers(struct wire *wire, const struct attempt *attempt)
{
	const struct service *service = service_row(attempt->op->service);
	const char *token = attempt->credentials->session_token;

	time_format_amz(attempt->signed_ms, wire->date);
	add_header(wire, "Host", attempt->endpoint->host);
	add_header(wire, "Content-Type", service->content_type);
	add_header(wire, "X-Amz-Date", wire->date);
	if (service->target_prefix) {
		snprintf(wire->target, sizeof(wire->target), "%s.%s", service->target_prefix,
			 attempt->op->name);
		add_header(wire, "X-Amz-Target", wire->target);
	}
	if (service->query_compatible)
		add_header(wire, "X-Amzn-Query-Mode", "true");
	if (token && token[0])
		add_header(wire, "X-Amz-Security-Token", token);
}

static uint64_t send_signed(const struct attempt *attempt, const struct wire *wire,
			    const char *authorization, reply_fn *done, void *ctx)
{
	struct http_request request = {
		.method = "POST",
		.url = wire->url,
		.header_count = wire->count + 1,
		.body = attempt->body,
		.body_len = strlen(attempt->body),
		.timeout_ms = attempt->timeout_ms,
		.max_reply = attempt->op->max_reply,
		.once = !attempt->op->resend,
	};

	for (size_t i = 0; i < wire->count; i++)
		request.headers[i] =
			(struct http_header){ wire->headers[i].name, wire->headers[i].value };
	request.headers[wire->count] = (struct http_header){ "Authorization", authorization };
	return attempt->transport->send(attempt->transport->self, &request, done, ctx);
}

bool attempt_send(const struct attempt *attempt, reply_fn *done, void *ctx, uint64_t *id,
		  struct err *err)
{
	struct sigv4 state = { .signature = "" };
	struct wire wire = { .count = 0 };
	bool ok;

	if (!write_addresses(&wire, attempt, err))
		return false;
	write_headers(&wire, attempt);

	struct sigv4_request to_sign = {
		.method = "POST",
		.target = wire.path,
		.headers = wire.headers,
		.header_count = wire.count,
		.body = attempt->body,
		.body_len = strlen(attempt->body),
		.amz_date = wire.date,
		.region = attempt->region,
		.service = service_row(attempt->op->service)->signing_name,
	};

	ok = sigv4_sign(&state, &to_sign, attempt->credentials->access_key,
			attempt->credentials->secret_key, err);
	if (ok)
		*id = send_signed(attempt, &wire, buf_text(&state.authorization), done, ctx);
	sigv4_release(&state);
	return ok;
}
