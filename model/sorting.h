/* A stable merge sort in steps of bounded work, for a loop that has keys to answer between them. */
#ifndef GPUQ_SORTING_H
#define GPUQ_SORTING_H

#include <stdbool.h>
#include <stddef.h>

typedef int sorting_compare_fn(const void *a, const void *b); /* as of qsort */

struct sorting {
	char *items, *spare; /* owned; sorted ones are in items at the end */
	size_t count, size;
	sorting_compare_fn *compare;
	/* Runs of width are sorted; the pair that begins at `at` is being merged into spare. */
	size_t width, at, left, right;
};

/* Takes an array of count items of size bytes. */
void sorting_begin(struct sorting *sorting, void *items, size_t count, size_t size,
		   sorting_compare_fn *compare);
void sorting_release(struct sorting *sorting);

/* Takes from *work what it has moved, an item each; true: all is sorted. */
bool sorting_step(struct sorting *sorting, size_t *work);

#endif
