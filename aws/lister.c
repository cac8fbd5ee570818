#include "aws/lister.h"

#include <stdlib.h>

#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"

int64_t sync_backoff_ms(int64_t refresh_ms, unsigned failures)
{
	int64_t pause = refresh_ms;

	for (unsigned i = 1; i < failures && pause < SYNC_BACKOFF_MAX_MS; i++)
		pause *= 2;
	return pause < SYNC_BACKOFF_MAX_MS ? pause : SYNC_BACKOFF_MAX_MS;
}

void lister_init(struct lister *lister, const struct sync_options *options, enum job_kind kind,
		 void (*moved)(void *ctx), void *ctx)
{
	*lister = (struct lister){
		.options = options,
		.moved = moved,
		.ctx = ctx,
		.kind = kind,
		.source = kind == JOB_TRAINING ? SOURCE_TRAINING : SOURCE_PROCESSING,
		.due_ms = clock_mono_ms(options->clock),
	};
}

void lister_release(struct lister *lister)
{
	if (lister->call)
		aws_client_cancel(lister->options->client, lister->call);
	free(lister->token);
	*lister = (struct lister){ 0 };
}

/* The creation from which on a later pass has to look: of the oldest live job, and of the newest
 * job of all less an overlap, since lists are not in step with each other. */
static int64_t later_bound(const struct lister *lister)
{
	const struct store *store = lister->options->store;
	int64_t oldest = INT64_MAX, newest = INT64_MIN;

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (job->kind != lister->kind || !job->created.set)
			continue;
		if (job->created.ms > newest)
			newest = job->created.ms;
		if (job_is_live(job) && job->created.ms < oldest)
			oldest = job->created.ms;
	}
	if (newest == INT64_MIN)
		return lister->since_ms;
	return (oldest < newest ? oldest : newest) - LISTER_OVERLAP_MS;
}

static void begin_pass(struct lister *lister, int64_t now_ms)
{
	const struct sync_options *options = lister->options;
	int64_t server_ms = store_now_ms(options->store, options->clock);

	lister->under_way = true;
	lister->started_ms = now_ms;
	lister->pages = lister->old_pages = 0;
	lister->past_since = false;
	mem_set_text(&lister->token, NULL);
	lister->since_ms = server_ms - options->since_ms;
	if (lister->complete)
		lister->after_ms = later_bound(lister);
	else if (options->since_ms > LISTER_LIVE_SPAN_MS)
		lister->after_ms = lister->since_ms;
	else
		lister->after_ms = server_ms - LISTER_LIVE_SPAN_MS;
}

static void end_pass(struct lister *lister)
{
	lister->under_way = false;
	lister->complete = true;
	mem_set_text(&lister->token, NULL);
	lister->due_ms = lister->started_ms + lister->options->refresh_ms;
}

static bool is_wanted(const struct lister *lister, const struct job *job)
{
	return !job_has_ended(job) || !job->created.set || job->created.ms >= lister->since_ms ||
	       store_find(lister->options->store, job->arn);
}

/* Takes the rows; true if the page reaches back beyond since. */
static bool take_page(struct lister *lister, struct job_page *page)
{
	bool beyond = false;

	for (size_t i = 0; i < page->count; i++) {
		struct job *job = &page->jobs[i];

		if (job->created.set && job->created.ms < lister->since_ms)
			beyond = true;
		if (is_wanted(lister, job))
			store_take_summary(lister->options->store, job);
	}
	return beyond;
}

static void took(struct lister *lister, struct job_page *page, int64_t now_ms)
{
	bool beyond = take_page(lister, page);
	unsigned limit = lister->complete ? LISTER_LATER_PAGES : LISTER_PAGES_MAX;
	bool last = !page->next_token || ++lister->pages >= limit;

	lister->failures = 0;
	mem_set_text(&lister->token, page->next_token);
	if (lister->past_since && ++lister->old_pages >= LISTER_OLD_PAGES_MAX)
		last = true;
	/* What was asked for is there; the walk for old live jobs goes on behind it. */
	if (last || (beyond && !lister->past_since && !lister->complete))
		store_note_loaded(lister->options->store, lister->source, now_ms);
	lister->past_since = lister->past_since || beyond;
	lister->due_ms = now_ms;
	if (last)
		end_pass(lister);
}

static void failed(struct lister *lister, const struct err *err, int64_t now_ms)
{
	lister->failures++;
	lister->due_ms = now_ms + sync_backoff_ms(lister->options->refresh_ms, lister->failures);
	/* A token can be refused (they end after a day): then the pass begins again. */
	if (err->code == ERR_REFUSED)
		lister->under_way = false;
	store_note_failed(lister->options->store, lister->source, err, lister->due_ms);
}

static void answered(void *ctx, struct job_page *page, const struct err *err)
{
	struct lister *lister = ctx;
	int64_t now_ms = clock_mono_ms(lister->options->clock);

	lister->call = 0;
	if (page)
		took(lister, page, now_ms);
	else
		failed(lister, err, now_ms);
	lister->moved(lister->ctx);
}

void lister_turn(struct lister *lister, int64_t now_ms)
{
	struct list_query query = { .kind = lister->kind };

	if (lister->call || now_ms < lister->due_ms)
		return;
	if (!lister->under_way)
		begin_pass(lister, now_ms);
	query.created_after = (struct opt_ms){ .set = true, .ms = lister->after_ms };
	query.next_token = lister->token;
	store_note_asked(lister->options->store, lister->source);
	lister->call = jobs_list(lister->options->client, &query, answered, lister);
}

int64_t lister_next_ms(const struct lister *lister)
{
	return lister->call ? INT64_MAX : lister->due_ms;
}

void lister_refresh(struct lister *lister, int64_t now_ms)
{
	lister->due_ms = now_ms;
}
