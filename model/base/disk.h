/*
 * Files without waiting for them: one thread does the reading and writing, in the order asked, and
 * the results are handed out on the caller's thread when its loop finds the descriptor ready. A
 * home folder on a network may hang for minutes; no key shall.
 */
#ifndef GPUQ_BASE_DISK_H
#define GPUQ_BASE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define DISK_FILE_MAX  (8u << 20) /* of one read */
#define DISK_QUEUE_MAX 4096       /* requests that wait; more are refused */

/* Tells two versions of a file apart; all 0 when there is none. */
struct disk_stamp {
	uint64_t device, inode;
	int64_t size, changed_ns;
	uint64_t owner; /* user id; it and the mode are not compared */
	unsigned mode;  /* permissions */
};
bool disk_stamp_equal(const struct disk_stamp *a, const struct disk_stamp *b);

/* Borrowed for the call back. */
struct disk_result {
	const struct err *err; /* NULL: it went well; ERR_NOT_FOUND: there is no such file */
	const char *bytes;     /* of a read; NUL-terminated */
	size_t len;
	struct disk_stamp stamp; /* of the file as it was read or found */
	void *work;              /* of disk_run: its self */
};
typedef void disk_done_fn(void *ctx, const struct disk_result *result);

struct disk;

/* Starts the thread at the first request. Never NULL. */
struct disk *disk_new(void);
/* Waits for writes under way, two seconds at most: a disk that hangs does not hold the program.
 * Calls nobody back. Not from inside a call back. NULL is accepted. */
void disk_free(struct disk *disk);

/* Readable when there are results; watch it, and call disk_ready then. */
int disk_fd(const struct disk *disk);
void disk_ready(struct disk *disk);

/*
 * Each returns an id for disk_forget, never 0. done may be NULL for writes; it is called once,
 * never from inside the request. Paths and bytes are copied; bytes that were written or read are
 * wiped afterwards, since they may hold secrets.
 */
uint64_t disk_read(struct disk *disk, const char *path, size_t max, disk_done_fn *done, void *ctx);
uint64_t disk_stat(struct disk *disk, const char *path, disk_done_fn *done, void *ctx);
/* A new file, mode 0600. ERR_CONFLICT where there is one of that name; a folder or a link there, or
 * no folder for it, is another error. What could be written only in part is taken away again. */
uint64_t disk_create(struct disk *disk, const char *path, const char *bytes, size_t len,
		     disk_done_fn *done, void *ctx);
/* The whole file anew, mode 0600: written beside it, flushed, renamed. Missing folders are made
 * with mode 0700. */
uint64_t disk_write(struct disk *disk, const char *path, const char *bytes, size_t len,
		    disk_done_fn *done, void *ctx);
/* At the end of a file, made with mode 0600 if it is missing, and given it if others could read it;
 * a link, another user's file, or one with several names is refused. */
uint64_t disk_append(struct disk *disk, const char *path, const char *bytes, size_t len,
		     disk_done_fn *done, void *ctx);

/* Reads a file and waits for it, at most wait_ms: for the start of the program. False with err, as
 * of a result; ERR_TIMEOUT when nothing has come. stamp may be NULL. */
bool disk_read_now(const char *path, size_t max, int wait_ms, struct buf *text,
		   struct disk_stamp *stamp, struct err *err) MUST_CHECK;

/*
 * Work of another kind, for files that are locked and changed: run is called on the thread and says
 * in err what went wrong; free is called once self is not needed any more, on either thread.
 */
struct disk_work {
	void (*run)(void *self, struct err *err);
	void (*free)(void *self);
	void *self;
};
uint64_t disk_run(struct disk *disk, const struct disk_work *work, disk_done_fn *done, void *ctx);

/* done is not called any more; a write still happens. */
void disk_forget(struct disk *disk, uint64_t id);

#endif
