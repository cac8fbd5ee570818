#include "aws/slowdown.h"

int64_t slowdown_pace(const struct slowdown *slowdown, int64_t now_ms)
{
	int64_t lost = slowdown->lost;

	if (now_ms > slowdown->since_ms)
		lost -= (now_ms - slowdown->since_ms) / SLOWDOWN_STEP_MS;
	return SLOWDOWN_FULL - (lost > 0 ? lost : 0);
}

int64_t slowdown_stretch(const struct slowdown *slowdown, int64_t pause_ms, int64_t now_ms)
{
	return pause_ms * SLOWDOWN_FULL / slowdown_pace(slowdown, now_ms);
}

int64_t slowdown_over_ms(const struct slowdown *slowdown)
{
	if (slowdown->lost == 0)
		return INT64_MIN;
	return slowdown->since_ms + slowdown->lost * SLOWDOWN_STEP_MS;
}

void slowdown_note_throttled(struct slowdown *slowdown, unsigned count, int64_t now_ms)
{
	int64_t pace = slowdown_pace(slowdown, now_ms);

	for (unsigned i = 0; i < count && pace > SLOWDOWN_LEAST; i++)
		pace /= 2;
	pace = pace > SLOWDOWN_LEAST ? pace : SLOWDOWN_LEAST;
	*slowdown = (struct slowdown){ .lost = SLOWDOWN_FULL - pace, .since_ms = now_ms };
}

void slowdown_join(struct slowdown *slowdown, const struct slowdown *other, int64_t now_ms)
{
	if (slowdown_pace(other, now_ms) < slowdown_pace(slowdown, now_ms))
		*slowdown = *other;
}
