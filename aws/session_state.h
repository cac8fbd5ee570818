/* The session's own state, for its two files: session.c and session_feeds.c. */
#ifndef GPUQ_SESSION_STATE_H
#define GPUQ_SESSION_STATE_H

#include "aws/access.h"
#include "aws/demo.h"
#include "aws/history_feed.h"
#include "aws/logs_feed.h"
#include "aws/metrics_feed.h"
#include "aws/plans_feed.h"
#include "aws/prices_feed.h"
#include "aws/quotas_feed.h"
#include "aws/session.h"
#include "aws/shared_pace.h"
#include "aws/sync.h"
#include "aws/tags_feed.h"

/* A client beside SageMaker's. */
struct session_side {
	struct aws_client *client; /* owned; NULL: nobody has asked for it yet */
	struct waiter waiter;
};

/* This machine's clock, its wall time corrected by what AWS's answers say. */
struct server_clock {
	struct clock clock;
	const struct clock *machine;
	int64_t ahead_ms;
	bool is_told; /* by an answer */
};

struct session {
	struct session_options options;
	struct server_clock server_clock;
	struct disk *disk;
	struct demo demo;
	struct access *access;           /* NULL for the demo */
	struct shared_pace *shared_pace; /* NULL: none is kept */
	struct aws_client *client;
	struct session_side sides[SERVICE_COUNT]; /* of other services, once they are asked */
	struct session_identity identity;
	bool identifying; /* STS is being asked */
	char region[REGION_SIZE];
	struct sync *sync;
	struct plans_feed *plans;
	struct tags_feed *tags;
	struct logs_feed *logs; /* NULL: nobody has looked at any */
	struct quotas_feed *quotas;
	struct prices_feed *prices;
	struct metrics_feed *metrics;
	struct history_feed *history; /* NULL: its folder is not known, or none is kept */
	struct waits waits;
	struct waiter demo_waiter, disk_waiter, client_waiter, sync_waiter, plans_waiter,
		tags_waiter, logs_waiter, quotas_waiter, prices_waiter, metrics_waiter,
		history_waiter;
};

/* Ends all feeds. */
void session_end_feeds(struct session *session);
/* Those that fail for want of credentials need not sit out their pause. */
void session_feeds_come_back(struct session *session);

#endif
