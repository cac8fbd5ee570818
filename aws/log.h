/*
 * The debug log of --log FILE: a line for each event, with time and process, at the end of a file
 * that only its owner reads. Words that look like secrets are masked in every line; whoever writes
 * one gives no secret away to begin with. Nothing waits for the disk but log_open. A NULL log takes
 * everything and writes nothing.
 */
#ifndef GPUQ_AWS_LOG_H
#define GPUQ_AWS_LOG_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"

#define LOG_MAX      (50u << 20) /* bytes of the file; there the log ends, and says so */
#define LOG_LINE_MAX 2048        /* columns; the rest of a line is cut off */

struct log;

/* Writes a first line and waits for it, at most ten seconds. NULL with err (ERR_CONFIG): it cannot
 * be written, is a link or another user's, or is full. The clock is borrowed. */
struct log *log_open(const char *path, bool detailed, const struct clock *clock, struct err *err);
/* Waits for what is under way, as disk_free. */
void log_close(struct log *log);

/* One line, without its end. Characters that are none of a line are replaced. */
void log_line(struct log *log, const char *format, ...) PRINTF_LIKE(2, 3);

/* -v: details are wanted, too. */
bool log_is_detailed(const struct log *log);

/* Why nothing is written any more; NULL: it goes on. Borrowed. */
const struct err *log_error(const struct log *log);

#endif
