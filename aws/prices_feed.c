#include "aws/prices_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/price_cache.h"
#include "aws/price_claim.h"
#include "aws/pricing.h"
#include "model/base/mem.h"

#define NEVER INT64_MAX

/* The list of one kind. */
struct part {
	int64_t due_ms; /* monotonic; NEVER = not by itself */
	bool settled;   /* read, or could not be */
};

struct prices_feed {
	struct prices_feed_options options;
	char *path;
	char region[PRICE_BOOK_REGION_SIZE];
	struct err no_client;
	struct part parts[JOB_KIND_COUNT];
	uint64_t reading;  /* of the file, or 0 */
	uint64_t call;     /* in flight, or 0 */
	uint64_t claiming; /* of the mark, or 0 */
	bool claimed;      /* no other program reads the list meanwhile, or none can be told */
	/* The list that is being read, page by page. */
	bool under_way;
	enum job_kind kind;
	struct price_page pages; /* all rows so far, and the next token */
	unsigned page_count;
	int64_t next_ms; /* monotonic: no call starts before */
};

static int64_t mono_ms(const struct prices_feed *feed)
{
	return clock_mono_ms(feed->options.clock);
}

static int64_t wall_ms(const struct prices_feed *feed)
{
	return store_now_ms(feed->options.store, feed->options.clock);
}

/* The list that is asked for next; false: neither ever is. */
static bool first_due(const struct prices_feed *feed, enum job_kind *kind)
{
	*kind = feed->parts[JOB_PROCESSING].due_ms < feed->parts[JOB_TRAINING].due_ms &&
				feed->parts[JOB_TRAINING].due_ms > mono_ms(feed)
			? JOB_PROCESSING
			: JOB_TRAINING;
	return feed->parts[*kind].due_ms != NEVER;
}

static bool is_due(const struct prices_feed *feed)
{
	enum job_kind kind;

	return first_due(feed, &kind) && mono_ms(feed) >= feed->parts[kind].due_ms;
}

static bool is_busy(const struct prices_feed *feed)
{
	return feed->reading || feed->claiming || feed->call;
}

static void arm(const struct prices_feed *feed)
{
	enum job_kind kind;
	int64_t wait = -1;

	if (!is_busy(feed) && (feed->under_way || first_due(feed, &kind))) {
		int64_t at_ms = feed->next_ms;

		if (!feed->under_way && feed->parts[kind].due_ms > at_ms)
			at_ms = feed->parts[kind].due_ms;
		wait = at_ms - mono_ms(feed);
		wait = wait > 0 ? wait : 0;
	}
	feed->options.hooks.wake_in(feed->options.hooks.host, wait);
}

static void tell(const struct prices_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

/* --- the file --- */

static void keep(const struct prices_feed *feed)
{
	struct buf text;

	if (!feed->path)
		return;
	buf_init(&text, PRICE_CACHE_MAX);
	price_cache_write(&text, &feed->options.store->prices);
	/* A disk that takes nothing costs a few calls at the next start, and no more. */
	if (!text.failed)
		disk_write(feed->options.disk, feed->path, buf_text(&text), text.len, NULL, NULL);
	buf_release(&text);
}

/* One list of the file; young enough it is not asked for before it is a day old. */
static void take_kept(struct prices_feed *feed, enum job_kind kind, struct kept_prices *kept)
{
	struct part *part = &feed->parts[kind];
	int64_t age_ms = wall_ms(feed) - kept->read_at_ms;

	age_ms = age_ms > 0 ? age_ms : 0;
	store_take_prices(feed->options.store, kind, kept->rows, kept->count, kept->read_at_ms,
			  mono_ms(feed) - age_ms);
	kept->rows = NULL;
	part->settled = age_ms < PRICES_FEED_AGAIN_MS;
	part->due_ms = mono_ms(feed) + (part->settled ? PRICES_FEED_AGAIN_MS - age_ms : 0);
}

static void fail_all(struct prices_feed *feed, const struct err *err, int64_t due_ms)
{
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		struct part *part = &feed->parts[i];

		if (part->settled && part->due_ms > mono_ms(feed))
			continue; /* young enough */
		part->settled = true;
		part->due_ms = due_ms;
		store_note_prices_failed(feed->options.store, (enum job_kind)i, err, due_ms);
	}
}

static void release_claim(struct prices_feed *feed)
{
	if (feed->claimed && feed->path) {
		struct disk_work work = price_claim_end(feed->path);

		disk_run(feed->options.disk, &work, NULL, NULL);
	}
	feed->claimed = false;
}

static void on_file(void *ctx, const struct disk_result *result)
{
	struct prices_feed *feed = ctx;
	struct kept_prices kept[JOB_KIND_COUNT] = { 0 };
	struct err ignored = { 0 };

	feed->reading = 0;
	if (!result->err && price_cache_read(result->bytes, result->len, feed->region,
					     wall_ms(feed), kept, &ignored)) {
		for (size_t i = 0; i < JOB_KIND_COUNT; i++)
			if (kept[i].told)
				take_kept(feed, (enum job_kind)i, &kept[i]);
	}
	kept_prices_release(kept);
	err_clear(&ignored);
	if (!feed->options.client)
		fail_all(feed, &feed->no_client, NEVER);
	if (!is_due(feed))
		release_claim(feed);
	arm(feed);
	tell(feed);
}

/* --- the claim --- */

static void read_file(struct prices_feed *feed)
{
	feed->reading = disk_read(feed->options.disk, feed->path, PRICE_CACHE_MAX, on_file, feed);
}

