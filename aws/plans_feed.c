#include "aws/plans_feed.h"

#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_plans.h"
#include "model/base/mem.h"

struct plans_feed {
	struct plans_feed_options options;
	bool wanted;
	uint64_t call;    /* in flight, or 0 */
	int64_t due_ms;   /* monotonic: the next pass, or the next step of this one */
	bool under_way;   /* a pass has begun */
	char *token;      /* owned; of its next page, NULL = the first or none */
	unsigned pages;   /* of this pass */
	bool listed;      /* all pages are there; described_at goes through them */
	unsigned asked;   /* Describes of this pass */
	size_t looked_at; /* plans before it need no Describe any more */
	int64_t started_ms;
	struct plan *plans; /* owned; the pass so far */
	size_t count, capacity;
};

struct plans_feed *plans_feed_new(const struct plans_feed_options *options)
{
	struct plans_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	feed->due_ms = clock_mono_ms(options->clock);
	return feed;
}

static void forget_pass(struct plans_feed *feed)
{
	plan_list_free(feed->plans, feed->count);
	feed->plans = NULL;
	feed->count = feed->capacity = 0;
	feed->under_way = feed->listed = false;
	mem_set_text(&feed->token, NULL);
}

void plans_feed_free(struct plans_feed *feed)
{
	if (!feed)
		return;
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	forget_pass(feed);
	free(feed);
}

static void arm(const struct plans_feed *feed)
{
	int64_t wait = feed->due_ms - clock_mono_ms(feed->options.clock);
	bool idle = feed->call || (!feed->wanted && !feed->under_way);

	feed->options.hooks.wake_in(feed->options.hooks.host, idle ? -1 : wait > 0 ? wait : 0);
}

static void tell(const struct plans_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

static void end_pass(struct plans_feed *feed)
{
	store_take_plans(feed->options.store, feed->plans, feed->count);
	feed->plans = NULL;
	feed->count = 0;
	forget_pass(feed);
	feed->due_ms = feed->started_ms + PLANS_FEED_PAUSE_MS;
	store_note_loaded(feed->options.store, SOURCE_PLANS, clock_mono_ms(feed->options.clock));
	arm(feed);
	tell(feed);
}

static void step(struct plans_feed *feed);

static void on_described(void *ctx, struct plan *plan, const struct err *err)
{
	struct plans_feed *feed = ctx;
	struct plan *known = &feed->plans[feed->looked_at++];

	(void)err; /* the list stands: this plan's type stays unknown */
	feed->call = 0;
	if (plan && strcmp(plan->arn, known->arn) == 0) {
		plan_release(known);
		*known = *plan;
		*plan = (struct plan){ 0 };
	}
	step(feed);
}

static bool describe_next(struct plans_feed *feed)
{
	while (feed->looked_at < feed->count && feed->plans[feed->looked_at].instance_type[0])
		feed->looked_at++;
	if (feed->looked_at >= feed->count || feed->asked == PLANS_FEED_DESCRIBE_MAX)
		return false;
	feed->asked++;
	feed->call = plans_describe(feed->options.client, feed->plans[feed->looked_at].name,
				    on_described, feed);
	return true;
}

static void take(struct plans_feed *feed, struct plan_page *page)
{
	feed->plans = mem_grow(feed->plans, &feed->capacity, feed->count + page->count + 1,
			       sizeof(*feed->plans));
	if (page->count > 0)
		memcpy(&feed->plans[feed->count], page->plans, page->count * sizeof(*page->plans));
	feed->count += page->count;
	page->count = 0;
	mem_set_text(&feed->token, page->next_token);
	feed->listed = !feed->token || ++feed->pages == PLANS_FEED_PAGES_MAX;
}

static void on_listed(void *ctx, struct plan_page *page, const struct err *err)
{
	struct plans_feed *feed = ctx;

	feed->call = 0;
	if (page) {
		take(feed, page);
		step(feed);
		return;
	}
	forget_pass(feed);
	feed->due_ms = clock_mono_ms(feed->options.clock) + PLANS_FEED_PAUSE_MS;
	store_note_failed(feed->options.store, SOURCE_PLANS, err, feed->due_ms);
	arm(feed);
	tell(feed);
}

/* The next request of the pass, or its end. */
static void step(struct plans_feed *feed)
{
	if (!feed->listed)
		feed->call = plans_list(feed->options.client, feed->token, on_listed, feed);
	else if (!describe_next(feed))
		end_pass(feed);
}

static void begin_pass(struct plans_feed *feed, int64_t now_ms)
{
	forget_pass(feed);
	feed->under_way = true;
	feed->pages = feed->asked = 0;
	feed->looked_at = 0;
	feed->started_ms = now_ms;
	store_note_asked(feed->options.store, SOURCE_PLANS);
	step(feed);
}

void plans_feed_wake(struct plans_feed *feed)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);

	if (!feed->call && feed->wanted && now_ms >= feed->due_ms)
		begin_pass(feed, now_ms);
	arm(feed);
}

void plans_feed_want(struct plans_feed *feed, bool wanted)
{
	if (!feed || feed->wanted == wanted)
		return;
	feed->wanted = wanted;
	arm(feed);
}

void plans_feed_refresh(struct plans_feed *feed)
{
	if (!feed || feed->under_way)
		return;
	feed->due_ms = clock_mono_ms(feed->options.clock);
	arm(feed);
}
