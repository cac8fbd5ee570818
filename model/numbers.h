/* A growing list of whole numbers, and what stands in it at a percentage. {0} is empty. */
#ifndef GPUQ_NUMBERS_H
#define GPUQ_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbers {
	int64_t *items; /* owned */
	size_t count, capacity;
};

void numbers_add(struct numbers *numbers, int64_t number);
/* The smallest first. */
void numbers_sort(struct numbers *numbers);
/* Of sorted ones the number by the nearest rank: at or below it lie so many percent of them. False:
 * there is none. */
bool numbers_at(const struct numbers *numbers, size_t percent, int64_t *number);
/* Makes it {0}. */
void numbers_release(struct numbers *numbers);

#endif
