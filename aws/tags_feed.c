#include "aws/tags_feed.h"

#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_tags.h"
#include "model/base/mem.h"

struct tags_feed {
	struct tags_feed_options options;
	bool wanted;          /* the job of store->tags is looked at now */
	uint64_t call;        /* in flight, or 0 */
	int64_t due_ms;       /* monotonic: the next pass */
	unsigned pages;       /* of the pass under way */
	struct job_tags pass; /* what it has brought so far */
};

struct tags_feed *tags_feed_new(const struct tags_feed_options *options)
{
	struct tags_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	return feed;
}

static void stop_pass(struct tags_feed *feed)
{
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	feed->call = 0;
	feed->pages = 0;
	tags_release(&feed->pass);
}

void tags_feed_free(struct tags_feed *feed)
{
	if (!feed)
		return;
	stop_pass(feed);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	free(feed);
}

static void arm(const struct tags_feed *feed)
{
	int64_t wait = feed->due_ms - clock_mono_ms(feed->options.clock);
	bool idle = feed->call || !feed->wanted;

	feed->options.hooks.wake_in(feed->options.hooks.host, idle ? -1 : wait > 0 ? wait : 0);
}

static void end_pass(struct tags_feed *feed, int64_t pause_ms)
{
	feed->due_ms = clock_mono_ms(feed->options.clock) + pause_ms;
	stop_pass(feed);
	arm(feed);
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

static void ask(struct tags_feed *feed, const char *token);

static void on_listed(void *ctx, struct tag_page *page, const struct err *err)
{
	struct tags_feed *feed = ctx;
	struct job_tags *tags = &feed->options.store->tags;
	int64_t now_ms = clock_mono_ms(feed->options.clock);

	feed->call = 0;
	if (!page) {
		tags_fail(tags, err, now_ms + TAGS_FEED_RETRY_MS);
		end_pass(feed, TAGS_FEED_RETRY_MS);
		return;
	}
	for (size_t i = 0; i < page->tags.count; i++)
		tags_add(&feed->pass, page->tags.items[i].key, page->tags.items[i].value);
	if (page->next_token && ++feed->pages < TAGS_FEED_PAGES_MAX) {
		ask(feed, page->next_token);
		return;
	}
	tags_take(tags, &feed->pass, now_ms);
	end_pass(feed, TAGS_FEED_AGAIN_MS);
}

static void ask(struct tags_feed *feed, const char *token)
{
	struct job_tags *tags = &feed->options.store->tags;

	tags->fresh.asked = true;
	feed->call = tags_list(feed->options.client, tags->arn, token, on_listed, feed);
}

void tags_feed_wake(struct tags_feed *feed)
{
	if (!feed->call && feed->wanted && clock_mono_ms(feed->options.clock) >= feed->due_ms)
		ask(feed, NULL);
	arm(feed);
}

void tags_feed_want(struct tags_feed *feed, const char *arn)
{
	struct job_tags *tags;

	if (!feed)
		return;
	tags = &feed->options.store->tags;
	if (feed->wanted == (arn != NULL) && (!arn || (tags->arn && strcmp(tags->arn, arn) == 0)))
		return;
	feed->wanted = arn != NULL;
	if (arn && (!tags->arn || strcmp(tags->arn, arn) != 0)) {
		stop_pass(feed);
		tags_look_at(tags, arn);
		feed->due_ms = clock_mono_ms(feed->options.clock);
	}
	arm(feed);
}

void tags_feed_refresh(struct tags_feed *feed)
{
	if (!feed || feed->call)
		return;
	feed->due_ms = clock_mono_ms(feed->options.clock);
	arm(feed);
}
