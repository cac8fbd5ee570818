#include "model/pool.h"

#include <inttypes.h>
#include <string.h>

bool pool_is_asked(const struct job *job)
{
	return job->keep_alive_seconds > 0 || job->pool.status;
}

bool pool_is_awaited(const struct job *job, int64_t now_ms)
{
	struct opt_ms end = job->ended.set ? job->ended : job->modified;

	return job->described && job_phase(job) == PHASE_COMPLETED && pool_is_asked(job) &&
	       !job->pool.status && end.set && end.ms > now_ms - POOL_REPORT_MS;
}

bool pool_is_held(const struct job *job)
{
	const char *status = job->pool.status;

	return status && (strcmp(status, "Available") == 0 || strcmp(status, "InUse") == 0);
}

void pool_add_words(struct buf *out, const struct job *job)
{
	const struct warm_pool *pool = &job->pool;

	if (!pool_is_asked(job))
		return;
	if (pool->status && strcmp(pool->status, "Reused") == 0 && pool->reused_by)
		buf_addf(out, "handed to %s", pool->reused_by);
	else if (pool->status)
		buf_add_text(out, pool->status);
	else if (job_has_ended(job))
		buf_add_text(out, "not reported");
	else
		buf_addf(out, "asked for, up to %" PRId64 " s", job->keep_alive_seconds);
	if (pool->retained.set)
		buf_addf(out, ", retained %" PRId64 " s", pool->retained.ms / 1000);
}
