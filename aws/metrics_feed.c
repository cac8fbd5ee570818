#include "aws/metrics_feed.h"

#include <stdlib.h>
#include <string.h>

#include "aws/metrics.h"
#include "model/base/mem.h"

#define NEVER     INT64_MAX
#define PAGES_MAX 64 /* of one ask: 100 metrics of 180 slots are one page */

enum pass { PASS_NONE, PASS_LOOK, PASS_WATCH };

/* One job of the calls under way. */
struct part {
	struct job_metrics metrics; /* what they have brought so far */
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	int64_t running_since_ms;
};

struct metrics_feed {
	struct metrics_feed_options options;
	bool looks;          /* at the job of store->metrics */
	bool watches;        /* the GPUs of the running jobs */
	bool has_watched;    /* once */
	struct err denied;   /* {0}: it is allowed, or not known */
	int64_t look_due_ms; /* monotonic; NEVER = not by itself */
	int64_t watch_due_ms;
	int64_t next_ms; /* no call starts before */
	uint64_t call;   /* in flight, or 0 */
	/* the pass */
	enum pass pass;
	struct part *parts; /* owned; its jobs */
	size_t part_count, part_capacity;
	size_t at;                                       /* parts[at] is asked next, from: */
	size_t at_item;                                  /* host * METRICS + metric */
	struct metric_query queries[METRIC_QUERIES_MAX]; /* of the call */
	size_t query_parts[METRIC_QUERIES_MAX];          /* whose they are */
	size_t query_count;
	char *token; /* owned; of the next page of the same queries */
	unsigned pages;
};

struct metrics_feed *metrics_feed_new(const struct metrics_feed_options *options)
{
	struct metrics_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	feed->look_due_ms = feed->watch_due_ms = NEVER;
	return feed;
}

static int64_t mono_ms(const struct metrics_feed *feed)
{
	return clock_mono_ms(feed->options.clock);
}

static int64_t now_ms(const struct metrics_feed *feed)
{
	return store_now_ms(feed->options.store, feed->options.clock);
}

static void drop_pass(struct metrics_feed *feed)
{
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	for (size_t i = 0; i < feed->part_count; i++)
		metrics_release(&feed->parts[i].metrics);
	free(feed->parts);
	free(feed->token);
	feed->parts = NULL;
	feed->token = NULL;
	feed->part_count = feed->part_capacity = 0;
	feed->query_count = feed->at = feed->at_item = 0;
	feed->pages = 0;
	feed->call = 0;
	feed->pass = PASS_NONE;
}

void metrics_feed_free(struct metrics_feed *feed)
{
	if (!feed)
		return;
	drop_pass(feed);
	err_clear(&feed->denied);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	free(feed);
}

static void arm(const struct metrics_feed *feed)
{
	int64_t due_ms =
		feed->look_due_ms < feed->watch_due_ms ? feed->look_due_ms : feed->watch_due_ms;
	int64_t at_ms = feed->pass != PASS_NONE || due_ms < feed->next_ms ? feed->next_ms : due_ms;
	int64_t wait_ms = at_ms - mono_ms(feed);

	if (feed->call || (feed->pass == PASS_NONE && due_ms == NEVER))
		wait_ms = -1;
	else if (wait_ms < 0)
		wait_ms = 0;
	feed->options.hooks.wake_in(feed->options.hooks.host, wait_ms);
}

