#include "aws/sagemaker_tags.h"

#include <stdlib.h>

#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX  16384u /* a token has up to 8 KiB */
#define REPLY_MAX (1u << 20)

const struct aws_op op_list_tags = { .name = "ListTags",
				     .service = SERVICE_SAGEMAKER,
				     .list = true,
				     .resend = true,
				     .timeout_ms = 10000,
				     .max_reply = REPLY_MAX };

void tag_page_release(struct tag_page *page)
{
	tags_release(&page->tags);
	free(page->next_token);
	*page = (struct tag_page){ 0 };
}

bool tags_decode_list(const char *body, size_t len, struct tag_page *page, struct err *err)
{
	struct json_value *document = json_parse(body, len, err);
	const struct json_value *rows = json_member(document, "Tags");
	const char *token = json_text(document, "NextToken");
	bool ok = json_type(document) == JSON_TYPE_OBJECT &&
		  (!rows || json_type(rows) == JSON_TYPE_ARRAY);

	*page = (struct tag_page){ 0 };
	for (const struct json_value *at = ok ? json_first(rows) : NULL; at; at = json_next(at)) {
		const char *key = json_text(at, "Key"), *value = json_text(at, "Value");

		if (key && key[0])
			tags_add(&page->tags, key, value ? value : "");
	}
	if (ok) {
		page->next_token = token && token[0] ? mem_copy_text(token) : NULL;
	} else if (document) {
		err_set(err, ERR_PARSE, "Tags is no list");
		err->hint = HINT_RETRY_LATER;
	}
	json_free(document);
	return ok;
}

struct tags_call {
	struct aws_client *client;
	tag_page_fn *done;
	void *ctx;
};

static void listed(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct tags_call *call = ctx;
	struct tag_page page = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (tags_decode_list(reply->body, reply->body_len, &page, &bad)) {
		call->done(call->ctx, &page, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_list_tags.name, aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	tag_page_release(&page);
	err_clear(&bad);
	free(call);
}

uint64_t tags_list(struct aws_client *client, const char *arn, const char *next_token,
		   tag_page_fn *done, void *ctx)
{
	struct tags_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	uint64_t id;

	*call = (struct tags_call){ client, done, ctx };
	buf_init(&body, BODY_MAX);
	buf_add_text(&body, "{\"ResourceArn\":");
	text_add_json(&body, arn);
	buf_addf(&body, ",\"MaxResults\":%d", TAGS_PAGE_MAX);
	if (next_token) {
		buf_add_text(&body, ",\"NextToken\":");
		text_add_json(&body, next_token);
	}
	buf_add_char(&body, '}');
	id = aws_client_call(client, &op_list_tags, buf_text(&body), listed, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
