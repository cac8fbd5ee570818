#include "aws/retrier.h"

#include <math.h>

void retrier_init(struct retrier *retrier, uint64_t seed)
{
	*retrier = (struct retrier){ .max_tries = RETRY_TRIES_STANDARD,
				     .rules = &retry_rules_standard,
				     .quota = &retrier->own_quota };
	jitter_init(&retrier->jitter, seed);
	retry_quota_init(&retrier->own_quota);
}

static double next_random(struct retrier *retrier)
{
	return retrier->random ? retrier->random(retrier->ctx) : jitter_next(&retrier->jitter);
}

bool retrier_take(struct retrier *retrier, enum retry_kind kind, unsigned tries, int64_t hint_ms,
		  struct retry_pause *pause)
{
	double seconds;

	if (kind == RETRY_NOT || tries >= retrier->max_tries ||
	    !retry_quota_take(retrier->quota, retrier->rules, kind, &pause->cost))
		return false;
	seconds = retry_delay_s(retrier->rules, kind, tries - 1, next_random(retrier), hint_ms);
	pause->ms = llround(seconds * 1000);
	return true;
}
