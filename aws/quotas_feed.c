#include "aws/quotas_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/quotas.h"
#include "model/base/mem.h"

#define NEVER INT64_MAX

/* One limit that is, or was, looked at. */
struct item {
	const struct quota_row *row; /* static; also its identity */
	bool wanted, answered;
	int64_t due_ms; /* monotonic; NEVER = not by itself */
};

struct quotas_feed {
	struct quotas_feed_options options;
	struct item *items; /* owned; those that are wanted first, in their order */
	size_t count, capacity;
	uint64_t call;               /* in flight, or 0 */
	const struct quota_row *row; /* what it is about */
	int64_t next_ms;             /* monotonic: no call starts before */
	struct err denied; /* the account may not read quotas; {0} = it may, or not known */
};

struct quotas_feed *quotas_feed_new(const struct quotas_feed_options *options)
{
	struct quotas_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	return feed;
}

void quotas_feed_free(struct quotas_feed *feed)
{
	if (!feed)
		return;
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	err_clear(&feed->denied);
	free(feed->items);
	free(feed);
}

static struct item *find(const struct quotas_feed *feed, const struct quota_row *row)
{
	for (size_t i = 0; i < feed->count; i++) {
		if (feed->items[i].row == row)
			return &feed->items[i];
	}
	return NULL;
}

/* When it may be asked: what is due already waits for its turn alone. */
static int64_t start_ms(const struct item *item, int64_t now_ms)
{
	return item->due_ms > now_ms ? item->due_ms : now_ms;
}

/* The one that is asked next, of those that are due the first in order; NULL: none ever is. */
static struct item *first_due(const struct quotas_feed *feed)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);
	struct item *first = NULL;

	for (size_t i = 0; i < feed->count; i++) {
		struct item *item = &feed->items[i];

		if (item->wanted && item->due_ms != NEVER &&
		    (!first || start_ms(item, now_ms) < start_ms(first, now_ms)))
			first = item;
	}
	return first;
}

static void arm(const struct quotas_feed *feed)
{
	const struct item *item = feed->call ? NULL : first_due(feed);
	int64_t wait = -1;

	if (item) {
		int64_t at_ms = item->due_ms > feed->next_ms ? item->due_ms : feed->next_ms;

		wait = at_ms - clock_mono_ms(feed->options.clock);
		wait = wait > 0 ? wait : 0;
	}
	feed->options.hooks.wake_in(feed->options.hooks.host, wait);
}

static void tell(const struct quotas_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

static void fail(struct quotas_feed *feed, struct item *item, const struct err *err, int64_t due_ms)
{
	item->due_ms = due_ms;
	item->answered = true;
	store_note_quota_failed(feed->options.store, item->row->instance_type, item->row->kind, err,
				due_ms);
}

/* Who may not read one of them may read none: nothing more is asked, of any. */
static void deny_all(struct quotas_feed *feed)
{
	for (size_t i = 0; i < feed->count; i++) {
		if (feed->items[i].wanted && feed->items[i].due_ms != NEVER)
			fail(feed, &feed->items[i], &feed->denied, NEVER);
	}
}

static void end_call(struct quotas_feed *feed)
{
	feed->call = 0;
	arm(feed);
	tell(feed);
}

static void on_failed(struct quotas_feed *feed, struct item *item, const struct err *err)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);
	bool may_pass = err->code != ERR_NOT_FOUND && err->code != ERR_REFUSED;

	fail(feed, item, err,
	     err->code == ERR_DENIED ? NEVER
	     : may_pass              ? now_ms + QUOTAS_FEED_RETRY_MS
				     : now_ms + QUOTAS_FEED_AGAIN_MS);
	end_call(feed);
}

static void take(struct quotas_feed *feed, struct item *item, int64_t limit, bool is_default)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);
	struct store *store = feed->options.store;

	item->due_ms = now_ms + QUOTAS_FEED_AGAIN_MS;
	item->answered = true;
	store_take_quota(store, item->row->instance_type, item->row->kind, limit, is_default,
			 store_now_ms(store, feed->options.clock), now_ms);
	end_call(feed);
}

