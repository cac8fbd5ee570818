#include "views/text/columns.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

#define CELL_MAX (64u << 10)
#define ROW_MAX  (16u << 20)
#define GAP      "  "

void columns_add(struct columns *columns, const char *text)
{
	struct buf cell;
	const char *shown = text ? text : "-";
	buf_init(&cell, CELL_MAX);
	text_sanitise(&cell, shown, strlen(shown), TEXT_CELL, columns->ascii);
	columns->cells = mem_grow(columns->cells, &columns->capacity, columns->count + 1,
				  sizeof(*columns->cells));
	columns->cells[columns->count++] = buf_take(&cell);
}

static int column_width(const struct columns *columns, size_t column)
{
	int width = columns->titles ? text_width(columns->titles[column]) : 0;
	for (size_t i = column; i < columns->count; i += columns->width) {
		int cell = text_width(columns->cells[i]);
		width = cell > width ? cell : width;
	}
	return width;
}

/* Nothing stands behind the last cell that holds something. */
static void add_row(const struct columns *columns, const int *widths, const char *const *cells,
		    struct buf *row)
{
	size_t last = columns->width;
	while (last > 0 && cells[last - 1][0] == '\0')
		last--;
	(void)buf_add_text(row, columns->indent ? columns->indent : "");
	for (size_t i = 0; i + 1 < last; i++) {
		text_fit(row, cells[i], widths[i], true, columns->ascii);
		(void)buf_add_text(row, GAP);
	}
	(void)buf_add_text(row, last > 0 ? cells[last - 1] : "");
}

static void write_row(const struct columns *columns, const int *widths, const char *const *cells,
		      struct buf *out)
{
	struct buf row;
	buf_init(&row, ROW_MAX);
	add_row(columns, widths, cells, &row);
	if (columns->most > 0)
		text_fit(out, buf_text(&row), columns->most, false, columns->ascii);
	else
		(void)buf_add(out, buf_text(&row), row.len);
	(void)buf_add_char(out, '\n');
	buf_release(&row);
}

void columns_write(const struct columns *columns, struct buf *out)
{
	int *widths = mem_new(columns->width, sizeof(*widths));
	for (size_t i = 0; i < columns->width; i++)
		widths[i] = column_width(columns, i);
	if (columns->titles)
		write_row(columns, widths, columns->titles, out);
	for (size_t i = 0; i + columns->width <= columns->count; i += columns->width)
		write_row(columns, widths, (const char *const *)columns->cells + i, out);
	free(widths);
}

void columns_release(struct columns *columns)
{
	if (!columns)
		return;
	for (size_t i = 0; i < columns->count; i++)
		free(columns->cells[i]);
	free(columns->cells);
	columns->cells = NULL;
	columns->count = columns->capacity = 0;
}
