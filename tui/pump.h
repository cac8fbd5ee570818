/*
 * Between curses and the terminal: curses writes into a sink that always takes everything, the
 * loop copies it to the terminal as fast as that reads. The sink is a pipe, or a file in memory
 * for screens whose frame might not fit in one: writer and reader are the same thread.
 */
#ifndef GPUQ_PUMP_H
#define GPUQ_PUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "model/base/err.h"
#include "tui/tty.h"

#define PUMP_CHUNK 16384

struct pump {
	FILE *out;        /* owned: the sink, as newterm wants it; nothing is written through it */
	int sink, source; /* curses writes, we read */
	size_t capacity;  /* bytes that the sink takes; SIZE_MAX for a file */
	off_t offset;     /* of the file */
	char chunk[PUMP_CHUNK];
	size_t chunk_at, chunk_len;
	uint64_t written; /* to the terminal, so far */
};

bool pump_init(struct pump *pump, struct err *err) MUST_CHECK;
void pump_release(struct pump *pump);

/* Called while empty: the next frame may need as many bytes. The sink's number stays. */
void pump_reserve(struct pump *pump, size_t bytes);

/* Adds bytes of our own behind what curses wrote; short ones, after a reserve. */
void pump_add(struct pump *pump, const char *bytes, size_t len);

/* Copies what the terminal takes now. TTY_SOME: all is written; TTY_LATER: something is left. */
enum tty_result pump_run(struct pump *pump, const struct tty *tty);

/* Forgets what is left. */
void pump_discard(struct pump *pump);

#endif
