/* The instance metadata service of EC2: a document of it, for the credentials and the region. */
#ifndef GPUQ_AUTH_IMDS_H
#define GPUQ_AUTH_IMDS_H

#include "aws/auth/fetch.h"

/* AWS_EC2_METADATA_DISABLED: nothing may be asked there. */
bool imds_is_disabled(void);

/* reply: as in fetch_done_fn, its status not 200 where there is no such document. */
typedef fetch_done_fn imds_done_fn;

struct imds_call;

/* One document ("latest/meta-data/..."; copied), a token first. done is called once, from the
 * loop; another document of the same call may be asked for, or it may be freed, from inside. NULL
 * with err (ERR_AUTH) where the settings say no place that can be. */
struct imds_call *imds_start(const struct auth_world *world, const struct profile *profile,
			     const char *path, imds_done_fn *done, void *ctx,
			     struct err *err) MUST_CHECK;
void imds_next(struct imds_call *call, const char *path, imds_done_fn *done);
void imds_free(struct imds_call *call);

#endif
