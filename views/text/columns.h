/*
 * Aligned columns of plain text: cells are collected row by row, then written with widths that fit
 * all. Cells are made harmless as they come in. {0} but for the first members is empty; release it.
 */
#ifndef GPUQ_COLUMNS_H
#define GPUQ_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buf.h"

struct columns {
	size_t width;              /* cells in a row */
	const char *const *titles; /* width of them, or NULL for no head */
	const char *indent;        /* before each row, or NULL */
	bool ascii;
	int most;     /* columns of a row, which is cut to it; 0 = rows are whole */
	char **cells; /* owned */
	size_t count, capacity;
};

/* Adds the next cell of the row (NULL = "-"). */
void columns_add(struct columns *columns, const char *text);

/* Writes all whole rows; the last column is not padded. */
void columns_write(const struct columns *columns, struct buf *out);

void columns_release(struct columns *columns);

#endif
