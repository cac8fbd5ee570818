/*
 * What may come next on a command line, for the completions of the shells: from the same tables as
 * the help. Pure: the names of jobs and profiles come from whoever can read them.
 */
#ifndef GPUQ_COMPLETE_H
#define GPUQ_COMPLETE_H

#include <stddef.h>

#include "model/base/buf.h"

/* The word by which the shells ask; named nowhere in the help. */
#define COMPLETE_COMMAND "__complete"
#define COMPLETE_MAX     2000 /* candidates at most */

enum complete_what {
	COMPLETE_NOTHING, /* a text of the user's own */
	COMPLETE_FILES,   /* left to the shell */
	COMPLETE_WORDS,
	COMPLETE_TYPES,
	COMPLETE_LIST, /* types, parted by commas */
	COMPLETE_PROFILES,
	COMPLETE_REGIONS,
	COMPLETE_JOBS,
	COMPLETE_LIVE_JOBS,
};

/* Takes a name; false: no more is wanted. Borrowed until the call ends. */
typedef bool complete_take(void *ctx, const char *name);

struct complete_ask {
	enum complete_what what;      /* COMPLETE_PROFILES or later */
	const char *profile, *region; /* of the options on the line; NULL = not there */
	complete_take *take;
	void *taker;
};

struct complete_sources {
	/* Hands over all names of a kind, the likeliest first. */
	void (*names)(void *ctx, const struct complete_ask *ask);
	void *ctx;
};

/*
 * The words of a line behind the program's name, the last of which is the one to complete ("" where
 * it is yet to be begun). Appends a candidate a line, with a tab and what it is behind it where
 * that is known. Lines that begin with a tab are for the shell: "\tfiles": names of files too;
 * "\tmore": the word may go on, so that no blank is put behind it.
 */
void complete_line(struct buf *out, const char *const *words, size_t count,
		   const struct complete_sources *sources);

/* The script by which a shell asks; NULL for one that is not known. Static. */
const char *complete_script(const char *shell);

#endif
