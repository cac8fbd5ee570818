/*
 * SQLite with errors as the rest of the program has them, and what a fault of the file means. The
 * only file that knows sqlite3.h. Used on the disk's thread alone: a lock may be waited for.
 */
#ifndef GPUQ_SQL_H
#define GPUQ_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/err.h"

enum sql_fault {
	SQL_FINE,
	SQL_DAMAGED,   /* its bytes are no database, or not the one that was written */
	SQL_READ_ONLY, /* may be read, not written */
	SQL_FULL,      /* no space left */
	SQL_LOCKED,    /* by another program for longer than was to be waited */
	SQL_OTHER,
};

/* How several programs share the file. Write-ahead logs need memory in common, which files of a
 * network do not have: there it is the rollback journal (sqlite.org/wal.html). */
enum sql_journal { SQL_JOURNAL_WAL, SQL_JOURNAL_ROLLBACK };

/* The journal for a file system of that number (f_type of statfs). */
enum sql_journal sql_journal_for(uint32_t file_system);

struct sql;
struct sql_query;

enum sql_mode {
	SQL_WRITE,
	SQL_READ,      /* with the others that use the file */
	SQL_READ_STILL /* as if nobody else used it: where not even a lock can be written */
};

/* Opens a file that exists; what it is called is the subject of every error. lock_ms: that a lock
 * of another program is waited for. NULL with err. */
struct sql *sql_open(const char *path, enum sql_mode mode, int lock_ms, struct err *err);
/* Once all its queries are freed. NULL is accepted. */
void sql_close(struct sql *sql);

/* Chooses the journal; false with err where the file can be used with neither. */
bool sql_set_journal(struct sql *sql, enum sql_journal journal, struct err *err) MUST_CHECK;

/* What the last failure was. */
enum sql_fault sql_fault(const struct sql *sql);

/* Statements without parameters or results. */
bool sql_run(struct sql *sql, const char *text, struct err *err) MUST_CHECK;

/* Takes back what was begun; the last failure stays what it was. */
void sql_rollback(struct sql *sql);

/* One statement, for many runs; NULL with err. Free it with sql_query_free (NULL is accepted). */
struct sql_query *sql_query_new(struct sql *sql, const char *text, struct err *err);
void sql_query_free(struct sql_query *query);

/* Parameters, counted from 1; texts are borrowed until the query is run anew. NULL texts and what
 * is not set are null. */
void sql_bind(struct sql_query *query, int at, int64_t value);
void sql_bind_set(struct sql_query *query, int at, bool set, int64_t value);
void sql_bind_text(struct sql_query *query, int at, const char *text);

/* The next row; false with err, or at the end with err untouched. */
bool sql_next(struct sql_query *query, struct err *err) MUST_CHECK;
/* Runs to the end and makes it ready for another run. */
bool sql_finish(struct sql_query *query, struct err *err) MUST_CHECK;
/* Makes it ready for another run, wherever it stands. */
void sql_reset(struct sql_query *query);

/* Columns of the row, counted from 0; a text is borrowed until the next step, NULL for null. */
int64_t sql_integer(struct sql_query *query, int column);
bool sql_is_null(struct sql_query *query, int column);
const char *sql_text(struct sql_query *query, int column);

int64_t sql_last_id(const struct sql *sql);

#endif
