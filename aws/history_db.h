/*
 * The history on disk: one SQLite file in the state folder (0600; no link is followed). All of it
 * is used on one thread and may wait there for locks. It never holds Environment or
 * HyperParameters, nor what may quote them: requests, and reasons of failure other than those of
 * capacity (of a script AWS quotes the command line with its hyperparameters).
 */
#ifndef GPUQ_HISTORY_DB_H
#define GPUQ_HISTORY_DB_H

#include "model/history.h"

#define HISTORY_DB_NAME "history.sqlite"

/* A job to keep, or as it was kept; {0} is valid. */
struct recorded {
	struct job job; /* owned; without request, reason (but capacity's) and image; no tags: those
			 * kept stay */
	struct history_figures figures; /* unused when read */
	int64_t seen_ms; /* wall, by AWS's clock: an older sight does not replace a newer one */
};
void recorded_release(struct recorded *recorded);
void recorded_free(struct recorded *list, size_t count);
/* Copies what is kept of a job. */
void recorded_set_job(struct recorded *recorded, const struct job *job);

struct history_db;

/* What there is to say of the file: {0} = it is kept as it should be. */
struct history_told {
	struct err err;  /* why nothing is kept (it can be tried again), or why it was set aside */
	char aside[128]; /* the new name of a damaged file; "" = none was set aside */
};
void history_told_release(struct history_told *told);

/*
 * Opens the file in a folder, both made if they are missing. A damaged file is set aside under a
 * name that says so, and a new one begun. Where it cannot be written but read, it is opened for
 * that. NULL: neither; told says why. Of a newer gpuq: NULL, and the file stays as it is.
 * lock_ms: that a lock of another program is waited for, each time.
 */
struct history_db *history_db_open(const char *folder, int lock_ms, struct history_told *told);
/* The same for a file that has turned out to be damaged while it was read: it is set aside first,
 * if it is still the one of that name. */
struct history_db *history_db_renew(const char *folder, int lock_ms, struct history_told *told);
/* NULL is accepted. */
void history_db_close(struct history_db *db);
/* It was opened for reading alone. */
bool history_db_is_read_only(const struct history_db *db);
/* The file that was opened is not the one of that name any more: another program has set it aside,
 * or somebody removed it. */
bool history_db_is_gone(const struct history_db *db);
/* The last failure said that the file is damaged. */
bool history_db_is_damaged(const struct history_db *db);

/* Keeps all of them or, with err, none. */
bool history_db_save(struct history_db *db, const struct recorded *list, size_t count,
		     struct err *err) MUST_CHECK;

/* A part of the jobs that were live when last seen, which come first, or have ended since, the last
 * ones before those that ended earlier. */
struct history_part {
	int64_t since_ms;
	size_t skip, most;
};
/* An array to be freed with recorded_free. False with err; what was read until then is there. */
bool history_db_load_since(struct history_db *db, const struct history_part *part,
			   struct recorded **list, size_t *count, struct err *err) MUST_CHECK;

/* A stretch as it is kept; what was kept of the same start is replaced. */
struct recorded_refusal {
	char instance_type[TYPE_NAME_SIZE];
	int64_t since_ms, until_ms;
};
bool history_db_save_refusals(struct history_db *db, const struct recorded_refusal *list,
			      size_t count, struct err *err) MUST_CHECK;

/* Why a job's list has its order; what was kept of the same job is replaced. Texts are owned. */
struct recorded_note {
	enum job_kind kind;
	char *name, *text;
};
/* set_ms: wall, by AWS's clock. */
bool history_db_save_notes(struct history_db *db, const struct recorded_note *list, size_t count,
			   int64_t set_ms, struct err *err) MUST_CHECK;

/* All jobs, at most HISTORY_JOBS_MAX: the oldest above that are removed first. With the newest
 * refusals and notes. */
bool history_db_load_all(struct history_db *db, struct history *history,
			 struct err *err) MUST_CHECK;

/* A fact by name, such as how far a first fill has come; NULL text removes it. */
bool history_db_set_fact(struct history_db *db, const char *name, const char *text,
			 struct err *err) MUST_CHECK;
/* A copy to free, or NULL: there is none (then err is untouched), or with err. */
char *history_db_fact(struct history_db *db, const char *name, struct err *err);

#endif