/* Another program is at it: its file is looked for until it is there, or the mark is old. And who
 * has the mark looks once more: the other may just have ended. */
static void on_claimed(void *ctx, const struct disk_result *result)
{
	struct prices_feed *feed = ctx;
	const struct price_claim *claim = result->work;

	feed->claiming = 0;
	feed->claimed = !claim->other;
	if (claim->other)
		feed->next_ms = mono_ms(feed) + PRICES_FEED_LOOK_MS;
	read_file(feed);
	arm(feed);
}

static void claim(struct prices_feed *feed)
{
	struct disk_work work = price_claim_take(feed->path);

	feed->claiming = disk_run(feed->options.disk, &work, on_claimed, feed);
}

struct prices_feed *prices_feed_new(const struct prices_feed_options *options)
{
	struct prices_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	feed->path = mem_copy_text(options->path);
	snprintf(feed->region, sizeof(feed->region), "%s", options->store->prices.region);
	if (options->err)
		err_copy(&feed->no_client, options->err);
	for (size_t i = 0; i < JOB_KIND_COUNT; i++)
		feed->parts[i].due_ms = mono_ms(feed);
	if (feed->path)
		read_file(feed);
	else if (!options->client)
		fail_all(feed, &feed->no_client, NEVER);
	arm(feed);
	return feed;
}

void prices_feed_free(struct prices_feed *feed)
{
	if (!feed)
		return;
	if (feed->reading)
		disk_forget(feed->options.disk, feed->reading);
	if (feed->claiming)
		disk_forget(feed->options.disk, feed->claiming);
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	release_claim(feed);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	price_page_release(&feed->pages);
	err_clear(&feed->no_client);
	free(feed->path);
	free(feed);
}

/* --- the lists --- */

static void end_list(struct prices_feed *feed)
{
	feed->under_way = false;
	if (!is_due(feed))
		release_claim(feed);
	feed->page_count = 0;
	price_page_release(&feed->pages);
	arm(feed);
	tell(feed);
}

/* Who may not read one list may read none; what else is wrong is so for both, too. */
static void on_failed(struct prices_feed *feed, const struct err *err)
{
	bool lasts = err->code == ERR_DENIED;

	feed->parts[feed->kind].settled = false;
	fail_all(feed, err, lasts ? NEVER : mono_ms(feed) + PRICES_FEED_RETRY_MS);
	end_list(feed);
}

static void refuse(struct prices_feed *feed, const char *why)
{
	struct err err = { 0 };

	err_set(&err, ERR_PARSE, "%s", why);
	err_subject(&err, "%s of %s", op_get_products.name, feed->region);
	on_failed(feed, &err);
	err_clear(&err);
}

static void on_last_page(struct prices_feed *feed)
{
	struct part *part = &feed->parts[feed->kind];

	store_take_prices(feed->options.store, feed->kind, feed->pages.rows, feed->pages.count,
			  wall_ms(feed), mono_ms(feed));
	feed->pages.rows = NULL;
	part->settled = true;
	part->due_ms = mono_ms(feed) + PRICES_FEED_AGAIN_MS;
	keep(feed);
	end_list(feed);
}

static void add_rows(struct price_page *all, const struct price_page *page)
{
	if (page->count == 0)
		return;
	all->rows =
		mem_grow(all->rows, &all->capacity, all->count + page->count, sizeof(*all->rows));
	memcpy(&all->rows[all->count], page->rows, page->count * sizeof(*page->rows));
	all->count += page->count;
}

static void on_page(void *ctx, struct price_page *page, const struct err *err)
{
	struct prices_feed *feed = ctx;
	struct price_page *all = &feed->pages;

	feed->call = 0;
	/* From the answer on: a call that was slow to arrive shall not stand close to the next. */
	feed->next_ms = mono_ms(feed) + feed->options.gap_ms;
	if (err) {
		on_failed(feed, err);
		return;
	}
	bool stuck = page->next_token && all->next_token &&
		     strcmp(page->next_token, all->next_token) == 0;
	add_rows(all, page);
	mem_set_text(&all->next_token, page->next_token);
	if (stuck || ++feed->page_count == PRICES_FEED_PAGES || all->count > PRICE_LIST_MAX)
		refuse(feed, "the price list does not come to an end");
	else if (all->next_token)
		arm(feed);
	else
		on_last_page(feed);
}

static void ask(struct prices_feed *feed)
{
	if (!feed->under_way) {
		(void)first_due(feed, &feed->kind);
		feed->under_way = true;
		store_note_prices_asked(feed->options.store, feed->kind);
	}
	feed->next_ms = mono_ms(feed) + feed->options.gap_ms;
	feed->call = pricing_get_products(feed->options.client, feed->region, feed->kind,
					  feed->pages.next_token, on_page, feed);
}

void prices_feed_wake(struct prices_feed *feed)
{
	bool due = feed->under_way || is_due(feed);

	if (!is_busy(feed) && due && mono_ms(feed) >= feed->next_ms) {
		if (feed->path && !feed->claimed)
			claim(feed);
		else
			ask(feed);
	}
	arm(feed);
}

void prices_feed_refresh(struct prices_feed *feed)
{
	if (!feed || !feed->options.client)
		return;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		if (!feed->options.store->prices.lists[i].fresh.failing)
			continue;
		feed->parts[i].due_ms = mono_ms(feed);
		feed->parts[i].settled = false;
	}
	arm(feed);
}

bool prices_feed_is_settled(const struct prices_feed *feed)
{
	return !feed->reading && feed->parts[JOB_TRAINING].settled &&
	       feed->parts[JOB_PROCESSING].settled;
}
