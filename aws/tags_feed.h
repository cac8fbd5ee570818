/*
 * Reads the tags of the one job that somebody looks at, all pages, into the store; again every few
 * minutes while it is looked at. Asks nothing while nobody looks.
 */
#ifndef GPUQ_TAGS_FEED_H
#define GPUQ_TAGS_FEED_H

#include "aws/client.h"
#include "model/store.h"

#define TAGS_FEED_AGAIN_MS  INT64_C(300000) /* tags hardly ever change */
#define TAGS_FEED_RETRY_MS  INT64_C(60000)  /* after a failure */
#define TAGS_FEED_PAGES_MAX 4               /* of 50; the service allows 50 tags */

struct tags_feed_options {
	struct aws_client *client; /* borrowed */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct tags_feed;
/* Copies the options but for what is borrowed. Nobody looks at anything yet. */
struct tags_feed *tags_feed_new(const struct tags_feed_options *options);
/* Before the client and the store. NULL is accepted. */
void tags_feed_free(struct tags_feed *feed);
/* From the loop: the wanted time has come. */
void tags_feed_wake(struct tags_feed *feed);
/* The job that is looked at, by its ARN; NULL = none. Cheap to say again. What is known of another
 * one goes. NULL as feed is accepted. */
void tags_feed_want(struct tags_feed *feed, const char *arn);
/* A pass at once, if a job is looked at and none is under way. NULL is accepted. */
void tags_feed_refresh(struct tags_feed *feed);

#endif
