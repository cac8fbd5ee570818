#include "model/sorting.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void sorting_begin(struct sorting *sorting, void *items, size_t count, size_t size,
		   sorting_compare_fn *compare)
{
	*sorting = (struct sorting){
		.items = items,
		.spare = mem_new(count, size),
		.count = count,
		.size = size,
		.compare = compare,
		.width = 1,
		.right = 1,
	};
}

void sorting_release(struct sorting *sorting)
{
	free(sorting->items);
	free(sorting->spare);
	*sorting = (struct sorting){ 0 };
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The next of the pair goes to spare: of two equal ones that of the left. */
static void move_one(struct sorting *sorting, size_t middle, size_t end)
{
	size_t size = sorting->size, to = sorting->left + sorting->right - middle;
	const char *left = sorting->items + sorting->left * size;
	const char *right = sorting->items + sorting->right * size;
	bool from_left = sorting->right == end ||
			 (sorting->left < middle && sorting->compare(left, right) <= 0);
	memcpy(sorting->spare + to * size, from_left ? left : right, size);
	sorting->left += from_left;
	sorting->right += !from_left;
}

static void next_pair(struct sorting *sorting, size_t end)
{
	sorting->at = end;
	if (end == sorting->count) {
		char *sorted = sorting->spare;
		sorting->spare = sorting->items;
		sorting->items = sorted;
		sorting->width *= 2;
		sorting->at = 0;
	}
	sorting->left = sorting->at;
	sorting->right = least(sorting->at + sorting->width, sorting->count);
}

bool sorting_step(struct sorting *sorting, size_t *work)
{
	while (sorting->width < sorting->count) {
		size_t middle = least(sorting->at + sorting->width, sorting->count);
		size_t end = least(middle + sorting->width, sorting->count);
		for (; *work > 0 && (sorting->left < middle || sorting->right < end); --*work)
			move_one(sorting, middle, end);
		if (sorting->left < middle || sorting->right < end)
			return false;
		next_pair(sorting, end);
	}
	return true;
}
