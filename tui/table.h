/*
 * Rows by columns with a cursor kept by identity. The table holds no row: the caller says how
 * many there are, what each cell says and which id stands where.
 */
#ifndef GPUQ_TABLE_H
#define GPUQ_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buf.h"
#include "tui/draw.h"

struct column {
	const char *id, *title;
	int minimum; /* columns */
	int weight;  /* share of what is left; 0 = exactly the minimum */
	bool right;  /* numbers */
	/* Writes the cell's text and its style. */
	void (*format)(const void *rows, size_t row, struct buf *out, enum style *style);
	/* A bar (chart_bar) of so many permille instead of the text; negative = the text. May be
	 * NULL. */
	int (*bar)(const void *rows, size_t row);
};

struct table {
	const struct column *columns;
	size_t column_count;
	size_t cursor;   /* row */
	size_t top;      /* first row shown */
	char *cursor_id; /* owned; NULL = none */
	/* The id of the column that the rows are sorted by, whose title says so; NULL = none. */
	const char *sorted;
	bool falls; /* the greatest first */
	/* A mark beside the cursor's place; NULL = no row has one. */
	bool (*marked)(const void *rows, size_t row);
	/* Another mark at the same place, where there is none of those; NULL = no row has it. */
	bool (*pinned)(const void *rows, size_t row);
	/* The row of an id, for who knows that better than by a look at each; may be NULL. */
	bool (*find)(const void *rows, const char *id, size_t *row);
};

/* After the rows changed: puts the cursor back on its id (or the nearest row). id_at gives a
 * row's id. */
void table_settle(struct table *table, size_t row_count, const void *rows,
		  const char *(*id_at)(const void *rows, size_t row));
/* Moves by delta rows and takes that row's id. */
void table_move(struct table *table, long delta, size_t row_count, const void *rows,
		const char *(*id_at)(const void *rows, size_t row));
/* Draws head and rows; at.h includes the head. Keeps the cursor in view. */
void table_draw(struct table *table, struct surface *out, struct rect at, const void *rows,
		size_t row_count);
/* The row at a line of the screen, of what was drawn last at that place; false: none. */
bool table_row_at(const struct table *table, struct rect at, int y, size_t row_count, size_t *row);
void table_release(struct table *table);

#endif
