#include "tests/recorded.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"

#define JOBS_MAX       16
#define OPERATIONS_MAX 16
#define BODY_MAX       (1u << 20)
#define NAME_SIZE      64

struct recorded_job {
	enum job_kind kind;
	char name[NAME_SIZE];
	char *description; /* owned */
};

struct operation {
	char name[NAME_SIZE];
	unsigned calls;
	int64_t last_ms, shortest_ms;
	char *sent;   /* owned; the newest body */
	int status;   /* of an answer that was given */
	char *answer; /* owned; NULL = none was */
};

struct recorded {
	struct MHD_Daemon *daemon;
	char url[64];
	struct clock clock;
	pthread_mutex_t lock; /* of all below */
	int64_t offset_ms;    /* its wall clock minus our monotonic one */
	struct recorded_job jobs[JOBS_MAX];
	size_t job_count;
	struct operation operations[OPERATIONS_MAX];
	size_t operation_count;
};

static const char *word(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "Training" : "Processing";
}

/* The name of a job in a document: TrainingJobName or ProcessingJobName. "" if there is none. */
static void read_name(const char *text, enum job_kind kind, char name[NAME_SIZE])
{
	struct json_doc doc;
	struct err ignored = { 0 };
	struct buf value;
	char member[NAME_SIZE];

	snprintf(member, sizeof(member), "%sJobName", word(kind));
	buf_init(&value, NAME_SIZE - 1);
	if (json_doc_parse(&doc, text, strlen(text), &ignored))
		(void)json_doc_string(&doc, json_doc_member(&doc, 0, member), &value);
	snprintf(name, NAME_SIZE, "%s", buf_text(&value));
	json_doc_release(&doc);
	err_clear(&ignored);
	buf_release(&value);
}

static struct recorded_job *find_job(struct recorded *region, enum job_kind kind, const char *name)
{
	for (size_t i = 0; i < region->job_count; i++) {
		if (region->jobs[i].kind == kind && strcmp(region->jobs[i].name, name) == 0)
			return &region->jobs[i];
	}
	return NULL;
}

static struct operation *find_operation(struct recorded *region, const char *name)
{
	for (size_t i = 0; i < region->operation_count; i++) {
		if (strcmp(region->operations[i].name, name) == 0)
			return &region->operations[i];
	}
	if (region->operation_count == OPERATIONS_MAX)
		abort();

	struct operation *operation = &region->operations[region->operation_count++];

	*operation = (struct operation){ .shortest_ms = INT64_MAX };
	snprintf(operation->name, NAME_SIZE, "%s", name);
	return operation;
}

/* --- what it says by itself --- */

/* What a row of a list has: TrainingJobSummary and ProcessingJobSummary of the service's model. */
static bool is_of_summary(enum job_kind kind, const char *member)
{
	static const char *const names[] = {
		"TrainingJobName",     "TrainingJobArn",    "TrainingJobStatus", "SecondaryStatus",
		"TrainingEndTime",     "WarmPoolStatus",    "ProcessingJobName", "ProcessingJobArn",
		"ProcessingJobStatus", "ProcessingEndTime", "CreationTime",      "LastModifiedTime",
		"TrainingPlanArn",     "ExitMessage",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(member, names[i]) == 0)
			return true;
	}
	return kind == JOB_PROCESSING && strcmp(member, "FailureReason") == 0;
}

static void add_summary(enum job_kind kind, const char *description, struct buf *out)
{
	struct json_doc doc;
	struct err ignored = { 0 };
	struct buf key;
	const char *between = "";

	buf_init(&key, NAME_SIZE - 1);
	buf_add_char(out, '{');
	if (!json_doc_parse(&doc, description, strlen(description), &ignored))
		abort();
	for (size_t at = json_doc_child(&doc, 0); at != JSON_NONE; at = json_doc_next(&doc, at)) {
		buf_clear(&key);
		(void)json_doc_key(&doc, at, &key);
		if (!is_of_summary(kind, buf_text(&key)))
			continue;
		buf_addf(out, "%s\"%s\":%.*s", between, buf_text(&key),
			 (int)(doc.nodes[at].end - doc.nodes[at].start),
			 description + doc.nodes[at].start);
		between = ",";
	}
	buf_add_char(out, '}');
	buf_release(&key);
	json_doc_release(&doc);
}

