#include "aws/request_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "aws/search.h"
#include "model/base/mem.h"
#include "model/request_compare.h"
#include "model/store_quotas.h"

#define WHY_MAX 4096
/* The longest that a warm pool is kept after its job has ended, and a little. */
#define POOL_MS INT64_C(3900000)

struct request_look {
	struct request_look_options options;
	struct request_facts facts;
	struct waiter waiter;
	struct wait_hooks hooks;
	uint64_t name_call, jobs_call; /* under way; 0 = none */
	char *token;                   /* owned; of the next page of jobs */
	unsigned pages, described;
	bool stopping; /* of processing jobs, those that stop are listed, after those that run */
	bool wants_plans, is_over;
};

static struct aws_client *client_of(const struct request_look *look)
{
	return session_client(look->options.session);
}

static bool has_plans(const struct request_look *look)
{
	const struct freshness *plans = &look->options.store->sources[SOURCE_PLANS];
	return !look->wants_plans || plans->loaded || plans->failing;
}

void request_look_changed(struct request_look *look)
{
	if (!look->is_over && !look->name_call && !look->jobs_call && has_plans(look) &&
	    session_quotas_are_settled(look->options.session))
		look->hooks.wake_in(look->hooks.host, 0);
}

/* --- the name --- */

/* One like it may be this very request, sent before: which, the journal tells. */
static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct request_look *look = ctx;
	struct buf why;
	look->name_call = 0;
	buf_init(&why, WHY_MAX);
	if (job && request_compare(look->options.request, job, 0, &why) == REQUEST_DIFFERENT)
		look->options.told->name = NAME_TAKEN;
	else if (err && err->code == ERR_NOT_FOUND)
		look->options.told->name = NAME_FREE;
	else if (err)
		need_say_why(err, look->options.told->name_why);
	else if (job && look->options.told->name == NAME_UNCHECKED)
		(void)snprintf(look->options.told->name_why, NEED_WHY_SIZE,
			       "there is a job like it, which may be this very request");
	buf_release(&why);
	request_look_changed(look);
}

/* --- the jobs that use the quotas --- */

static void ask_jobs(struct request_look *look);

static void take_jobs(struct request_look *look, struct job_page *page)
{
	struct store *store = look->options.store;
	for (size_t i = 0; i < page->count; i++) {
		if (page->jobs[i].described)
			store_take_described(store, &page->jobs[i]);
		else
			store_take_summary(store, &page->jobs[i]);
	}
	mem_set_text(&look->token, page->next_token);
}

static bool has_more(struct request_look *look)
{
	if (look->token)
		return true;
	bool more = look->options.request->kind == JOB_PROCESSING && !look->stopping;
	look->stopping = true;
	return more;
}

static void describe_next(struct request_look *look);

static void on_user_described(void *ctx, struct job *job, const struct err *err)
{
	struct request_look *look = ctx;
	(void)err; /* it is told as not read */
	look->jobs_call = 0;
	if (job) {
		store_take_described(look->options.store, job);
		describe_next(look);
	}
	request_look_changed(look);
}

static void describe_next(struct request_look *look)
{
	const struct store *store = look->options.store;
	for (size_t i = 0; i < store->count && look->described < REQUEST_LOOK_JOBS; i++) {
		const struct job *job = store_at(store, i);
		if (job->kind != look->options.request->kind || !job_is_live(job) ||
		    job_has_details(job))
			continue;
		look->described++;
		look->jobs_call = jobs_describe(client_of(look), job->kind, job->name,
						on_user_described, look);
		return;
	}
}

static void on_jobs(void *ctx, struct job_page *page, const struct err *err)
{
	struct request_look *look = ctx;
	(void)err; /* the use is not counted, which is said */
	look->jobs_call = 0;
	if (page) {
		take_jobs(look, page);
		look->options.told->counted = !has_more(look);
		if (!look->options.told->counted && ++look->pages < REQUEST_LOOK_PAGES)
			ask_jobs(look);
		else
			describe_next(look);
	}
	request_look_changed(look);
}

