/* Rectangles by arithmetic alone: no curses, tested from 1x1 to 500x200. */
#ifndef GPUQ_LAYOUT_H
#define GPUQ_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct rect {
	int x, y, w, h; /* columns and lines; w or h <= 0: nothing to draw */
};

struct layout_part {
	int minimum; /* cells; a part that does not get its minimum gets 0 and is left out */
	int weight;  /* share of what is left; 0 = exactly the minimum */
};

/* Splits a length: sizes[i] for each part, in order; the sum never exceeds length. Parts are
 * dropped from the last when the minimums do not fit. */
void layout_split(int length, const struct layout_part *parts, size_t count, int *sizes);

struct rect layout_inset(struct rect outer, int by);
struct rect layout_row(struct rect outer, int line); /* one line inside, empty if outside */
bool layout_contains(struct rect outer, struct rect inner);

#endif
