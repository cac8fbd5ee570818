/*
 * The file of actions in the state folder: one line of JSON for each, appended by several programs
 * that take turns by a lock; mode 0600, no links followed. A file that has grown to
 * ACTION_FILE_MAX makes way for a new one and is kept as the one before, so that both are bounded.
 */
#ifndef GPUQ_ACTION_DISK_H
#define GPUQ_ACTION_DISK_H

#include "model/actions.h"
#include "model/base/disk.h"

#define ACTION_FILE     "actions.jsonl"
#define ACTION_OLD_FILE "actions.1.jsonl"
#define ACTION_FILE_MAX (1u << 20)

/* One piece of work, the result's work in the call back and freed after it. Without lines the files
 * are read: into actions. */
struct action_work {
	char *folder; /* owned */
	char *lines;  /* owned; whole lines to append; NULL: read */
	struct actions actions;
	size_t damaged; /* lines that could not be read */
};

/* As disk_run. lines NULL: to read. Both are copied. */
uint64_t action_disk_do(struct disk *disk, const char *folder, const char *lines,
			disk_done_fn *done, void *ctx);

#endif
