/* Whole files in, whole buffers out; bounded, with errors that name the file. */
#ifndef GPUQ_BASE_IO_H
#define GPUQ_BASE_IO_H

#include <stdbool.h>

#include "model/base/buf.h"
#include "model/base/err.h"

/* Appends a file's bytes ("-" = standard input). ERR_IO, or ERR_TOO_BIG above the buffer's
 * ceiling; the subject is the path. Blocks: for commands without a screen. */
bool io_read_file(const char *path, struct buf *text, struct err *err) MUST_CHECK;

/* Writes everything. A closed pipe counts as written: a reader that has seen enough is no error.
 * Blocks. */
bool io_write_all(int fd, const struct buf *text) MUST_CHECK;

#endif
