/*
 * Reads what hosts publish: all metrics of the one job that somebody looks at, each minute, and
 * every few minutes how busy the GPUs of the running jobs are, while the job list is in sight. One
 * call after the other. AWS bills each metric of each call, so nothing is asked while nobody looks.
 * The permission is optional: a denial is told once, and nothing is asked until somebody refreshes.
 */
#ifndef GPUQ_METRICS_FEED_H
#define GPUQ_METRICS_FEED_H

#include "aws/client.h"
#include "model/store.h"
#include "model/wants.h"

#define METRICS_FEED_GAP_MS    INT64_C(1000)   /* between starts */
#define METRICS_FEED_AGAIN_MS  INT64_C(60000)  /* minutes are published one by one */
#define METRICS_FEED_ENDED_MS  INT64_C(600000) /* nothing new comes of an ended job */
#define METRICS_FEED_RETRY_MS  INT64_C(60000)
#define METRICS_FEED_LATER_MS  INT64_C(2000)  /* its instances are not known yet */
#define METRICS_WATCH_FIRST_MS INT64_C(15000) /* the jobs have been described by then */
#define METRICS_WATCH_AGAIN_MS INT64_C(300000)

struct metrics_feed_options {
	struct aws_client *client; /* borrowed; of CloudWatch */
	struct store *store;       /* borrowed */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	int64_t gap_ms;          /* METRICS_FEED_GAP_MS, or less where calls are not paced */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct metrics_feed;
/* Copies the options but for what is borrowed. Nobody looks at anything yet. */
struct metrics_feed *metrics_feed_new(const struct metrics_feed_options *options);
/* Before the client and the store. NULL is accepted. */
void metrics_feed_free(struct metrics_feed *feed);
/* From the loop: the wanted time has come. */
void metrics_feed_wake(struct metrics_feed *feed);
/* What is looked at now; cheap to say again. NULL as feed is accepted. */
void metrics_feed_want(struct metrics_feed *feed, const struct wants *wants);
/* All of it at once, denied or not. NULL is accepted. */
void metrics_feed_refresh(struct metrics_feed *feed);

#endif
