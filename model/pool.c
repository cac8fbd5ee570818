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

/* Of groups all of them are kept. */
static int64_t instances_of(const struct job *job)
{
	int64_t sum = 0, count;

	if (job->selected.set)
		return job->selected.count;
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		if (!prefs_count(job_prefs(job), i, &count) ||
		    __builtin_add_overflow(sum, count, &sum))
			return 0;
	}
	return sum;
}

static struct opt_ms end_of(const struct job *job)
{
	struct opt_ms end = { .set = job->ended.set && job->keep_alive_seconds > 0 };

	if (end.set && (__builtin_mul_overflow(job->keep_alive_seconds, INT64_C(1000), &end.ms) ||
			__builtin_add_overflow(end.ms, job->ended.ms, &end.ms)))
		end.set = false;
	return end;
}

bool pool_stands(const struct job *job, int64_t now_ms, struct pool_hold *hold)
{
	if (!job->pool.status || strcmp(job->pool.status, "Available") != 0 || !job->ended.set)
		return false;
	*hold = (struct pool_hold){ instances_of(job), end_of(job) };
	return !hold->until.set || now_ms < hold->until.ms;
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
