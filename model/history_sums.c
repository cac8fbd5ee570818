#include "model/history_sums.h"

#include <stdlib.h>
#include <string.h>

#include "model/history_tally.h"

#define HOUR_MS   INT64_C(3600000)
#define MINUTE_MS INT64_C(60000)

static const int64_t bucket_ends[HISTORY_BUCKETS] = { MINUTE_MS,      5 * MINUTE_MS, 15 * MINUTE_MS,
						      30 * MINUTE_MS, HOUR_MS,       2 * HOUR_MS,
						      4 * HOUR_MS,    8 * HOUR_MS,   24 * HOUR_MS,
						      48 * HOUR_MS,   168 * HOUR_MS, INT64_MAX };

int64_t history_bucket_ms(size_t bucket)
{
	return bucket_ends[bucket];
}

void history_sums_make(const struct history *history, enum history_by by, int64_t since_ms,
		       struct history_sums *out)
{
	struct history_tally *tally = history_tally_new(history, by, since_ms);

	while (!history_tally_step(tally, history, SIZE_MAX))
		continue;
	history_tally_take(tally, out);
	history_tally_free(tally);
}

void history_sum_release(struct history_sum *sum)
{
	free(sum->key);
	free(sum->plans);
	*sum = (struct history_sum){ 0 };
}

bool history_sums_shed(struct history_sums *sums, size_t most)
{
	for (; most > 0 && sums->count > 0; most--)
		free(sums->rows[--sums->count].key);
	if (sums->count > 0)
		return false;
	history_sums_release(sums);
	return true;
}

void history_sums_release(struct history_sums *sums)
{
	if (!sums)
		return;
	for (size_t i = 0; i < sums->count; i++)
		history_sum_release(&sums->rows[i]);
	free(sums->rows);
	history_sum_release(&sums->all);
	history_sum_release(&sums->lists);
	history_sum_release(&sums->singles);
	*sums = (struct history_sums){ 0 };
}
