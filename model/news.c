#include "model/news.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/history_figures.h"

#define WORD_MAX 40 /* of a reason's first word: AlgorithmError */

struct look {
	const struct news_ask *ask;
	news_fn *tell;
	void *ctx;
};

static void tell_job(const struct look *look, enum rule_event event, const struct job *job)
{
	const struct news news = { .event = event, .job = job, .subject = history_key(job->arn) };
	if (look->ask->events & 1u << event)
		look->tell(look->ctx, &news);
}

/* --- changes of phase --- */

static bool was_waiting(const struct phase_change *change)
{
	return !change->has_from || change->from == PHASE_PENDING || change->from == PHASE_UNKNOWN;
}

static bool is_word(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

/* A stop by somebody is no failure; one by the job's own limit is. */
static bool has_failed(const struct job *job, enum phase phase, int64_t now_ms)
{
	return phase == PHASE_FAILED ||
	       (phase == PHASE_STOPPED && (history_timed_out(job, now_ms) ||
					   is_word(job->secondary_status, "MaxRuntimeExceeded")));
}

static void take_change(void *ctx, const struct phase_change *change)
{
	const struct look *look = ctx;
	const struct job *job = change->job;
	bool runs = change->to == PHASE_STARTING || change->to == PHASE_RUNNING ||
		    change->to == PHASE_COMPLETED;
	if (runs && was_waiting(change)) {
		tell_job(look, RULE_START, job);
		if (job->selected.set && job->selected.rank > 1)
			tell_job(look, RULE_FALLBACK, job);
	}
	if (has_failed(job, change->to, look->ask->now_ms))
		tell_job(look, RULE_FAIL, job);
}

/* --- what lasts --- */

static void look_at_wait(const struct look *look, const struct job *job)
{
	struct news news = { .event = RULE_PROCESSING_PENDING,
			     .job = job,
			     .subject = history_key(job->arn) };
	bool final;
	if (job->kind == JOB_PROCESSING && job_phase(job) == PHASE_PENDING && job->described &&
	    (look->ask->events & 1u << news.event) &&
	    job_wait_ms(job, look->ask->now_ms, &news.waited_ms, &final) && !final)
		look->tell(look->ctx, &news);
}

static void look_at_job(const struct look *look, const struct job *job)
{
	static const struct stuck_past none = { 0 };
	const struct news_ask *ask = look->ask;
	unsigned why = stuck_why(ask->store, ask->past ? ask->past : &none, job, ask->stuck_after,
				 ask->now_ms);
	if (!ask->past)
		why &= ~(unsigned)STUCK_WAITS;
	if (why & (STUCK_WAITS | STUCK_STOPPING | STUCK_NEAR_END))
		tell_job(look, RULE_STUCK, job);
	if (why & STUCK_NEAR_LIMIT)
		tell_job(look, RULE_LIMIT, job);
	if (gpu_watch_idle(&ask->store->gpus, job, ask->now_ms))
		tell_job(look, RULE_IDLE, job);
	look_at_wait(look, job);
}

static void tell_window(const struct look *look, enum rule_event event, const struct plan *plan,
			int64_t when_ms)
{
	const struct news news = { .event = event,
				   .plan = plan,
				   .when = { true, when_ms },
				   .subject = hash_text(plan->arn) ^ (uint64_t)when_ms };
	int64_t left_ms = when_ms - look->ask->now_ms;
	if (left_ms > 0 && left_ms <= RULE_SOON_MS && (look->ask->events & 1u << event))
		look->tell(look->ctx, &news);
}

static void look_at_plan(const struct look *look, const struct plan *plan)
{
	enum plan_state state = plan_state(plan, look->ask->now_ms);
	struct plan_window window;
	if (state == PLAN_EXPIRED || state == PLAN_FAILED ||
	    !plan_current_window(plan, look->ask->now_ms, &window))
		return;
	if (window.start.set)
		tell_window(look, RULE_PLAN_START, plan, window.start.ms);
	if (window.end.set && (!window.start.set || window.start.ms <= look->ask->now_ms))
		tell_window(look, RULE_PLAN_END, plan, window.end.ms);
}

void news_look(struct phases *phases, const struct news_ask *ask, news_fn *tell, void *ctx)
{
	struct look look = { ask, tell, ctx };
	size_t count;
	phases_look(phases, ask->store, ask->mono_ms, take_change, &look);
	const struct job *const *open = store_open_jobs(ask->store, &count);
	for (size_t i = 0; i < count; i++)
		if (job_is_live(open[i]))
			look_at_job(&look, open[i]);
	for (size_t i = 0; i < ask->store->plan_count; i++)
		look_at_plan(&look, &ask->store->plans[i]);
}

/* --- in words --- */

static void add_duration(struct buf *out, int64_t ms)
{
	char text[TIME_TEXT_SIZE];
	duration_format(ms / 1000, text);
	buf_add_text(out, text);
}

static void add_selected(struct buf *out, const struct job *job)
{
	if (job->selected.set && job->selected.rank > 0)
		buf_addf(out, "#%zu ", job->selected.rank);
	buf_addf(out, "%s x%" PRId64, job->selected.instance_type, job->selected.count);
}

static void add_start(struct buf *out, const struct job *job, const struct news_ask *ask)
{
	int64_t wait_ms;
	bool final;
	buf_addf(out, "%s has started", job->name);
	if (job->selected.set) {
		buf_add_text(out, " on ");
		add_selected(out, job);
	}
	if (!job_wait_ms(job, ask->now_ms, &wait_ms, &final))
		return;
	buf_add_text(out, " after a wait of ");
	add_duration(out, wait_ms);
}

/* Of a reason "AlgorithmError: ..." the word alone. */
static void add_failure(struct buf *out, const struct job *job, const struct news_ask *ask)
{
	const char *reason = job->failure_reason ? job->failure_reason : "";
	size_t len = 0;
	while (len < WORD_MAX && isalpha((unsigned char)reason[len]))
		len++;
	if (job_phase(job) == PHASE_STOPPED && history_timed_out(job, ask->now_ms)) {
		buf_addf(out, "%s was stopped by its pending limit", job->name);
	} else if (job_phase(job) == PHASE_STOPPED) {
		buf_addf(out, "%s was stopped by MaxRuntimeInSeconds", job->name);
	} else {
		buf_addf(out, "%s has failed", job->name);
		if (len > 0 && reason[len] == ':')
			buf_addf(out, " (%.*s)", (int)len, reason);
	}
}

static void add_limit(struct buf *out, const struct job *job, const struct news_ask *ask, bool utc)
{
	struct pending_clock clock = pending_clock(ask->store, job, ask->now_ms);
	char when[TIME_TEXT_SIZE];
	buf_addf(out, "%s has used over 80 %% of its pending limit", job->name);
	if (!clock.deadline.set)
		return;
	time_format_hm(clock.deadline.ms, utc, when);
	buf_addf(out, ", which stops it at %s%s", when, utc ? " UTC" : "");
}

static void add_idle(struct buf *out, const struct job *job, const struct news_ask *ask)
{
	const struct gpu_use *use = gpu_watch_idle(&ask->store->gpus, job, ask->now_ms);
	buf_addf(out, "%s runs, and its GPUs have nothing to do", job->name);
	if (!use)
		return;
	buf_addf(out, " (%d %%) for ", use->permille / 10);
	add_duration(out, use->for_ms);
}

static void add_stuck(struct buf *out, const struct job *job, const struct news_ask *ask)
{
	static const struct stuck_past none = { 0 };
	buf_addf(out, "%s is %s: ", job->name, phase_word(job_phase(job)));
	stuck_add_words(out, ask->store, ask->past ? ask->past : &none, job, ask->stuck_after,
			ask->now_ms);
	while (out->len > 0 && (out->data[out->len - 1] == ' ' || out->data[out->len - 1] == '.'))
		out->data[--out->len] = '\0';
}

static void add_plan(struct buf *out, const struct news *news, const struct news_ask *ask, bool utc)
{
	char when[TIME_TEXT_SIZE];
	time_format_hm(news->when.ms, utc, when);
	buf_addf(out, "training plan %s", news->plan->name);
	if (news->plan->instance_type[0])
		buf_addf(out, " (%s)", news->plan->instance_type);
	buf_addf(out, " %s at %s%s, in ",
		 news->event == RULE_PLAN_START ? "opens" : "is over for now", when,
		 utc ? " UTC" : "");
	add_duration(out, news->when.ms - ask->now_ms);
}

void news_add_words(struct buf *out, const struct news *news, const struct news_ask *ask, bool utc)
{
	switch (news->event) {
	case RULE_START:
		add_start(out, news->job, ask);
		break;
	case RULE_FAIL:
		add_failure(out, news->job, ask);
		break;
	case RULE_FALLBACK:
		buf_addf(out, "%s fell back to ", news->job->name);
		add_selected(out, news->job);
		break;
	case RULE_STUCK:
		add_stuck(out, news->job, ask);
		break;
	case RULE_LIMIT:
		add_limit(out, news->job, ask, utc);
		break;
	case RULE_IDLE:
		add_idle(out, news->job, ask);
		break;
	case RULE_PLAN_START:
	case RULE_PLAN_END:
		add_plan(out, news, ask, utc);
		break;
	case RULE_PROCESSING_PENDING:
		buf_addf(out, "%s has been pending for ", news->job->name);
		add_duration(out, news->waited_ms);
		break;
	case RULE_EVENTS:
		break;
	}
}
