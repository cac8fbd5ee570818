#include "tui/table.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/chart.h"

#define MORE_ROWS    4 /* that part of the height */
#define COLUMNS_MAX  32
#define CURSOR_WIDTH 2 /* the mark and a blank */
#define CELL_BYTES   4096

/* changing */

static void take_id(struct table *table, const void *rows,
		    const char *(*id_at)(const void *rows, size_t row))
{
	mem_set_text(&table->cursor_id, id_at(rows, table->cursor));
}

static bool find_row(const struct table *table, size_t row_count, const void *rows,
		     const char *(*id_at)(const void *rows, size_t row), size_t *found)
{
	const char *id = table->cursor_id;

	if (table->find)
		return table->find(rows, id, found);
	for (size_t row = 0; row < row_count; row++) {
		const char *here = id_at(rows, row);
		if (here && strcmp(here, id) == 0) {
			*found = row;
			return true;
		}
	}
	return false;
}

/* The cursor's line on the screen stays where it is, but for a list that stands at its top, which
 * goes on showing its first row. */
static void follow(struct table *table, size_t row)
{
	if (table->top > 0 && row > table->cursor)
		table->top += row - table->cursor;
	else if (row < table->cursor)
		table->top -= table->top < table->cursor - row ? table->top : table->cursor - row;
	table->cursor = row;
}

void table_settle(struct table *table, size_t row_count, const void *rows,
		  const char *(*id_at)(const void *rows, size_t row))
{
	size_t row;

	/* An empty list keeps the id: rows that come back find their cursor. */
	if (row_count == 0) {
		table->cursor = table->top = 0;
		return;
	}
	if (table->cursor_id && find_row(table, row_count, rows, id_at, &row)) {
		follow(table, row);
		return;
	}
	if (table->cursor >= row_count)
		table->cursor = row_count - 1;
	take_id(table, rows, id_at);
}

void table_move(struct table *table, long delta, size_t row_count, const void *rows,
		const char *(*id_at)(const void *rows, size_t row))
{
	if (row_count == 0)
		return;
	size_t last = row_count - 1;
	size_t row = table->cursor < last ? table->cursor : last;
	size_t by = delta < 0 ? 0 - (size_t)delta : (size_t)delta;

	if (delta < 0)
		row -= by < row ? by : row;
	else
		row += by < last - row ? by : last - row;
	table->cursor = row;
	take_id(table, rows, id_at);
}

bool table_row_at(const struct table *table, struct rect at, int y, size_t row_count, size_t *row)
{
	int line = y - at.y - 1; /* the head is no row */

	if (line < 0 || line >= at.h - 1 || (size_t)line >= row_count - table->top)
		return false;
	*row = table->top + (size_t)line;
	return true;
}

void table_release(struct table *table)
{
	if (!table)
		return;
	free(table->cursor_id);
	table->cursor_id = NULL;
}

/* drawing */

/* Each column's place; a blank stands between two, and one without room gets no width. */
static void place_columns(const struct table *table, struct rect at, size_t count,
			  struct rect *places)
{
	struct layout_part parts[COLUMNS_MAX] = { 0 };
	int sizes[COLUMNS_MAX];
	int x = at.x + CURSOR_WIDTH;

	for (size_t i = 0; i < count; i++)
		parts[i] = (struct layout_part){ table->columns[i].minimum + 1,
						 table->columns[i].weight };
	layout_split(at.w - CURSOR_WIDTH + 1, parts, count, sizes);
	for (size_t i = 0; i < count; i++) {
		places[i] = (struct rect){ x, at.y, sizes[i] > 0 ? sizes[i] - 1 : 0, 1 };
		x += sizes[i];
	}
}

static void draw_cell(struct surface *out, struct rect at, const struct column *column,
		      enum style style, const char *text)
{
	if (column->right)
		draw_text_right(out, at, style, text);
	else
		draw_text(out, at, style, text);
}

