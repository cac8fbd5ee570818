#include "aws/sagemaker_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aws/search.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX      16384u     /* of a List or Describe request: a token has up to 8 KiB */
#define REPLY_MAX     (4u << 20) /* a page of processing jobs with full messages is under 1 MiB */
#define SENDS_MAX     3          /* of the same text under the same name */
#define DATE_SLACK_MS 5000       /* Date has whole seconds, and the answer was under way */

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
	void (*drop)(void *ctx); /* or NULL */
	void *ctx;
};

static void describe_dropped(void *ctx)
{
	struct describe_call *call = ctx;

	if (call->drop)
		call->drop(call->ctx);
	free(call);
}

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

static uint64_t describe(struct aws_client *client, enum job_kind kind, const char *name,
			 struct describe_call how)
{
	const struct aws_op *op = op_describe(kind);
	struct describe_call *call = mem_new(1, sizeof(*call));
	char *body = name_body(kind, name);

	*call = how;
	call->client = client;
	call->kind = kind;

	uint64_t id = aws_client_call(client, op, body, described, call);

	aws_client_on_drop(client, id, describe_dropped);
	free(body);
	return id;
}

uint64_t jobs_describe(struct aws_client *client, enum job_kind kind, const char *name,
		       job_fn *done, void *ctx)
{
	return describe(client, kind, name, (struct describe_call){ .done = done, .ctx = ctx });
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

/* One submission from the first send to a certain answer, or to the knowledge that there is none.
 */
struct creation {
	struct aws_client *client;
	enum job_kind kind;
	char *name, *text;
	created_fn *done;
	void *ctx;
	unsigned sends;
	bool again;         /* a try before this one may have arrived */
	int64_t started_ms; /* monotonic; the first try's */
	struct err error;   /* of the send whose outcome is open */
};

static void creation_free(void *ctx)
{
	struct creation *creation = ctx;

	err_clear(&creation->error);
	free(creation->name);
	free(creation->text);
	free(creation);
}

static void end(struct creation *creation, const char *arn, const struct err *err)
{
	creation->done(creation->ctx, arn, err);
	creation_free(creation);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_limit(struct opt_ms asked, struct opt_ms found)
{
	return !asked.set || (found.set && asked.ms == found.ms);
}

/* The job that was found came after the first try. */
static bool is_since(const struct creation *creation, const struct job *found)
{
	int64_t started = aws_client_server_ms(creation->client, creation->started_ms);

	return !found->created.set || found->created.ms >= started - DATE_SLACK_MS;
}

/* The job that was found is what is sent. */
static bool is_same(const struct creation *creation, const struct job *found)
{
	struct job asked = { 0 };
	struct err ignored = { 0 };
	bool same = jobs_decode_request(creation->kind, creation->text, &asked, &ignored) &&
		    same_text(asked.role_arn, found->role_arn) &&
		    same_text(asked.image, found->image) &&
		    prefs_equal(&asked.prefs, &found->prefs) &&
		    same_limit(asked.max_pending, found->max_pending) &&
		    same_limit(asked.max_runtime, found->max_runtime);

	job_release(&asked);
	err_clear(&ignored);
	return same;
}

static void send(struct creation *creation);

static const struct aws_op *op_create(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &op_create_training_job : &op_create_processing_job;
}

static void add_subject(const struct creation *creation, struct err *err)
{
	err_subject(err, "%s in %s", op_create(creation->kind)->name,
		    aws_client_region(creation->client));
}

/* Everything of an error but its code, text and subject. */
static void copy_details(struct err *to, const struct err *from)
{
	to->hint = from->hint;
	to->http_status = from->http_status;
	memcpy(to->aws_code, from->aws_code, sizeof(to->aws_code));
	memcpy(to->request_id, from->request_id, sizeof(to->request_id));
}

/* The error of the send, its text followed by what the lookup said. A name that is taken and not
 * to be found is taken by a job that is very new. */
static void add_lookup(struct creation *creation, const struct err *err)
{
	struct err *error = &creation->error, sent = { 0 };

	err_move(&sent, error);
	if (err->code == ERR_NOT_FOUND)
		err_set(error, sent.code, "%s (looked up: there is no job named %s)",
			err_text(&sent), creation->name);
	else
		err_set(error, sent.code,
			"%s (whether %s was created is not known: looking it up failed too: %s)",
			err_text(&sent), creation->name, err_text(err));
	err_subject(error, "%s", sent.subject);
	copy_details(error, &sent);
	error->outcome_open = err->code != ERR_NOT_FOUND || sent.code == ERR_CONFLICT;
	err_clear(&sent);
}

/* The name is taken: by the try before, where that was another request, or by somebody's. */
static void set_taken(const struct creation *creation, const struct job *job, struct err *err)
{
	if (creation->again && is_since(creation, job))
		err_set(err, ERR_CONFLICT,
			"a job named %s exists: the try before has arrived, and it was another "
			"request than this",
			creation->name);
	else
		err_set(err, ERR_CONFLICT, "a job named %s exists already, and it is another one",
			creation->name);
	add_subject(creation, err);
	err->hint = HINT_OTHER_NAME;
}

/* Nothing was sent this time, since nobody knows what became of the try before. */
static void set_unknown(const struct creation *creation, const struct err *err, struct err *unknown)
{
	err_set(unknown, err->code, "whether %s was created is not known: looking it up failed: %s",
		creation->name, err_text(err));
	add_subject(creation, unknown);
	copy_details(unknown, err);
	unknown->outcome_open = true;
}

static void looked_up(void *ctx, struct job *job, const struct err *err)
{
	struct creation *creation = ctx;
	struct err failure = { 0 };

	if (job && is_since(creation, job) && is_same(creation, job)) {
		end(creation, job->arn, NULL);
	} else if (job) {
		set_taken(creation, job, &failure);
		end(creation, NULL, &failure);
	} else if (err->code != ERR_NOT_FOUND && creation->sends == 0) {
		set_unknown(creation, err, &failure);
		end(creation, NULL, &failure);
	} else if (err->code == ERR_NOT_FOUND && creation->sends < SENDS_MAX) {
		send(creation);
	} else {
		add_lookup(creation, err);
		end(creation, NULL, &creation->error);
	}
	err_clear(&failure);
}

/* err: of the send; NULL = there was none yet. */
static void look_up(struct creation *creation, const struct err *err)
{
	if (err)
		err_copy(&creation->error, err);
	describe(creation->client, creation->kind, creation->name,
		 (struct describe_call){
			 .done = looked_up, .drop = creation_free, .ctx = creation });
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

static bool has_list(const struct creation *creation)
{
	struct job asked = { 0 };
	struct err ignored = { 0 };
	bool list = jobs_decode_request(creation->kind, creation->text, &asked, &ignored) &&
		    asked.prefs.is_list;

	job_release(&asked);
	err_clear(&ignored);
	return list;
}

static void refuse(struct creation *creation, const struct err *err)
{
	err_copy(&creation->error, err);
	if (wants_one_type(err) && has_list(creation))
		creation->error.hint = HINT_NO_LISTS;
	end(creation, NULL, &creation->error);
}

static void sent(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct creation *creation = ctx;
	const char *arn =
		json_text(reply->json,
			  creation->kind == JOB_TRAINING ? "TrainingJobArn" : "ProcessingJobArn");
	struct err no_arn = { 0 };

	if (!err && arn) {
		end(creation, arn, NULL);
	} else if (!err) {
		err_set(&no_arn, ERR_PARSE, "the answer has no ARN");
		add_subject(creation, &no_arn);
		look_up(creation, &no_arn);
		err_clear(&no_arn);
	} else if (reply->outcome_open ||
		   (err->code == ERR_CONFLICT && (creation->again || creation->sends > 1))) {
		look_up(creation, err);
	} else {
		refuse(creation, err);
	}
}

static void send(struct creation *creation)
{
	const struct aws_op *op = op_create(creation->kind);

	creation->sends++;

	uint64_t id = aws_client_call(creation->client, op, creation->text, sent, creation);

	aws_client_on_drop(creation->client, id, creation_free);
}

void jobs_create(struct aws_client *client, const struct order *order, created_fn *done, void *ctx)
{
	struct creation *creation = mem_new(1, sizeof(*creation));

	*creation =
		(struct creation){ .client = client,
				   .kind = order->kind,
				   .name = mem_copy_text(order->name),
				   .text = mem_copy_text(order->text),
				   .done = done,
				   .ctx = ctx,
				   .again = order->tried.set,
				   .started_ms = order->tried.set ? order->tried.ms
								  : aws_client_mono_ms(client) };
	if (creation->again)
		look_up(creation, NULL);
	else
		send(creation);
}