/* Live training jobs, and those that have ended of late, whose warm pools may still be there. */
static void ask_jobs(struct request_look *look)
{
	const struct search_query training = {
		.live = true,
		.modified_from = { true, session_wall_ms(look->options.session) - POOL_MS },
		.next_token = look->token
	};
	const struct list_query processing = { .kind = JOB_PROCESSING,
					       .status_equals =
						       look->stopping ? "Stopping" : "InProgress",
					       .next_token = look->token };
	if (look->options.request->kind == JOB_TRAINING)
		look->jobs_call = jobs_search(client_of(look), &training, on_jobs, look);
	else
		look->jobs_call = jobs_list(client_of(look), &processing, on_jobs, look);
}

/* --- all of it --- */

static void want_quotas(struct request_look *look)
{
	const struct request *request = look->options.request;
	struct need_look *told = look->options.told;
	struct quota_key keys[QUOTA_KEYS_MAX];
	struct job asked = { 0 };
	struct err ignored = { 0 };
	told->kind = quota_kind_of(request->kind, look->facts.has_spot);
	if (jobs_decode_request(request->kind, request->text, &asked, &ignored))
		told->keeps_alive = asked.keep_alive_seconds > 0;
	job_release(&asked);
	err_clear(&ignored);
	session_want_quotas(look->options.session, keys,
			    quota_keys_of_list(keys, 0, QUOTA_KEYS_MAX, &look->facts.prefs,
					       told->kind, told->keeps_alive));
}

static bool names_plans(const struct preferences *prefs)
{
	bool any = prefs->job_plan_arn[0] != '\0';
	for (size_t i = 0; i < prefs->length; i++)
		any = any || prefs->entries[i].plan_arn[0];
	return any;
}

/* What is still out when the time is up. */
static void note_silence(struct request_look *look)
{
	const struct freshness *plans = &look->options.store->sources[SOURCE_PLANS];
	struct need_look *told = look->options.told;
	if (look->name_call)
		(void)snprintf(told->name_why, NEED_WHY_SIZE, "no answer in time");
	if (look->wants_plans && !plans->loaded && plans->failing)
		need_say_why(&plans->error, told->plans_why);
	else if (look->wants_plans && !plans->loaded)
		(void)snprintf(told->plans_why, NEED_WHY_SIZE, "no answer in time");
}

static void drop_calls(struct request_look *look)
{
	if (look->name_call)
		aws_client_cancel(client_of(look), look->name_call);
	if (look->jobs_call)
		aws_client_cancel(client_of(look), look->jobs_call);
	look->name_call = look->jobs_call = 0;
}

/* Nothing is read on while the request is asked about and sent. */
static void on_due(void *ctx)
{
	struct request_look *look = ctx;
	struct session *session = look->options.session;
	look->is_over = true;
	note_silence(look);
	drop_calls(look);
	session_want_quotas(session, NULL, 0);
	session_want_plans(session, false);
	look->options.done(look->options.ctx);
}

static void start(struct request_look *look)
{
	struct session *session = look->options.session;
	enum job_kind kind = look->options.request->kind;
	look->wants_plans = kind == JOB_TRAINING && names_plans(&look->facts.prefs);
	if (job_name_is_valid(look->facts.name))
		look->name_call =
			jobs_describe(client_of(look), kind, look->facts.name, on_described, look);
	ask_jobs(look);
	want_quotas(look);
	if (look->wants_plans) {
		session_start_plans(session);
		session_want_plans(session, true);
	}
}

struct request_look *request_look_new(const struct request_look_options *options)
{
	struct request_look *look = mem_new(1, sizeof(*look));
	struct err ignored = { 0 };
	look->options = *options;
	*options->told = (struct need_look){ .asked = true };
	look->waiter = (struct waiter){ .wake = on_due, .ctx = look };
	look->hooks = session_hooks(options->session, &look->waiter);
	look->hooks.wake_in(look->hooks.host, REQUEST_LOOK_MS);
	if (request_facts(options->request, &look->facts, &ignored))
		start(look);
	err_clear(&ignored);
	request_look_changed(look);
	return look;
}

void request_look_free(struct request_look *look)
{
	if (!look)
		return;
	drop_calls(look);
	waits_remove(&look->waiter);
	free(look->token);
	free(look);
}
