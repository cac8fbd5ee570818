/*
 * Names that lie on this machine, for the completion of a command line: profiles of the AWS files,
 * and jobs as the history of earlier runs has them. Asks AWS nothing and changes nothing.
 */
#ifndef GPUQ_KEPT_NAMES_H
#define GPUQ_KEPT_NAMES_H

#include <stdbool.h>

/* Takes a name, borrowed until it returns; false: no more is wanted. */
#define KEPT_JOBS_MAX 2000 /* of a history */

typedef bool kept_name_fn(void *ctx, const char *name);

/* In the order of the files. */
void kept_profiles(kept_name_fn *take, void *ctx);

/*
 * Of all accounts and endpoints whose history is kept, those that live first, then the ones that
 * ended last; live_only: those alone. region: an option's, else that of the environment or of the
 * profile (NULL: the one in use); where nobody says one, of all regions.
 */
void kept_jobs(const char *profile, const char *region, bool live_only, kept_name_fn *take,
	       void *ctx);

#endif
