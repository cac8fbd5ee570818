/*
 * Notices that files have changed, come or gone: their stamps are compared every two seconds. A
 * login in another window writes such a file. Portable, and right on network folders, where change
 * notices of the kernel are not.
 */
#ifndef GPUQ_FILE_WATCH_H
#define GPUQ_FILE_WATCH_H

#include "aws/waits.h"
#include "model/base/disk.h"

#define FILE_WATCH_MS  2000
#define FILE_WATCH_MAX 32 /* files; further ones are not watched */

struct file_watch;

/* changed is called once for a round in which files differ from how they were first seen, or from
 * the round before. All borrowed. Never NULL. */
struct file_watch *file_watch_new(struct waits *waits, struct disk *disk,
				  void (*changed)(void *ctx), void *ctx);
/* Not from inside changed. NULL is accepted. */
void file_watch_free(struct file_watch *watch);

/* A path that is watched already is left as it is. */
void file_watch_add(struct file_watch *watch, const char *path);
void file_watch_clear(struct file_watch *watch);

#endif
