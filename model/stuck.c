#include "model/stuck.h"

#include <string.h>

#include "model/explain_parts.h"

static int64_t span_ms(struct opt_ms from, int64_t to_ms)
{
	int64_t span;
	if (!from.set || to_ms <= from.ms)
		return 0;
	return __builtin_sub_overflow(to_ms, from.ms, &span) ? INT64_MAX : span;
}

static bool is_over(int64_t ms, int64_t limit_ms, int64_t permille)
{
	return limit_ms > 0 && ms >= limit_ms / 1000 * permille + limit_ms % 1000 * permille / 1000;
}

/* Since the last transition, which is the stop; else since it was last changed. */
static struct opt_ms stop_began(const struct job *job)
{
	if (job->transition_count > 0 && job_transition(job, job->transition_count - 1).start.set)
		return job_transition(job, job->transition_count - 1).start;
	return job->modified;
}

static bool has_on_demand(const struct store *store, const struct job *job)
{
	const struct plan *plan;
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		if (!explain_plan(store, job_prefs(job), i, &plan)[0])
			return true;
	return job_prefs(job)->length == 0;
}

/* Where only plans are waited for, the time in which they are closed is nobody's delay. */
static unsigned why_pending(const struct store *store, const struct stuck_past *past,
			    const struct job *job, struct opt_ms stuck_after, int64_t now_ms)
{
	struct pending_clock clock = pending_clock(store, job, now_ms);
	int64_t waited_ms = clock.counted_ms;
	bool final;
	unsigned why = 0;
	size_t waits;
	if (has_on_demand(store, job))
		(void)job_wait_ms(job, now_ms, &waited_ms, &final);
	else if (clock.stands)
		waited_ms = 0;
	if (waited_ms > stuck_threshold_ms(past, job, stuck_after, &waits))
		why |= STUCK_WAITS;
	if (clock.has_limit && !clock.untold &&
	    is_over(clock.counted_ms, clock.limit_ms, STUCK_LIMIT))
		why |= STUCK_NEAR_LIMIT;
	return why;
}

unsigned stuck_why(const struct store *store, const struct stuck_past *past, const struct job *job,
		   struct opt_ms stuck_after, int64_t now_ms)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return job_has_details(job) ? why_pending(store, past, job, stuck_after, now_ms)
					    : 0;
	case PHASE_RUNNING:
		return job->max_runtime.set && is_over(span_ms(job->started, now_ms),
						       job->max_runtime.ms, STUCK_RUN)
			       ? STUCK_NEAR_END
			       : 0;
	case PHASE_STOPPING:
		return span_ms(stop_began(job), now_ms) > STUCK_STOPPING_MS ? STUCK_STOPPING : 0;
	case PHASE_STOPPED:
	case PHASE_FAILED:
		return job->secondary_status &&
				       strcmp(job->secondary_status, "MaxRuntimeExceeded") == 0
			       ? STUCK_MODEL_LOST
			       : 0;
	default:
		return 0;
	}
}

static void add_waits(struct buf *out, const struct stuck_past *past, const struct job *job,
		      struct opt_ms stuck_after)
{
	size_t waits;
	char text[TIME_TEXT_SIZE];
	int64_t threshold_ms = stuck_threshold_ms(past, job, stuck_after, &waits);
	duration_format(threshold_ms / 1000, text);
	if (stuck_after.set)
		buf_addf(out, "stuck: it waits longer than stuck_after (%s). ", text);
	else if (waits < STUCK_WAITS_MIN)
		buf_addf(out, "stuck: it waits longer than %s (usual waits: n=%zu, too small). ",
			 text, waits);
	else
		buf_addf(out, "stuck: of %zu waits of its types 95 %% were over by %s. ", waits,
			 text);
}

void stuck_add_words(struct buf *out, const struct store *store, const struct stuck_past *past,
		     const struct job *job, struct opt_ms stuck_after, int64_t now_ms)
{
	unsigned why = stuck_why(store, past, job, stuck_after, now_ms);
	if (why & STUCK_WAITS)
		add_waits(out, past, job, stuck_after);
	if (why & STUCK_NEAR_LIMIT)
		buf_add_text(out, "over 80 % of the pending limit are counted. ");
	if (why & STUCK_STOPPING)
		buf_add_text(out, "it has been stopping for over an hour. ");
	if (why & STUCK_NEAR_END)
		buf_add_text(out, "over 90 % of MaxRuntimeInSeconds have passed. ");
	if (why & STUCK_MODEL_LOST)
		buf_add_text(out, "MaxRuntimeInSeconds ended it: what it had not saved is lost. ");
}