static void tell(const struct metrics_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

/* --- what a pass is of --- */

static struct part *add_part(struct metrics_feed *feed, const struct job *job,
			     enum metric_span span)
{
	struct part *part;

	feed->parts = mem_grow(feed->parts, &feed->part_capacity, feed->part_count + 1,
			       sizeof(*feed->parts));
	part = &feed->parts[feed->part_count];
	*part = (struct part){ .kind = job->kind };
	memcpy(part->name, job->name, sizeof(part->name));
	part->metrics.span = span;
	if (!metrics_begin(&part->metrics, job, now_ms(feed)))
		return NULL;
	feed->part_count++;
	return part;
}

static bool has_gpus(const struct job *job)
{
	const char *type = NULL;
	size_t hosts = metrics_hosts(job, 0, &type);

	for (size_t i = 0; i < hosts && i < METRIC_HOSTS_MAX; i++) {
		if (metrics_hosts(job, i, &type) > 0 && metric_is_of(METRIC_GPU, type))
			return true;
	}
	return false;
}

/* Those that run long enough to be called idle. */
static void collect_watched(struct metrics_feed *feed)
{
	const struct store *store = feed->options.store;

	for (size_t i = 0; i < store->count && feed->part_count < GPU_WATCH_MAX; i++) {
		const struct job *job = store_at(store, i);
		struct opt_ms since = metrics_running_since(job);

		if (!since.set || now_ms(feed) - since.ms < GPU_IDLE_MS || !has_gpus(job))
			continue;
		struct part *part = add_part(feed, job, METRIC_15H); /* slots of five minutes */
		if (part)
			part->running_since_ms = since.ms;
	}
}

static bool wants_item(const struct metrics_feed *feed, const struct metric_host *host,
		       enum metric metric)
{
	return metric_is_of(metric, host->instance_type) &&
	       (feed->pass == PASS_LOOK || metric == METRIC_GPU);
}

/* The next queries, all of windows that begin and end alike. False: there are none left. */
static bool next_queries(struct metrics_feed *feed)
{
	feed->query_count = 0;
	feed->pages = 0;
	while (feed->at < feed->part_count && feed->query_count < METRIC_QUERIES_MAX) {
		const struct part *part = &feed->parts[feed->at];
		size_t host = feed->at_item / METRICS;
		enum metric metric = (enum metric)(feed->at_item % METRICS);

		if (host >= part->metrics.host_count) {
			feed->at++;
			feed->at_item = 0;
			continue;
		}
		feed->at_item++;
		if (!wants_item(feed, &part->metrics.hosts[host], metric))
			continue;
		feed->query_parts[feed->query_count] = feed->at;
		feed->queries[feed->query_count++] =
			(struct metric_query){ part->kind, part->name, host, metric };
	}
	return feed->query_count > 0;
}

/* --- its end --- */

static void end_look(struct metrics_feed *feed)
{
	struct store *store = feed->options.store;
	const struct job *job = store_find(store, store->metrics.arn);
	bool lives = job && job_is_live(job);

	metrics_take(&store->metrics, &feed->parts[0].metrics, mono_ms(feed));
	feed->look_due_ms = mono_ms(feed) + (lives ? METRICS_FEED_AGAIN_MS : METRICS_FEED_ENDED_MS);
}

static void end_watch(struct metrics_feed *feed)
{
	struct gpu_watch seen = { 0 };

	for (size_t i = 0; i < feed->part_count; i++) {
		const struct part *part = &feed->parts[i];
		struct metric_series mean;
		metrics_mean(&part->metrics, METRIC_GPU, &mean);
		const struct gpu_use use = gpu_use_of(&mean, &part->metrics.window,
						      part->running_since_ms, now_ms(feed));
		gpu_watch_add(&seen, part->metrics.arn, &use);
	}
	gpu_watch_take(&feed->options.store->gpus, &seen, mono_ms(feed));
	gpu_watch_release(&seen);
	/* The second look comes soon: not all jobs were described before the first. */
	feed->watch_due_ms = mono_ms(feed) +
			     (feed->has_watched ? METRICS_WATCH_AGAIN_MS : METRICS_FEED_AGAIN_MS);
	feed->has_watched = true;
}

static void end_pass(struct metrics_feed *feed)
{
	if (feed->pass == PASS_LOOK)
		end_look(feed);
	else
		end_watch(feed);
	drop_pass(feed);
	arm(feed);
	tell(feed);
}

static void fail_look(struct metrics_feed *feed, const struct err *err, int64_t due_ms)
{
	feed->look_due_ms = due_ms;
	metrics_fail(&feed->options.store->metrics, err, due_ms);
}

static void fail_watch(struct metrics_feed *feed, const struct err *err, int64_t due_ms)
{
	feed->watch_due_ms = due_ms;
	gpu_watch_fail(&feed->options.store->gpus, err, due_ms);
}

/* Who may not read one metric may read none. */
static void fail(struct metrics_feed *feed, const struct err *err)
{
	enum pass pass = feed->pass;
	bool denied = err->code == ERR_DENIED;
	int64_t due_ms = denied ? NEVER : mono_ms(feed) + METRICS_FEED_RETRY_MS;

	if (denied)
		err_copy(&feed->denied, err);
	drop_pass(feed);
	if (feed->looks && (denied || pass == PASS_LOOK))
		fail_look(feed, err, due_ms);
	if (feed->watches && (denied || pass == PASS_WATCH))
		fail_watch(feed, err, due_ms);
	arm(feed);
	tell(feed);
}

/* --- calls --- */

static void on_page(void *ctx, const struct metric_page *page, const struct err *err)
{
	struct metrics_feed *feed = ctx;

	feed->call = 0;
	if (!page) {
		fail(feed, err);
		return;
	}
	for (size_t i = 0; i < page->count; i++) {
		const struct metric_point *point = &page->points[i];
		if (point->query >= feed->query_count)
			continue;
		const struct metric_query *query = &feed->queries[point->query];
		metrics_put(&feed->parts[feed->query_parts[point->query]].metrics, query->host,
			    query->metric, point->at_ms, point->value);
	}
	free(feed->token);
	feed->token = NULL;
	if (page->next_token && ++feed->pages < PAGES_MAX)
		feed->token = mem_copy_text(page->next_token);
	if (!feed->token && !next_queries(feed))
		end_pass(feed);
	else
		arm(feed);
}

static void ask(struct metrics_feed *feed)
{
	const struct metric_window *window = &feed->parts[feed->query_parts[0]].metrics.window;
	int64_t end_ms = window->start_ms + METRIC_SLOTS * window->period_ms;
	const struct metric_ask ask = {
		.queries = feed->queries,
		.count = feed->query_count,
		.start_ms =
			feed->pass == PASS_WATCH ? end_ms - GPU_WATCH_BACK_MS : window->start_ms,
		.end_ms = end_ms,
		.period_ms = window->period_ms,
		.token = feed->token,
	};

	feed->next_ms = mono_ms(feed) + feed->options.gap_ms;
	feed->call = metrics_get(feed->options.client, &ask, on_page, feed);
}

static void begin(struct metrics_feed *feed, enum pass pass)
{
	struct store *store = feed->options.store;
	const struct job *job = store->metrics.arn ? store_find(store, store->metrics.arn) : NULL;

	feed->pass = pass;
	if (pass == PASS_LOOK && job)
		(void)add_part(feed, job, store->metrics.span);
	else if (pass == PASS_WATCH)
		collect_watched(feed);
	if (next_queries(feed)) {
		if (pass == PASS_LOOK)
			store->metrics.fresh.asked = true;
		else
			store->gpus.fresh.asked = true;
		return;
	}
	/* Nothing to ask: no job has instances that publish anything yet. */
	drop_pass(feed);
	if (pass == PASS_LOOK)
		feed->look_due_ms = mono_ms(feed) + METRICS_FEED_LATER_MS;
	else
		feed->watch_due_ms = mono_ms(feed) + METRICS_WATCH_FIRST_MS;
}

void metrics_feed_wake(struct metrics_feed *feed)
{
	int64_t mono = mono_ms(feed);

	if (!feed->call && mono >= feed->next_ms) {
		if (feed->pass == PASS_NONE && mono >= feed->look_due_ms)
			begin(feed, PASS_LOOK);
		if (feed->pass == PASS_NONE && mono >= feed->watch_due_ms)
			begin(feed, PASS_WATCH);
		if (feed->pass != PASS_NONE)
			ask(feed);
	}
	arm(feed);
}

/* --- what is looked at --- */

static void look_at(struct metrics_feed *feed, const char *arn, enum metric_span span)
{
	struct job_metrics *metrics = &feed->options.store->metrics;
	bool same_job = arn && metrics->arn && strcmp(arn, metrics->arn) == 0;

	if (feed->looks == (arn != NULL) && (!arn || (same_job && metrics->span == span)))
		return;
	bool anew = arn && (!same_job || metrics->span != span || !metrics->fresh.loaded);
	feed->looks = arn != NULL;
	if (feed->pass == PASS_LOOK)
		drop_pass(feed);
	if (arn)
		metrics_look_at(metrics, arn, span);
	if (!arn)
		feed->look_due_ms = NEVER;
	else if (feed->denied.code)
		fail_look(feed, &feed->denied, NEVER);
	else if (anew || feed->look_due_ms == NEVER)
		feed->look_due_ms = mono_ms(feed);
}

void metrics_feed_want(struct metrics_feed *feed, const struct wants *wants)
{
	if (!feed)
		return;
	look_at(feed, wants->metrics, wants->metric_span);
	if (feed->watches != wants->gpus) {
		feed->watches = wants->gpus;
		if (feed->pass == PASS_WATCH && !wants->gpus)
			drop_pass(feed);
		if (!wants->gpus)
			feed->watch_due_ms = NEVER;
		else if (feed->denied.code)
			fail_watch(feed, &feed->denied, NEVER);
		else
			feed->watch_due_ms =
				mono_ms(feed) + (feed->has_watched ? 0 : METRICS_WATCH_FIRST_MS);
	}
	arm(feed);
}

void metrics_feed_refresh(struct metrics_feed *feed)
{
	if (!feed || feed->pass != PASS_NONE)
		return;
	bool was_denied = feed->denied.code != ERR_NONE;
	err_clear(&feed->denied);
	if (feed->looks)
		feed->look_due_ms = mono_ms(feed);
	if (feed->watches && (feed->has_watched || was_denied))
		feed->watch_due_ms = mono_ms(feed);
	arm(feed);
}
