#include "aws/budget.h"

void budget_init(struct budget *budget, int64_t gap_ms, int64_t steady_ms, int64_t burst)
{
	*budget = (struct budget){ .gap_ms = gap_ms,
				   .steady_ms = steady_ms,
				   .burst = burst,
				   .pace = BUDGET_PACE_FULL,
				   .last_ms = INT64_MIN };
}

int64_t budget_pace(const struct budget *budget, int64_t now_ms)
{
	int64_t pace = budget->pace;

	if (pace < BUDGET_PACE_FULL && now_ms > budget->paced_ms)
		pace += (now_ms - budget->paced_ms) / BUDGET_RECOVERY_STEP;
	return pace < BUDGET_PACE_FULL ? pace : BUDGET_PACE_FULL;
}

int64_t budget_stretch(const struct budget *budget, int64_t pause_ms, int64_t now_ms)
{
	return pause_ms * BUDGET_PACE_FULL / budget_pace(budget, now_ms);
}

/* What is spent is earned again with time. */
static int64_t spent_by(const struct budget *budget, int64_t now_ms)
{
	int64_t earned =
		(now_ms - budget->last_ms) * budget_pace(budget, now_ms) / BUDGET_PACE_FULL;

	return earned < budget->spent_ms ? budget->spent_ms - earned : 0;
}

int64_t budget_ready_ms(const struct budget *budget, int64_t now_ms)
{
	int64_t ready, over;

	if (budget->last_ms == INT64_MIN)
		return now_ms;
	ready = budget->last_ms + budget_stretch(budget, budget->gap_ms, now_ms);
	if (budget->steady_ms == 0)
		return ready;
	over = spent_by(budget, now_ms) - (budget->burst - 1) * budget->steady_ms;
	if (over > 0 && now_ms + budget_stretch(budget, over, now_ms) > ready)
		ready = now_ms + budget_stretch(budget, over, now_ms);
	return ready;
}

void budget_note_start(struct budget *budget, int64_t now_ms)
{
	int64_t spent = budget->last_ms == INT64_MIN ? 0 : spent_by(budget, now_ms);

	budget->spent_ms = spent + budget->steady_ms;
	budget->last_ms = now_ms;
}

void budget_note_throttled(struct budget *budget, unsigned count, int64_t now_ms)
{
	int64_t pace = budget_pace(budget, now_ms);

	for (unsigned i = 0; i < count && pace > BUDGET_PACE_LEAST; i++)
		pace /= 2;
	budget->pace = pace > BUDGET_PACE_LEAST ? pace : BUDGET_PACE_LEAST;
	budget->paced_ms = now_ms;
}
