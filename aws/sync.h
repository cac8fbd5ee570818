/*
 * Keeps the store fresh within a budget: new training jobs by List and changed ones by Search, all
 * by List where Search is refused; processing jobs by List and Describe; the selected job first.
 * What is asked next is decided in aws/sync_next.h.
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
	int64_t refresh_ms;  /* standard 5,000 */
	bool alone;          /* nothing is asked but the selected job */
	bool unpaced;        /* calls follow one another at once (--pace 0) */
	int64_t list_gap_ms; /* between two starts of one list; 0 = the standard 1,000 */
	int64_t since_ms;    /* how far back ended jobs are listed, and kept; standard 7 days */
	/* The jobs that are described; NULL: all. The selected one always is. */
	bool (*want)(void *ctx, const struct job *job);
	void (*on_change)(void *ctx); /* the store has changed; may be NULL */
	void *ctx;
};

struct sync;
/* Copies the options but for what is borrowed. Asks for a wake-up at once and starts with it. */
struct sync *sync_new(const struct sync_options *options);
/* Before the client and the store. NULL is accepted. */
void sync_free(struct sync *sync);
/* From the loop: the wanted time has come. */
void sync_wake(struct sync *sync);
/* The job that is described first and again at each refresh; NULL for none. Copied. */
void sync_select(struct sync *sync, const char *arn);
/* Asks at once (within the pace). */
void sync_refresh(struct sync *sync);
/* What was out of reach, for the network or for want of credentials, is worth a try now. */
void sync_come_back(struct sync *sync);
/*
 * For commands: both kinds of job are complete, live ones of any age too (by a walk: within its
 * bounds), and every wanted job has been described or its Describe has failed to the end of its
 * retries. A list that cannot be had never settles: the store's source says that it is failing.
 */
bool sync_is_settled(const struct sync *sync);

#endif