static void add_list(struct recorded *region, enum job_kind kind, struct buf *out)
{
	const char *between = "";

	buf_addf(out, "{\"%sJobSummaries\":[", word(kind));
	for (size_t i = 0; i < region->job_count; i++) {
		if (region->jobs[i].kind != kind)
			continue;
		buf_add_text(out, between);
		add_summary(kind, region->jobs[i].description, out);
		between = ",";
	}
	buf_add_text(out, "]}");
}

static int add_error(struct buf *out, const char *code, const char *message)
{
	buf_addf(out, "{\"__type\":\"%s\",\"message\":\"%s\"}", code, message);
	return 400;
}

static int add_description(struct recorded *region, enum job_kind kind, const char *body,
			   struct buf *out)
{
	char name[NAME_SIZE];
	const struct recorded_job *job;

	read_name(body, kind, name);
	job = find_job(region, kind, name);
	if (!job)
		return add_error(out, "ValidationException", "Requested resource not found.");
	buf_add_text(out, job->description);
	return 200;
}

static void add_arn(enum job_kind kind, const char *body, struct buf *out)
{
	char name[NAME_SIZE];

	read_name(body, kind, name);
	buf_addf(out, "{\"%sJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:%s/%s\"}",
		 word(kind), kind == JOB_TRAINING ? "training-job" : "processing-job", name);
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Returns the status. */
static int answer_by_itself(struct recorded *region, const char *name, const char *body,
			    struct buf *out)
{
	enum job_kind kind = strstr(name, "Training") ? JOB_TRAINING : JOB_PROCESSING;

	if (strcmp(name, "ListTrainingPlans") == 0)
		buf_add_text(out, "{\"TrainingPlanSummaries\":[]}");
	else if (begins(name, "List"))
		add_list(region, kind, out);
	else if (begins(name, "Describe"))
		return add_description(region, kind, body, out);
	else if (begins(name, "Create"))
		add_arn(kind, body, out);
	else if (begins(name, "Stop"))
		buf_add_text(out, "{}");
	else
		return add_error(out, "AccessDeniedException", "not recorded");
	return 200;
}

/* --- the server --- */

static void note_call(struct recorded *region, struct operation *operation, const char *body)
{
	int64_t now_ms = clock_mono_ms(&region->clock);

	if (operation->calls++ > 0 && now_ms - operation->last_ms < operation->shortest_ms)
		operation->shortest_ms = now_ms - operation->last_ms;
	operation->last_ms = now_ms;
	mem_set_text(&operation->sent, body);
}

static void format_date(const struct recorded *region, char *out, size_t size)
{
	time_t now = (time_t)((clock_mono_ms(&region->clock) + region->offset_ms) / 1000);
	struct tm parts;

	strftime(out, size, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &parts));
}

static enum MHD_Result answer(struct recorded *region, struct MHD_Connection *connection,
			      const char *body)
{
	const char *target =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Amz-Target");
	const char *name = target && strchr(target, '.') ? strchr(target, '.') + 1 : "";
	struct buf out;
	char date[NAME_SIZE];
	int status;

	buf_init(&out, BODY_MAX);
	pthread_mutex_lock(&region->lock);

	struct operation *operation = find_operation(region, name);

	note_call(region, operation, body);
	status = operation->status;
	if (operation->answer)
		buf_add_text(&out, operation->answer);
	else
		status = answer_by_itself(region, name, body, &out);
	format_date(region, date, sizeof(date));
	pthread_mutex_unlock(&region->lock);

	size_t len = out.len;
	struct MHD_Response *response =
		MHD_create_response_from_buffer(len, buf_take(&out), MHD_RESPMEM_MUST_FREE);

	MHD_add_response_header(response, "Date", date);
	MHD_add_response_header(response, "Content-Type", "application/x-amz-json-1.1");

	enum MHD_Result queued = MHD_queue_response(connection, (unsigned)status, response);

	MHD_destroy_response(response);
	return queued;
}

