/*
 * Of many gpuq that find no young price list at the same time, one reads it from AWS and the others
 * take its file: a mark beside the file says that somebody is at it.
 */
#ifndef GPUQ_PRICE_CLAIM_H
#define GPUQ_PRICE_CLAIM_H

#include "model/base/disk.h"

/* An older mark is of a program that died: four pages take two seconds, a slow link ten. */
#define PRICE_CLAIM_MS INT64_C(15000)

/* Of the work below; in disk_result.work. */
struct price_claim {
	char *mark; /* owned; the path */
	bool other; /* another program is at it */
};

/* Puts the mark of a file; where it cannot be put, nobody is in the way. */
struct disk_work price_claim_take(const char *path);
/* Removes it. */
struct disk_work price_claim_end(const char *path);

#endif
