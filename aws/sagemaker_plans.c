#include "aws/sagemaker_plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/amount.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX     16384u         /* of a request: a token has up to 8 KiB */
#define REPLY_MAX    (2u << 20)     /* a hundred plans with all their windows are under 1 MiB */
#define FOR_TRAINING "training-job" /* SageMakerResourceName */

#define READ_OP(verb, what)                                                                   \
	.name = verb what, .service = SERVICE_SAGEMAKER, .resend = true, .timeout_ms = 10000, \
	.max_reply = REPLY_MAX

const struct aws_op op_list_training_plans = { READ_OP("List", "TrainingPlans"), .list = true };
const struct aws_op op_describe_training_plan = { READ_OP("Describe", "TrainingPlan"),
						  .describe = true };
const struct aws_op *const sagemaker_plan_ops[] = { &op_list_training_plans,
						    &op_describe_training_plan, NULL };

void plan_page_release(struct plan_page *page)
{
	if (!page)
		return;
	plan_list_free(page->plans, page->count);
	free(page->next_token);
	*page = (struct plan_page){ 0 };
}

/* --- decode --- */

/* A count; absent and negative ones are unset. */
static struct opt_count count_of(const struct json_value *object, const char *name)
{
	struct opt_count count = { 0 };

	count.set = json_integer(object, name, &count.n) && count.n >= 0;
	if (!count.set)
		count.n = 0;
	return count;
}

static void decode_windows(const struct json_value *list, struct plan *plan)
{
	for (const struct json_value *at = json_first(list); at; at = json_next(at)) {
		struct plan_window window = { .start = json_time(at, "StartTime"),
					      .end = json_time(at, "EndTime"),
					      .total = count_of(at, "TotalInstanceCount") };

		if (json_type(at) != JSON_TYPE_OBJECT)
			continue;
		text_copy_cut(window.status, sizeof(window.status), json_text(at, "Status"));
		text_copy_cut(window.zone, sizeof(window.zone), json_text(at, "AvailabilityZone"));
		if (!plan->instance_type[0])
			text_copy_cut(plan->instance_type, sizeof(plan->instance_type),
				      json_text(at, "InstanceType"));
		plan_add_window(plan, &window);
	}
}

static void decode_targets(const struct json_value *list, struct plan *plan)
{
	struct buf text;

	buf_init(&text, BODY_MAX);
	for (const struct json_value *at = json_first(list); at; at = json_next(at)) {
		const char *word = json_as_text(at);

		if (!word || !word[0])
			continue;
		plan->targets_known = true;
		plan->for_training |= strcmp(word, FOR_TRAINING) == 0;
		buf_addf(&text, "%s%s", text.len ? ", " : "", word);
	}
	text_copy_cut(plan->targets, sizeof(plan->targets), buf_text(&text));
	buf_release(&text);
}

/* A summary and a description have the same members. False if it cannot be told which plan. */
static bool decode_plan(const struct json_value *from, struct plan *plan)
{
	const char *name = json_full_text(from, "TrainingPlanName");
	const char *arn = json_full_text(from, "TrainingPlanArn"),
		   *status = json_full_text(from, "Status");

	*plan = (struct plan){ 0 };
	if (!name || strlen(name) >= PLAN_NAME_SIZE || !arn || !status)
		return false;
	text_copy_cut(plan->name, sizeof(plan->name), name);
	mem_set_text(&plan->arn, arn);
	mem_set_text(&plan->status, status);
	mem_set_text(&plan->status_message, json_full_text(from, "StatusMessage"));
	plan->total = count_of(from, "TotalInstanceCount");
	plan->available = count_of(from, "AvailableInstanceCount");
	plan->in_use = count_of(from, "InUseInstanceCount");
	plan->start = json_time(from, "StartTime");
	plan->end = json_time(from, "EndTime");
	plan->fee = amount_read(json_text(from, "UpfrontFee"));
	text_copy_cut(plan->currency, sizeof(plan->currency), json_text(from, "CurrencyCode"));
	decode_targets(json_array(from, "TargetResources"), plan);
	decode_windows(json_array(from, "ReservedCapacitySummaries"), plan);
	return true;
}

static struct json_value *parse_object(const char *body, size_t len, struct err *err)
{
	struct json_value *document = json_parse(body, len, err);

