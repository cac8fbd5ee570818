#include "model/history_fees.h"

#include <string.h>

/* False: amounts of two currencies do not add up. */
static bool add_fee(struct history_fees *out, const struct plan *plan)
{
	if (out->currency && strcmp(out->currency, plan->currency) != 0)
		return false;
	out->currency = plan->currency;
	out->sum.set = true;
	return !__builtin_add_overflow(out->sum.micro, plan->fee.micro, &out->sum.micro);
}

void history_fees_make(const struct history *history, const struct history_sum *sum,
		       const struct plan *plans, size_t plan_count, struct history_fees *out)
{
	bool adds_up = true;

	*out = (struct history_fees){ .plans = sum->plan_count };
	for (size_t i = 0; i < sum->plan_count; i++) {
		const char *arn = texts_at(&history->texts, sum->plans[i].arn);
		const struct plan *plan = plan_find(plans, plan_count, arn);

		out->starts += sum->plans[i].starts;
		if (!plan || !plan->fee.set || !plan->currency[0])
			out->unread++;
		else
			adds_up &= add_fee(out, plan);
	}
	if (!adds_up) {
		out->sum = (struct money){ 0 };
		out->currency = NULL;
	}
}

bool history_has_plans(const struct history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		if (history->jobs[i].plan)
			return true;
	}
	return false;
}
