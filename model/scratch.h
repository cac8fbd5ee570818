/*
 * A folder for the one file that another program is given to edit: made with mode 0700, the file
 * with 0600. Requests hold secrets: when it is done, all that lies there (backups of an editor,
 * too) is overwritten and removed. A program that was killed leaves its folder: the next one
 * removes it, unless somebody still holds the lock on it, which is the program or the editor that
 * it began.
 */
#ifndef GPUQ_SCRATCH_H
#define GPUQ_SCRATCH_H

#include "model/base/disk.h"

#define SCRATCH_NAME_SIZE 96
#define SCRATCH_SWEEP_MAX 64 /* folders that one sweep removes */

/* The name of this program's folder of that number. It names the machine, since another one's locks
 * are not seen on every file system. */
void scratch_name(unsigned number, char out[SCRATCH_NAME_SIZE]);

/* Makes the folder in a parent that is made where it is missing, and the file in it; the folder
 * must not be there yet. done gets no bytes, and may take the folder's lock from the result. */
uint64_t scratch_make(struct disk *disk, const char *folder, const char *name, const char *text,
		      disk_done_fn *done, void *ctx);
/* The lock: it holds as long as a copy of this descriptor, which is closed on exec, is open. The
 * caller's to close. */
int scratch_take_lock(const struct disk_result *made);
/* Wipes and removes the folder with the plain files in it. */
uint64_t scratch_remove(struct disk *disk, const char *folder);
/* Does so with those in the parent that programs on this machine have left. */
uint64_t scratch_sweep(struct disk *disk, const char *parent);

#endif