static void on_default(void *ctx, const int64_t *limit, const struct err *err)
{
	struct quotas_feed *feed = ctx;
	struct item *item = find(feed, feed->row);

	if (limit)
		take(feed, item, *limit, true);
	else
		on_failed(feed, item, err);
}

static void on_limit(void *ctx, const int64_t *limit, const struct err *err)
{
	struct quotas_feed *feed = ctx;
	struct item *item = find(feed, feed->row);

	if (limit) {
		take(feed, item, *limit, false);
	} else if (err->code == ERR_NOT_FOUND) {
		feed->call =
			quotas_get_default(feed->options.client, feed->row->code, on_default, feed);
	} else if (err->code == ERR_DENIED) {
		err_copy(&feed->denied, err);
		item->due_ms = 0;
		deny_all(feed);
		end_call(feed);
	} else {
		on_failed(feed, item, err);
	}
}

void quotas_feed_wake(struct quotas_feed *feed)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);
	struct item *item = first_due(feed);

	if (!feed->call && item && now_ms >= item->due_ms && now_ms >= feed->next_ms) {
		feed->next_ms = now_ms + feed->options.gap_ms;
		feed->row = item->row;
		store_note_quota_asked(feed->options.store, item->row->instance_type,
				       item->row->kind);
		feed->call = quotas_get(feed->options.client, item->row->code, on_limit, feed);
	}
	arm(feed);
}

/* Puts the item of a row at that place: a known one keeps its times. */
static void put(struct quotas_feed *feed, size_t at, const struct quota_row *row)
{
	struct item *known = find(feed, row);
	struct item item = { .row = row, .due_ms = clock_mono_ms(feed->options.clock) };

	if (known) {
		item = *known;
	} else {
		feed->items = mem_grow(feed->items, &feed->capacity, feed->count + 1,
				       sizeof(*feed->items));
		known = &feed->items[feed->count++];
	}
	memmove(&feed->items[at + 1], &feed->items[at],
		(size_t)(known - &feed->items[at]) * sizeof(item));
	item.wanted = true;
	feed->items[at] = item;
}

/* Does the new set differ from the one that is wanted? Then it is that. */
static bool set_wants(struct quotas_feed *feed, const struct quota_key *wants, size_t count)
{
	size_t at = 0;
	bool other = false;

	for (size_t i = 0; i < count && at < STORE_QUOTAS_MAX; i++) {
		const struct quota_row *row = quota_find(wants[i].instance_type, wants[i].kind);
		const struct item *item = row ? find(feed, row) : NULL;

		if (!row || (item && item < feed->items + at))
			continue; /* no code, or named twice */
		other = other || !item || item != feed->items + at || !item->wanted;
		put(feed, at++, row);
	}
	for (size_t i = at; i < feed->count; i++) {
		other = other || feed->items[i].wanted;
		feed->items[i].wanted = false;
	}
	return other;
}

void quotas_feed_want(struct quotas_feed *feed, const struct quota_key *wants, size_t count)
{
	if (!feed || !set_wants(feed, wants, count))
		return;
	if (feed->denied.code != ERR_NONE)
		deny_all(feed);
	arm(feed);
}

void quotas_feed_refresh(struct quotas_feed *feed)
{
	if (!feed)
		return;
	err_clear(&feed->denied);
	for (size_t i = 0; i < feed->count; i++) {
		feed->items[i].due_ms = clock_mono_ms(feed->options.clock);
		feed->items[i].answered = false;
	}
	arm(feed);
}

bool quotas_feed_is_settled(const struct quotas_feed *feed)
{
	for (size_t i = 0; i < feed->count; i++) {
		if (feed->items[i].wanted && !feed->items[i].answered)
			return false;
	}
	return true;
}
