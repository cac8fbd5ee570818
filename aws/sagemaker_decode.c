#include "aws/sagemaker_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/mem.h"
#include "model/base/text.h"

/* The names of the same things in the two kinds of job. */
static const struct kind_words {
	const char *name, *arn, *status, *start, *end, *summaries;
} words[] = {
	[JOB_TRAINING] = { .name = "TrainingJobName",
			   .arn = "TrainingJobArn",
			   .status = "TrainingJobStatus",
			   .start = "TrainingStartTime",
			   .end = "TrainingEndTime",
			   .summaries = "TrainingJobSummaries" },
	[JOB_PROCESSING] = { .name = "ProcessingJobName",
			     .arn = "ProcessingJobArn",
			     .status = "ProcessingJobStatus",
			     .start = "ProcessingStartTime",
			     .end = "ProcessingEndTime",
			     .summaries = "ProcessingJobSummaries" },
};

#define REASON_MAX 4096 /* FailureReason has 1,024 characters at most: service model */

/* A count of seconds as a duration; absent and negative ones are unset. */
static struct opt_ms seconds(const struct json_value *object, const char *name)
{
	struct opt_ms duration = { 0 };
	int64_t value;

	if (json_integer(object, name, &value) && value >= 0) {
		duration.set = true;
		duration.ms = value * 1000; /* at most 2^53 s: fits */
	}
	return duration;
}

static void decode_list(const struct json_value *list, struct preferences *prefs)
{
	prefs->is_list = true;
	for (const struct json_value *at = json_first(list); at && prefs->length < PREFS_KEEP_MAX;
	     at = json_next(at)) {
		struct preference *entry = &prefs->entries[prefs->length++];
		const struct json_value *plans = json_array(at, "TrainingPlanArns");

		text_copy_cut(entry->instance_type, sizeof(entry->instance_type),
			      json_text(at, "InstanceType"));
		entry->has_count = json_integer(at, "InstanceCount", &entry->count);
		text_copy_cut(entry->plan_arn, sizeof(entry->plan_arn),
			      json_as_text(json_first(plans)));
	}
}

static void decode_groups(const struct json_value *groups, struct preferences *prefs)
{
	for (const struct json_value *at = json_first(groups); at && prefs->length < PREFS_KEEP_MAX;
	     at = json_next(at)) {
		struct preference *entry = &prefs->entries[prefs->length++];

		text_copy_cut(entry->instance_type, sizeof(entry->instance_type),
			      json_text(at, "InstanceType"));
		entry->has_count = json_integer(at, "InstanceCount", &entry->count);
		text_copy_cut(entry->group, sizeof(entry->group),
			      json_text(at, "InstanceGroupName"));
	}
}

/* A list, the groups of a heterogeneous cluster, or one type and count. */
static void decode_prefs(const struct json_value *config, struct job *job)
{
	struct preferences *prefs = job_edit_prefs(job);
	const struct json_value *list = json_array(config, "InstancePreferences");
	const struct json_value *groups = json_array(config, "InstanceGroups");
	const char *type = json_full_text(config, "InstanceType");

	*prefs = (struct preferences){ 0 };
	text_copy_cut(prefs->job_plan_arn, sizeof(prefs->job_plan_arn),
		      json_text(config, "TrainingPlanArn"));
	if (json_first(list)) {
		decode_list(list, prefs);
		prefs->has_shared_count =
			json_integer(config, "InstanceCount", &prefs->shared_count);
	} else if (json_first(groups)) {
		job->has_groups = true;
		decode_groups(groups, prefs);
	} else if (type) {
		struct preference *entry = &prefs->entries[prefs->length++];

		text_copy_cut(entry->instance_type, sizeof(entry->instance_type), type);
		entry->has_count = json_integer(config, "InstanceCount", &entry->count);
	}
}

/* The choice as reported; a reported type without a count has its entry's. */
static void decode_selection(const struct json_value *config, struct job *job)
{
	const char *type = json_full_text(config, "SelectedInstanceType");
	struct selected *selected = &job->selected;

	*selected = (struct selected){ 0 };
	if (!type)
		return;
	text_copy_cut(selected->instance_type, sizeof(selected->instance_type), type);
	selected->set = json_integer(config, "SelectedInstanceCount", &selected->count);
	for (size_t i = 0; i < job_prefs(job)->length && !selected->set; i++) {
		if (strcmp(job_prefs(job)->entries[i].instance_type, selected->instance_type) == 0)
			selected->set = prefs_count(job_prefs(job), i, &selected->count);
	}
}

static void decode_transitions(const struct json_value *list, struct job *job)
{
	size_t length = json_length(list), i = 0;

	/* The newest are kept where there are too many: they say what is going on. */
	for (const struct json_value *at = json_first(list); at; at = json_next(at), i++) {
		const char *status = json_text(at, "Status");

		if (status && length - i <= JOB_TRANSITIONS_MAX)
			job_add_transition(job, status, json_full_text(at, "StatusMessage"),
					   json_time(at, "StartTime"), json_time(at, "EndTime"));
	}
	if (job->transition_count > 0)
		mem_set_text(&job->status_message,
			     job_transition(job, job->transition_count - 1).message);
}

