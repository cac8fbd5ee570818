/* Durations that are kept ascending while more come: sorted a thousand at a time, so that no single
 * call sorts them all. */
#ifndef GPUQ_TIMES_H
#define GPUQ_TIMES_H

#include <stddef.h>
#include <stdint.h>

/* {0} is empty. */
struct times {
	int64_t *ms; /* owned; ascending up to sorted, what came since stands behind */
	size_t count, capacity, sorted;
};

void times_release(struct times *times);

void times_add(struct times *times, int64_t ms);
/* All of them are ascending after it. */
void times_sort(struct times *times);
/* Forgets them, and keeps the room. */
void times_clear(struct times *times);

#endif