static enum MHD_Result handle(void *cls, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_len, void **con_cls)
{
	struct buf *body = *con_cls;

	(void)url;
	(void)method;
	(void)version;
	if (!body) {
		body = mem_new(1, sizeof(*body));
		buf_init(body, BODY_MAX);
		*con_cls = body;
		return MHD_YES;
	}
	if (*upload_len > 0) {
		buf_add(body, upload, *upload_len);
		*upload_len = 0;
		return MHD_YES;
	}
	return answer(cls, connection, buf_text(body));
}

static void end(void *cls, struct MHD_Connection *connection, void **con_cls,
		enum MHD_RequestTerminationCode code)
{
	struct buf *body = *con_cls;

	(void)cls;
	(void)connection;
	(void)code;
	if (!body)
		return;
	buf_release(body);
	free(body);
}

struct recorded *recorded_start(const char *now)
{
	struct recorded *region = mem_new(1, sizeof(*region));
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	region->clock = clock_system();
	assert_int_equal(pthread_mutex_init(&region->lock, NULL), 0);
	recorded_set_now(region, now);
	region->daemon =
		MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_SUPPRESS_DATE_NO_CLOCK,
				 0, NULL, NULL, handle, region, MHD_OPTION_SOCK_ADDR, &address,
				 MHD_OPTION_NOTIFY_COMPLETED, end, NULL, MHD_OPTION_END);
	assert_non_null(region->daemon);
	snprintf(region->url, sizeof(region->url), "http://127.0.0.1:%u",
		 MHD_get_daemon_info(region->daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	return region;
}

void recorded_stop(struct recorded *region)
{
	MHD_stop_daemon(region->daemon);
	for (size_t i = 0; i < region->job_count; i++)
		free(region->jobs[i].description);
	for (size_t i = 0; i < region->operation_count; i++) {
		free(region->operations[i].sent);
		free(region->operations[i].answer);
	}
	pthread_mutex_destroy(&region->lock);
	free(region);
}

const char *recorded_url(const struct recorded *region)
{
	return region->url;
}

void recorded_set_now(struct recorded *region, const char *now)
{
	int64_t now_ms;

	assert_true(time_parse_iso(now, &now_ms));
	pthread_mutex_lock(&region->lock);
	region->offset_ms = now_ms - clock_mono_ms(&region->clock);
	pthread_mutex_unlock(&region->lock);
}

void recorded_put(struct recorded *region, enum job_kind kind, const char *description)
{
	char name[NAME_SIZE];

	read_name(description, kind, name);
	assert_string_not_equal(name, "");
	pthread_mutex_lock(&region->lock);

	struct recorded_job *job = find_job(region, kind, name);

	if (!job) {
		assert_true(region->job_count < JOBS_MAX);
		job = &region->jobs[region->job_count++];
		job->kind = kind;
		memcpy(job->name, name, sizeof(name));
	}
	mem_set_text(&job->description, description);
	pthread_mutex_unlock(&region->lock);
}

void recorded_answer(struct recorded *region, const char *operation, int status, const char *body)
{
	pthread_mutex_lock(&region->lock);

	struct operation *known = find_operation(region, operation);

	known->status = status;
	mem_set_text(&known->answer, body);
	pthread_mutex_unlock(&region->lock);
}

unsigned recorded_calls(struct recorded *region, const char *operation)
{
	pthread_mutex_lock(&region->lock);

	unsigned calls = find_operation(region, operation)->calls;

	pthread_mutex_unlock(&region->lock);
	return calls;
}

int64_t recorded_shortest_ms(struct recorded *region, const char *operation)
{
	pthread_mutex_lock(&region->lock);

	int64_t shortest_ms = find_operation(region, operation)->shortest_ms;

	pthread_mutex_unlock(&region->lock);
	return shortest_ms;
}

char *recorded_sent(struct recorded *region, const char *operation)
{
	pthread_mutex_lock(&region->lock);

	char *sent = mem_copy_text(find_operation(region, operation)->sent);

	pthread_mutex_unlock(&region->lock);
	return sent;
}
