/*
 * The list calls that all gpuq processes of a machine have agreed on for one account and region: a
 * table of turns, each an operation and the time of its start, and of the operations that AWS
 * throttled. Who wants to start a call takes the earliest turn that is free; nobody owns the table,
 * and a turn whose taker dies passes unused. Kept as text (aws/pace_file.h). Times are milliseconds
 * of CLOCK_BOOTTIME, which all processes of a machine share.
 *
 * Between two starts of one operation lies a gap, longer after throttles; of all operations
 * together no more than TURNS_TOGETHER start within TURNS_SPAN_MS: 1.6 a second. AWS is known to
 * allow 2 a second of one operation to a whole account (facts/sagemaker.md, Pace).
 */
#ifndef GPUQ_TURNS_H
#define GPUQ_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/slowdown.h"
#include "model/base/attr.h"
#include "model/base/buf.h"

#define TURNS_GAP_MS    1000
#define TURNS_TOGETHER  4
#define TURNS_SPAN_MS   2500
#define TURNS_AHEAD_MS  60000 /* nobody takes one that is further off */
#define TURNS_KEPT_MS   10000 /* more than the longest gap, 8 gaps */
#define TURNS_TABLE_MAX 256
#define TURNS_OPS_MAX   16
#define TURNS_NAME_SIZE 64
#define TURNS_BOOT_SIZE 64
#define TURNS_TEXT_MAX  32768 /* of a whole table as text */

/* Of two starts, by whoever; an operation without either is forgotten. */
struct turns_op {
	char name[TURNS_NAME_SIZE]; /* letters and digits */
	struct slowdown slowdown;
};

struct turn {
	int64_t at_ms;
	size_t op;
};

/* {0} is an empty table. Holds no memory. */
struct turns {
	struct turns_op ops[TURNS_OPS_MAX];
	size_t op_count;
	struct turn turns[TURNS_TABLE_MAX]; /* by their times */
	size_t count;
};

/*
 * Reads what turns_write wrote; what is over is left out, and all of it where the machine has been
 * started anew since (another boot). False where the text is something else, or says what cannot
 * be; the table is empty then.
 */
bool turns_read(struct turns *turns, const char *text, size_t len, const char *boot,
		int64_t now_ms) MUST_CHECK;
/* boot is one word. */
void turns_write(const struct turns *turns, const char *boot, struct buf *out);

/*
 * Takes the earliest free turn from now on. gap_ms is that between two starts of the operation at
 * full pace, up to TURNS_GAP_MS; a shorter one makes the span shorter likewise. False where none is
 * within TURNS_AHEAD_MS: *at_ms is then the one that would be.
 */
bool turns_take(struct turns *turns, const char *op, int64_t gap_ms, int64_t now_ms,
		int64_t *at_ms) MUST_CHECK;

/* Takes a turn now, whoever else has one; others make room for it as for any. */
void turns_take_now(struct turns *turns, const char *op, int64_t now_ms);

/* Answers to an operation said so often that it was too fast. */
void turns_note_throttled(struct turns *turns, const char *op, unsigned count, int64_t now_ms);
/* {0} of an operation that is not known. */
struct slowdown turns_slowdown(const struct turns *turns, const char *op);

/* Starts within the last TURNS_KEPT_MS, as far as their takers live. */
unsigned turns_started(const struct turns *turns, int64_t now_ms);

#endif
