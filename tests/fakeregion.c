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

static void add_summary(struct buf *out, const struct fakeregion *region, size_t i, bool first)
{
	const struct fakejob *job = &region->jobs[i];

	buf_addf(out,
		 "%s{\"%sJobName\":\"j-%zu\",\"%sJobArn\":\"arn:j-%zu\",\"%sJobStatus\":\"%s\","
		 "\"CreationTime\":%.3f,\"LastModifiedTime\":%.3f",
		 first ? "" : ",", word(job->kind), i, word(job->kind), i, word(job->kind),
		 job->status, (double)job->created_ms / 1000, (double)job->modified_ms / 1000);
	if (job->kind == JOB_TRAINING)
		buf_addf(out, ",\"SecondaryStatus\":\"%s\"", job->secondary);
	buf_add_char(out, '}');
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
		add_summary(&out, region, i, rows++ == 0);
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

static char *describe_body(struct fakeregion *region, size_t i)
{
	struct buf out;

	buf_init(&out, 65536);
	add_summary(&out, region, i, true);
	region->jobs[i].described++;
	return buf_take(&out);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct fakeregion *region = ctx;
	enum job_kind kind = strstr(sent->op, "Training") ? JOB_TRAINING : JOB_PROCESSING;

	answer->latency_ms = region->latency_ms;
	if (strncmp(sent->op, "List", 4) == 0) {
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
				     .refresh_ms = 5000,
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
	int64_t lists[2] = { INT64_MIN, INT64_MIN }, last[2] = { INT64_MIN, INT64_MIN };

	for (size_t i = 0; i < region->world->sent_count; i++) {
		const struct fake_sent *sent = &region->world->sent[i];

		if (strncmp(sent->op, "List", 4) == 0) {
			int64_t *before = &lists[strstr(sent->op, "Training") != NULL];

			assert_true(*before == INT64_MIN || sent->at_ms - *before >= 1000);
			*before = sent->at_ms;
		} else {
			assert_true(last[0] == INT64_MIN || sent->at_ms - last[0] >= 1000);
			last[0] = last[1];
			last[1] = sent->at_ms;
		}
	}
}
