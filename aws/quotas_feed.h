/*
 * Reads the limits that somebody looks at, one call after the other, and reads them again after
 * some minutes or when asked. Asks nothing while nobody looks. The permission is often missing and
 * optional: a denial is told once and nothing is asked any more until somebody wants it anew.
 */
#ifndef GPUQ_QUOTAS_FEED_H
#define GPUQ_QUOTAS_FEED_H

#include "aws/client.h"
#include "model/store_quotas.h"

#define QUOTAS_FEED_GAP_MS   INT64_C(1000)   /* between starts; the service allows 5 a second */
#define QUOTAS_FEED_AGAIN_MS INT64_C(300000) /* an approved raise takes 15 to 60 minutes */
#define QUOTAS_FEED_RETRY_MS INT64_C(60000)

struct quotas_feed_options {
	struct aws_client *client; /* borrowed; of Service Quotas */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	int64_t gap_ms;          /* QUOTAS_FEED_GAP_MS, or less where calls are not paced */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct quotas_feed;
/* Copies the options but for what is borrowed. Nobody wants anything yet. */
struct quotas_feed *quotas_feed_new(const struct quotas_feed_options *options);
/* Before the client and the store. NULL is accepted. */
void quotas_feed_free(struct quotas_feed *feed);
/* From the loop: the wanted time has come. */
void quotas_feed_wake(struct quotas_feed *feed);
/* What is looked at now, in the order in which it is read, in place of what was; cheap to say
 * again. Types without a published code are passed over. NULL is accepted. */
void quotas_feed_want(struct quotas_feed *feed, const struct quota_key *wants, size_t count);
/* Everything that is looked at is read anew, denied or not. NULL is accepted. */
void quotas_feed_refresh(struct quotas_feed *feed);
/* Every limit that is looked at has been read, or could not be. */
bool quotas_feed_is_settled(const struct quotas_feed *feed);

#endif
