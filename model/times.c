#include "model/times.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define TAIL_MAX 1024 /* a tenth of a millisecond, with 50,000 that they go into */

void times_release(struct times *times)
{
	free(times->ms);
	*times = (struct times){ 0 };
}

void times_clear(struct times *times)
{
	times->count = times->sorted = 0;
}

static int ascending(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

/* Sorts what is new and moves it into its place from behind. */
void times_sort(struct times *times)
{
	size_t fresh = times->count - times->sorted;
	if (fresh == 0)
		return;
	int64_t *added = times->ms + times->sorted;
	qsort(added, fresh, sizeof(*added), ascending);
	if (times->sorted && added[0] < added[-1]) {
		int64_t *copy = mem_new(fresh, sizeof(*copy));
		memcpy(copy, added, fresh * sizeof(*copy));
		size_t old = times->sorted, at = times->count;
		while (fresh) {
			bool keep = old && times->ms[old - 1] > copy[fresh - 1];
			times->ms[--at] = keep ? times->ms[--old] : copy[--fresh];
		}
		free(copy);
	}
	times->sorted = times->count;
}

void times_add(struct times *times, int64_t ms)
{
	if (times->count == times->capacity)
		times->ms =
			mem_grow(times->ms, &times->capacity, times->count + 1, sizeof(*times->ms));
	if (times->sorted == times->count &&
	    (times->count == 0 || times->ms[times->count - 1] <= ms))
		times->sorted++;
	times->ms[times->count++] = ms;
	if (times->count - times->sorted >= TAIL_MAX)
		times_sort(times);
}
