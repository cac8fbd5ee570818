/* List, Describe, Create and Stop for training and processing jobs: bodies out, jobs in. */
#ifndef GPUQ_SAGEMAKER_JOBS_H
#define GPUQ_SAGEMAKER_JOBS_H

#include "aws/client.h"
#include "model/job.h"
#include "model/request.h"

extern const struct aws_op op_list_training_jobs, op_list_processing_jobs;
extern const struct aws_op op_describe_training_job, op_describe_processing_job;
extern const struct aws_op op_create_training_job, op_create_processing_job;
extern const struct aws_op op_stop_training_job, op_stop_processing_job;
/* All of the above and op_search, NULL at the end: a test walks them. */
extern const struct aws_op *const sagemaker_job_ops[];

#define JOBS_PAGE_MAX 100 /* MaxResults, service limit */

struct job_page {
	struct job *jobs; /* owned */
	size_t count;
	char *next_token; /* owned; NULL = last page */
};
void job_page_release(struct job_page *page);

struct list_query {
	enum job_kind kind;
	struct opt_ms created_after;
	const char *status_equals; /* or NULL */
	const char *name_contains; /* or NULL */
	const char *next_token;    /* or NULL */
};

/* Asks for one page, newest first by CreationTime. On error page is NULL. The call back may take
 * the jobs. */
typedef void job_page_fn(void *ctx, struct job_page *page, const struct err *err);
uint64_t jobs_list(struct aws_client *client, const struct list_query *query, job_page_fn *done,
		   void *ctx);

/* Describes one; the job's request_json is the body as it came. On error job is NULL. The call
 * back may take the job's content (job_move, store_take_described). */
typedef void job_fn(void *ctx, struct job *job, const struct err *err);
uint64_t jobs_describe(struct aws_client *client, enum job_kind kind, const char *name,
		       job_fn *done, void *ctx);
/* The same behind all calls that wait already: where nobody waits for the answer. */
uint64_t jobs_describe_in_turn(struct aws_client *client, enum job_kind kind, const char *name,
			       job_fn *done, void *ctx);

/* Stops one. was_over: nothing was left to stop, since the job has ended, is stopping or is gone;
 * a try whose answer was lost may have done it. With an error outcome_open says that the job may be
 * stopping all the same; a second Stop does no harm. */
typedef void stopped_fn(void *ctx, bool was_over, const struct err *err);
uint64_t jobs_stop(struct aws_client *client, enum job_kind kind, const char *name,
		   stopped_fn *done, void *ctx);

/*
 * Sends the exact text once; the client itself repeats what was throttled, under the same name. arn
 * is NULL on error; err->outcome_open then: it may have been created all the same. Whether it was,
 * and what is to be done then, aws/submitter.h knows.
 */
typedef void created_fn(void *ctx, const char *arn, const struct err *err);
uint64_t jobs_create(struct aws_client *client, enum job_kind kind, const char *text,
		     created_fn *done, void *ctx);
const struct aws_op *jobs_create_op(enum job_kind kind);

/* Decodes a Describe reply (for tests and fuzzing too). False with err (ERR_PARSE, ERR_TOO_BIG) if
 * it is not one: no name, ARN or status. */
bool jobs_decode_describe(enum job_kind kind, const char *body, size_t len, struct job *job,
			  struct err *err) MUST_CHECK;
/* Decodes a training or processing job of the shape that Describe and Search share; the job is
 * described, without request_json. False if it has no name, ARN or status; job is then {0}. */
bool jobs_decode_record(enum job_kind kind, const struct json_value *from,
			struct job *job) MUST_CHECK;
/* Decodes a List reply. Rows without a usable name or ARN are left out. */
bool jobs_decode_list(enum job_kind kind, const char *body, size_t len, struct job_page *page,
		      struct err *err) MUST_CHECK;
/* What a Create request asks for, in a job without name, ARN and times: prefs, role, image, limits.
 * False with err if it is no JSON object. */
bool jobs_decode_request(enum job_kind kind, const char *text, struct job *job,
			 struct err *err) MUST_CHECK;

#endif
