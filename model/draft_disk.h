/*
 * The files of drafts, read and written on the disk's thread: a folder of mode 0700 with a file of
 * mode 0600 for each draft, its id and ".json" being the name. No links are followed. Two programs
 * take turns by a lock in the folder, so that what one has written the other never overwrites
 * unseen.
 */
#ifndef GPUQ_DRAFT_DISK_H
#define GPUQ_DRAFT_DISK_H

#include "model/base/disk.h"
#include "model/draft.h"

#define DRAFTS_FOLDER   "drafts" /* in the state folder */
#define DRAFT_FILES_MAX 256      /* of a folder; further ones are left where they are */

enum draft_disk_verb {
	DRAFT_DISK_LOAD,      /* all of the folder into found */
	DRAFT_DISK_SAVE,      /* bytes as the file of id, unless another program has changed it */
	DRAFT_DISK_REMOVE,    /* the file of id, unless another program has changed it */
	DRAFT_DISK_SET_ASIDE, /* the file of id gets another name: ID.json.damaged */
};

struct draft_found {
	char id[DRAFT_ID_SIZE];
	char *bytes; /* owned, wiped; NULL: err says why */
	size_t len;
	struct disk_stamp stamp;
	struct err err; /* owned */
};

/* One piece of work: made by draft_disk_work, given to draft_disk_do, handed back as the result's
 * work and freed after it. */
struct draft_work {
	enum draft_disk_verb verb;
	char *folder; /* owned */
	char id[DRAFT_ID_SIZE];
	char *bytes; /* owned, wiped */
	size_t len;
	struct disk_stamp expected; /* the file as this program knows it; all 0: none */
	/* the outcome, beside the result's err */
	bool conflict; /* it is another one, and nothing was done */
	struct disk_stamp stamp;
	struct draft_found *found; /* owned */
	size_t found_count;
	size_t left_over; /* files beyond DRAFT_FILES_MAX */
};

struct draft_work *draft_disk_work(enum draft_disk_verb verb, const char *folder, const char *id);
uint64_t draft_disk_do(struct disk *disk, struct draft_work *work, disk_done_fn *done, void *ctx);

#endif
