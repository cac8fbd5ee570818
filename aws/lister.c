#include "aws/lister.h"

#include <stdlib.h>

#include "aws/search.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

bool sync_is_offline(enum err_code code)
{
	return code == ERR_NET || code == ERR_TIMEOUT || code == ERR_AUTH;
}

int64_t sync_backoff_ms(int64_t refresh_ms, unsigned failures, int64_t most_ms)
{
	int64_t pause = refresh_ms;

	for (unsigned i = 1; i < failures && pause < most_ms; i++)
		pause *= 2;
	return pause < most_ms ? pause : most_ms;
}

void lister_init(struct lister *lister, const struct sync_options *options, enum sync_lane lane)
{
	static const enum source_id sources[] = { [LANE_SEARCH] = SOURCE_SEARCH,
						  [LANE_TRAINING] = SOURCE_TRAINING,
						  [LANE_PROCESSING] = SOURCE_PROCESSING };

	*lister = (struct lister){
		.options = options,
		.lane = lane,
		.kind = lane == LANE_PROCESSING ? JOB_PROCESSING : JOB_TRAINING,
		.source = sources[lane],
		.due_ms = clock_mono_ms(options->clock),
	};
	budget_init(&lister->budget, options->unpaced ? 0 : options->list_gap_ms, 0, 0);
}

void lister_release(struct lister *lister)
{
	if (lister->call)
		aws_client_cancel(lister->options->client, lister->call);
	free(lister->token);
	free(lister->seen);
	*lister = (struct lister){ 0 };
}

/* --- where a pass begins --- */

/* The creation from which on a later list has to look: of the newest job of all less an overlap,
 * since lists are not in step with each other, and of the oldest live job where that matters. */
static int64_t later_bound(const struct lister *lister, bool through_live)
{
	const struct store *store = lister->options->store;
	int64_t oldest = INT64_MAX, newest = INT64_MIN;

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (job->kind != lister->kind || !job->created.set)
			continue;
		if (job->created.ms > newest)
			newest = job->created.ms;
		if (through_live && job_is_live(job) && job->created.ms < oldest)
			oldest = job->created.ms;
	}
	if (newest == INT64_MIN)
		return lister->since_ms;
	return (oldest < newest ? oldest : newest) - LISTER_OVERLAP_MS;
}

static int64_t bound_of(const struct lister *lister, enum sync_call call)
{
	bool since_is_older = lister->options->since_ms > LISTER_LIVE_SPAN_MS;

	switch (call) {
	case CALL_SEARCH_ALL:
		return lister->since_ms;
	case CALL_SEARCH_CHANGED:
	case CALL_SEARCH_LIVE:
		return lister->seen_to.set ? lister->seen_to.ms
					   : lister->started_server_ms - LISTER_LAG_MS;
	default:
		if (lister->complete)
			return later_bound(lister, call != CALL_LIST_NEW);
		return since_is_older ? lister->since_ms
				      : lister->started_server_ms - LISTER_LIVE_SPAN_MS;
	}
}

static void begin_pass(struct lister *lister, enum sync_call call, int64_t now_ms)
{
	const struct sync_options *options = lister->options;

	lister->pass = call;
	lister->started_ms = now_ms;
	lister->started_server_ms = store_now_ms(options->store, options->clock);
	lister->pages = lister->old_pages = 0;
	lister->past_since = false;
	lister->newest_ms = INT64_MIN;
	lister->seen_count = 0;
	mem_set_text(&lister->token, NULL);
	lister->since_ms = lister->started_server_ms - options->since_ms;
	lister->after_ms = bound_of(lister, call);
}

/* --- what a page brings --- */

static bool is_wanted(const struct lister *lister, const struct job *job)
{
	return !job_has_ended(job) || !job->created.set || job->created.ms >= lister->since_ms ||
	       store_find(lister->options->store, job->arn);
}

/* A record of Search is believed where it is newer than what is known, or fills in what a summary
 * has told of the same state: an index lags. */
static bool is_news(const struct job *known, const struct job *record)
{
	if (!known || !known->modified.set || !record->modified.set)
		return true;
	return known->described ? record->modified.ms > known->modified.ms
				: record->modified.ms >= known->modified.ms;
}

