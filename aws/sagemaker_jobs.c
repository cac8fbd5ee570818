#include "aws/sagemaker_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aws/search.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX  16384u     /* of a List or Describe request: a token has up to 8 KiB */
#define REPLY_MAX (4u << 20) /* a page of processing jobs with full messages is under 1 MiB */

#define READ_OP(verb, what)                                                                   \
	.name = verb what, .service = SERVICE_SAGEMAKER, .resend = true, .timeout_ms = 10000, \
	.max_reply = REPLY_MAX
#define CHANGE_OP(verb, what)                                                                  \
	.name = verb what, .service = SERVICE_SAGEMAKER, .changes = true, .timeout_ms = 30000, \
	.max_reply = REPLY_MAX

const struct aws_op op_list_training_jobs = { READ_OP("List", "TrainingJobs"), .list = true };
const struct aws_op op_list_processing_jobs = { READ_OP("List", "ProcessingJobs"), .list = true };
const struct aws_op op_describe_training_job = { READ_OP("Describe", "TrainingJob"),
						 .describe = true };
const struct aws_op op_describe_processing_job = { READ_OP("Describe", "ProcessingJob"),
						   .describe = true };
/* Where somebody waits for it. */
static const struct aws_op op_look_at_training_job = { READ_OP("Describe", "TrainingJob"),
						       .describe = true, .ahead = true };
static const struct aws_op op_look_at_processing_job = { READ_OP("Describe", "ProcessingJob"),
							 .describe = true, .ahead = true };
const struct aws_op op_create_training_job = { CHANGE_OP("Create", "TrainingJob") };
const struct aws_op op_create_processing_job = { CHANGE_OP("Create", "ProcessingJob") };
/* A second Stop of the same job does no harm. */
const struct aws_op op_stop_training_job = { CHANGE_OP("Stop", "TrainingJob"), .resend = true };
const struct aws_op op_stop_processing_job = { CHANGE_OP("Stop", "ProcessingJob"), .resend = true };

const struct aws_op *const sagemaker_job_ops[] = {
	&op_list_training_jobs,
	&op_list_processing_jobs,
	&op_describe_training_job,
	&op_describe_processing_job,
	&op_create_training_job,
	&op_create_processing_job,
	&op_stop_training_job,
	&op_stop_processing_job,
	&op_search,
	NULL,
};

static const struct aws_op *op_list(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &op_list_training_jobs : &op_list_processing_jobs;
}

static const struct aws_op *op_describe(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &op_describe_training_job : &op_describe_processing_job;
}

static const struct aws_op *op_look(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &op_look_at_training_job : &op_look_at_processing_job;
}

void job_page_release(struct job_page *page)
{
	if (!page)
		return;
	for (size_t i = 0; i < page->count; i++)
		job_release(&page->jobs[i]);
	free(page->jobs);
	free(page->next_token);
	*page = (struct job_page){ 0 };
}

static void add_member(struct buf *body, const char *name, const char *value)
{
	if (!value)
		return;
	buf_addf(body, ",\"%s\":", name);
	text_add_json(body, value);
}

/* What a List or Describe in flight needs to know. */
struct list_call {
	struct aws_client *client;
	enum job_kind kind;
	job_page_fn *done;
	void *ctx;
};