/* With an arrow where the rows are sorted by it; where there is no room, the arrow alone. */
static void draw_title(const struct table *table, struct surface *out, struct rect at,
		       const struct column *column)
{
	bool sorted = table->sorted && strcmp(table->sorted, column->id) == 0;
	struct buf title;

	buf_init(&title, CELL_BYTES);
	if (!sorted || text_width(column->title) < at.w)
		buf_add_text(&title, column->title);
	if (sorted)
		buf_add_text(&title,
			     draw_glyph(out, table->falls ? GLYPH_ARROW_DOWN : GLYPH_ARROW_UP));
	draw_cell(out, at, column, sorted ? STYLE_TITLE_FOCUS : STYLE_COLUMN, buf_text(&title));
	buf_release(&title);
}

static void scroll_to_cursor(struct table *table, size_t row_count, size_t height)
{
	if (table->cursor >= row_count)
		table->cursor = row_count ? row_count - 1 : 0;
	/* A step over the edge moves the window on by some rows: else a key held down repaints all
	 * of them at each step, which a slow link cannot follow. */
	size_t more = height / MORE_ROWS;
	if (table->cursor + 1 == table->top)
		table->top = table->cursor > more ? table->cursor - more : 0;
	else if (table->cursor < table->top)
		table->top = table->cursor;
	else if (height > 0 && table->cursor - table->top == height)
		table->top = table->cursor - height + 1 + more;
	else if (height > 0 && table->cursor - table->top > height)
		table->top = table->cursor - height + 1;
	/* No empty lines below the last row while rows are hidden above. */
	if (row_count < height)
		table->top = 0;
	else if (table->top > row_count - height)
		table->top = row_count - height;
}

static void draw_row(const struct table *table, struct surface *out, struct rect at,
		     const struct rect *places, size_t count, const void *rows, size_t row)
{
	struct buf text;

	draw_clear(out, at);
	buf_init(&text, CELL_BYTES);
	for (size_t i = 0; i < count; i++) {
		enum style style = STYLE_TEXT;
		struct rect cell = { places[i].x, at.y, places[i].w, 1 };
		if (cell.w <= 0)
			continue;
		int permille = table->columns[i].bar ? table->columns[i].bar(rows, row) : -1;
		if (permille >= 0) {
			chart_bar(out, cell, permille);
			continue;
		}
		buf_clear(&text);
		table->columns[i].format(rows, row, &text, &style);
		draw_cell(out, cell, &table->columns[i], style, buf_text(&text));
	}
	buf_release(&text);
	struct rect mark = { at.x + 1, at.y, at.w < 2 ? 0 : 1, 1 };
	if (table->marked && table->marked(rows, row))
		draw_text(out, mark, STYLE_DRAFT, draw_glyph(out, GLYPH_CHECK));
	else if (table->pinned && table->pinned(rows, row))
		draw_text(out, mark, STYLE_DRAFT, draw_glyph(out, GLYPH_ARROW_UP));
	if (row != table->cursor)
		return;
	draw_text(out, (struct rect){ at.x, at.y, at.w < 1 ? at.w : 1, 1 }, STYLE_TEXT,
		  draw_glyph(out, GLYPH_CURSOR));
	draw_highlight(out, at, STYLE_SELECTED);
}

void table_draw(struct table *table, struct surface *out, struct rect at, const void *rows,
		size_t row_count)
{
	struct rect places[COLUMNS_MAX];
	size_t count = table->column_count < COLUMNS_MAX ? table->column_count : COLUMNS_MAX;

	if (at.w <= 0 || at.h <= 0)
		return;
	place_columns(table, at, count, places);
	draw_text(out, layout_row(at, 0), STYLE_COLUMN, "");
	for (size_t i = 0; i < count; i++)
		draw_title(table, out, places[i], &table->columns[i]);
	scroll_to_cursor(table, row_count, (size_t)at.h - 1);
	for (int line = 1; line < at.h; line++) {
		size_t row = table->top + (size_t)line - 1;
		if (row < row_count)
			draw_row(table, out, layout_row(at, line), places, count, rows, row);
		else
			draw_clear(out, layout_row(at, line));
	}
}
