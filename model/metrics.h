/*
 * What the hosts of one job publish of their use, by time: a bounded window of slots in which what
 * was not published stays a hole. And the metrics that a job ends with, and GPUs that are paid for
 * and have nothing to do. Source of names and scales: facts/aws.md 7.3.
 */
#ifndef GPUQ_METRICS_H
#define GPUQ_METRICS_H

#include "model/base/buf.h"
#include "model/freshness.h"
#include "model/job.h"

enum metric {
	METRIC_GPU,
	METRIC_GPU_MEMORY,
	METRIC_CPU,
	METRIC_MEMORY,
	METRIC_DISK,
	METRICS /* how many there are */
};

#define METRIC_SLOTS     180
#define METRIC_HOLE      (-1)
#define METRIC_HOSTS_MAX 100 /* of one job; each metric of each host is billed by the request */
#define METRIC_HOST_SIZE 32  /* algo-N */

/* Permille of the whole host in each slot, oldest first, or METRIC_HOLE. */
struct metric_series {
	int16_t permille[METRIC_SLOTS];
};

/* METRIC_SLOTS slots of period_ms from start_ms on, which is a multiple of it. */
struct metric_window {
	int64_t start_ms, period_ms;
};

/* How far back is looked; by the minute, by five and by the hour. */
enum metric_span { METRIC_3H, METRIC_15H, METRIC_WEEK, METRIC_SPANS };

struct metric_host {
	char name[METRIC_HOST_SIZE];
	char instance_type[TYPE_NAME_SIZE];
	struct metric_series series[METRICS];
};

/* Of the one job that is looked at. Part of the store; {0} is of none. */
struct job_metrics {
	char *arn; /* owned; NULL: no job is looked at */
	enum metric_span span;
	struct metric_window window;
	struct metric_host *hosts; /* owned */
	size_t host_count;
	size_t hosts_in_all; /* more than host_count where there are too many */
	struct freshness fresh;
};

/* "GPU", "GPU memory", ... and the name in CloudWatch. Static texts. */
const char *metric_word(enum metric metric);
const char *metric_name(enum metric metric);
/* "3 h by the minute", ... Static text. */
const char *metric_span_word(enum metric_span span);

/*
 * A published value as permille of the whole: GPUs count 100 each, and so do the cores of a CPU.
 * METRIC_HOLE where it is no number, is negative, or how many there are is not known of the type.
 */
int metric_permille(enum metric metric, const char *instance_type, double published);
/* The type has the metric: GPUs are those of NVIDIA. Unknown types have all. */
bool metric_is_of(enum metric metric, const char *instance_type);

/* Host n of a job, from 0, in the order of its groups: its type, and how many there are in all. 0,
 * and type untouched, while that is not known. */
size_t metrics_hosts(const struct job *job, size_t n, const char **type);

/*
 * The window that ends with the job, or now. What is older than 15 days is kept by five minutes
 * alone, and older than 63 by the hour: the slots are then as long.
 */
struct metric_window metrics_window(const struct job *job, enum metric_span span, int64_t now_ms);

/* Another job, or span, is looked at (arn NULL: none): what is known goes where it is another job.
 */
void metrics_look_at(struct job_metrics *metrics, const char *arn, enum metric_span span);
/* Makes it {0}. */
void metrics_release(struct job_metrics *metrics);

/* Readies hosts for a job: every slot a hole. False: its hosts are not known (yet). */
bool metrics_begin(struct job_metrics *metrics, const struct job *job, int64_t now_ms);
/* Puts a published value in its slot; one outside of the window, or of no such host, is dropped. */
void metrics_put(struct job_metrics *metrics, size_t host, enum metric metric, int64_t at_ms,
		 double published);
/* Takes hosts and window of a whole answer (from is left without any), and what failed. */
void metrics_take(struct job_metrics *metrics, struct job_metrics *from, int64_t mono_ms);
void metrics_fail(struct job_metrics *metrics, const struct err *err, int64_t retry_mono_ms);

/* The mean over the hosts, slot by slot: over those that published. */
void metrics_mean(const struct job_metrics *metrics, enum metric metric,
		  struct metric_series *mean);

struct metric_sum {
	size_t count;               /* slots that were published; with 0 the rest says nothing */
	size_t holes;               /* between the first of them and the last */
	size_t last;                /* slot of the newest */
	int now, least, mean, most; /* permille */
};
struct metric_sum metrics_sum(const struct metric_series *series);

/* --- GPUs with nothing to do --- */

#define GPU_IDLE_PERMILLE 100                   /* issue: under 10 % ... */
#define GPU_IDLE_MS       (INT64_C(15) * 60000) /* ... for 15 minutes */
#define GPU_OLD_MS        (INT64_C(10) * 60000) /* what is older says nothing of now */

/* How busy the GPUs of a running job were lately. */
struct gpu_use {
	bool known; /* enough was published, lately enough */
	bool idle;
	int permille;   /* the mean of the last quarter of an hour */
	int64_t for_ms; /* idle: so long */
	int64_t at_ms;  /* end of the newest slot that was published */
};

/*
 * By the mean over the hosts in slots of the window, since the job has been running. Idle: every
 * slot that was published in the last 15 minutes lies below 10 %, and two of three were published.
 */
struct gpu_use gpu_use_of(const struct metric_series *mean, const struct metric_window *window,
			  int64_t running_since_ms, int64_t now_ms);

/* Since when the job has been running, as AWS tells it; unset where it is not. */
struct opt_ms metrics_running_since(const struct job *job);

/* --- what a job ends with --- */

#define FINAL_METRICS_MAX 40 /* MetricDefinitions of a job: service model */

/* Of Describe's FinalMetricDataList. The texts are borrowed from the list. */
struct final_metric {
	const char *name, *value; /* as AWS wrote the number */
	struct opt_ms at;
};

struct final_metrics {
	struct final_metric items[FINAL_METRICS_MAX];
	size_t count;
	struct buf texts; /* owned */
};

/* Reads them from the job's request_json; none where that is not there or has none. Release it. */
void final_metrics_read(const struct job *job, struct final_metrics *out);
void final_metrics_release(struct final_metrics *metrics);

#endif