static void take_record(struct lister *lister, struct job *job, int64_t now_ms)
{
	struct store *store = lister->options->store;

	if (!is_news(store_find(store, job->arn), job))
		return;
	job->described_mono_ms = now_ms;
	store_take_described(store, job);
}

static void note_seen(struct lister *lister, const struct job *job)
{
	if (job->modified.set && job->modified.ms > lister->newest_ms)
		lister->newest_ms = job->modified.ms;
	if (lister->pass != CALL_SEARCH_LIVE || !job_is_live(job))
		return;
	lister->seen = mem_grow(lister->seen, &lister->seen_capacity, lister->seen_count + 1,
				sizeof(*lister->seen));
	lister->seen[lister->seen_count++] = hash_text(job->arn);
}

struct page_facts {
	bool beyond;  /* it reaches back beyond since */
	bool unknown; /* it has jobs that were not known */
	bool empty;
	int64_t oldest_ms; /* creation, of what it has; INT64_MAX = not told */
};

static struct page_facts take_page(struct lister *lister, struct job_page *page, int64_t now_ms)
{
	struct page_facts facts = { .empty = page->count == 0, .oldest_ms = INT64_MAX };
	struct store *store = lister->options->store;

	for (size_t i = 0; i < page->count; i++) {
		struct job *job = &page->jobs[i];

		facts.beyond |= job->created.set && job->created.ms < lister->since_ms;
		if (job->created.set && job->created.ms < facts.oldest_ms)
			facts.oldest_ms = job->created.ms;
		facts.unknown |= !store_find(store, job->arn);
		if (lister->lane == LANE_SEARCH)
			note_seen(lister, job);
		if (!is_wanted(lister, job))
			continue;
		if (job->described)
			take_record(lister, job, now_ms);
		else
			store_take_summary(store, job);
	}
	return facts;
}

/* --- how far the first look has come --- */

static void note_filled(struct lister *lister, const struct page_facts *facts)
{
	struct store *store = lister->options->store;
	int64_t span_ms = lister->started_server_ms - lister->since_ms, done_ms = 0;

	if (lister->lane == LANE_PROCESSING || lister->complete || lister->pass == CALL_LIST_NEW)
		return;
	if (facts->oldest_ms < lister->started_server_ms)
		done_ms = lister->started_server_ms - facts->oldest_ms;

	store->filling = lister->token != NULL && done_ms < span_ms;
	store->fill_done_ms = done_ms;
	store->fill_span_ms = span_ms;

	if (lister->pass == CALL_SEARCH_ALL && lister->token)
		search_fill_set(&store->fill, false, lister->after_ms, lister->started_server_ms,
				lister->token);
}

/* Everything was there when an earlier run ended: only what has changed since is missing. */
static void resume_whole(struct lister *lister, int64_t now_ms)
{
	struct store *store = lister->options->store;
	const struct search_fill *kept = &store->kept_fill;

	lister->seen_to = (struct opt_ms){ .set = true, .ms = kept->to_ms };
	search_fill_set(&store->fill, true, kept->from_ms, kept->to_ms, NULL);
	mem_set_text(&lister->token, NULL);
	lister->pass = CALL_NONE;
	lister->complete = lister->listed = true;
	lister->live_due_ms = lister->due_ms = now_ms;
	store->filling = false;
}

/* An earlier run was cut short in the same look: the newest page is there by now, and the rest
 * comes from where that one ended. What has changed meanwhile is looked for from its start on. */
static void resume_part(struct lister *lister)
{
	const struct search_fill *kept = &lister->options->store->kept_fill;

	mem_set_text(&lister->token, kept->token);
	lister->after_ms = kept->from_ms;
	lister->started_server_ms = kept->to_ms;
}

/* True: the pass is over. */
static bool resume(struct lister *lister, int64_t now_ms)
{
	struct store *store = lister->options->store;
	const struct search_fill *kept = &store->kept_fill;
	bool fits = lister->pass == CALL_SEARCH_ALL && kept->known && lister->token &&
		    kept->from_ms <= lister->since_ms && kept->to_ms >= lister->since_ms &&
		    kept->to_ms <= lister->started_server_ms;
	bool whole = kept->whole;

	if (fits && whole)
		resume_whole(lister, now_ms);
	else if (fits && lister->started_server_ms - kept->to_ms < SEARCH_FILL_TOKEN_MS)
		resume_part(lister);
	if (lister->pass == CALL_SEARCH_ALL || fits)
		search_fill_release(&store->kept_fill);
	return fits && whole;
}

