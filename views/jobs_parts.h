/* The job list's own state, for its two files: jobs.c and jobs_columns.c. */
#ifndef GPUQ_JOBS_PARTS_H
#define GPUQ_JOBS_PARTS_H

#include "model/order.h"
#include "tui/table.h"
#include "views/pane.h"

struct row {
	const struct draft *draft; /* a row that is no job; NULL: */
	size_t at;                 /* in the store */
	struct order_place place;
};

/* What the last frame learnt: where the rows scrolled to and how many fit. */
struct view {
	struct table table;
	int height;
};

struct rows {
	struct row *items; /* owned */
	size_t count, capacity;
};

struct jobs_state {
	struct ui *ui;
	struct rows locals; /* they are no jobs, and stand first */
	struct rows jobs;   /* of the store's version below */
	size_t count;       /* of both */
	uint64_t version;
	int64_t collected_ms; /* by AWS's clock */
	bool selecting;       /* tells the others of a selection: the rows are right already */
	bool settled;         /* the cursor has a job of its own, not just the first row */
	char filter[sizeof(((struct ui *)0)->filter)]; /* that the rows were made with */
	bool pending_only;
	struct view *view; /* owned; drawing may write it through a const state */
};

/* The job of a row that is one: rows are made anew at each refresh, and should the store have
 * shrunk before one, the last job stands in for those beyond it. */
const struct job *jobs_job_at(const struct jobs_state *state, size_t row);
/* NULL: the row is a job. */
const struct draft *jobs_draft_at(const void *rows, size_t row);
/* The columns that fit into width. */
void jobs_choose_columns(struct table *table, int width);

#endif
