#include "aws/gather.h"

#include "aws/doctor.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_tags.h"
#include "model/history_fees.h"

static void end(struct gathering *gather, const struct err *err)
{
	gather->is_done = true;
	waits_remove(&gather->waiter);
	gather->done(gather->ctx, err);
}

/* Beside what is wanted yesterday's list will do: it says of which day it is. */
static bool has_prices(const struct gathering *gather)
{
	int64_t now_ms = session_wall_ms(gather->session);
	if (gather->shows_no_money || session_prices_are_settled(gather->session))
		return true;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		const struct price_list *list = &gather->store->prices.lists[i];
		if (gather->need == NEED_PRICES || !list->told ||
		    now_ms - list->read_at.ms > GATHER_PRICES_OLD_MS)
			return false;
	}
	return true;
}

/* How long runs of the same stem took, for what a job is likely to cost. */
static bool has_past(const struct gathering *gather)
{
	bool wanted = gather->need == NEED_JOB_HISTORY || gather->need == NEED_JOBS;
	return !wanted || gather->store->history.loaded;
}

/* The fees of the plans that it ran on. */
static bool has_fees(const struct gathering *gather)
{
	const struct freshness *plans = &gather->store->sources[SOURCE_PLANS];
	return !gather->wants_fees || plans->loaded || plans->failing;
}

/* What stands beside what is wanted. */
static bool has_the_rest(const struct gathering *gather)
{
	return has_prices(gather) && has_past(gather) && has_fees(gather);
}

static void look_at_rest(struct gathering *gather)
{
	if (has_the_rest(gather))
		end(gather, NULL);
}

static void look_in(struct gathering *gather, int64_t ms);

static void say_wait(struct gathering *gather)
{
	gather->said = true;
	if (gather->waits)
		gather->waits(gather->ctx, !has_past(gather) ? "reads what was kept of earlier jobs"
					   : has_prices(gather) ? "reads the training plans"
					   : gather->waits_for_rest
						   ? "reads AWS's price list, for 3 s "
						     "at most"
						   : "reads AWS's price list");
	if (gather->waits_for_rest)
		look_in(gather, GATHER_PRICES_MS - GATHER_SAYS_MS);
}

/* It has been waited for long enough: the table stands in for prices, and the rest is unknown. */
static void on_due(void *ctx)
{
	struct gathering *gather = ctx;
	if (!gather->is_done)
		look_at_rest(gather);
	if (gather->is_done)
		return;
	if (!gather->said)
		say_wait(gather);
	else if (gather->waits_for_rest)
		end(gather, NULL);
}

static void look_in(struct gathering *gather, int64_t ms)
{
	waits_remove(&gather->waiter);
	gather->waiter = (struct waiter){ .wake = on_due, .ctx = gather };
	struct wait_hooks hooks = session_hooks(gather->session, &gather->waiter);
	hooks.wake_in(hooks.host, ms);
}

/* What was wanted is there; what it costs shall not hold up who wants it, where the price list is
 * not to be had. */
static void finish(struct gathering *gather, const struct err *err)
{
	if (err || has_the_rest(gather)) {
		end(gather, err);
		return;
	}
	gather->waits_for_rest = true;
	look_in(gather, GATHER_SAYS_MS);
}

static void want_plans(struct gathering *gather)
{
	session_start_plans(gather->session);
	session_want_plans(gather->session, true);
}

static void want_fees(struct gathering *gather)
{
	gather->wants_fees = true;
	want_plans(gather);
}

static void look_next(struct gathering *gather);

/* The name at hand has been looked at. */
static void end_look(struct gathering *gather)
{
	gather->at++;
	look_next(gather);
}

/* Many may not read tags: then the name and the description have to do. */
static void on_tags(void *ctx, struct tag_page *page, const struct err *err)
{
	struct gathering *gather = ctx;
	(void)err;
	if (page)
		(void)owner_of_tags(page->tags.items, page->tags.count,
				    &gather->owners[gather->at]);
	end_look(gather);
}

static bool is_on_plan(const struct job *job)
{
	return job->selected.set && job->selected.rank > 0 &&
	       prefs_plan(job_prefs(job), job->selected.rank - 1)[0];
}

