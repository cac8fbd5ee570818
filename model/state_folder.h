/*
 * Where state lies: $XDG_STATE_HOME/gpuq/ACCOUNT-REGION-ENDPOINTHASH/ (interface.md,
 * Configuration), so that what belongs to one account, region and endpoint never meets another's.
 */
#ifndef GPUQ_STATE_FOLDER_H
#define GPUQ_STATE_FOLDER_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define STATE_PATH_MAX        4000 /* of the folder: names of files in it fit into PATH_MAX */
#define STATE_FOLDER_UNKNOWN  "unknown"
#define STATE_FOLDER_NAME_MAX 128

struct state_place {
	const char *account;  /* twelve digits; "" = not known: `unknown` stands for it */
	const char *region;   /* "" is taken as unknown, too */
	const char *endpoint; /* URL of one that is not AWS's own; "" = AWS's */
};

/*
 * The folder that holds all of gpuq's state: below xdg_state_home where that is an absolute path,
 * else below home/.local/state. Either may be NULL. Without a slash at its end. False with err
 * (ERR_CONFIG): neither says a place, or its path is too long.
 */
bool state_root(const char *xdg_state_home, const char *home, struct buf *out,
		struct err *err) MUST_CHECK;

/* Appends the name of the place's folder in the root: letters, digits and dashes alone. Of an
 * endpoint scheme and host (with its port) count, in any case. */
void state_folder_add_name(struct buf *out, const struct state_place *place);

#endif
