/*
 * The file that holds the table of turns (aws/turns.h): where it lies, who may touch it, and one
 * visit to it under its lock. A visit waits for the disk and up to a second for the lock: it is for
 * the disk's thread. A process that dies in the middle frees the lock; what it was writing is begun
 * anew by the next one.
 */
#ifndef GPUQ_PACE_FILE_H
#define GPUQ_PACE_FILE_H

#include "aws/turns.h"
#include "model/base/clock.h"
#include "model/base/err.h"

#define PACE_PATH_SIZE 512
#define PACE_LOCK_MS   1000 /* that a visit waits for the lock */

/*
 * The folder is the group's, where one is named: it is there already, and others may write to it
 * only if it is sticky; the file has mode 0660. Else it is the first of the private ones that is
 * this user's and nobody else's, or `made`, which is made with mode 0700 and held to the same; the
 * file has mode 0600. "" = none. All are absolute.
 */
struct pace_place {
	char group[PACE_PATH_SIZE];
	char privates[2][PACE_PATH_SIZE];
	char made[PACE_PATH_SIZE];
	char file[128]; /* its name in the folder */
};

/* $XDG_RUNTIME_DIR and what systemd has in its place for programs without one; /tmp/gpuq-UID.
 * group may be NULL, or begin with ~. False with err (ERR_CONFIG): it is not absolute, or too long.
 */
bool pace_place_init(struct pace_place *place, const char *group, struct err *err) MUST_CHECK;
/* Names the file for a region and whose calls are counted there: an account, or any text that
 * stands for one. */
void pace_place_name(struct pace_place *place, const char *region, const char *whose);

struct pace_visit {
	const char *op;
	int64_t gap_ms;     /* a turn is wanted, as of turns_take; 0 = none */
	bool at_once;       /* the turn is now: others are told of it, not waited for */
	unsigned throttles; /* that are told to all */
};

/* What a visit found or left. */
struct pace_found {
	bool taken;
	int64_t at_ms; /* of the turn; the first free one where none was taken */
	struct slowdown slowdown;
	unsigned started; /* by all processes, in the last 10 s */
	int64_t ahead_ms; /* to the last turn that is taken */
	bool damaged;     /* it held something else, and was begun anew */
	char path[PACE_PATH_SIZE];
};

/* False with err: no folder or file that is safe to use, or the lock was not to be had. */
bool pace_file_visit(const struct pace_place *place, const struct clock *clock,
		     const struct pace_visit *visit, struct pace_found *found,
		     struct err *err) MUST_CHECK;

#endif
