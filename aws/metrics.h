/*
 * CloudWatch's GetMetricData of what the hosts of jobs publish: some metrics of some hosts over one
 * stretch of time, a page an answer. AWS bills each metric that is asked for. Source: facts/aws.md
 * 7.3.
 */
#ifndef GPUQ_AWS_METRICS_H
#define GPUQ_AWS_METRICS_H

#include "aws/client.h"
#include "model/metrics.h"

/* Of a call: the service takes 500; fewer keep an answer small. */
#define METRIC_QUERIES_MAX 100
#define METRIC_POINTS_MAX  100800 /* of an answer: the service's own limit */

extern const struct aws_op op_get_metric_data;

/* One metric of one host. The name is borrowed during the call. */
struct metric_query {
	enum job_kind kind;
	const char *job_name;
	size_t host; /* from 0: algo-1 is 0 */
	enum metric metric;
};

struct metric_ask {
	const struct metric_query *queries; /* borrowed during the call, as the token */
	size_t count;                       /* 1 to METRIC_QUERIES_MAX */
	int64_t start_ms, end_ms;           /* the end is not part of it */
	int64_t period_ms;                  /* whole minutes */
	const char *token;                  /* of the next page; NULL: the first */
};

/* query: index into the queries that were asked. */
struct metric_point {
	size_t query;
	int64_t at_ms;
	double value; /* as it was published */
};

struct metric_page {
	struct metric_point *points; /* owned; in no order */
	size_t count;
	char *next_token; /* owned; NULL: it was the last page */
};
void metric_page_release(struct metric_page *page);

/* page NULL: err says why. Borrowed for the call. */
typedef void metrics_fn(void *ctx, const struct metric_page *page, const struct err *err);
uint64_t metrics_get(struct aws_client *client, const struct metric_ask *ask, metrics_fn *done,
		     void *ctx);

/* Decodes an answer (for tests and fuzzing too). Series of other ids, values without a time and
 * what is no number are passed over. False with err for what is no answer, or where AWS says that a
 * metric could not be read (Forbidden, InternalError). */
bool metrics_decode(const char *body, size_t len, struct metric_page *page,
		    struct err *err) MUST_CHECK;

#endif
