/* What AWS counts of a pending limit: the stretches of waiting, less the time in which a training
 * plan of the list was closed. */
#include "model/catalog.h"
#include "model/explain_parts.h"
#include "model/stretches.h"
#include "model/stuck.h"

/* Times in which a plan is not open: before its first window, and between two. */
struct closed {
	int64_t from_ms, to_ms;
};
#define CLOSED_MAX (PREFS_KEEP_MAX * (PLAN_WINDOWS_MAX + 1))

static size_t add_closed(struct closed *all, size_t count, int64_t from_ms, struct opt_ms to)
{
	size_t at = count;
	if (!to.set || to.ms <= from_ms)
		return count;
	for (; at > 0 && all[at - 1].from_ms > from_ms; at--)
		all[at] = all[at - 1];
	all[at] = (struct closed){ from_ms, to.ms };
	return count + 1;
}

static size_t add_plan(struct closed *all, size_t count, const struct plan *plan)
{
	if (plan->window_count == 0)
		return add_closed(all, count, INT64_MIN, plan->start);
	count = add_closed(all, count, INT64_MIN, plan->windows[0].start);
	for (size_t i = 0; i + 1 < plan->window_count && i < PLAN_WINDOWS_MAX; i++)
		if (plan->windows[i].end.set)
			count = add_closed(all, count, plan->windows[i].end.ms,
					   plan->windows[i + 1].start);
	return count;
}

static size_t closed_times(const struct store *store, const struct job *job, struct closed *all,
			   bool *untold)
{
	size_t count = 0;
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		const struct plan *plan;
		if (!explain_plan(store, job_prefs(job), i, &plan)[0])
			continue;
		if (plan && count + PLAN_WINDOWS_MAX < CLOSED_MAX)
			count = add_plan(all, count, plan);
		*untold = *untold || !plan;
	}
	if (prefs_has_unplaced_plan(job_prefs(job)) &&
	    !store_find_plan(store, job_prefs(job)->job_plan_arn))
		*untold = true;
	return count;
}

/* What of a stretch is not closed; the closed times are in order and may overlap. */
static int64_t open_ms(const struct stretch *stretch, const struct closed *all, size_t count)
{
	int64_t at_ms = stretch->start_ms, sum_ms = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t from_ms =
			all[i].from_ms < stretch->end_ms ? all[i].from_ms : stretch->end_ms;
		if (from_ms > at_ms)
			sum_ms += from_ms - at_ms;
		at_ms = all[i].to_ms > at_ms ? all[i].to_ms : at_ms;
	}
	return stretch->end_ms > at_ms ? sum_ms + (stretch->end_ms - at_ms) : sum_ms;
}

static bool has_effect(const struct job *job)
{
	if (job->kind != JOB_TRAINING || !job->max_pending.set || job->max_pending.ms <= 0)
		return false;
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		if (catalog_is_accelerated(job_prefs(job)->entries[i].instance_type))
			return true;
	return false;
}

struct pending_clock pending_clock(const struct store *store, const struct job *job, int64_t now_ms)
{
	struct pending_clock clock = { 0 };
	struct closed closed[CLOSED_MAX];
	struct stretch stretches[STRETCHES_MAX];
	size_t closed_count = closed_times(store, job, closed, &clock.untold);
	size_t count = stretches_of(job, now_ms, stretches);
	int64_t left_ms;
	for (size_t i = 0; i < count; i++)
		if (__builtin_add_overflow(clock.counted_ms,
					   open_ms(&stretches[i], closed, closed_count),
					   &clock.counted_ms))
			clock.counted_ms = INT64_MAX;
	if (job_phase(job) != PHASE_PENDING)
		return clock;
	for (size_t i = 0; i < closed_count; i++) {
		if (closed[i].from_ms > now_ms || closed[i].to_ms <= now_ms)
			continue;
		clock.stands = true;
		if (!clock.resumes.set || closed[i].to_ms > clock.resumes.ms)
			clock.resumes = (struct opt_ms){ true, closed[i].to_ms };
	}
	clock.has_limit = has_effect(job);
	clock.limit_ms = clock.has_limit ? job->max_pending.ms : 0;
	if (clock.has_limit && !clock.stands &&
	    !__builtin_sub_overflow(clock.limit_ms, clock.counted_ms, &left_ms) &&
	    (left_ms > 0 || !clock.untold))
		clock.deadline.set = !__builtin_add_overflow(now_ms, left_ms, &clock.deadline.ms);
	return clock;
}
