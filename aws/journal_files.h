/*
 * The files of the journal: one record each in the folder `journal` of the state folder. Every
 * function waits for the disk and for the folder's lock: they are for the disk's thread. Folders
 * are made with mode 0700 and files with 0600; links and what belongs to others is refused.
 *
 * A record comes into being by link(2), which one of two programs can do, after its bytes are
 * flushed; it is changed by rename(2), and the folder is flushed after either. The lock keeps a
 * reading and the change that rests on it together; where a file system has none, the link still
 * lets one in alone.
 */
#ifndef GPUQ_JOURNAL_FILES_H
#define GPUQ_JOURNAL_FILES_H

#include <stdatomic.h>

#include "model/journal.h"

#define JOURNAL_FOLDER       "journal"
#define JOURNAL_RECORDS_MAX  1000 /* that are read at a start; more are an error */
#define JOURNAL_LOCK_WAIT_MS 5000

/* What was there when a record was to be claimed; release it. */
struct journal_found {
	enum journal_claim claim;     /* FREE, OWN and LEFT: it is ours now */
	struct journal_record record; /* as it was; {0} where there was none */
	char path[4096];              /* of the record */
};
void journal_found_release(struct journal_found *found);

/*
 * Claims the record's key and writes the record. Where an older one was this program's own, or left
 * by one that is gone, its first try's time is kept in record (a job may come of that one still);
 * if its name is another's, the claim is HELD: that name is to be settled first. *cancelled is
 * looked at last: true, and nothing is written (ERR_TIMEOUT). False with err: nothing is written.
 */
bool journal_files_claim(const char *folder, struct journal_record *record,
			 const atomic_bool *cancelled, struct journal_found *found,
			 struct err *err) MUST_CHECK;

/* Writes a record of this program's anew; without the lock, since nobody else may change it. */
bool journal_files_write(const char *folder, const struct journal_record *record,
			 struct err *err) MUST_CHECK;
/* Takes a record away; that there is none is well. */
bool journal_files_remove(const char *folder, const struct journal_record *record,
			  struct err *err) MUST_CHECK;

/* A record that was found, and what may be done with it. */
struct journal_item {
	enum journal_claim claim; /* of records that are not settled; LEFT: it is ours now */
	struct journal_record record;
};
struct journal_list {
	struct journal_item *items; /* owned, by file name */
	size_t count;
	/* Files that could not be read: each is named, and one that is damaged has been put aside
	 * as NAME.bad. */
	struct err *troubles; /* owned */
	size_t trouble_count;
};
/* Which are wanted. */
struct journal_query {
	const char *but;       /* the key of one that is left as it is; NULL = none */
	const char *signed_by; /* `key` of those that are taken over; NULL: any */
	int64_t wall_ms;       /* AWS's time: settled ones older than JOURNAL_KEEP_MS are removed */
};
/*
 * Reads all records, and takes over those that were left by programs that are gone. A folder that
 * does not exist holds none. False with err: the folder cannot be read.
 */
bool journal_files_list(const char *folder, const struct journal_query *query,
			struct journal_list *list, struct err *err) MUST_CHECK;
void journal_list_release(struct journal_list *list);

#endif