static void listed(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct list_call *call = ctx;
	struct job_page page = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (jobs_decode_list(call->kind, reply->body, reply->body_len, &page, &bad)) {
		call->done(call->ctx, &page, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_list(call->kind)->name,
			    aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	job_page_release(&page);
	err_clear(&bad);
	free(call);
}

uint64_t jobs_list(struct aws_client *client, const struct list_query *query, job_page_fn *done,
		   void *ctx)
{
	const struct aws_op *op = op_list(query->kind);
	struct list_call *call = mem_new(1, sizeof(*call));
	struct buf body;

	*call = (struct list_call){ client, query->kind, done, ctx };
	buf_init(&body, BODY_MAX);
	buf_addf(&body,
		 "{\"SortBy\":\"CreationTime\",\"SortOrder\":\"Descending\",\"MaxResults\":%d",
		 JOBS_PAGE_MAX);
	if (query->created_after.set)
		buf_addf(&body, ",\"CreationTimeAfter\":%" PRId64, query->created_after.ms / 1000);
	add_member(&body, "StatusEquals", query->status_equals);
	add_member(&body, "NameContains", query->name_contains);
	add_member(&body, "NextToken", query->next_token);
	buf_add_char(&body, '}');

	uint64_t id = aws_client_call(client, op, buf_text(&body), listed, call);

	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}

struct describe_call {
	struct aws_client *client;
	enum job_kind kind;
	job_fn *done;
	void *ctx;
};

static void described(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct describe_call *call = ctx;
	struct job job = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (jobs_decode_describe(call->kind, reply->body, reply->body_len, &job, &bad)) {
		call->done(call->ctx, &job, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_describe(call->kind)->name,
			    aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	job_release(&job);
	err_clear(&bad);
	free(call);
}

/* {"TrainingJobName":"..."} */
static char *name_body(enum job_kind kind, const char *name)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addf(&body, "{\"%sJobName\":", kind == JOB_TRAINING ? "Training" : "Processing");
	text_add_json(&body, name);
	buf_add_char(&body, '}');
	return buf_take(&body);
}

static uint64_t describe(struct aws_client *client, const struct aws_op *op,
			 const struct describe_call *asked, const char *name)
{
	struct describe_call *call = mem_new(1, sizeof(*call));
	char *body = name_body(asked->kind, name);
	*call = *asked;

	uint64_t id = aws_client_call(client, op, body, described, call);

	aws_client_on_drop(client, id, free);
	free(body);
	return id;
}

uint64_t jobs_describe(struct aws_client *client, enum job_kind kind, const char *name,
		       job_fn *done, void *ctx)
{
	return describe(client, op_look(kind), &(struct describe_call){ client, kind, done, ctx },
			name);
}

uint64_t jobs_describe_in_turn(struct aws_client *client, enum job_kind kind, const char *name,
			       job_fn *done, void *ctx)
{
	return describe(client, op_describe(kind),
			&(struct describe_call){ client, kind, done, ctx }, name);
}

struct stop_call {
	stopped_fn *done;
	void *ctx;
};

/* "The request was rejected because the training job is in status Stopped." (AWS's words as
 * platforms compare them; all of Stopping, Stopped, Completed and Failed.) */
static bool is_over(const struct err *err)
{
	return err->code == ERR_NOT_FOUND ||
	       (err->code == ERR_REFUSED && strstr(err_text(err), "job is in status"));
}

static void stopped(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct stop_call *call = ctx;
	bool was_over = err && is_over(err);
	struct err failure = { 0 };

	if (err && !was_over) {
		err_copy(&failure, err);
		failure.outcome_open = reply->outcome_open;
	}
	call->done(call->ctx, was_over, failure.code == ERR_NONE ? NULL : &failure);
	err_clear(&failure);
	free(call);
}

uint64_t jobs_stop(struct aws_client *client, enum job_kind kind, const char *name,
		   stopped_fn *done, void *ctx)
{
	const struct aws_op *op =
		kind == JOB_TRAINING ? &op_stop_training_job : &op_stop_processing_job;
	struct stop_call *call = mem_new(1, sizeof(*call));
	char *body = name_body(kind, name);

	*call = (struct stop_call){ done, ctx };

	uint64_t id = aws_client_call(client, op, body, stopped, call);

	aws_client_on_drop(client, id, free);
	free(body);
	return id;
}

/* The two ways in which an endpoint that knows no lists asks for what a list takes the place of
 * (facts/sagemaker.md, Preference lists; seen with processing jobs). */
static bool wants_one_type(const struct err *err)
{
	static const char *const texts[] = {
		"nstanceType' failed to satisfy constraint: Member must not be null",
		"InstanceType and InstanceCount greater than 0 must be specified",
	};

	if (err->code != ERR_REFUSED)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (strstr(err_text(err), texts[i]))
			return true;
	}
	return false;
}

static bool has_list(enum job_kind kind, const char *text)
{
	struct job asked = { 0 };
	struct err ignored = { 0 };
	bool list = jobs_decode_request(kind, text, &asked, &ignored) && job_prefs(&asked)->is_list;

	job_release(&asked);
	err_clear(&ignored);
	return list;
}

const struct aws_op *jobs_create_op(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &op_create_training_job : &op_create_processing_job;
}

struct create_call {
	struct aws_client *client;
	enum job_kind kind;
	bool has_list;
	created_fn *done;
	void *ctx;
};

static void created(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct create_call *call = ctx;
	const char *arn = json_text(reply->json, call->kind == JOB_TRAINING ? "TrainingJobArn"
									    : "ProcessingJobArn");
	struct err failure = { 0 };

	if (err) {
		err_copy(&failure, err);
		failure.outcome_open = reply->outcome_open;
		if (call->has_list && wants_one_type(err))
			failure.hint = HINT_NO_LISTS;
	} else if (!arn) {
		err_set(&failure, ERR_PARSE, "the answer has no ARN");
		err_subject(&failure, "%s in %s", jobs_create_op(call->kind)->name,
			    aws_client_region(call->client));
		failure.outcome_open = true;
	}
	call->done(call->ctx, failure.code == ERR_NONE ? arn : NULL,
		   failure.code == ERR_NONE ? NULL : &failure);
	err_clear(&failure);
	free(call);
}

uint64_t jobs_create(struct aws_client *client, enum job_kind kind, const char *text,
		     created_fn *done, void *ctx)
{
	struct create_call *call = mem_new(1, sizeof(*call));

	*call = (struct create_call){ client, kind, has_list(kind, text), done, ctx };

	uint64_t id = aws_client_call(client, jobs_create_op(kind), text, created, call);

	aws_client_on_drop(client, id, free);
	return id;
}
