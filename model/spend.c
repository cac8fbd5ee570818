#include "model/spend.h"

#define HOUR_S    3600
#define SECOND_MS INT64_C(1000)

struct opt_ms spend_time(struct money budget, struct money per_hour)
{
	if (!per_hour.set || per_hour.micro <= 0 || !budget.set || budget.micro < 0)
		return (struct opt_ms){ 0 };
	__extension__ __int128 seconds = budget.micro;
	seconds = seconds * HOUR_S / per_hour.micro;
	if (seconds > INT64_MAX / SECOND_MS)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ true, (int64_t)seconds * SECOND_MS };
}
