#include "aws/attempt.h"

#include <string.h>

#include "aws/sigv4.h"

#define SIGNED_MAX 8

/* The headers that are signed; all that we send but Authorization, and what libcurl adds. */
static size_t fill_headers(const struct attempt *attempt, const char *date,
			   struct sigv4_header headers[SIGNED_MAX])
{
	const char *token = attempt->credentials->session_token;
	size_t count = 0;

	headers[count++] = (struct sigv4_header){ "Host", attempt->endpoint->host };
	headers[count++] = (struct sigv4_header){ "Content-Type", attempt->op->content_type };
	headers[count++] = (struct sigv4_header){ "X-Amz-Date", date };
	headers[count++] = (struct sigv4_header){ "X-Amz-Target", attempt->op->target };
	if (token && token[0])
		headers[count++] = (struct sigv4_header){ "X-Amz-Security-Token", token };
	return count;
}

bool attempt_send(const struct attempt *attempt, reply_fn *done, void *ctx, uint64_t *id,
		  struct err *err)
{
	struct sigv4_header headers[SIGNED_MAX];
	struct sigv4 state = { .signature = "" };
	char date[TIME_TEXT_SIZE];
	bool ok;

	time_format_amz(attempt->signed_ms, date);

	size_t count = fill_headers(attempt, date, headers);
	struct sigv4_request to_sign = {
		.method = "POST",
		.target = attempt->endpoint->target,
		.headers = headers,
		.header_count = count,
		.body = attempt->body,
		.body_len = strlen(attempt->body),
		.amz_date = date,
		.region = attempt->region,
		.service = attempt->op->service,
	};

	ok = sigv4_sign(&state, &to_sign, attempt->credentials->access_key,
			attempt->credentials->secret_key, err);
	if (ok) {
		struct http_request request = {
			.method = "POST",
			.url = attempt->endpoint->url,
			.header_count = count + 1,
			.body = attempt->body,
			.body_len = to_sign.body_len,
			.timeout_ms = attempt->timeout_ms,
			.max_reply = attempt->op->max_reply,
			.once = !attempt->op->resend,
		};

		for (size_t i = 0; i < count; i++)
			request.headers[i] =
				(struct http_header){ headers[i].name, headers[i].value };
		request.headers[count] =
			(struct http_header){ "Authorization", buf_text(&state.authorization) };
		*id = attempt->transport->send(attempt->transport->self, &request, done, ctx);
	}
	sigv4_release(&state);
	return ok;
}
