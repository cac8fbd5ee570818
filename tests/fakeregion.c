#include "tests/fakeregion.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"

static const char *word(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "Training" : "Processing";
}

/* j-17 */
static size_t number_in(const char *body, const char *member)
{
	struct err err = { 0 };
	struct json_value *json = json_parse(body, strlen(body), &err);
	const char *name = json_text(json, member);
	size_t number = name ? strtoul(name + 2, NULL, 10) : SIZE_MAX;

	json_free(json);
	return number;
}

#define INSTANCES ",\"ResourceConfig\":{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1}"

/* more: further members, each with a comma before it. */
static void add_summary(struct buf *out, const struct fakeregion *region, size_t i,
			const char *more)
{
	const struct fakejob *job = &region->jobs[i];

	buf_addf(out,
		 "{\"%sJobName\":\"j-%zu\",\"%sJobArn\":\"arn:j-%zu\",\"%sJobStatus\":\"%s\","
		 "\"CreationTime\":%.3f,\"LastModifiedTime\":%.3f",
		 word(job->kind), i, word(job->kind), i, word(job->kind), job->status,
		 (double)job->created_ms / 1000, (double)job->modified_ms / 1000);
	if (job->kind == JOB_TRAINING)
		buf_addf(out, ",\"SecondaryStatus\":\"%s\"", job->secondary);
	buf_addf(out, "%s}", more);
}

/* Newest first, hundred at a time, not older than CreationTimeAfter; the token is a position. */
static char *list_body(const struct fakeregion *region, enum job_kind kind, const char *request)
{
	struct err err = { 0 };
	struct json_value *json = json_parse(request, strlen(request), &err);
	const char *token = json_text(json, "NextToken");
	struct opt_ms after = json_time(json, "CreationTimeAfter");
	size_t i = token ? strtoul(token, NULL, 10) : 0, rows = 0;
	struct buf out;

	assert_non_null(json);
	buf_init(&out, 4u << 20);
	buf_addf(&out, "{\"%sJobSummaries\":[", word(kind));
	for (; i < region->count && rows < 100; i++) {
		if (region->jobs[i].kind != kind ||
		    (after.set && region->jobs[i].created_ms <= after.ms))
			continue;
		buf_add_text(&out, rows++ ? "," : "");
		add_summary(&out, region, i, "");
	}
	buf_add_char(&out, ']');
	while (i < region->count && (region->jobs[i].kind != kind ||
				     (after.set && region->jobs[i].created_ms <= after.ms)))
		i++;
	if (i < region->count)
		buf_addf(&out, ",\"NextToken\":\"%zu\"", i);
	buf_add_char(&out, '}');
	json_free(json);
	return buf_take(&out);
}

/* One filter of a Search against a job; its Value for times is ISO 8601. */
static bool passes(const struct json_value *filter, const struct fakejob *job)
{
	const char *name = json_text(filter, "Name"), *value = json_text(filter, "Value");
	int64_t from = 0;

	assert_non_null(name);
	assert_non_null(value);
	if (strcmp(name, "TrainingJobStatus") == 0)
		return strcmp(value, job->status) == 0;
	assert_string_equal(json_text(filter, "Operator"), "GreaterThanOrEqualTo");
	assert_true(time_parse_iso(value, &from));
	return (strcmp(name, "CreationTime") == 0 ? job->created_ms : job->modified_ms) >= from;
}

static bool is_hit(const struct fakeregion *region, const struct json_value *filters, size_t i)
{
	const struct fakejob *job = &region->jobs[i];

	if (job->kind != JOB_TRAINING || job->not_indexed ||
	    job->modified_ms > region->world->wall_ms - region->lag_ms)
		return false;
	for (const struct json_value *at = json_first(filters); at; at = json_next(at)) {
		if (passes(at, job))
			return true;
	}
	return false;
}

/* In the order of the jobs, whatever is asked; the token is a position. */
static char *search_body(const struct fakeregion *region, const char *request)
{
	struct err err = { 0 };
	struct json_value *json = json_parse(request, strlen(request), &err);
	const struct json_value *filters =
		json_array(json_object(json, "SearchExpression"), "Filters");
	const char *token = json_text(json, "NextToken");
	size_t i = token ? strtoul(token, NULL, 10) : 0, rows = 0;
	struct buf out;

	assert_non_null(filters);
	assert_string_equal(json_text(json, "Resource"), "TrainingJob");
	buf_init(&out, 4u << 20);
	buf_add_text(&out, "{\"Results\":[");
	for (; i < region->count && rows < 100; i++) {
		if (!is_hit(region, filters, i))
			continue;
		buf_addf(&out, "%s{\"TrainingJob\":", rows++ ? "," : "");
		add_summary(&out, region, i, region->jobs[i].bare ? "" : INSTANCES);
		buf_add_char(&out, '}');
	}
	buf_add_char(&out, ']');
	while (i < region->count && !is_hit(region, filters, i))
		i++;
	if (i < region->count)
		buf_addf(&out, ",\"NextToken\":\"%zu\"", i);
	buf_add_char(&out, '}');
	json_free(json);
	return buf_take(&out);
}

