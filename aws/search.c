#include "aws/search.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/jsonedit.h"

#define BODY_MAX 16384u /* a token has up to 8 KiB */

const struct aws_op op_search = { .name = "Search",
				  .service = SERVICE_SAGEMAKER,
				  .list = true,
				  .resend = true,
				  .timeout_ms = 15000,
				  .max_reply = JSON_REPLY_MAX };

static void add_filter(struct buf *body, unsigned *count, const char *name, const char *operation,
		       const char *value)
{
	buf_addf(body, "%s{\"Name\":\"%s\",\"Operator\":\"%s\",\"Value\":\"%s\"}",
		 (*count)++ ? "," : "", name, operation, value);
}

static void add_from(struct buf *body, unsigned *count, const char *name, struct opt_ms from)
{
	char time[TIME_TEXT_SIZE];

	if (!from.set)
		return;
	time_format_iso(from.ms, time);
	add_filter(body, count, name, "GreaterThanOrEqualTo", time);
}

static void write_body(const struct search_query *query, struct buf *body)
{
	bool by_creation = query->created_from.set;
	unsigned count = 0;

	buf_addf(body,
		 "{\"Resource\":\"TrainingJob\",\"MaxResults\":%d,\"SortBy\":\"%s\","
		 "\"SortOrder\":\"%s\",\"SearchExpression\":{\"Operator\":\"Or\",\"Filters\":[",
		 JOBS_PAGE_MAX, by_creation ? "CreationTime" : "LastModifiedTime",
		 by_creation ? "Descending" : "Ascending");
	add_from(body, &count, "CreationTime", query->created_from);
	add_from(body, &count, "LastModifiedTime", query->modified_from);
	if (query->live) {
		add_filter(body, &count, "TrainingJobStatus", "Equals", "InProgress");
		add_filter(body, &count, "TrainingJobStatus", "Equals", "Stopping");
	}
	buf_add_text(body, "]}");
	if (query->next_token) {
		buf_add_text(body, ",\"NextToken\":");
		text_add_json(body, query->next_token);
	}
	buf_add_char(body, '}');
}

/* Search returns the shape of a description, but whether with the list and the choice made from it
 * is not published (facts/sagemaker.md, Training jobs). */
static bool is_whole(const struct job *job)
{
	if (job_prefs(job)->length == 0)
		return false;
	return !job_prefs(job)->is_list || job->selected.set || !job->started.set;
}

/* A description has none: they are a record's alone. NULL where the record does not tell. */
static struct tag_list *decode_tags(const struct json_value *record)
{
	const struct json_value *list = json_array(record, "Tags");
	struct tag tags[TAG_LIST_MAX];
	size_t count = 0;

	if (!list)
		return NULL;
	for (const struct json_value *at = json_first(list); at && count < TAG_LIST_MAX;
	     at = json_next(at)) {
		const char *key = json_text(at, "Key"), *value = json_text(at, "Value");

		tags[count++] = (struct tag){ (char *)key, (char *)value };
	}
	return tag_list_new(tags, count);
}

static void decode_results(const struct json_value *results, struct job_page *page)
{
	size_t length = json_length(results);

	if (length > JOBS_PAGE_MAX)
		length = JOBS_PAGE_MAX;
	page->jobs = mem_new(length ? length : 1, sizeof(*page->jobs));
	for (const struct json_value *at = json_first(results); at && length > 0;
	     at = json_next(at), length--) {
		struct job *job = &page->jobs[page->count];

		if (!jobs_decode_record(JOB_TRAINING, json_object(at, "TrainingJob"), job))
			continue;
		job->described = is_whole(job);
		job->indexed = true;
		job->tags = decode_tags(json_object(at, "TrainingJob"));
		if (job_has_ended(job))
			job_drop_texts(job); /* megabytes, for ten thousand of them */
		page->count++;
	}
}

