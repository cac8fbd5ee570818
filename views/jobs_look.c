#include "views/jobs_look.h"

#include <string.h>

#include "views/jobs_parts.h"

#define STANDARD_COLUMNS 8 /* the first ones of the table */

size_t jobs_look_shown(const struct jobs_look *look, uint8_t out[JOBS_COLUMNS_MAX])
{
	for (size_t i = 0; i < look->count; i++)
		out[i] = look->order[i];
	for (size_t i = 0; look->count == 0 && i < STANDARD_COLUMNS; i++)
		out[i] = (uint8_t)i;
	return look->count > 0 ? look->count : STANDARD_COLUMNS;
}

/* From here on the columns are somebody's choice. */
static void choose(struct jobs_look *look)
{
	look->count = jobs_look_shown(look, look->order);
}

static size_t place_of(const struct jobs_look *look, size_t column)
{
	size_t at = 0;
	while (at < look->count && look->order[at] != column)
		at++;
	return at;
}

bool jobs_look_toggle(struct jobs_look *look, size_t column)
{
	choose(look);
	size_t at = place_of(look, column);
	if (at == look->count) {
		look->order[look->count++] = (uint8_t)column;
		return true;
	}
	if (look->count == 1)
		return false;
	memmove(&look->order[at], &look->order[at + 1], look->count - at - 1);
	look->count--;
	return true;
}

bool jobs_look_move(struct jobs_look *look, size_t column, bool down)
{
	choose(look);
	size_t at = place_of(look, column), other = down ? at + 1 : at - 1;
	if (at == look->count || (!down && at == 0) || other >= look->count)
		return false;
	look->order[at] = look->order[other];
	look->order[other] = (uint8_t)column;
	return true;
}

void jobs_look_sort(struct jobs_look *look, size_t column)
{
	look->reverse = look->sort == column + 1 && !look->reverse;
	look->sort = column + 1;
}

static void read_one(struct jobs_look *look, const char *name, size_t len, struct buf *wrong)
{
	for (size_t i = 0; i < jobs_column_count; i++) {
		const char *id = jobs_columns[i].column.id;
		if (strncmp(id, name, len) != 0 || id[len] != '\0')
			continue;
		if (place_of(look, i) == look->count && look->count < JOBS_COLUMNS_MAX)
			look->order[look->count++] = (uint8_t)i;
		return;
	}
	buf_addf(wrong, "%s%.*s", wrong->len > 0 ? ", " : "", (int)len, name);
}

void jobs_look_read(struct jobs_look *look, const char *text, struct buf *wrong)
{
	look->count = 0;
	while (*text) {
		text += strspn(text, ", \t");
		size_t len = strcspn(text, ", \t");
		if (len > 0)
			read_one(look, text, len, wrong);
		text += len;
	}
}
