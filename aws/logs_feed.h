/*
 * Reads the logs of the one job that somebody looks at into the store: first the newest lines of
 * each stream, then what comes after them, and in between what was before, until there is enough.
 * One request at a time, LOGS_FEED_GAP_MS apart; asks nothing while nobody looks. Lines are read by
 * the service's tokens, so that none is lost or read twice; where one is refused, reading goes on
 * from the time of the last line.
 */
#ifndef GPUQ_LOGS_FEED_H
#define GPUQ_LOGS_FEED_H

#include "aws/client.h"
#include "model/store.h"

/* Four a second: the least that a region allows to a whole account are ten (facts/aws.md 7.4). */
#define LOGS_FEED_GAP_MS    INT64_C(250)
#define LOGS_FEED_AGAIN_MS  INT64_C(2000)  /* at the end of a stream that writes */
#define LOGS_FEED_LIVE_MS   INT64_C(10000) /* of one that is silent; and looks for new streams */
#define LOGS_FEED_ENDED_MS  INT64_C(60000) /* the same of a job that has ended */
#define LOGS_FEED_RETRY_MS  INT64_C(10000) /* after a failure */
#define LOGS_FEED_DENIED_MS INT64_C(60000)
#define LOGS_FEED_EMPTY_MAX 20 /* pages without an event, one after the other, on the way back */

struct logs_feed_options {
	struct aws_client *client; /* borrowed */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	int64_t gap_ms;          /* 0 = none */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct logs_feed;
/* Copies the options but for what is borrowed. Nobody looks at anything yet. */
struct logs_feed *logs_feed_new(const struct logs_feed_options *options);
/* Before the client and the store. NULL is accepted. */
void logs_feed_free(struct logs_feed *feed);
/* From the loop: the wanted time has come. */
void logs_feed_wake(struct logs_feed *feed);
/* The job that is looked at, by its ARN; NULL = none: what was read goes. held: the oldest lines
 * are in sight, so that newer ones wait where they would drive them out. Cheap to say again. NULL
 * as feed is accepted. */
void logs_feed_want(struct logs_feed *feed, const char *arn, bool held);
/* All that waits for its time is asked now. NULL is accepted. */
void logs_feed_refresh(struct logs_feed *feed);

#endif
