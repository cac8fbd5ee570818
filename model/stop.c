#include "model/stop.h"

void stop_stakes_add(struct stop_stakes *stakes, const struct job *job,
		     const struct price_book *book, int64_t now_ms)
{
	struct cost cost = price_job_cost(job, book, now_ms);
	if (job_phase(job) == PHASE_PENDING)
		return;
	if (!cost.per_hour.set ||
	    __builtin_add_overflow(stakes->per_hour_micro, cost.per_hour.micro,
				   &stakes->per_hour_micro)) {
		stakes->unknown = true;
		return;
	}
	stakes->currency = cost.currency;
	if (cost.source > stakes->source)
		stakes->source = cost.source;
}

bool stop_stakes_are_high(const struct stop_stakes *stakes, int64_t confirm_above_micro)
{
	return stakes->unknown || stakes->per_hour_micro > confirm_above_micro;
}

const char *stop_outcome_word(enum stop_outcome outcome)
{
	static const char *const words[] = {
		[STOP_DONE] = "stopping", [STOP_OVER] = "over",     [STOP_GONE] = "unknown",
		[STOP_OWNED] = "owned",   [STOP_FAILED] = "failed",
	};
	return words[outcome];
}