static void take(struct gathering *gather, struct job *job)
{
	struct aws_client *client = session_client(gather->session);
	if (gather->need == NEED_WAIT)
		session_select(gather->session, job->arn);
	if (gather->need == NEED_JOB_HISTORY && is_on_plan(job))
		want_fees(gather);
	if (gather->need == NEED_OWNED && !owner_of_job(job, &gather->owners[gather->at]))
		tags_list(client, job->arn, NULL, on_tags, gather);
	else
		end_look(gather);
}

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct gathering *gather = ctx;
	struct job copy = { 0 };
	if (err && err->code != ERR_NOT_FOUND) {
		finish(gather, err);
		return;
	}
	if (!job) {
		end_look(gather);
		return;
	}
	job_copy(&copy, job);
	store_take_described(gather->store, &copy);
	job_release(&copy);
	take(gather, job);
}

static void describe(struct gathering *gather, enum job_kind kind, job_fn *done)
{
	jobs_describe(session_client(gather->session), kind, gather->names[gather->at], done,
		      gather);
}

static void on_training_described(void *ctx, struct job *job, const struct err *err)
{
	struct gathering *gather = ctx;
	if (err && err->code == ERR_NOT_FOUND)
		describe(gather, JOB_PROCESSING, on_described);
	else
		on_described(ctx, job, err);
}

static void look_next(struct gathering *gather)
{
	if (gather->at == gather->name_count)
		finish(gather, NULL);
	else if (gather->kind)
		describe(gather, *gather->kind, on_described);
	else
		describe(gather, JOB_TRAINING, on_training_described);
}

static void on_diagnosed(void *ctx)
{
	finish(ctx, NULL);
}

static void start_doctor(struct gathering *gather)
{
	const struct doctor_options options = { .session = gather->session,
						.diagnosis = gather->diagnosis,
						.done = on_diagnosed,
						.ctx = gather };
	gather->doctor = doctor_new(&options);
}

static void on_looked(void *ctx)
{
	finish(ctx, NULL);
}

static void look_at_request(struct gathering *gather)
{
	const struct request_look_options options = { .session = gather->session,
						      .store = gather->store,
						      .request = gather->request,
						      .told = gather->look,
						      .done = on_looked,
						      .ctx = gather };
	gather->request_look = request_look_new(&options);
}

static void on_explained(void *ctx, const struct err *err)
{
	finish(ctx, err);
}

static void look_to_explain(struct gathering *gather)
{
	const struct explain_look_options options = { .session = gather->session,
						      .store = gather->store,
						      .names = gather->names,
						      .name_count = gather->name_count,
						      .kind = gather->kind,
						      .refusals = gather->refusals,
						      .done = on_explained,
						      .ctx = gather };
	gather->explain_look = explain_look_new(&options);
}

void gather_release(struct gathering *gather)
{
	explain_look_free(gather->explain_look);
	gather->explain_look = NULL;
	request_look_free(gather->request_look);
	gather->request_look = NULL;
	doctor_free(gather->doctor);
	gather->doctor = NULL;
	waits_remove(&gather->waiter);
}

bool gather_connected(struct gathering *gather, const struct err *err)
{
	if (gather->doctor)
		doctor_connected(gather->doctor, err);
	return gather->doctor != NULL;
}

void gather_start(struct gathering *gather)
{
	gather->is_done = false;
	if (gather->need != NEED_DIAGNOSIS && gather->need != NEED_PLANS &&
	    gather->need != NEED_QUOTAS && gather->need != NEED_WATCH &&
	    gather->need != NEED_ACTIONS)
		session_start_prices(gather->session);
	switch (gather->need) {
	case NEED_WAIT:
		session_start_job(gather->session);
		gather->at = 0;
		look_next(gather);
		break;
	case NEED_JOB:
	case NEED_JOB_HISTORY:
	case NEED_OWNED:
		gather->at = 0;
		look_next(gather);
		break;
	case NEED_EXPLAIN:
		look_to_explain(gather);
		break;
	case NEED_PLANS:
		want_plans(gather);
		break;
	case NEED_HISTORY_PLANS:
		want_plans(gather);
		session_start_jobs(gather->session);
		break;
	case NEED_JOBS:
	case NEED_WATCH:
	case NEED_QUOTAS:
	case NEED_HISTORY:
	case NEED_HISTORY_FEES:
		session_start_jobs(gather->session);
		break;
	case NEED_DIAGNOSIS:
		start_doctor(gather);
		break;
	case NEED_REQUEST:
		look_at_request(gather);
		break;
	case NEED_ACTIONS:
		gather_changed(gather);
		break;
	case NEED_PRICES:
		look_in(gather, GATHER_SAYS_MS);
		break;
	case NEED_NOTHING:
		break;
	}
}

