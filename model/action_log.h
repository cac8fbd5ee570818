/*
 * Keeps what was done: in the store at once, on disk behind it. What cannot be written yet, since
 * the place is not known or the disk refuses it, waits, and is told once.
 */
#ifndef GPUQ_ACTION_LOG_H
#define GPUQ_ACTION_LOG_H

#include "model/base/disk.h"
#include "model/store.h"

#define ACTION_LOOK_MS INT64_C(5000) /* between two readings of what others did */

/* {0} with the owner's part set. */
struct action_log {
	/* the owner's */
	struct store *store; /* borrowed, as the clock */
	const struct clock *clock;
	const char *by;                                 /* who asks: "dashboard"; static */
	void (*told)(void *ctx, const struct err *err); /* it cannot be kept; may be NULL */
	void (*changed)(void *ctx);                     /* what stands in the store; may be NULL */
	void *ctx;
	/* of action_log.c */
	struct disk *disk;
	char *folder;       /* owned; NULL: not known yet */
	char *passing;      /* owned; where it goes if nothing better becomes known */
	struct buf waiting; /* lines that are not on their way yet */
	char *on_way;       /* owned; lines that are */
	size_t added;       /* since the reading under way was asked for */
	uint64_t write_id, read_id;
	int64_t read_ms; /* monotonic */
	bool is_read, is_told;
};

/*
 * The one way in: something was done, or tried. at_ms 0 = now; by "" = the owner's. It stands in
 * the store after it, and is appended to the file.
 */
void action_log_add(struct action_log *log, const struct action *action);

/* The state folder: what others did there is read, and what waits is written. passing: it may yet
 * be another one, and is used at the end alone. The disk is borrowed until action_log_leave. */
void action_log_open(struct action_log *log, struct disk *disk, const char *folder, bool passing);
/* Somebody looks: what other programs have done since is read again, at most each ACTION_LOOK_MS.
 */
void action_log_look(struct action_log *log);

/* What waits is given to the disk, which writes it before it ends. {0} is accepted. */
void action_log_leave(struct action_log *log);

#endif
