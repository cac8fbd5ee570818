/*
 * One draft written to disk and waited for: by a command, which ends right after. The dashboard,
 * which goes on, has draft_store.
 */
#ifndef GPUQ_DRAFT_KEEP_H
#define GPUQ_DRAFT_KEEP_H

#include "model/draft.h"

#define DRAFT_KEEP_MS 2000 /* then a disk that hangs does not hold the program */

/* state: the state folder of the place; writer: as of draft_store. False with err: it is not there,
 * or not known to be (ERR_TIMEOUT). */
bool draft_keep(const struct draft *draft, const char *state, const char *writer,
		struct err *err) MUST_CHECK;

#endif
