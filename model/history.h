/*
 * Every job that this account, region and endpoint is known to have had, in few bytes each: for the
 * tables of the history and for the forecast. Filled from the database at the start and as jobs
 * change (aws/history_feed.h). {0} is empty.
 */
#ifndef GPUQ_HISTORY_H
#define GPUQ_HISTORY_H

#include "model/history_figures.h"
#include "model/texts.h"

/* The oldest that have ended make room, here and in the database. */
#define HISTORY_JOBS_MAX 50000

struct history_job {
	uint64_t key; /* of the ARN */
	int64_t created_ms, ended_ms;
	int64_t wait_ms, first_wait_ms, run_ms; /* where their flags say so */
	int64_t cost_micro;
	uint32_t name, stem, role, currency; /* texts; 0 = none */
	uint32_t plan; /* text: the ARN of the training plan that it was given; 0 = none, or open */
	uint32_t types[PREFS_MAX];
	int32_t counts[PREFS_MAX]; /* 0 = not known */
	uint32_t tag_at;           /* the first of its tags in `tags` */
	uint8_t tag_count;
	uint8_t entry_count, rank;
	uint8_t on_plan; /* a bit for each entry */
	uint8_t kind, phase, outcome;
	uint8_t price_source; /* of the cost; enum price_source */
	bool has_created : 1, has_ended : 1, has_wait : 1, has_first_wait : 1, has_run : 1,
		has_cost : 1;
	bool is_list : 1, has_groups : 1, spot : 1, has_details : 1, wait_final : 1;
};

#define HISTORY_REFUSALS_MAX   4096            /* kept here; the oldest make room */
#define HISTORY_REFUSAL_GAP_MS INT64_C(600000) /* sights that are nearer are one stretch */

/* A stretch in which a job was seen to wait for a type on demand: none of it was free. */
struct history_refusal {
	uint32_t type;              /* a text */
	int64_t since_ms, until_ms; /* of the first and the last sight; wall, by AWS's clock */
};

#define HISTORY_NOTES_MAX 4096 /* kept here; the oldest make room */

/* What was noted when a job was submitted: why its list has that order. */
struct history_note {
	enum job_kind kind;
	uint32_t name, text; /* texts */
	uint64_t revision;   /* of the history, when it was set; 0 = as it was kept */
};

/* The texts of tags are "key=value". */
struct history {
	struct texts texts;
	struct history_job *jobs; /* owned, in the order in which they came to be known */
	size_t count, capacity;
	uint32_t *index; /* owned table of positions + 1, by key */
	size_t index_size;
	uint32_t *tags; /* owned; texts */
	size_t tags_count, tags_capacity;
	struct history_refusal *refusals; /* owned, by their start */
	size_t refusal_count, refusal_capacity;
	struct history_note *notes; /* owned; the newest last */
	size_t note_count, note_capacity;
	uint64_t version; /* raised by each change */
	bool loaded;      /* what an earlier run has kept is in it, or there is none */
	bool lost;        /* what an earlier run has kept could not be read, or was damaged */
	char *trouble;    /* owned; why nothing is kept on disk, or NULL */
	char *notice;     /* owned; what has become of a damaged file, or NULL */
};

void history_release(struct history *history);

uint64_t history_key(const char *arn);

/* The job of that key, or NULL. Borrowed until the next change. */
const struct history_job *history_find(const struct history *history, uint64_t key);

/* Adds a job or takes it in place of what was known of it; its texts and tags are the history's. A
 * new one above HISTORY_JOBS_MAX is left out. */
void history_put(struct history *history, const struct history_job *job);

/* The same from a job as it is, and its figures. Tags that it does not tell stay as known, and so
 * does all of one whose details are known where it has none. */
void history_take(struct history *history, const struct job *job,
		  const struct history_figures *figures);

/* Adds to `tags`; returns the position of the first. */
uint32_t history_add_tags(struct history *history, const struct tag *tags, size_t count);

/* A job waits for the type at that moment. */
void history_refuse(struct history *history, const char *instance_type, int64_t at_ms);
/* The newest stretch of a type, or NULL. Borrowed until the next change. */
const struct history_refusal *history_last_refusal(const struct history *history,
						   const char *instance_type);
/* Adds one as it was kept; they come by their start. */
void history_add_refusal(struct history *history, const struct history_refusal *refusal);

/* Sets the note of a job, whether it is known yet or not; and as it was kept. */
void history_set_note(struct history *history, enum job_kind kind, const char *name,
		      const char *text);
void history_add_note(struct history *history, enum job_kind kind, const char *name,
		      const char *text);
/* NULL: there is none. Borrowed until the history is released. */
const char *history_note(const struct history *history, enum job_kind kind, const char *name);

/* What job i tells of its wait; false where it tells nothing (its list or its wait is not known).
 * The texts are borrowed until the next change. */
bool history_observe(const struct history *history, size_t i, struct observation *out);

#endif
