#include "views/marks.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

/* Its place, or count. */
static size_t find(const struct marks *marks, const char *arn)
{
	size_t i = 0;
	while (i < marks->count && strcmp(marks->arns[i], arn) != 0)
		i++;
	return i;
}

static void remove_at(struct marks *marks, size_t at)
{
	free(marks->arns[at]);
	marks->count--;
	memmove(marks->arns + at, marks->arns + at + 1, (marks->count - at) * sizeof(*marks->arns));
}

bool marks_has(const struct marks *marks, const char *arn)
{
	return find(marks, arn) < marks->count;
}

void marks_toggle(struct marks *marks, const char *arn)
{
	size_t at = find(marks, arn);
	if (at < marks->count) {
		remove_at(marks, at);
		return;
	}
	marks->arns =
		mem_grow(marks->arns, &marks->capacity, marks->count + 1, sizeof(*marks->arns));
	marks->arns[marks->count++] = mem_copy_text(arn);
}

void marks_settle(struct marks *marks, const struct store *store)
{
	for (size_t i = marks->count; i > 0; i--)
		if (!store_find(store, marks->arns[i - 1]))
			remove_at(marks, i - 1);
}

void marks_clear(struct marks *marks)
{
	while (marks->count > 0)
		remove_at(marks, marks->count - 1);
	free(marks->arns);
	*marks = (struct marks){ 0 };
}