static void want_quotas(struct gathering *gather)
{
	const struct store *store = gather->store;
	struct quota_key keys[QUOTA_KEYS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < gather->name_count; i++)
		count = quota_keys_of_type(keys, count, QUOTA_KEYS_MAX, gather->names[i]);
	if (gather->name_count == 0)
		count = quota_keys_of_jobs(keys, 0, QUOTA_KEYS_MAX,
					   (const struct job *const *)store->jobs, store->count);
	gather->counts = true;
	session_want_quotas(gather->session, keys, count);
}

/* What could not be read the command says. */
static void look_at_quotas(struct gathering *gather)
{
	if (!gather->counts)
		want_quotas(gather);
	if (session_quotas_are_settled(gather->session))
		finish(gather, NULL);
}

static void look_at_jobs(struct gathering *gather)
{
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &gather->store->sources[i];
		if (source->failing && !source->loaded) {
			finish(gather, &source->error);
			return;
		}
	}
	if (!session_is_settled(gather->session))
		return;
	if (gather->need == NEED_QUOTAS)
		look_at_quotas(gather);
	else
		finish(gather, NULL);
}

/* What was kept can be told without AWS: a list that fails the command says beside it. */
static void look_at_history(struct gathering *gather)
{
	const struct freshness *sources = gather->store->sources;
	bool is_failing =
		(sources[SOURCE_TRAINING].failing && !sources[SOURCE_TRAINING].loaded) ||
		(sources[SOURCE_PROCESSING].failing && !sources[SOURCE_PROCESSING].loaded);
	const struct freshness *plans = &sources[SOURCE_PLANS];
	if (gather->need == NEED_HISTORY_PLANS && !plans->loaded && !plans->failing)
		return;
	if (!gather->flushes && !is_failing && !session_is_settled(gather->session))
		return;
	if (!gather->flushes)
		session_flush_history(gather->session);
	gather->flushes = session_keeps_history(gather->session);
	if (!session_history_is_settled(gather->session))
		return;
	if (gather->need == NEED_HISTORY_FEES && history_has_plans(&gather->store->history))
		want_fees(gather);
	finish(gather, NULL);
}

static void look_at_plans(struct gathering *gather)
{
	const struct freshness *plans = &gather->store->sources[SOURCE_PLANS];
	if (plans->failing)
		finish(gather, &plans->error);
	else if (plans->loaded)
		finish(gather, NULL);
}

void gather_changed(struct gathering *gather)
{
	if (gather->is_done)
		return;
	if (gather->doctor)
		doctor_changed(gather->doctor);
	else if (gather->waits_for_rest || gather->need == NEED_PRICES)
		look_at_rest(gather);
	else if (gather->request_look)
		request_look_changed(gather->request_look);
	else if (gather->explain_look)
		explain_look_changed(gather->explain_look);
	else if (gather->need == NEED_JOBS || gather->need == NEED_QUOTAS)
		look_at_jobs(gather);
	else if (gather->need == NEED_HISTORY || gather->need == NEED_HISTORY_FEES ||
		 gather->need == NEED_HISTORY_PLANS)
		look_at_history(gather);
	else if (gather->need == NEED_PLANS)
		look_at_plans(gather);
	else if (gather->need == NEED_ACTIONS && gather->store->actions.is_read)
		finish(gather, NULL);
	else if (gather->need == NEED_WATCH)
		end(gather, NULL);
}
