/*
 * The preferences pane in two halves: what stands in it and how it is painted (editor_rows.c),
 * and what its keys do (preferences.c).
 */
#ifndef GPUQ_EDITOR_H
#define GPUQ_EDITOR_H

#include "views/pane.h"

enum editor_pick { PICK_INSERT, PICK_TYPE };

struct editor {
	struct ui *ui;
	char *arn;             /* owned; the job that the cursor belongs to */
	size_t cursor;         /* a row: the entries, then the findings */
	enum editor_pick pick; /* what the open picker is for, where, and in whose list */
	size_t pick_at;
	char *pick_arn; /* owned */
	uint32_t digit; /* the last raw key: which of 1 to 5 was pressed */
};

/* What the pane shows, worked out anew each time: nothing can be out of date. */
struct editor_look {
	const struct job *job;           /* NULL = none selected */
	const struct draft *draft;       /* NULL = none */
	const struct preferences *prefs; /* NULL = not known */
	struct findings findings;
	size_t rows;   /* entries and findings: where the cursor can stand */
	size_t cursor; /* within rows; 0 where there are none */
};

/* Allocated (it is large); free with free(). */
struct editor_look *editor_look_new(const struct editor *editor);

/* Why the list of the job cannot be edited, as a sentence; "" = it can. */
void editor_why_not(const struct job *job, struct buf *out);

void editor_draw(const struct editor *editor, struct surface *out, struct rect at, bool focused);
int editor_lines(const struct editor *editor);

#endif
