/*
 * A folder for the one file that another program is given to edit: made with mode 0700, the file
 * with 0600. Requests hold secrets: when it is done, all that lies there (backups of an editor,
 * too) is overwritten and removed.
 */
#ifndef GPUQ_SCRATCH_H
#define GPUQ_SCRATCH_H

#include "model/base/disk.h"

/* Makes the folder in a parent that is made where it is missing, and the file in it; the folder
 * must not be there yet. done gets no bytes. */
uint64_t scratch_make(struct disk *disk, const char *folder, const char *name, const char *text,
		      disk_done_fn *done, void *ctx);
/* Wipes and removes the folder with the plain files in it. */
uint64_t scratch_remove(struct disk *disk, const char *folder);

#endif
