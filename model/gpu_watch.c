#include "model/gpu_watch.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

static void drop_rows(struct gpu_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++)
		free(watch->rows[i].arn);
	free(watch->rows);
	watch->rows = NULL;
	watch->count = watch->capacity = 0;
}

void gpu_watch_release(struct gpu_watch *watch)
{
	drop_rows(watch);
	err_clear(&watch->fresh.error);
	*watch = (struct gpu_watch){ 0 };
}

void gpu_watch_add(struct gpu_watch *watch, const char *arn, const struct gpu_use *use)
{
	if (watch->count >= GPU_WATCH_MAX)
		return;
	watch->rows =
		mem_grow(watch->rows, &watch->capacity, watch->count + 1, sizeof(*watch->rows));
	watch->rows[watch->count++] = (struct gpu_watch_row){ mem_copy_text(arn), *use };
}

void gpu_watch_take(struct gpu_watch *watch, struct gpu_watch *from, int64_t mono_ms)
{
	drop_rows(watch);
	watch->rows = from->rows;
	watch->count = from->count;
	watch->capacity = from->capacity;
	from->rows = NULL;
	from->count = from->capacity = 0;
	err_clear(&watch->fresh.error);
	watch->fresh =
		(struct freshness){ .asked = true, .loaded = true, .loaded_mono_ms = mono_ms };
}

void gpu_watch_fail(struct gpu_watch *watch, const struct err *err, int64_t retry_mono_ms)
{
	watch->fresh.asked = true;
	watch->fresh.failing = true;
	watch->fresh.retry_mono_ms = retry_mono_ms;
	err_copy(&watch->fresh.error, err);
}

const struct gpu_use *gpu_watch_idle(const struct gpu_watch *watch, const struct job *job,
				     int64_t now_ms)
{
	if (job_phase(job) != PHASE_RUNNING)
		return NULL;
	for (size_t i = 0; i < watch->count; i++) {
		const struct gpu_use *use = &watch->rows[i].use;
		if (strcmp(watch->rows[i].arn, job->arn) == 0)
			return use->idle && now_ms - use->at_ms <= GPU_WATCH_SHOWN_MS ? use : NULL;
	}
	return NULL;
}
