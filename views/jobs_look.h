/*
 * How somebody wants to see the job list: its columns, and by which of them it is sorted. Kept by
 * the screen, so that it lasts as long as the program does; the setting `columns` begins it.
 */
#ifndef GPUQ_JOBS_LOOK_H
#define GPUQ_JOBS_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"

#define JOBS_COLUMNS_MAX 16

struct jobs_look {
	uint8_t order[JOBS_COLUMNS_MAX]; /* positions in the table of columns (jobs_parts.h) */
	size_t count;                    /* 0 = those that fit, as the list has them by itself */
	size_t sort;                     /* position + 1; 0 = the order of the list (order.h) */
	bool reverse;
	bool wide;   /* all of them */
	size_t skip; /* columns behind the first that are scrolled away */
};

/* What the list shows now: the columns that were chosen, else the standard ones. Returns how many.
 */
size_t jobs_look_shown(const struct jobs_look *look, uint8_t out[JOBS_COLUMNS_MAX]);
/* Shows a column, behind the others, or hides it. False: the only one stays. */
bool jobs_look_toggle(struct jobs_look *look, size_t column);
/* Moves a shown column by one place; false where there is none. */
bool jobs_look_move(struct jobs_look *look, size_t column, bool down);
/* Sorts by the column, as it is mostly wanted; the other way round where it is by that already. */
void jobs_look_sort(struct jobs_look *look, size_t column);
/* From the setting: "name,wait,cost". Unknown names are left out, and told of in wrong. */
void jobs_look_read(struct jobs_look *look, const char *text, struct buf *wrong);

#endif
