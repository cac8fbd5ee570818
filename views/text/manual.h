/*
 * The manual page, made from the same tables as the help: commands, options, keys, settings. Roff
 * with the man macros, in ASCII.
 */
#ifndef GPUQ_MANUAL_H
#define GPUQ_MANUAL_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buf.h"

/* A key of the dashboard, or a command of its command line. Borrowed. */
struct manual_key {
	const char *scope; /* "Jobs" */
	const char *keys;  /* "j Down" */
	const char *help;
	bool asks; /* first: it changes something at AWS */
};

/* Appends the page. */
void manual_add(struct buf *out, const struct manual_key *keys, size_t count);

#endif