	if (document && json_type(document) != JSON_TYPE_OBJECT) {
		err_set(err, ERR_PARSE, "JSON, but no object");
		json_free(document);
		return NULL;
	}
	return document;
}

bool plans_decode_describe(const char *body, size_t len, struct plan *plan, struct err *err)
{
	struct json_value *document = parse_object(body, len, err);
	bool ok;

	*plan = (struct plan){ 0 };
	if (!document)
		return false;
	ok = decode_plan(document, plan);
	if (!ok) {
		err_set(err, ERR_PARSE,
			"the answer has no usable TrainingPlanName, "
			"TrainingPlanArn and Status");
		err->hint = HINT_RETRY_LATER;
	}
	json_free(document);
	return ok;
}

static void decode_rows(const struct json_value *rows, struct plan_page *page)
{
	size_t length = json_length(rows);

	/* The service sends as many as were asked for; more would be something else's answer. */
	if (length > PLANS_PAGE_MAX)
		length = PLANS_PAGE_MAX;
	page->plans = mem_new(length ? length : 1, sizeof(*page->plans));
	for (const struct json_value *at = json_first(rows); at && length > 0;
	     at = json_next(at), length--)
		page->count += decode_plan(at, &page->plans[page->count]);
}

bool plans_decode_list(const char *body, size_t len, struct plan_page *page, struct err *err)
{
	struct json_value *document = parse_object(body, len, err);
	const struct json_value *rows = json_member(document, "TrainingPlanSummaries");
	bool ok = document && (!rows || json_type(rows) == JSON_TYPE_ARRAY);

	*page = (struct plan_page){ 0 };
	if (ok) {
		decode_rows(rows, page);
		page->next_token = mem_copy_text(json_full_text(document, "NextToken"));
	} else if (document) {
		err_set(err, ERR_PARSE, "TrainingPlanSummaries is no list");
		err->hint = HINT_RETRY_LATER;
	}
	json_free(document);
	return ok;
}

/* --- calls --- */

struct plan_call {
	struct aws_client *client;
	plan_page_fn *listed;
	plan_fn *described;
	void *ctx;
};

static void name_subject(const struct plan_call *call, const struct aws_op *op, struct err *err)
{
	err_subject(err, "%s in %s", op->name, aws_client_region(call->client));
}

static void listed(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct plan_call *call = ctx;
	struct plan_page page = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->listed(call->ctx, NULL, err);
	} else if (plans_decode_list(reply->body, reply->body_len, &page, &bad)) {
		call->listed(call->ctx, &page, NULL);
	} else {
		name_subject(call, &op_list_training_plans, &bad);
		call->listed(call->ctx, NULL, &bad);
	}
	plan_page_release(&page);
	err_clear(&bad);
	free(call);
}

uint64_t plans_list(struct aws_client *client, const char *next_token, plan_page_fn *done,
		    void *ctx)
{
	struct plan_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	uint64_t id;

	*call = (struct plan_call){ .client = client, .listed = done, .ctx = ctx };
	buf_init(&body, BODY_MAX);
	buf_addf(&body, "{\"MaxResults\":%d", PLANS_PAGE_MAX);
	if (next_token) {
		buf_add_text(&body, ",\"NextToken\":");
		text_add_json(&body, next_token);
	}
	buf_add_char(&body, '}');
	id = aws_client_call(client, &op_list_training_plans, buf_text(&body), listed, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}

static void described(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct plan_call *call = ctx;
	struct plan plan = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->described(call->ctx, NULL, err);
	} else if (plans_decode_describe(reply->body, reply->body_len, &plan, &bad)) {
		call->described(call->ctx, &plan, NULL);
	} else {
		name_subject(call, &op_describe_training_plan, &bad);
		call->described(call->ctx, NULL, &bad);
	}
	plan_release(&plan);
	err_clear(&bad);
	free(call);
}

uint64_t plans_describe(struct aws_client *client, const char *name, plan_fn *done, void *ctx)
{
	struct plan_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	uint64_t id;

	*call = (struct plan_call){ .client = client, .described = done, .ctx = ctx };
	buf_init(&body, BODY_MAX);
	buf_add_text(&body, "{\"TrainingPlanName\":");
	text_add_json(&body, name);
	buf_add_char(&body, '}');
	id = aws_client_call(client, &op_describe_training_plan, buf_text(&body), described, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
