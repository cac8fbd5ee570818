/* An entry of the preferences pane as cells in columns; those without room are left out. */
#ifndef GPUQ_EDITOR_CELLS_H
#define GPUQ_EDITOR_CELLS_H

#include "views/editor.h"

/* In the order of the row. Of the three of the quota the longest that fits is shown. */
enum cell {
	CELL_TYPE,
	CELL_COUNT,
	CELL_PLAN,
	CELL_HARDWARE,
	CELL_PRICE,
	CELL_CHANCE,      /* "wins 62 % p50 38m" */
	CELL_QUOTA,       /* "needs 2, 3 of 16 in use" */
	CELL_QUOTA_BRIEF, /* "quota 2+3 of 16" */
	CELL_QUOTA_SHORT, /* "2+3 of 16" */
	CELLS
};

struct cells {
	struct buf text[CELLS];
	enum style styles[CELLS];
	bool foretold; /* its chance is known */
	bool plain;    /* on demand: what is meant where nothing is said */
};

/* Entry i; release it. times is the sign before a count. */
void cells_fill(struct cells *cells, const struct editor *editor, const struct editor_look *look,
		size_t i, const char *times);
void cells_release(struct cells *cells);

/* The columns of each cell over all rows; 0 for one that is left out. */
void cells_measure(const struct cells *rows, size_t count, int columns, int widths[CELLS]);
/* One line: "#1" and the cells; the cursor's place before them stays free. */
void cells_draw(const struct cells *cells, const int widths[CELLS], size_t rank,
		struct surface *out, struct rect line);

#endif
