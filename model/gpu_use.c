/* GPUs of running jobs that have nothing to do: the verdict, by what was published lately. */

#include "model/metrics.h"

struct opt_ms metrics_running_since(const struct job *job)
{
	struct opt_ms since = job->started;
	if (job_phase(job) != PHASE_RUNNING)
		return (struct opt_ms){ 0 };
	/* Behind the last stretch that was not: downloads leave GPUs idle, and are no fault. */
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct transition at = job_transition(job, i);
		bool runs = phase_of_secondary(at.status) == PHASE_RUNNING;
		bool ran = i > 0 &&
			   phase_of_secondary(job_transition(job, i - 1).status) == PHASE_RUNNING;
		if (runs && !ran && at.start.set)
			since = at.start;
	}
	return since;
}

/* Slots that lie wholly behind the start. */
static size_t first_slot(const struct metric_window *window, int64_t since_ms)
{
	int64_t offset_ms = since_ms - window->start_ms;
	int64_t slot = (offset_ms + window->period_ms - 1) / window->period_ms;
	return offset_ms <= 0 ? 0 : slot > METRIC_SLOTS ? METRIC_SLOTS : (size_t)slot;
}

/* The last quarter of an hour up to that slot: false where too little of it was published. */
static bool sum_up_lately(const struct metric_series *mean, size_t first, size_t last,
			  const struct metric_window *window, struct gpu_use *use)
{
	size_t slots = (size_t)(GPU_IDLE_MS / window->period_ms), count = 0;
	long total = 0;
	if (slots == 0 || last + 1 < first + slots)
		return false;
	use->idle = true;
	for (size_t i = last + 1 - slots; i <= last; i++) {
		int permille = mean->permille[i];
		if (permille == METRIC_HOLE)
			continue;
		use->idle = use->idle && permille < GPU_IDLE_PERMILLE;
		total += permille;
		count++;
	}
	use->permille = count > 0 ? (int)(total / (long)count) : 0;
	return 3 * count >= 2 * slots;
}

struct gpu_use gpu_use_of(const struct metric_series *mean, const struct metric_window *window,
			  int64_t running_since_ms, int64_t now_ms)
{
	struct gpu_use use = { 0 };
	struct metric_sum sum = metrics_sum(mean);
	size_t first = first_slot(window, running_since_ms), from = sum.last;
	if (sum.count == 0)
		return use;
	use.at_ms = window->start_ms + (int64_t)(sum.last + 1) * window->period_ms;
	use.known = now_ms - use.at_ms <= GPU_OLD_MS &&
		    sum_up_lately(mean, first, sum.last, window, &use);
	use.idle = use.idle && use.known;
	/* Back to the last slot that was busy; a hole before it proves nothing. */
	for (size_t i = sum.last + 1; use.idle && i-- > first;) {
		if (mean->permille[i] >= GPU_IDLE_PERMILLE)
			break;
		if (mean->permille[i] != METRIC_HOLE)
			from = i;
	}
	use.for_ms = use.idle ? (int64_t)(sum.last + 1 - from) * window->period_ms : 0;
	return use;
}