/* --- where a pass ends --- */

static bool was_seen(const struct lister *lister, const char *arn)
{
	uint64_t hash = hash_text(arn);

	for (size_t i = 0; i < lister->seen_count; i++) {
		if (lister->seen[i] == hash)
			return true;
	}
	return false;
}

/* Jobs that are live here but not among those of Search, although it has had time to hear of them.
 */
static void doubt_missing(const struct lister *lister)
{
	const struct store *store = lister->options->store;

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (job->kind == JOB_TRAINING && job_is_live(job) && job->modified.set &&
		    job->modified.ms < lister->started_server_ms - LISTER_LAG_MS &&
		    !was_seen(lister, job->arn))
			lister->doubt(lister->ctx, job->arn);
	}
}

/* A pass by change goes from old to new: one that was cut is taken up where it ended. */
static void move_seen_to(struct lister *lister, bool whole)
{
	int64_t to = whole || lister->pass == CALL_SEARCH_ALL
			     ? lister->started_server_ms - LISTER_LAG_MS
			     : lister->newest_ms;

	if (!lister->seen_to.set || to > lister->seen_to.ms)
		lister->seen_to = (struct opt_ms){ .set = true, .ms = to };
}

static void end_search(struct lister *lister, bool whole, int64_t now_ms)
{
	struct store *store = lister->options->store;

	move_seen_to(lister, whole);
	if (lister->pass == CALL_SEARCH_LIVE && whole)
		doubt_missing(lister);
	if (lister->pass != CALL_SEARCH_CHANGED)
		lister->live_due_ms = now_ms + LISTER_LIVE_EVERY_MS;
	if (whole && lister->pass == CALL_SEARCH_ALL)
		search_fill_set(&store->fill, true, lister->after_ms, lister->seen_to.ms, NULL);
	else if (store->fill.whole)
		store->fill.to_ms = lister->seen_to.ms;
	store->filling = false;
	lister->complete = true;
	store_note_loaded(store, SOURCE_SEARCH, now_ms);
}

static void end_pass(struct lister *lister, bool whole, int64_t now_ms)
{
	const struct sync_options *options = lister->options;

	if (lister->lane == LANE_SEARCH)
		end_search(lister, whole, now_ms);
	else if (lister->pass != CALL_LIST_NEW)
		lister->complete = true;
	lister->pass = CALL_NONE;
	lister->listed = true;
	mem_set_text(&lister->token, NULL);
	lister->due_ms = lister->started_ms +
			 slowdown_stretch(&lister->budget.slowdown, options->refresh_ms, now_ms);
}

static unsigned page_limit(const struct lister *lister)
{
	if (!lister->complete && lister->pass != CALL_LIST_NEW)
		return LISTER_PAGES_MAX;
	return lister->pass == CALL_LIST_WALK ? LISTER_LATER_PAGES : LISTER_NEW_PAGES;
}

/* A page without news, in a pass that looks for new jobs only, has no news behind it. */
static bool is_enough(const struct lister *lister, const struct page_facts *facts)
{
	if (facts->empty)
		return false;
	if (lister->pass == CALL_LIST_NEW)
		return !lister->complete || !facts->unknown;
	return lister->pass == CALL_LIST_PROCESSING && lister->complete && !facts->unknown;
}

static bool is_loaded(const struct lister *lister, const struct page_facts *facts, bool last)
{
	if (lister->lane == LANE_SEARCH)
		return false;
	if (lister->pass == CALL_LIST_NEW)
		return last && lister->complete;
	/* What was asked for is there; the walk for old live jobs goes on behind it. */
	return last || (facts->beyond && !lister->past_since && !lister->complete);
}

