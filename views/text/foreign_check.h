/*
 * What `check` says of a document that is no request, beside that it is none: the faults of the
 * requests that stand in it, where they stand.
 */
#ifndef GPUQ_FOREIGN_CHECK_H
#define GPUQ_FOREIGN_CHECK_H

#include "views/text/command.h"

/*
 * Adds to the findings what the rules say of the requests in a text; line and column are the
 * text's. Values that are known only when it runs are not judged. True: there is one, and *kind is
 * that of the first.
 */
bool foreign_check(const struct command_run *run, const char *text, size_t len,
		   struct findings *findings, enum job_kind *kind);

#endif
