#include "model/numbers.h"

#include <stdlib.h>

#include "model/base/mem.h"

void numbers_add(struct numbers *numbers, int64_t number)
{
	numbers->items = mem_grow(numbers->items, &numbers->capacity, numbers->count + 1,
				  sizeof(*numbers->items));
	numbers->items[numbers->count++] = number;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

void numbers_sort(struct numbers *numbers)
{
	if (numbers->count > 1)
		qsort(numbers->items, numbers->count, sizeof(*numbers->items), compare);
}

bool numbers_at(const struct numbers *numbers, size_t percent, int64_t *number)
{
	size_t rank = (numbers->count * percent + 99) / 100;

	if (numbers->count == 0)
		return false;
	*number = numbers->items[rank > 0 ? rank - 1 : 0];
	return true;
}

void numbers_release(struct numbers *numbers)
{
	free(numbers->items);
	*numbers = (struct numbers){ 0 };
}
