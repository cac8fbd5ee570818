#include "model/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/catalog.h"

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS   (60 * MINUTE_MS)
#define DAY_MS    (24 * HOUR_MS)
/* As long are points kept by the minute, and by five: facts/aws.md 7.3. */
#define KEPT_BY_1_MS (15 * DAY_MS)
#define KEPT_BY_5_MS (63 * DAY_MS)

static const struct {
	const char *word, *name;
} rows[METRICS] = {
	[METRIC_GPU] = { "GPU", "GPUUtilization" },
	[METRIC_GPU_MEMORY] = { "GPU memory", "GPUMemoryUtilization" },
	[METRIC_CPU] = { "CPU", "CPUUtilization" },
	[METRIC_MEMORY] = { "memory", "MemoryUtilization" },
	[METRIC_DISK] = { "disk", "DiskUtilization" },
};

static const struct {
	const char *word;
	int64_t period_ms;
} spans[METRIC_SPANS] = {
	[METRIC_3H] = { "3 h by the minute", MINUTE_MS },
	[METRIC_15H] = { "15 h by 5 minutes", 5 * MINUTE_MS },
	[METRIC_WEEK] = { "7 days by the hour", HOUR_MS },
};

const char *metric_word(enum metric metric)
{
	return rows[metric].word;
}

const char *metric_name(enum metric metric)
{
	return rows[metric].name;
}

const char *metric_span_word(enum metric_span span)
{
	return spans[span].word;
}

/* --- scales --- */

static bool is_of_gpu(enum metric metric)
{
	return metric == METRIC_GPU || metric == METRIC_GPU_MEMORY;
}

static unsigned gpus_of(const struct instance_type *type)
{
	return type && type->vendor && strcmp(type->vendor, "NVIDIA") == 0 ? type->accelerators : 0;
}

bool metric_is_of(enum metric metric, const char *instance_type)
{
	const struct instance_type *type = catalog_find(instance_type);
	return !is_of_gpu(metric) || !type || gpus_of(type) > 0;
}

int metric_permille(enum metric metric, const char *instance_type, double published)
{
	const struct instance_type *type = catalog_find(instance_type);
	unsigned parts = is_of_gpu(metric)              ? gpus_of(type)
			 : metric == METRIC_CPU && type ? type->vcpus
			 : metric == METRIC_CPU         ? 0
							: 1;
	if (parts == 0 || !isfinite(published) || published < 0)
		return METRIC_HOLE;
	double permille = published * 10.0 / parts;
	return permille > 1000.0 ? 1000 : (int)lround(permille);
}

/* --- hosts and windows --- */

size_t metrics_hosts(const struct job *job, size_t n, const char **type)
{
	size_t count = 0;
	if (!job->has_groups && job->selected.set && job->selected.count > 0) {
		*type = job->selected.instance_type;
		return (size_t)job->selected.count;
	}
	for (size_t i = 0; job->has_groups && i < job_prefs(job)->length; i++) {
		int64_t of_group = 0;
		if (!prefs_count(job_prefs(job), i, &of_group) || of_group < 0)
			continue;
		if (n >= count && n < count + (size_t)of_group)
			*type = job_prefs(job)->entries[i].instance_type;
		count += (size_t)of_group;
	}
	return count;
}

struct metric_window metrics_window(const struct job *job, enum metric_span span, int64_t now_ms)
{
	int64_t end_ms = job->ended.set && job->ended.ms < now_ms ? job->ended.ms : now_ms;
	int64_t period_ms = spans[span].period_ms;
	int64_t age_ms = now_ms - end_ms + METRIC_SLOTS * period_ms;
	if (age_ms > KEPT_BY_5_MS)
		period_ms = HOUR_MS;
	else if (age_ms > KEPT_BY_1_MS && period_ms < 5 * MINUTE_MS)
		period_ms = 5 * MINUTE_MS;
	int64_t last_ms = end_ms - end_ms % period_ms; /* begins the slot that holds the end */
	return (struct metric_window){ .start_ms = last_ms - (METRIC_SLOTS - 1) * period_ms,
				       .period_ms = period_ms };
}

/* --- of the job that is looked at --- */

static void drop_hosts(struct job_metrics *metrics)
{
	free(metrics->hosts);
	metrics->hosts = NULL;
	metrics->host_count = 0;
	metrics->hosts_in_all = 0;
}

void metrics_release(struct job_metrics *metrics)
{
	drop_hosts(metrics);
	free(metrics->arn);
	err_clear(&metrics->fresh.error);
	*metrics = (struct job_metrics){ 0 };
}

