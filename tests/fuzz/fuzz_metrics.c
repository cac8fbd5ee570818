/*
 * Any bytes as an answer of CloudWatch's GetMetricData, and as the reply of a Describe whose final
 * metrics are read. What is published lies in its slot, from nothing to the whole; what a job ends
 * with is bounded; and GPUs are idle only by what was published.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aws/metrics.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/fuzz/fuzz.h"

#define NOW_MS    INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */
#define MINUTE_MS INT64_C(60000)

static const char *const types[] = { "ml.p4d.24xlarge", "ml.c5.18xlarge", "ml.trn1.32xlarge",
				     "ml.new.type" };

static void check_series(const struct metric_series *series)
{
	struct metric_sum sum = metrics_sum(series);

	for (size_t i = 0; i < METRIC_SLOTS; i++)
		assert(series->permille[i] >= METRIC_HOLE && series->permille[i] <= 1000);
	assert(sum.count + sum.holes <= METRIC_SLOTS);
	if (sum.count == 0)
		return;
	assert(0 <= sum.least && sum.least <= sum.mean && sum.mean <= sum.most && sum.most <= 1000);
	assert(sum.least <= sum.now && sum.now <= sum.most && sum.last < METRIC_SLOTS);
	assert(series->permille[sum.last] == sum.now);
}

static void check_use(const struct job_metrics *metrics, int64_t since_ms)
{
	struct metric_series mean;

	metrics_mean(metrics, METRIC_GPU, &mean);
	check_series(&mean);
	struct gpu_use use = gpu_use_of(&mean, &metrics->window, since_ms, NOW_MS);
	assert(use.known || !use.idle);
	assert(!use.known || (use.permille >= 0 && use.permille <= 1000));
	assert(!use.idle || (use.permille < GPU_IDLE_PERMILLE && use.for_ms >= 0));
	assert(!use.known || metrics_sum(&mean).count > 0);
}

/* Queries are dealt to the hosts as the feed deals them. */
static void put(const struct metric_page *page, const char *type, size_t salt)
{
	struct job job = { .selected = { .set = true, .count = 1 + (int64_t)(salt % 7) } };
	struct job_metrics metrics = { .span = (enum metric_span)(salt % METRIC_SPANS) };

	job.arn = mem_copy_text("arn");
	memcpy(job.selected.instance_type, type, strlen(type) + 1);
	bool began = metrics_begin(&metrics, &job, NOW_MS);
	assert(began && metrics.host_count == (size_t)job.selected.count);
	for (size_t i = 0; i < page->count; i++) {
		const struct metric_point *point = &page->points[i];
		metrics_put(&metrics, point->query / METRICS, (enum metric)(point->query % METRICS),
			    point->at_ms, point->value);
	}
	for (size_t i = 0; i < metrics.host_count; i++)
		for (size_t metric = 0; metric < METRICS; metric++)
			check_series(&metrics.hosts[i].series[metric]);
	check_use(&metrics, NOW_MS - (int64_t)(salt % 300) * MINUTE_MS);
	metrics_release(&metrics);
	job_release(&job);
}

static void read_answer(const char *data, size_t size)
{
	struct metric_page page;
	struct err err = { 0 };

	if (!metrics_decode(data, size, &page, &err)) {
		assert(err.code != ERR_NONE && err_text(&err)[0]);
		assert(!page.points && page.count == 0 && !page.next_token);
		err_clear(&err);
		return;
	}
	assert(page.count <= METRIC_POINTS_MAX && (!page.next_token || page.next_token[0]));
	for (size_t i = 0; i < page.count; i++)
		assert(page.points[i].query < METRIC_QUERIES_MAX);
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		put(&page, types[i], size);
	metric_page_release(&page);
}

static void read_final(char *text)
{
	struct job job = { .request_json = text };
	struct final_metrics final;

	final_metrics_read(&job, &final);
	assert(final.count <= FINAL_METRICS_MAX);
	for (size_t i = 0; i < final.count; i++)
		assert(final.items[i].name && final.items[i].value);
	final_metrics_release(&final);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);

	read_answer(copy, size);
	read_final(copy);
	free(copy);
	return 0;
}
