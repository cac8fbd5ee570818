/*
 * A text cut into words as a POSIX shell cuts it, without a shell: nothing is expanded. Blanks
 * (space, tab, CR, LF) part words; '…' keeps all, "…" all but \" and \\; elsewhere \ keeps the next
 * character. The AWS CLI reads names of profiles and credential_process so (Python's shlex.split).
 */
#ifndef GPUQ_BASE_SHELLWORDS_H
#define GPUQ_BASE_SHELLWORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define SHELLWORDS_MAX 1024

struct shellwords {
	char **items; /* owned, as are the texts; a NULL ends them, so that they are an argv */
	size_t count, capacity;
};

/* False with err (ERR_CONFIG) for a quote that does not end, a '\' at the end, or too many words;
 * there are no words then. Release either way. */
bool shellwords_split(struct shellwords *words, const char *text, struct err *err) MUST_CHECK;
/* Wipes: a command may hold a secret. NULL is accepted. */
void shellwords_release(struct shellwords *words);

/* Appends a text as one word for a POSIX shell: as it is where the shell leaves it alone, else in
 * '…'. */
void shellwords_add_quoted(struct buf *out, const char *text);

#endif
