/* The job list's own state, for its two files: jobs.c and jobs_columns.c. */
#ifndef GPUQ_JOBS_PARTS_H
#define GPUQ_JOBS_PARTS_H

#include "model/order.h"
#include "tui/table.h"
#include "views/pane.h"

/* Small: there may be 100,000. */
struct row {
	struct order_place place;
	/* By the column that it is sorted by; all of it 0 = by the place alone. */
	union {
		int64_t figure;
		const char *text;          /* borrowed from the job */
		const struct draft *draft; /* of a row that is no job: one of the locals */
	} key;
	uint32_t at; /* in the store */
	bool is_text, falls, known;
	bool pinned; /* before all others */
};

/* A column of the list: what a row says, and what it is sorted by: a text, a figure of its own, or
 * that of a field of the filter; all NULL: it cannot be sorted by. */
struct jobs_column {
	struct column column;
	const char *help;
	const char *(*text)(const struct job *job); /* NULL = not known */
	bool (*figure)(const struct job *job, int64_t *out);
	const char *field;
	bool greatest_first;
};
extern const struct jobs_column jobs_columns[];
extern const size_t jobs_column_count;

/* What the last frame learnt: where the rows scrolled to and how many fit. */
struct view {
	struct table table;
	struct column columns[JOBS_COLUMNS_MAX]; /* that are shown */
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
	size_t sort; /* as of the look */
	bool reverse;
	bool anew;      /* pins or what is followed have changed: make the rows anew */
	bool is_frozen; /* the rows are these, in this order: */
	char **frozen;  /* owned, each too: ARNs */
	size_t frozen_count;
	char *range_id;    /* owned: where a range of marks begins; NULL = there is none */
	size_t range_row;  /* the same, a row */
	struct view *view; /* owned; drawing may write it through a const state */
};

/* The job of a row that is one: rows are made anew at each refresh, and should the store have
 * shrunk before one, the last job stands in for those beyond it. */
const struct job *jobs_job_at(const struct jobs_state *state, size_t row);
/* NULL: the row is a job. */
const struct draft *jobs_draft_at(const void *rows, size_t row);
/* The ARN of a row's job, or what stands for one. */
const char *jobs_id_at(const void *rows, size_t row);
/* find.c: the next match of the last search, or the one before; says which. */
void jobs_find_next(struct jobs_state *state, bool back);
struct find_argument {
	struct jobs_state *jobs; /* outlives the line */
};
extern const struct pane_ops find_pane;
/* jobs_hold.c: the keys m, F and v; Esc while there is a range. */
void jobs_pin(void *state);
void jobs_follow(void *state);
void jobs_range(void *state);
bool jobs_feed(void *state, struct key key, const char *paste);
bool jobs_is_pinned(const struct ui *ui, const struct job *job);
/* Pinned or followed: it has a row, whatever the filter says. */
bool jobs_holds(const struct ui *ui, const struct job *job);
/* What is followed goes on as another job (its requeue; NULL: no longer), if anything is. */
void jobs_follow_on(struct jobs_state *jobs, const char *arn);
/* The rows are new: the cursor is to be on what is followed; where the range begins now. */
void jobs_take_followed(struct jobs_state *jobs);
void jobs_settle_range(struct jobs_state *jobs);
bool jobs_in_range(const struct jobs_state *jobs, size_t row);
/* jobs_freeze.c: the key Z; the rows that the list has now are kept from here on; they are found
 * again in a store that has changed; none is kept any more. */
void jobs_freeze(void *state);
void jobs_keep_frozen(struct jobs_state *jobs);
void jobs_collect_frozen(struct jobs_state *jobs);
void jobs_thaw(struct jobs_state *jobs);
/* Moves the cursor by so many rows, as far as there are some, and selects. */
void jobs_move_by(struct jobs_state *state, long delta);
/* The columns that are chosen, else those that fit into width. */
void jobs_choose_columns(const struct jobs_look *look, struct view *view, int width);

/* jobs_sort.c: what a row is sorted by; the order that the look wants, of jobs_order the standard
 * one reversed. */
void jobs_sort_key(const struct jobs_look *look, const struct job *job,
		   const struct filter_ask *ask, struct row *row);
int jobs_order(const void *a, const void *b);
int jobs_order_back(const void *a, const void *b);

#endif