bool jobs_decode_search(const struct json_value *document, struct job_page *page, struct err *err)
{
	const struct json_value *results = json_member(document, "Results");
	const char *token = json_text(document, "NextToken");

	*page = (struct job_page){ 0 };
	if (results && json_type(results) != JSON_TYPE_ARRAY) {
		err_set(err, ERR_PARSE, "Results is no list");
		err->hint = HINT_RETRY_LATER;
		return false;
	}
	decode_results(results, page);
	page->next_token = token && token[0] ? mem_copy_text(token) : NULL;
	return true;
}

/* The record byte for byte, but for the tags: a description has none, and a copy takes none over.
 * NULL if it cannot be had. */
static char *record_text(const char *text, size_t len)
{
	static const struct json_change without_tags = { "Tags", NULL };
	struct json_doc doc;
	struct err ignored = { 0 };
	struct buf out;
	bool fine = json_doc_parse(&doc, text, len, &ignored);

	buf_init(&out, len + 1);
	if (fine && json_doc_member(&doc, 0, "Tags") != JSON_NONE) {
		const struct json_edit edit = { .changes = &without_tags, .count = 1 };

		fine = json_edit_apply(&doc, &edit, &out);
	} else if (fine) {
		fine = buf_add(&out, text, len);
	}
	json_doc_release(&doc);
	err_clear(&ignored);

	char *copy = fine ? buf_take(&out) : NULL;

	buf_release(&out);
	return copy;
}

static struct job *find_arn(struct job_page *page, const char *arn)
{
	for (size_t i = 0; i < page->count; i++) {
		if (strcmp(page->jobs[i].arn, arn) == 0)
			return &page->jobs[i];
	}
	return NULL;
}

/* Live jobs alone: those are copied in haste, and ten thousand ended ones would take memory. */
static void add_text_of(const struct json_doc *doc, size_t record, struct job_page *page)
{
	size_t arn = json_doc_member(doc, record, "TrainingJobArn");
	const struct json_node *node = record == JSON_NONE ? NULL : &doc->nodes[record];
	struct buf text;
	struct job *job;

	buf_init(&text, BODY_MAX);
	if (node && json_doc_string(doc, arn, &text)) {
		job = find_arn(page, buf_text(&text));
		if (job && job->described && job_is_live(job) && !job->request_json) {
			job->request_json =
				record_text(doc->text + node->start, node->end - node->start);
			job->text_is_of_search = job->request_json != NULL;
		}
	}
	buf_release(&text);
}

void jobs_add_search_texts(const char *body, size_t len, struct job_page *page)
{
	struct json_doc doc;
	struct err ignored = { 0 };
	bool any = false;

	for (size_t i = 0; i < page->count; i++)
		any |= job_is_live(&page->jobs[i]);
	if (!any)
		return;
	if (json_doc_parse(&doc, body, len, &ignored)) {
		size_t results = json_doc_member(&doc, 0, "Results");

		for (size_t at = json_doc_child(&doc, results); at != JSON_NONE;
		     at = json_doc_next(&doc, at))
			add_text_of(&doc, json_doc_member(&doc, at, "TrainingJob"), page);
	}
	json_doc_release(&doc);
	err_clear(&ignored);
}

struct search_call {
	struct aws_client *client;
	job_page_fn *done;
	void *ctx;
};

static void searched(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct search_call *call = ctx;
	struct job_page page = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (jobs_decode_search(reply->json, &page, &bad)) {
		jobs_add_search_texts(reply->body, reply->body_len, &page);
		call->done(call->ctx, &page, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_search.name, aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	job_page_release(&page);
	err_clear(&bad);
	free(call);
}

uint64_t jobs_search(struct aws_client *client, const struct search_query *query, job_page_fn *done,
		     void *ctx)
{
	struct search_call *call = mem_new(1, sizeof(*call));
	struct buf body;

	*call = (struct search_call){ client, done, ctx };
	buf_init(&body, BODY_MAX);
	write_body(query, &body);

	uint64_t id = aws_client_call(client, &op_search, buf_text(&body), searched, call);

	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