/* Members that a request and a description have in common. */
static void decode_request(const struct json_value *from, struct job *job)
{
	const struct json_value *stop = json_object(from, "StoppingCondition");
	const struct json_value *config, *app;
	const char *image;

	if (job->kind == JOB_TRAINING) {
		config = json_object(from, "ResourceConfig");
		app = json_object(from, "AlgorithmSpecification");
		image = json_full_text(app, "TrainingImage");
		if (!image)
			image = json_full_text(app, "AlgorithmName");
		json_boolean(from, "EnableManagedSpotTraining", &job->spot);
		job->max_pending = seconds(stop, "MaxPendingTimeInSeconds");
		job->keep_alive_seconds = seconds(config, "KeepAlivePeriodInSeconds").ms / 1000;
	} else {
		config = json_object(json_object(from, "ProcessingResources"), "ClusterConfig");
		image = json_full_text(json_object(from, "AppSpecification"), "ImageUri");
	}
	decode_prefs(config, job);
	decode_selection(config, job);
	mem_set_text(&job->image, image);
	mem_set_text(&job->role_arn, json_full_text(from, "RoleArn"));
	job->max_runtime = seconds(stop, "MaxRuntimeInSeconds");
}

static void decode_pool(const struct json_value *pool, struct job *job)
{
	mem_set_text(&job->pool.status, json_full_text(pool, "Status"));
	mem_set_text(&job->pool.reused_by, json_full_text(pool, "ReusedByJob"));
	job->pool.retained = seconds(pool, "ResourceRetainedBillableTimeInSeconds");
}

static void set_reason(struct job *job, const char *text)
{
	free(job->failure_reason);
	job->failure_reason = text ? mem_copy_bytes(text, strnlen(text, REASON_MAX)) : NULL;
}

/* What a summary has, which a description has too. False if it cannot be told which job it is. */
static bool decode_summary(const struct json_value *from, struct job *job)
{
	const struct kind_words *word = &words[job->kind];
	const char *name = json_full_text(from, word->name), *arn = json_full_text(from, word->arn);
	const char *reason = json_full_text(from, "FailureReason");

	if (!name || strlen(name) >= JOB_NAME_SIZE || !arn || strlen(arn) >= ARN_SIZE)
		return false;
	text_copy_cut(job->name, sizeof(job->name), name);
	mem_set_text(&job->arn, arn);
	mem_set_text(&job->status, json_full_text(from, word->status));
	if (job->kind == JOB_TRAINING)
		mem_set_text(&job->secondary_status, json_full_text(from, "SecondaryStatus"));
	set_reason(job, reason ? reason : json_full_text(from, "ExitMessage"));
	job->created = json_time(from, "CreationTime");
	job->started = json_time(from, word->start);
	job->ended = json_time(from, word->end);
	job->modified = json_time(from, "LastModifiedTime");
	decode_pool(json_object(from, "WarmPoolStatus"), job);
	return job->status != NULL;
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

bool jobs_decode_record(enum job_kind kind, const struct json_value *from, struct job *job)
{
	*job = (struct job){ .kind = kind };
	if (!decode_summary(from, job)) {
		job_release(job);
		return false;
	}
	decode_request(from, job);
	if (kind == JOB_TRAINING) {
		decode_transitions(json_array(from, "SecondaryStatusTransitions"), job);
		job->billable = seconds(from, "BillableTimeInSeconds");
		job->training_time = seconds(from, "TrainingTimeInSeconds");
	}
	job->described = true;
	job_settle_selection(job);
	return true;
}

bool jobs_decode_describe(enum job_kind kind, const char *body, size_t len, struct job *job,
			  struct err *err)
{
	struct json_value *document = parse_object(body, len, err);
	bool ok;

	*job = (struct job){ .kind = kind };
	if (!document)
		return false;
	ok = jobs_decode_record(kind, document, job);
	if (ok) {
		job->request_json = mem_copy_bytes(body, len);
	} else {
		err_set(err, ERR_PARSE, "the answer has no usable %s, %s and %s", words[kind].name,
			words[kind].arn, words[kind].status);
		err->hint = HINT_RETRY_LATER;
	}
	json_free(document);
	return ok;
}

static void decode_rows(const struct json_value *rows, enum job_kind kind, struct job_page *page)
{
	size_t length = json_length(rows);

	/* The service sends as many as were asked for; more would be something else's answer. */
	if (length > JOBS_PAGE_MAX)
		length = JOBS_PAGE_MAX;
	page->jobs = mem_new(length ? length : 1, sizeof(*page->jobs));
	for (const struct json_value *at = json_first(rows); at && length > 0;
	     at = json_next(at), length--) {
		struct job *job = &page->jobs[page->count];

		*job = (struct job){ .kind = kind };
		if (decode_summary(at, job))
			page->count++;
		else
			job_release(job);
	}
}

bool jobs_decode_list(enum job_kind kind, const char *body, size_t len, struct job_page *page,
		      struct err *err)
{
	struct json_value *document = parse_object(body, len, err);
	const struct json_value *rows = json_member(document, words[kind].summaries);
	bool ok = document && (!rows || json_type(rows) == JSON_TYPE_ARRAY);

	*page = (struct job_page){ 0 };
	if (ok) {
		decode_rows(rows, kind, page);
		page->next_token = mem_copy_text(json_full_text(document, "NextToken"));
	} else if (document) {
		err_set(err, ERR_PARSE, "%s is no list", words[kind].summaries);
		err->hint = HINT_RETRY_LATER;
	}
	json_free(document);
	return ok;
}

bool jobs_decode_request(enum job_kind kind, const char *text, struct job *job, struct err *err)
{
	struct json_value *document = parse_object(text, strlen(text), err);

	*job = (struct job){ .kind = kind };
	if (!document)
		return false;
	decode_request(document, job);
	json_free(document);
	return true;
}
