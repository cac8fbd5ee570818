/*
 * Keeps the store's training plans fresh while somebody wants them: all pages at most once a
 * minute, then a Describe for those whose summary does not tell their instance type. Asks nothing
 * while nobody looks.
 */
#ifndef GPUQ_PLANS_FEED_H
#define GPUQ_PLANS_FEED_H

#include "aws/client.h"
#include "model/store.h"

#define PLANS_FEED_PAUSE_MS     INT64_C(60000)
#define PLANS_FEED_PAGES_MAX    50
#define PLANS_FEED_DESCRIBE_MAX 20 /* of one pass: at 2 a second they take ten */

struct plans_feed_options {
	struct aws_client *client; /* borrowed */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct plans_feed;
/* Copies the options but for what is borrowed. Nobody wants anything yet. */
struct plans_feed *plans_feed_new(const struct plans_feed_options *options);
/* Before the client and the store. NULL is accepted. */
void plans_feed_free(struct plans_feed *feed);
/* From the loop: the wanted time has come. */
void plans_feed_wake(struct plans_feed *feed);
/* Whether plans are looked at now; cheap to say again. What is in flight is taken all the same.
 * NULL is accepted. */
void plans_feed_want(struct plans_feed *feed, bool wanted);
/* A pass at once, if they are looked at and none is under way. NULL is accepted. */
void plans_feed_refresh(struct plans_feed *feed);

#endif
