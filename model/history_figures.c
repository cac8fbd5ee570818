#include "model/history_figures.h"

#include <stdio.h>
#include <string.h>

#include "model/reason.h"

/* Of the service's words for the secondary status of a stopped job, those that tell of a wait:
 * pending, and of spot the whole time. */
static bool says_timed_out(const struct job *job)
{
	const char *word = job->secondary_status ? job->secondary_status : "";

	return strcmp(word, "MaxPendingTimeExceeded") == 0 ||
	       (strcmp(word, "MaxWaitTimeExceeded") == 0 && !job->started.set);
}

bool history_timed_out(const struct job *job, int64_t now_ms)
{
	int64_t wait_ms;
	bool final;

	if (reason_is_capacity(job))
		return true;
	if (job_phase(job) != PHASE_STOPPED)
		return false;
	if (says_timed_out(job))
		return true;
	return job_never_started(job) && job->max_pending.set && job->max_pending.ms > 0 &&
	       job_wait_ms(job, now_ms, &wait_ms, &final) && wait_ms >= job->max_pending.ms;
}

/* When it first had its instances. */
static struct opt_ms first_start(const struct job *job)
{
	for (size_t i = 0; i < job->transition_count; i++) {
		enum phase phase = phase_of_secondary(job_transition(job, i).status);

		if ((phase == PHASE_STARTING || phase == PHASE_RUNNING) &&
		    job_transition(job, i).start.set)
			return job_transition(job, i).start;
	}
	if (job_never_started(job))
		return (struct opt_ms){ 0 };
	return job->started;
}

static struct opt_ms span(struct opt_ms from, struct opt_ms to)
{
	struct opt_ms span = { 0 };

	span.set = from.set && to.set && to.ms >= from.ms &&
		   !__builtin_sub_overflow(to.ms, from.ms, &span.ms);
	return span;
}

static enum wait_outcome outcome_of(const struct job *job, bool has_started, int64_t now_ms)
{
	if (has_started || job_phase(job) == PHASE_COMPLETED)
		return WAIT_STARTED;
	if (!job_has_ended(job))
		return WAIT_PENDING;
	if (history_timed_out(job, now_ms))
		return WAIT_TIMED_OUT;
	return job_phase(job) == PHASE_STOPPED ? WAIT_STOPPED : WAIT_FAILED;
}

static void copy_cut(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text ? text : "");
}

/* Its warm pool is billed beside it. */
static struct money with_pool(const struct cost *cost)
{
	struct money sum = cost->so_far;

	if (sum.set && cost->retained.set)
		sum.set = !__builtin_add_overflow(sum.micro, cost->retained.micro, &sum.micro);
	return sum;
}

void history_figures(const struct job *job, const struct price_book *book, int64_t now_ms,
		     struct history_figures *out)
{
	struct opt_ms start = first_start(job), now = { .set = true, .ms = now_ms };
	struct opt_ms end = job->ended.set ? job->ended : job->modified;
	bool ended = job_has_ended(job);
	struct cost cost = price_job_cost(job, book, now_ms);

	*out = (struct history_figures){
		.outcome = outcome_of(job, start.set, now_ms),
		.cost = with_pool(&cost),
		.price_source = cost.source,
	};
	copy_cut(out->currency, sizeof(out->currency), cost.currency);
	copy_cut(out->price_date, sizeof(out->price_date), cost.date);
	out->wait.set = job_wait_ms(job, now_ms, &out->wait.ms, &out->wait_final);
	if (start.set)
		out->first_wait = span(job->created, start);
	else if (out->outcome != WAIT_STARTED)
		out->first_wait = ended ? out->wait : span(job->created, now);
	if (start.set && ended)
		out->run = span(start, end);
}
