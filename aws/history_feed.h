/*
 * Keeps the history of a place: reads what earlier runs kept when the folder is known, hands it to
 * the store, and writes each job that changes a moment later. A thread of its own does the work on
 * the file: a lock or a slow disk delays neither a key nor a submission.
 */
#ifndef GPUQ_HISTORY_FEED_H
#define GPUQ_HISTORY_FEED_H

#include "aws/transport.h"
#include "model/base/clock.h"
#include "model/store.h"

#define HISTORY_SAVE_MS  1000  /* from the first change to the write */
#define HISTORY_RETRY_MS 60000 /* from a failure to the next try */
#define HISTORY_FILL_MS  60000 /* between two writes of how far the search has come */
#define HISTORY_SIGHT_MS 60000 /* between two looks at what is not free */
#define HISTORY_LOCK_MS  2000  /* that another program's lock is waited for */

struct history_feed_options {
	struct store *store;       /* borrowed */
	const struct clock *clock; /* borrowed */
	struct wait_hooks hooks;
	int64_t since_ms; /* how far back ended jobs are handed to the store */
	/* What was kept has been read, or what there is to say has changed; may be NULL. */
	void (*on_change)(void *ctx);
	/* One sentence for the status line: nothing is kept, or is again. May be NULL. */
	void (*said)(void *ctx, const char *text);
	void *ctx;
};

struct history_feed;
/* Copies the options but for what is borrowed. */
struct history_feed *history_feed_new(const struct history_feed_options *options);
/* Writes what has changed; waits for that as disk_free. NULL is accepted. */
void history_feed_free(struct history_feed *feed);

/* The folder for the state of the place is known; NULL: there is none, and nothing is written. The
 * first call counts. */
void history_feed_open(struct history_feed *feed, const char *folder);

/* The store has changed. */
void history_feed_note(struct history_feed *feed);
/* Keeps why the list of a job that was submitted has its order. */
void history_feed_keep_note(struct history_feed *feed, enum job_kind kind, const char *name,
			    const char *text);
/* Writes at once what has changed; settled tells when that is done. */
void history_feed_flush(struct history_feed *feed);
/* What was kept is in the store, and what has changed is written or cannot be. */
bool history_feed_is_settled(const struct history_feed *feed);

/* From the loop. */
void history_feed_ready(struct history_feed *feed);
void history_feed_wake(struct history_feed *feed);

#endif