void metrics_look_at(struct job_metrics *metrics, const char *arn, enum metric_span span)
{
	bool same = arn && metrics->arn && strcmp(arn, metrics->arn) == 0;
	if (!same) {
		char *copy = mem_copy_text(arn);
		metrics_release(metrics);
		metrics->arn = copy;
	}
	metrics->span = span;
}

static void clear(struct metric_series *series)
{
	for (size_t i = 0; i < METRIC_SLOTS; i++)
		series->permille[i] = METRIC_HOLE;
}

bool metrics_begin(struct job_metrics *metrics, const struct job *job, int64_t now_ms)
{
	const char *type = "";
	size_t in_all = metrics_hosts(job, 0, &type);
	if (in_all == 0)
		return false;
	metrics_look_at(metrics, job->arn, metrics->span);
	drop_hosts(metrics);
	metrics->window = metrics_window(job, metrics->span, now_ms);
	metrics->hosts_in_all = in_all;
	metrics->host_count = in_all < METRIC_HOSTS_MAX ? in_all : METRIC_HOSTS_MAX;
	metrics->hosts = mem_new(metrics->host_count, sizeof(*metrics->hosts));
	for (size_t i = 0; i < metrics->host_count; i++) {
		struct metric_host *host = &metrics->hosts[i];
		(void)metrics_hosts(job, i, &type);
		snprintf(host->name, sizeof(host->name), "algo-%zu", i + 1);
		snprintf(host->instance_type, sizeof(host->instance_type), "%s", type);
		for (int metric = 0; metric < METRICS; metric++)
			clear(&host->series[metric]);
	}
	return true;
}

void metrics_put(struct job_metrics *metrics, size_t host, enum metric metric, int64_t at_ms,
		 double published)
{
	int64_t offset_ms = at_ms - metrics->window.start_ms;
	if (host >= metrics->host_count || offset_ms < 0 ||
	    offset_ms >= METRIC_SLOTS * metrics->window.period_ms)
		return;
	int permille = metric_permille(metric, metrics->hosts[host].instance_type, published);
	metrics->hosts[host].series[metric].permille[offset_ms / metrics->window.period_ms] =
		(int16_t)permille;
}

void metrics_take(struct job_metrics *metrics, struct job_metrics *from, int64_t mono_ms)
{
	drop_hosts(metrics);
	metrics->hosts = from->hosts;
	metrics->host_count = from->host_count;
	metrics->hosts_in_all = from->hosts_in_all;
	metrics->window = from->window;
	from->hosts = NULL;
	from->host_count = 0;
	err_clear(&metrics->fresh.error);
	metrics->fresh =
		(struct freshness){ .asked = true, .loaded = true, .loaded_mono_ms = mono_ms };
}

void metrics_fail(struct job_metrics *metrics, const struct err *err, int64_t retry_mono_ms)
{
	metrics->fresh.asked = true;
	metrics->fresh.failing = true;
	metrics->fresh.retry_mono_ms = retry_mono_ms;
	err_copy(&metrics->fresh.error, err);
}

/* --- figures --- */

void metrics_mean(const struct job_metrics *metrics, enum metric metric, struct metric_series *mean)
{
	for (size_t slot = 0; slot < METRIC_SLOTS; slot++) {
		int sum = 0, count = 0;
		for (size_t i = 0; i < metrics->host_count; i++) {
			int permille = metrics->hosts[i].series[metric].permille[slot];
			if (permille == METRIC_HOLE)
				continue;
			sum += permille;
			count++;
		}
		mean->permille[slot] =
			(int16_t)(count > 0 ? (sum + count / 2) / count : METRIC_HOLE);
	}
}

struct metric_sum metrics_sum(const struct metric_series *series)
{
	struct metric_sum sum = { .least = 1000 };
	size_t first = 0;
	long total = 0;
	for (size_t i = 0; i < METRIC_SLOTS; i++) {
		int permille = series->permille[i];
		if (permille == METRIC_HOLE)
			continue;
		first = sum.count == 0 ? i : first;
		sum.count++;
		sum.last = i;
		sum.now = permille;
		sum.least = permille < sum.least ? permille : sum.least;
		sum.most = permille > sum.most ? permille : sum.most;
		total += permille;
	}
	if (sum.count > 0) {
		sum.mean = (int)((total + (long)sum.count / 2) / (long)sum.count);
		sum.holes = sum.last - first + 1 - sum.count;
	}
	return sum;
}