static void took(struct lister *lister, struct job_page *page, int64_t now_ms)
{
	struct page_facts facts = take_page(lister, page, now_ms);
	bool whole = !page->next_token;
	bool last = whole || ++lister->pages >= page_limit(lister) || is_enough(lister, &facts);

	lister->failures = 0;
	lister->offline = false;
	lister->refused = false;
	mem_set_text(&lister->token, page->next_token);
	if (lister->past_since && ++lister->old_pages >= LISTER_OLD_PAGES_MAX)
		last = true;
	if (is_loaded(lister, &facts, last))
		store_note_loaded(lister->options->store, lister->source, now_ms);
	lister->past_since = lister->past_since || (facts.beyond && lister->lane != LANE_SEARCH);
	lister->due_ms = now_ms;
	note_filled(lister, &facts);
	if (!last && resume(lister, now_ms))
		store_note_loaded(lister->options->store, lister->source, now_ms);
	else if (last)
		end_pass(lister, whole, now_ms);
}

/* Failures that pass; the others say that Search is not to be had. */
static bool is_passing(enum err_code code)
{
	return sync_is_offline(code) || code == ERR_THROTTLED || code == ERR_SERVER ||
	       code == ERR_PARSE || code == ERR_IO;
}

static int64_t most_pause_ms(enum err_code code)
{
	bool nothing_answers = code == ERR_NET || code == ERR_TIMEOUT;

	return nothing_answers ? LISTER_BACKOFF_NET_MS : SYNC_BACKOFF_MAX_MS;
}

static void failed(struct lister *lister, const struct err *err, int64_t now_ms)
{
	/* A token can be refused (they end after a day): then the pass begins again. */
	bool token_refused = err->code == ERR_REFUSED && lister->token;

	lister->failures++;
	lister->offline = sync_is_offline(err->code);
	lister->due_ms = now_ms + sync_backoff_ms(lister->options->refresh_ms, lister->failures,
						  most_pause_ms(err->code));
	if (err->code == ERR_REFUSED)
		lister->pass = CALL_NONE;
	if (lister->lane == LANE_SEARCH && !token_refused && !is_passing(err->code)) {
		lister->refused = true;
		lister->due_ms = now_ms + LISTER_REFUSED_MS;
	} else if (lister->lane == LANE_SEARCH && lister->failures >= LISTER_FAILURES_ASIDE) {
		lister->refused = true;
	}
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

/* --- asking --- */

static uint64_t search(struct lister *lister)
{
	struct opt_ms from = { .set = true, .ms = lister->after_ms };
	struct search_query query = { .live = lister->pass != CALL_SEARCH_CHANGED,
				      .next_token = lister->token };

	if (lister->pass == CALL_SEARCH_ALL)
		query.created_from = from;
	else
		query.modified_from = from;
	return jobs_search(lister->options->client, &query, answered, lister);
}

static uint64_t list(struct lister *lister)
{
	const struct list_query query = { .kind = lister->kind,
					  .created_after = { .set = true, .ms = lister->after_ms },
					  .next_token = lister->token };

	return jobs_list(lister->options->client, &query, answered, lister);
}

void lister_start(struct lister *lister, enum sync_call call, int64_t now_ms)
{
	if (lister->pass != call)
		begin_pass(lister, call, now_ms);
	budget_note_start(&lister->budget, now_ms);
	store_note_asked(lister->options->store, lister->source);
	lister->call = lister->lane == LANE_SEARCH ? search(lister) : list(lister);
}

struct sync_lane_state lister_state(const struct lister *lister, int64_t now_ms)
{
	return (struct sync_lane_state){
		.busy = lister->call != 0,
		.pass = lister->pass,
		.complete = lister->complete,
		.due_ms = lister->due_ms,
		.ready_ms = budget_ready_ms(&lister->budget, now_ms),
	};
}

void lister_walk_on(struct lister *lister, int64_t now_ms)
{
	if (lister->complete)
		return;
	if (lister->pass == CALL_LIST_NEW)
		lister->pass = CALL_LIST_WALK;
	else if (lister->pass == CALL_NONE && lister->failures == 0)
		lister->due_ms = now_ms; /* that look is over: the walk waits for no refresh */
}

void lister_refresh(struct lister *lister, int64_t now_ms)
{
	lister->due_ms = now_ms;
}

void lister_come_back(struct lister *lister, int64_t now_ms)
{
	if (!lister->offline)
		return;
	lister->offline = false;
	lister->due_ms = now_ms;
	store_note_retry(lister->options->store, lister->source, now_ms);
}
