#include "aws/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX   (128u << 10) /* 100 queries of 300 bytes, and a token */
#define REPLY_MAX  (4u << 20)
#define TIMEOUT_MS 15000

/* 50 calls a second are allowed; the feed asks one a second. */
const struct aws_op op_get_metric_data = { .name = "GetMetricData",
					   .service = SERVICE_CLOUDWATCH,
					   .describe = true,
					   .resend = true,
					   .timeout_ms = TIMEOUT_MS,
					   .max_reply = REPLY_MAX };

static const char *const spaces[] = {
	[JOB_TRAINING] = "/aws/sagemaker/TrainingJobs",
	[JOB_PROCESSING] = "/aws/sagemaker/ProcessingJobs",
};

void metric_page_release(struct metric_page *page)
{
	free(page->points);
	free(page->next_token);
	*page = (struct metric_page){ 0 };
}

/* --- decode --- */

/* "m7" is query 7; false for what was not asked. */
static bool read_id(const struct json_value *result, size_t *query)
{
	const char *id = json_text(result, "Id");
	char *end = NULL;
	if (!id || id[0] != 'm' || id[1] < '0' || id[1] > '9')
		return false;
	unsigned long number = strtoul(id + 1, &end, 10);
	*query = number;
	return *end == '\0' && number < METRIC_QUERIES_MAX;
}

static void decode_points(const struct json_value *result, size_t query, struct metric_page *page,
			  size_t *capacity)
{
	const struct json_value *time = json_first(json_array(result, "Timestamps"));
	const struct json_value *value = json_first(json_array(result, "Values"));
	for (; time && value && page->count < METRIC_POINTS_MAX;
	     time = json_next(time), value = json_next(value)) {
		struct metric_point point = { .query = query };
		struct opt_ms at = json_as_time(time);
		if (!at.set || !json_as_number(value, &point.value))
			continue;
		point.at_ms = at.ms;
		page->points =
			mem_grow(page->points, capacity, page->count + 1, sizeof(*page->points));
		page->points[page->count++] = point;
	}
}

/* Of a metric that could not be read: why, as far as AWS says. */
static bool is_told(const struct json_value *result, struct err *err)
{
	const char *status = json_text(result, "StatusCode");
	if (status && strcmp(status, "Forbidden") == 0)
		return err_set(err, ERR_DENIED,
			       "the metrics are of an account that this one may "
			       "not read");
	if (!status || strcmp(status, "InternalError") != 0)
		return true;
	err_set(err, ERR_REFUSED, "CloudWatch could not read a metric");
	err->hint = HINT_RETRY_LATER;
	return false;
}

bool metrics_decode(const char *body, size_t len, struct metric_page *page, struct err *err)
{
	struct json_value *document = json_parse(body, len, err);
	const struct json_value *results = json_array(document, "MetricDataResults");
	size_t capacity = 0, query = 0;
	bool ok = results != NULL;

	*page = (struct metric_page){ 0 };
	for (const struct json_value *at = json_first(results); at && ok; at = json_next(at)) {
		ok = is_told(at, err);
		if (ok && read_id(at, &query))
			decode_points(at, query, page, &capacity);
	}
	if (document && !results) {
		err_set(err, ERR_PARSE, "the answer has no MetricDataResults");
		err->hint = HINT_RETRY_LATER;
	}
	if (ok)
		page->next_token = mem_copy_text(json_full_text(document, "NextToken"));
	else
		metric_page_release(page);
	json_free(document);
	return ok;
}

/* --- call --- */

struct metric_call {
	struct aws_client *client;
	metrics_fn *done;
	void *ctx;
};

static void answered(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct metric_call *call = ctx;
	struct metric_page page = { 0 };
	struct err bad = { 0 };

	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (metrics_decode(reply->body, reply->body_len, &page, &bad)) {
		call->done(call->ctx, &page, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_get_metric_data.name,
			    aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	metric_page_release(&page);
	err_clear(&bad);
	free(call);
}

static void add_query(struct buf *body, const struct metric_ask *ask, size_t i)
{
	const struct metric_query *query = &ask->queries[i];
	struct buf host;

	buf_init(&host, JOB_NAME_SIZE + METRIC_HOST_SIZE);
	buf_addf(&host, "%s/algo-%zu", query->job_name, query->host + 1);
	buf_addf(body,
		 "%s{\"Id\":\"m%zu\",\"MetricStat\":{\"Metric\":{\"Namespace\":\"%s\","
		 "\"MetricName\":\"%s\",\"Dimensions\":[{\"Name\":\"Host\",\"Value\":",
		 i > 0 ? "," : "", i, spaces[query->kind], metric_name(query->metric));
	text_add_json(body, buf_text(&host));
	buf_addf(body, "}]},\"Period\":%lld,\"Stat\":\"Average\"}}",
		 (long long)(ask->period_ms / 1000));
	buf_release(&host);
}

uint64_t metrics_get(struct aws_client *client, const struct metric_ask *ask, metrics_fn *done,
		     void *ctx)
{
	struct metric_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	uint64_t id;

	*call = (struct metric_call){ client, done, ctx };
	buf_init(&body, BODY_MAX);
	buf_add_text(&body, "{\"MetricDataQueries\":[");
	for (size_t i = 0; i < ask->count && i < METRIC_QUERIES_MAX; i++)
		add_query(&body, ask, i);
	buf_addf(&body, "],\"StartTime\":%lld,\"EndTime\":%lld", (long long)(ask->start_ms / 1000),
		 (long long)(ask->end_ms / 1000));
	if (ask->token) {
		buf_add_text(&body, ",\"NextToken\":");
		text_add_json(&body, ask->token);
	}
	buf_add_char(&body, '}');
	id = aws_client_call(client, &op_get_metric_data, buf_text(&body), answered, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
