/*
 * How busy the GPUs of the running jobs were lately, by ARN: read every few minutes while the job
 * list is in sight (aws/metrics_feed.h). Part of the store; {0} is empty.
 */
#ifndef GPUQ_GPU_WATCH_H
#define GPUQ_GPU_WATCH_H

#include "model/metrics.h"

#define GPU_WATCH_MAX      256                    /* jobs */
#define GPU_WATCH_SHOWN_MS (INT64_C(15) * 60000)  /* a verdict that is older is not shown */
#define GPU_WATCH_BACK_MS  (INT64_C(180) * 60000) /* how far back an idle stretch is followed */

struct gpu_watch_row {
	char *arn; /* owned */
	struct gpu_use use;
};

struct gpu_watch {
	struct gpu_watch_row *rows; /* owned */
	size_t count, capacity;
	struct freshness fresh;
};

void gpu_watch_release(struct gpu_watch *watch);
/* Adds a job's, copied; ignored above GPU_WATCH_MAX. */
void gpu_watch_add(struct gpu_watch *watch, const char *arn, const struct gpu_use *use);
/* Takes the rows of a whole pass (from is left without any), and what failed. */
void gpu_watch_take(struct gpu_watch *watch, struct gpu_watch *from, int64_t mono_ms);
void gpu_watch_fail(struct gpu_watch *watch, const struct err *err, int64_t retry_mono_ms);

/* The job is running, and by what is known its GPUs have nothing to do: its verdict, else NULL.
 * Borrowed until the next change. */
const struct gpu_use *gpu_watch_idle(const struct gpu_watch *watch, const struct job *job,
				     int64_t now_ms);

#endif
