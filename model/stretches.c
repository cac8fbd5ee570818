#include "model/stretches.h"

#include <string.h>

/* Joins it to the last one where they touch; time before that has been counted. */
static size_t add(struct stretch *out, size_t count, int64_t start_ms, int64_t end_ms)
{
	struct stretch *last = count > 0 ? &out[count - 1] : NULL;
	if (end_ms <= start_ms)
		return count;
	if (last && start_ms == last->end_ms) {
		last->end_ms = end_ms;
		return count;
	}
	out[count] = (struct stretch){ start_ms, end_ms, false };
	return count + 1;
}

bool stretches_waits(const struct job *job, size_t i)
{
	return phase_of_secondary(job_transition(job, i).status) == PHASE_PENDING;
}

/* Where an open stretch ends: now, or the end of an ended job. */
static struct opt_ms limit_of(const struct job *job, int64_t now_ms)
{
	if (!job_has_ended(job))
		return (struct opt_ms){ .set = true, .ms = now_ms };
	return job->ended.set ? job->ended : job->modified;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The gap from the creation to the first transition, then each that waits, from where the one
 * before it ended: time that two of them share counts once, as in job_wait_ms. */
static size_t of_transitions(const struct job *job, int64_t now_ms, struct stretch *out)
{
	struct opt_ms first = job_transition(job, 0).start, limit = limit_of(job, now_ms);
	int64_t counted_ms = job->created.set ? job->created.ms : INT64_MIN;
	size_t count = 0;
	if (first.set && job->created.set) {
		bool late = limit.set && limit.ms < first.ms;
		count = add(out, count, job->created.ms, late ? limit.ms : first.ms);
		counted_ms = later(counted_ms, first.ms);
	}
	for (size_t i = 0; i < job->transition_count; i++) {
		struct opt_ms start = job_transition(job, i).start;
		struct opt_ms end = job_transition_end(job, i, now_ms);
		if (!start.set || !end.set || !stretches_waits(job, i))
			continue;
		counted_ms = later(counted_ms, start.ms);
		count = add(out, count, counted_ms, end.ms);
		counted_ms = later(counted_ms, end.ms);
	}
	return count;
}

size_t stretches_of(const struct job *job, int64_t now_ms, struct stretch out[STRETCHES_MAX])
{
	int64_t wait_ms, end_ms;
	bool final;
	size_t count = 0;
	if (job->transition_count > 0)
		count = of_transitions(job, now_ms, out);
	else if (job->created.set && job_wait_ms(job, now_ms, &wait_ms, &final) &&
		 !__builtin_add_overflow(job->created.ms, wait_ms, &end_ms))
		count = add(out, 0, job->created.ms, end_ms);
	if (count > 0)
		out[count - 1].open = job_phase(job) == PHASE_PENDING;
	return count;
}

size_t stretches_interruptions(const struct job *job)
{
	size_t count = 0;
	for (size_t i = 0; i < job->transition_count; i++)
		count += strcmp(job_transition(job, i).status, "Interrupted") == 0;
	return count;
}
