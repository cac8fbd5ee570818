/*
 * What rules have told within the last day, in the file `told` of the state folder: so that neither
 * a restart nor another program on the same place tells it again. A line for each: a key in
 * hexadecimal and the second (by AWS's clock). All of it runs on a disk's thread; programs take
 * turns by a lock on the file.
 */
#ifndef GPUQ_TOLD_DISK_H
#define GPUQ_TOLD_DISK_H

#include "model/base/disk.h"

#define TOLD_FILE     "told"
#define TOLD_KEEP_MS  INT64_C(86400000)
#define TOLD_KEYS_MAX 64         /* of one claim */
#define TOLD_FILE_MAX (1u << 20) /* bytes; about 37,000 lines: above, what is older goes */

/* A claim: made by told_claim_new, given to told_claim, handed back as the result's work and freed
 * after it. */
struct told_claim {
	char *folder; /* owned */
	int64_t now_ms;
	uint64_t keys[TOLD_KEYS_MAX];
	size_t count;
	/* The outcome, beside the result's err: with one the file does not know, and all are ours.
	 */
	bool ours[TOLD_KEYS_MAX]; /* nobody has told it in the last day; it is written down now */
};

struct told_claim *told_claim_new(const char *folder, int64_t now_ms);
uint64_t told_claim(struct disk *disk, struct told_claim *claim, disk_done_fn *done, void *ctx);

#endif
