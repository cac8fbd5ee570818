/* Shared by aws/history_db.c (the file) and aws/history_rows.c (what stands in it) alone. */
#ifndef GPUQ_HISTORY_DB_PARTS_H
#define GPUQ_HISTORY_DB_PARTS_H

#include "aws/history_db.h"
#include "aws/sql.h"
#include "model/base/disk.h"

/* Of the statements that are run for each job. */
enum history_query {
	QUERY_FIND_TEXT,
	QUERY_ADD_TEXT,
	QUERY_PUT_JOB,
	QUERY_COST,
	QUERY_DROP_ENTRIES,
	QUERY_PUT_ENTRY,
	QUERY_DROP_TRANSITIONS,
	QUERY_PUT_TRANSITION,
	QUERY_DROP_TAGS,
	QUERY_PUT_TAG,
	QUERY_ENTRIES,
	QUERY_TRANSITIONS,
	QUERY_COUNT
};

struct history_db {
	struct sql *sql;
	char *path; /* owned */
	int lock_ms;
	bool read_only;
	uint64_t device, inode;                 /* of the file that was opened */
	struct sql_query *queries[QUERY_COUNT]; /* owned; made when first used */
};

/* The schema's steps: entry i leads from user_version i to i + 1. */
extern const char *const history_migrations[];
extern const int history_version;

/* The statement, ready to be bound; NULL with err. */
struct sql_query *history_query(struct history_db *db, enum history_query which, struct err *err);

#endif
