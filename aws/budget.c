#include "aws/budget.h"

void budget_init(struct budget *budget, int64_t gap_ms, int64_t steady_ms, int64_t burst)
{
	*budget = (struct budget){
		.gap_ms = gap_ms, .steady_ms = steady_ms, .burst = burst, .last_ms = INT64_MIN
	};
}

static int64_t stretch(const struct budget *budget, int64_t pause_ms, int64_t now_ms)
{
	return slowdown_stretch(&budget->slowdown, pause_ms, now_ms);
}

/* What is spent is earned again with time. */
static int64_t spent_by(const struct budget *budget, int64_t now_ms)
{
	int64_t earned = (now_ms - budget->last_ms) * slowdown_pace(&budget->slowdown, now_ms) /
			 SLOWDOWN_FULL;

	return earned < budget->spent_ms ? budget->spent_ms - earned : 0;
}

int64_t budget_ready_ms(const struct budget *budget, int64_t now_ms)
{
	int64_t ready, over;

	if (budget->last_ms == INT64_MIN)
		return now_ms;
	ready = budget->last_ms + stretch(budget, budget->gap_ms, now_ms);
	if (budget->steady_ms == 0)
		return ready;
	over = spent_by(budget, now_ms) - (budget->burst - 1) * budget->steady_ms;
	if (over > 0 && now_ms + stretch(budget, over, now_ms) > ready)
		ready = now_ms + stretch(budget, over, now_ms);
	return ready;
}

void budget_note_start(struct budget *budget, int64_t now_ms)
{
	int64_t spent = budget->last_ms == INT64_MIN ? 0 : spent_by(budget, now_ms);

	budget->spent_ms = spent + budget->steady_ms;
	budget->last_ms = now_ms;
}
