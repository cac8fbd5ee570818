/*
 * Keeps the price list of the session's region: from the file that was kept, at once, and from AWS
 * where that is older than a day, page after page and list after list, by one program at a time.
 * The permission is optional and often missing: a denial is told once, and nothing is asked until
 * somebody wants it anew. What stands in until then is the model's (model/price.h).
 */
#ifndef GPUQ_PRICES_FEED_H
#define GPUQ_PRICES_FEED_H

#include "aws/client.h"
#include "model/base/disk.h"
#include "model/store_prices.h"

#define PRICES_FEED_GAP_MS   INT64_C(550)      /* between pages: below two a second */
#define PRICES_FEED_AGAIN_MS INT64_C(86400000) /* product.md, Money: cached for a day */
#define PRICES_FEED_RETRY_MS INT64_C(300000)
#define PRICES_FEED_LOOK_MS  INT64_C(1000) /* for the file of the one that reads */
#define PRICES_FEED_PAGES    64 /* of one list; a service that never ends it is not believed */

struct prices_feed_options {
	/* Borrowed; of the Price List API. NULL: there is none, as err says (copied). */
	struct aws_client *client;
	const struct err *err;
	struct store *store; /* borrowed; its region is the one that is asked about */
	const struct clock *clock;
	struct wait_hooks hooks; /* only wake_in is used */
	struct disk *disk;       /* borrowed */
	const char *path;        /* of the file, copied; NULL: nothing is kept */
	int64_t gap_ms;          /* PRICES_FEED_GAP_MS, or less where calls are not paced */
	void (*on_change)(void *ctx);
	void *ctx;
};

struct prices_feed;
/* Copies the options but for what is borrowed, and reads the file. */
struct prices_feed *prices_feed_new(const struct prices_feed_options *options);
/* Before the client, the disk and the store. NULL is accepted. */
void prices_feed_free(struct prices_feed *feed);
/* From the loop: the wanted time has come. */
void prices_feed_wake(struct prices_feed *feed);
/* What has failed is tried again, denied or not; what was read today stays. NULL is accepted. */
void prices_feed_refresh(struct prices_feed *feed);
/* Both lists have been read, are young enough, or could not be read. */
bool prices_feed_is_settled(const struct prices_feed *feed);

#endif
