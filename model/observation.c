#include "model/observation.h"

enum observation_try observation_first_try(const struct observation *observation, size_t i)
{
	if (observation->has_groups || observation->entries[i].on_plan)
		return TRY_NONE;
	if (observation->wait_ms > WAIT_AT_ONCE_MS || observation->outcome == WAIT_TIMED_OUT)
		return TRY_REFUSED;
	if (observation->outcome != WAIT_STARTED || i + 1 > observation->chosen_rank)
		return TRY_NONE;
	return i + 1 == observation->chosen_rank ? TRY_FREE : TRY_REFUSED;
}
