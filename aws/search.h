/* Search over training jobs: up to a hundred whole records a call, from an index that may lag. */
#ifndef GPUQ_SEARCH_H
#define GPUQ_SEARCH_H

#include "aws/sagemaker_jobs.h"

extern const struct aws_op op_search;

/* Jobs that meet any of what is set. */
struct search_query {
	struct opt_ms created_from;  /* set: newest first by CreationTime */
	struct opt_ms modified_from; /* else: by LastModifiedTime, oldest first */
	bool live;                   /* InProgress or Stopping */
	const char *next_token;      /* or NULL */
};

/* Asks for one page. Its jobs are described and indexed, live ones with a request_json; but those
 * whose record lacks what a description has (its instances, or a choice that must have been made)
 * are as good as a summary. On error page is NULL. The call back may take the jobs. */
uint64_t jobs_search(struct aws_client *client, const struct search_query *query, job_page_fn *done,
		     void *ctx);

/* Decodes a reply. Results without a usable training job are left out. */
bool jobs_decode_search(const struct json_value *document, struct job_page *page,
			struct err *err) MUST_CHECK;
/* Gives the live ones of a decoded page their request_json, from the same reply as it came. */
void jobs_add_search_texts(const char *body, size_t len, struct job_page *page);

#endif