static char *describe_body(struct fakeregion *region, size_t i)
{
	const struct fakejob *job = &region->jobs[i];
	struct buf out, more;

	buf_init(&out, 65536);
	buf_init(&more, 4096);
	if (job->keep_alive_seconds > 0)
		buf_addf(&more, ",\"ResourceConfig\":{\"KeepAlivePeriodInSeconds\":%u}",
			 job->keep_alive_seconds);
	if (job->pool)
		buf_addf(&more, ",\"WarmPoolStatus\":{\"Status\":\"%s\"}", job->pool);
	add_summary(&out, region, i, buf_text(&more));
	buf_release(&more);
	region->jobs[i].described++;
	return buf_take(&out);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct fakeregion *region = ctx;
	enum job_kind kind = strstr(sent->op, "Training") ? JOB_TRAINING : JOB_PROCESSING;

	answer->latency_ms = region->latency_ms;
	if (strcmp(sent->op, "Search") == 0 && region->searches) {
		answer->body = search_body(region, sent->body);
	} else if (strcmp(sent->op, "Search") == 0) {
		fake_error(answer, 400, "AccessDeniedException", "not you");
	} else if (strncmp(sent->op, "List", 4) == 0) {
		answer->body = list_body(region, kind, sent->body);
	} else {
		size_t i = number_in(sent->body, kind == JOB_TRAINING ? "TrainingJobName"
								      : "ProcessingJobName");

		assert_true(i < region->count && region->jobs[i].kind == kind);
		answer->body = describe_body(region, i);
	}
	if (region->spoil)
		region->spoil(region, fake_count(region->world, sent->op) - 1, sent, answer);
}

static void wake_client(void *target)
{
	aws_client_wake(((struct fakeregion *)target)->client);
}

static void wake_sync(void *target)
{
	sync_wake(((struct fakeregion *)target)->sync);
}

static void on_change(void *ctx)
{
	((struct fakeregion *)ctx)->changes++;
}

static void on_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	store_note_date(&((struct fakeregion *)ctx)->store, date_ms, mono_ms);
}

struct fakeregion *fakeregion_new(void)
{
	struct fakeregion *region = mem_new(1, sizeof(*region));

	region->world = fake_world_new(serve, region);
	region->latency_ms = 50;
	return region;
}

struct fakejob *fakeregion_add(struct fakeregion *region, enum job_kind kind, int64_t age_ms,
			       const char *status, const char *secondary)
{
	struct fakejob *job = &region->jobs[region->count++];

	assert_true(region->count < FAKEREGION_JOBS_MAX);
	*job = (struct fakejob){ .kind = kind,
				 .created_ms = FAKE_WALL_MS - age_ms,
				 .modified_ms = FAKE_WALL_MS - age_ms,
				 .status = status,
				 .secondary = secondary };
	return job;
}

void fakeregion_start(struct fakeregion *region, bool (*want)(void *ctx, const struct job *job))
{
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	struct err err = { 0 };
	struct aws_options options = { .region = "us-east-1",
				       .pace = 1,
				       .seed = 11,
				       .clock = &region->world->clock,
				       .hooks = fake_hooks(region->world, wake_client, region),
				       .transport = &region->world->transport,
				       .on_date = on_date,
				       .ctx = region };

	region->client = aws_client_new(&options, &keys, &err);
	assert_non_null(region->client);

	struct sync_options sync = { .client = region->client,
				     .store = &region->store,
				     .clock = &region->world->clock,
				     .hooks = fake_hooks(region->world, wake_sync, region),
				     .region = "us-east-1",
				     .refresh_ms = region->refresh_ms ? region->refresh_ms : 5000,
				     .since_ms = 7 * DAY_MS,
				     .want = want,
				     .on_change = on_change,
				     .ctx = region };

	region->sync = sync_new(&sync);
}

void fakeregion_free(struct fakeregion *region)
{
	sync_free(region->sync);
	aws_client_free(region->client);
	store_release(&region->store);
	fake_world_free(region->world);
	free(region);
}

const struct job *fakeregion_job(const struct fakeregion *region, size_t i)
{
	char arn[32];

	snprintf(arn, sizeof(arn), "arn:j-%zu", i);
	return store_find(&region->store, arn);
}

void fakeregion_check_pace(const struct fakeregion *region)
{
	int64_t lists[3] = { INT64_MIN, INT64_MIN, INT64_MIN };
	int64_t last[2] = { INT64_MIN, INT64_MIN };

	for (size_t i = 0; i < region->world->sent_count; i++) {
		const struct fake_sent *sent = &region->world->sent[i];

		if (strncmp(sent->op, "Describe", 8) != 0) {
			int64_t *before = &lists[strstr(sent->op, "Training")     ? 0
						 : strstr(sent->op, "Processing") ? 1
										  : 2];

			assert_true(*before == INT64_MIN || sent->at_ms - *before >= 1000);
			*before = sent->at_ms;
		} else {
			assert_true(last[0] == INT64_MIN || sent->at_ms - last[0] >= 1000);
			last[0] = last[1];
			last[1] = sent->at_ms;
		}
	}
}
