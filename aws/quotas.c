#include "aws/quotas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX   1024u
#define REPLY_MAX  (64u << 10) /* one quota is under 2 KiB */
#define VALUE_MAX  1e10        /* QuotaValue of the service model */
#define TIMEOUT_MS 10000

#define READ_OP(wire_name)                                                                \
	.name = (wire_name), .service = SERVICE_QUOTAS, .describe = true, .resend = true, \
	.timeout_ms = TIMEOUT_MS, .max_reply = REPLY_MAX

const struct aws_op op_get_service_quota = { READ_OP("GetServiceQuota") };
const struct aws_op op_get_default_service_quota = { READ_OP("GetAWSDefaultServiceQuota") };
/* Never sent a second time by itself: a lost answer is told, and a second request for the same
 * quota is refused as open already. */
const struct aws_op op_request_quota_increase = { .name = "RequestServiceQuotaIncrease",
						  .service = SERVICE_QUOTAS,
						  .changes = true,
						  .timeout_ms = TIMEOUT_MS,
						  .max_reply = REPLY_MAX };
const struct aws_op *const quota_ops[] = { &op_get_service_quota, &op_get_default_service_quota,
					   &op_request_quota_increase, NULL };

/* --- decode --- */

/* The member that a reply consists of, about that code; NULL with err. */
static const struct json_value *find_answer(const struct json_value *document, const char *name,
					    const char *code, struct err *err)
{
	const struct json_value *answer = json_object(document, name);
	const char *told = json_text(answer, "QuotaCode");

	if (told && strcmp(told, code) == 0)
		return answer;
	if (document) {
		err_set(err, ERR_PARSE, "the answer has no %s of the code %s", name, code);
		err->hint = HINT_RETRY_LATER;
	}
	return NULL;
}

bool quotas_decode_limit(const char *body, size_t len, const char *code, int64_t *limit,
			 struct err *err)
{
	struct json_value *document = json_parse(body, len, err);
	const struct json_value *quota = find_answer(document, "Quota", code, err);
	double value = -1;

	if (quota && (!json_number(quota, "Value", &value) || value < 0 || value > VALUE_MAX)) {
		err_set(err, ERR_PARSE, "the answer has no usable Value");
		err->hint = HINT_RETRY_LATER;
		quota = NULL;
	}
	if (quota)
		*limit = (int64_t)value;
	json_free(document);
	return quota != NULL;
}

bool quotas_decode_raised(const char *body, size_t len, const char *code,
			  struct quota_raised *raised, struct err *err)
{
	struct json_value *document = json_parse(body, len, err);
	const struct json_value *answer = find_answer(document, "RequestedQuota", code, err);
	const char *status = json_text(answer, "Status"), *case_id = json_text(answer, "CaseId");

	*raised = (struct quota_raised){ 0 };
	snprintf(raised->status, sizeof(raised->status), "%s", status ? status : "");
	snprintf(raised->case_id, sizeof(raised->case_id), "%s", case_id ? case_id : "");
	json_free(document);
	return answer != NULL;
}

/* --- calls --- */

struct quota_call {
	struct aws_client *client;
	const struct aws_op *op;
	char code[QUOTA_CODE_SIZE];
	quota_limit_fn *limit_told;
	quota_raised_fn *raised;
	void *ctx;
};

static void answered_limit(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct quota_call *call = ctx;
	struct err bad = { 0 };
	int64_t limit = 0;

	if (err) {
		call->limit_told(call->ctx, NULL, err);
	} else if (quotas_decode_limit(reply->body, reply->body_len, call->code, &limit, &bad)) {
		call->limit_told(call->ctx, &limit, NULL);
	} else {
		err_subject(&bad, "%s in %s", call->op->name, aws_client_region(call->client));
		call->limit_told(call->ctx, NULL, &bad);
	}
	err_clear(&bad);
	free(call);
}

static void answered_raise(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct quota_call *call = ctx;
	struct quota_raised raised;
	struct err bad = { 0 };

	if (err) {
		call->raised(call->ctx, NULL, err);
	} else if (quotas_decode_raised(reply->body, reply->body_len, call->code, &raised, &bad)) {
		call->raised(call->ctx, &raised, NULL);
	} else {
		err_subject(&bad, "%s in %s", call->op->name, aws_client_region(call->client));
		bad.outcome_open = true;
		call->raised(call->ctx, NULL, &bad);
	}
	err_clear(&bad);
	free(call);
}

static uint64_t start(struct quota_call call, const char *code, const char *body,
		      aws_done_fn *answered)
{
	struct quota_call *kept = mem_new(1, sizeof(*kept));

	*kept = call;
	snprintf(kept->code, sizeof(kept->code), "%s", code);
	uint64_t id = aws_client_call(kept->client, kept->op, body, answered, kept);
	aws_client_on_drop(kept->client, id, free);
	return id;
}

static uint64_t ask_limit(struct aws_client *client, const struct aws_op *op, const char *code,
			  quota_limit_fn *done, void *ctx)
{
	struct buf body;
	uint64_t id;

	buf_init(&body, BODY_MAX);
	buf_add_text(&body, "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":");
	text_add_json(&body, code);
	buf_add_char(&body, '}');
	id = start(
		(struct quota_call){ .client = client, .op = op, .limit_told = done, .ctx = ctx },
		code, buf_text(&body), answered_limit);
	buf_release(&body);
	return id;
}

uint64_t quotas_get(struct aws_client *client, const char *code, quota_limit_fn *done, void *ctx)
{
	return ask_limit(client, &op_get_service_quota, code, done, ctx);
}

uint64_t quotas_get_default(struct aws_client *client, const char *code, quota_limit_fn *done,
			    void *ctx)
{
	return ask_limit(client, &op_get_default_service_quota, code, done, ctx);
}

uint64_t quotas_request_increase(struct aws_client *client, const struct quota_raise *raise,
				 quota_raised_fn *done, void *ctx)
{
	struct buf body;
	uint64_t id;

	buf_init(&body, BODY_MAX);
	quota_raise_body(raise, &body);
	id = start((struct quota_call){ .client = client,
					.op = &op_request_quota_increase,
					.raised = done,
					.ctx = ctx },
		   quota_find(raise->instance_type, raise->kind)->code, buf_text(&body),
		   answered_raise);
	buf_release(&body);
	return id;
}
