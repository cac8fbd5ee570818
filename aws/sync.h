/*
 * Keeps the store fresh: lists both kinds at the refresh pace, follows pages, describes the
 * selected job, live jobs and, once, ended ones, at most 2 Describes a second.
 */
#ifndef GPUQ_SYNC_H
#define GPUQ_SYNC_H

#include "aws/client.h"
#include "model/store.h"

struct sync_options {
	struct aws_client *client; /* borrowed */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	const char *region;
	int64_t refresh_ms;           /* standard 5,000 */
	int64_t since_ms;             /* how far back ended jobs are listed; standard 7 days */
	void (*on_change)(void *ctx); /* the store has changed */
	void *ctx;
};

struct sync;
struct sync *sync_new(const struct sync_options *options);
void sync_free(struct sync *sync);
void sync_wake(struct sync *sync);
/* The job that is described first and again at each refresh; NULL for none. Copied. */
void sync_select(struct sync *sync, const char *arn);
/* Asks at once (within the pace). */
void sync_refresh(struct sync *sync);
/* One-shot use by commands: true when both lists are complete and every job that `want` accepts
 * (NULL: live and recent) has been described, or has failed. */
bool sync_is_settled(const struct sync *sync);

#endif
