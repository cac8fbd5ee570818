#include "aws/logs.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX 16384u

#define READ_OP .service = SERVICE_LOGS, .resend = true, .timeout_ms = 15000

const struct aws_op op_describe_log_streams = { .name = "DescribeLogStreams",
						READ_OP,
						.max_reply = 1u << 20 };
/* A page has 1 MiB of texts, six times that where all of it is escaped. */
const struct aws_op op_get_log_events = { .name = "GetLogEvents",
					  READ_OP,
					  .max_reply = JSON_REPLY_MAX };
const struct aws_op *const logs_ops[] = { &op_describe_log_streams, &op_get_log_events, NULL };

struct logs_call {
	struct aws_client *client;
	logs_streams_fn *streams;
	logs_page_fn *page;
	void *ctx;
};

static void add_member(struct buf *body, const char *name, const char *text)
{
	if (!text)
		return;
	buf_addf(body, "%s\"%s\":", body->len > 1 ? "," : "", name);
	text_add_json(body, text);
}

static uint64_t start(const struct logs_call *call, const struct aws_op *op, struct buf *body,
		      aws_done_fn *done)
{
	struct logs_call *copy = mem_new(1, sizeof(*copy));
	*copy = *call;
	buf_add_char(body, '}');
	uint64_t id = aws_client_call(call->client, op, buf_text(body), done, copy);
	aws_client_on_drop(call->client, id, free);
	buf_release(body);
	return id;
}

static bool is_list(const struct json_value *document, const char *name, struct err *err)
{
	const struct json_value *list = json_member(document, name);
	if (!list || json_type(list) == JSON_TYPE_ARRAY)
		return true;
	err_set(err, ERR_PARSE, "%s is no list", name);
	err->hint = HINT_RETRY_LATER;
	return false;
}

static void name_subject(const struct logs_call *call, const struct aws_op *op, struct err *err)
{
	err_subject(err, "%s in %s", op->name, aws_client_region(call->client));
}

/* --- streams --- */

static void streams_listed(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct logs_call *call = ctx;
	struct logs_streams page = { .count = 0 };
	struct err bad = { 0 };
	if (!err && !is_list(reply->json, "logStreams", &bad)) {
		name_subject(call, &op_describe_log_streams, &bad);
		err = &bad;
	}
	const struct json_value *list = err ? NULL : json_array(reply->json, "logStreams");
	for (const struct json_value *at = json_first(list); at && page.count < LOGS_STREAMS_MAX;
	     at = json_next(at)) {
		const char *name = json_full_text(at, "logStreamName");
		if (name)
			page.names[page.count++] = name;
	}
	page.next_token = err ? NULL : json_full_text(reply->json, "nextToken");
	call->streams(call->ctx, err ? NULL : &page, err);
	err_clear(&bad);
	free(call);
}

uint64_t logs_list_streams(struct aws_client *client, const char *group, const char *prefix,
			   const char *next_token, logs_streams_fn *done, void *ctx)
{
	const struct logs_call call = { .client = client, .streams = done, .ctx = ctx };
	struct buf body;
	buf_init(&body, BODY_MAX);
	buf_add_char(&body, '{');
	add_member(&body, "logGroupName", group);
	add_member(&body, "logStreamNamePrefix", prefix);
	add_member(&body, "nextToken", next_token);
	return start(&call, &op_describe_log_streams, &body, streams_listed);
}

/* --- events --- */

/* The time of one without any is that of the one before it. */
static size_t read_events(const struct json_value *list, struct logs_event *events)
{
	size_t count = 0;
	int64_t at_ms = 0;
	for (const struct json_value *at = json_first(list); at && count < LOGS_PAGE_MAX;
	     at = json_next(at)) {
		const char *text = json_text(at, "message");
		struct opt_ms time = json_time(at, "timestamp");
		at_ms = time.set ? time.ms : at_ms;
		if (text)
			events[count++] = (struct logs_event){ at_ms, text };
	}
	return count;
}

bool logs_decode_page(const struct json_value *document, struct logs_page *page, struct err *err)
{
	*page = (struct logs_page){ .count = 0 };
	if (!is_list(document, "events", err))
		return false;
	const struct json_value *list = json_array(document, "events");
	size_t length = json_length(list);
	length = length < LOGS_PAGE_MAX ? length : LOGS_PAGE_MAX;
	page->events = mem_new(length ? length : 1, sizeof(*page->events));
	page->count = read_events(list, page->events);
	page->forward = json_full_text(document, "nextForwardToken");
	page->backward = json_full_text(document, "nextBackwardToken");
	return true;
}

void logs_page_release(struct logs_page *page)
{
	free(page->events);
	*page = (struct logs_page){ .count = 0 };
}

static void events_got(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct logs_call *call = ctx;
	struct logs_page page = { .count = 0 };
	struct err bad = { 0 };
	if (!err && !logs_decode_page(reply->json, &page, &bad)) {
		name_subject(call, &op_get_log_events, &bad);
		err = &bad;
	}
	call->page(call->ctx, err ? NULL : &page, err);
	logs_page_release(&page);
	err_clear(&bad);
	free(call);
}

uint64_t logs_get_events(struct aws_client *client, const struct logs_query *query,
			 logs_page_fn *done, void *ctx)
{
	const struct logs_call call = { .client = client, .page = done, .ctx = ctx };
	struct buf body;
	buf_init(&body, BODY_MAX);
	buf_add_char(&body, '{');
	add_member(&body, "logGroupName", query->group);
	add_member(&body, "logStreamName", query->stream);
	add_member(&body, "nextToken", query->token);
	buf_addf(&body, ",\"limit\":%d,\"startFromHead\":%s", LOGS_PAGE_MAX,
		 query->forward ? "true" : "false");
	if (query->since)
		buf_addf(&body, ",\"startTime\":%lld", (long long)query->since_ms);
	return start(&call, &op_get_log_events, &body, events_got);
}
