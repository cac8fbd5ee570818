/* What is known of each entry of the list: whether it was taken or passed over, and what stands
 * beside it. */
#include <stdio.h>

#include "model/explain_parts.h"
#include "model/quota_refusal.h"
#include "model/store_quotas.h"

static void say(struct explain_entry *entry, enum explain_verdict verdict, const char *why)
{
	entry->verdict = verdict;
	(void)snprintf(entry->why, sizeof(entry->why), "%s", why);
}

/* Of an entry whose plan is closed or full: it was looked at and passed over. */
static bool judge_bar(enum plan_bar bar, struct explain_entry *entry)
{
	static const char *const whys[] = {
		[PLAN_BAR_SCHEDULED] = "its plan has not begun",
		[PLAN_BAR_BETWEEN] = "its plan is between two windows",
		[PLAN_BAR_FULL] = "its plan has not enough instances free",
		[PLAN_BAR_OVER] = "its plan is over",
		[PLAN_BAR_OPEN] = "its plan has room now, and the job was not started on it",
		[PLAN_BAR_UNTOLD] = "the state of its plan is not known",
	};
	if (bar == PLAN_BAR_NONE)
		return false;
	say(entry,
	    bar == PLAN_BAR_OPEN || bar == PLAN_BAR_UNTOLD ? EXPLAIN_ENTRY_UNKNOWN
							   : EXPLAIN_ENTRY_REFUSED,
	    whys[bar]);
	return true;
}

/* No entry was chosen (yet): the sweep passes over all of them, in the order of the list. */
static void judge_unchosen(const struct explain_ask *ask, const struct explanation *out, size_t i,
			   struct explain_entry *entry)
{
	const struct job *job = ask->job;
	bool waits = job_phase(job) == PHASE_PENDING;
	enum plan_bar bar =
		waits ? explain_bar(ask->store, job_prefs(job), i, ask->now_ms) : PLAN_BAR_NONE;
	if (job->has_groups)
		say(entry, EXPLAIN_ENTRY_UNKNOWN,
		    "all groups start together: which one is missing is not published");
	else if (judge_bar(bar, entry))
		return;
	else if (out->class == EXPLAIN_CAPACITY || out->class == EXPLAIN_SPOT)
		say(entry, EXPLAIN_ENTRY_REFUSED,
		    waits ? "not free in the whole count" : "never free in the whole count");
	else if (out->class == EXPLAIN_NEVER_STARTED && job_phase(job) == PHASE_STOPPED)
		say(entry, EXPLAIN_ENTRY_REFUSED, "not free until the job was stopped");
	else
		say(entry, EXPLAIN_ENTRY_UNKNOWN, "AWS does not tell");
}

static void judge(const struct explain_ask *ask, const struct explanation *out, size_t i,
		  struct explain_entry *entry)
{
	const struct job *job = ask->job;
	size_t rank = job && job->selected.set ? job->selected.rank : 0;
	if (!job)
		say(entry, EXPLAIN_ENTRY_NOT_TRIED, "the request was refused before any try");
	else if (rank > 0 && i + 1 == rank)
		say(entry, EXPLAIN_ENTRY_TAKEN, "chosen");
	else if (rank > 0 && i + 1 < rank)
		say(entry, EXPLAIN_ENTRY_REFUSED, "not free when the choice was made");
	else if (rank > 0)
		say(entry, EXPLAIN_ENTRY_NOT_TRIED, "a better rank was free: its own is unknown");
	else
		judge_unchosen(ask, out, i, entry);
}

/* The history's, or this very job. */
static void add_last_refused(const struct explain_ask *ask, const struct preferences *prefs,
			     size_t i, struct explain_entry *entry)
{
	const struct history_refusal *last =
		history_last_refusal(&ask->store->history, prefs->entries[i].instance_type);
	if (last)
		entry->last_refused = (struct opt_ms){ true, last->until_ms };
	if (ask->job && job_phase(ask->job) == PHASE_PENDING && !ask->job->has_groups &&
	    entry->verdict == EXPLAIN_ENTRY_REFUSED && !entry->plan_arn[0])
		entry->last_refused = (struct opt_ms){ true, ask->now_ms };
}

/* That of the request; a refusal keeps no more of it than the list, and names the quota. */
static enum quota_kind quota_kind(const struct explain_ask *ask, enum job_kind kind, bool spot)
{
	struct quota_refusal quota;
	if (ask->refusal && quota_refusal_parse(err_text(ask->refusal->err), &quota) &&
	    quota.has_kind)
		return quota.kind;
	return quota_kind_of(kind, spot);
}

static void add_quota(const struct explain_ask *ask, enum quota_kind kind,
		      const char *instance_type, struct explain_entry *entry)
{
	struct quota_fact fact = { .instance_type = instance_type, .kind = kind };
	store_quota_facts(ask->store, &fact, 1);
	entry->quota_kind = kind;
	entry->has_limit = fact.told;
	entry->limit_read_ms = fact.read_at_ms;
	entry->limit = fact.limit;
	entry->used = fact.used;
	entry->left = fact.told ? quota_left(&fact) : 0;
}

static void add_wait(const struct explain_ask *ask, const struct preferences *prefs, size_t i,
		     enum job_kind kind, bool spot, struct explain_entry *entry)
{
	struct forecast_ask alone = { .kind = kind, .spot = spot, .count = 1 };
	struct forecast forecast = { 0 };
	int64_t count = 1;
	(void)prefs_count(prefs, i, &count);
	if (!ask->curves || entry->plan_arn[0])
		return;
	alone.choices[0] =
		(struct forecast_choice){ .instance_type = prefs->entries[i].instance_type,
					  .count = count };
	forecast_make(&forecast, ask->curves, &alone, ask->now_ms);
	entry->wait_starts = forecast.n;
	entry->has_wait = forecast.complete;
	entry->wait_p50 = forecast.p50;
	entry->wait_p90 = forecast.p90;
	forecast_release(&forecast);
}

static void add_price(const struct explain_ask *ask, const struct preferences *prefs, size_t i,
		      enum job_kind kind, struct explain_entry *entry)
{
	const struct price price =
		price_find(&ask->store->prices, kind, prefs->entries[i].instance_type);
	entry->per_hour = price_entry_per_hour(prefs, i, &ask->store->prices, kind);
	entry->currency = price.currency;
	entry->price_is_estimate = price_is_approximate(price.source);
}

void explain_add_entries(const struct explain_ask *ask, struct explanation *out)
{
	const struct preferences *prefs = ask->job       ? job_prefs(ask->job)
					  : ask->refusal ? ask->refusal->prefs
							 : NULL;
	enum job_kind kind = ask->job       ? ask->job->kind
			     : ask->refusal ? ask->refusal->kind
					    : JOB_TRAINING;
	bool spot = ask->job && ask->job->spot;
	for (size_t i = 0; prefs && i < prefs->length; i++) {
		struct explain_entry *entry = &out->entries[out->entry_count++];
		*entry = (struct explain_entry){ 0 };
		entry->plan_arn = explain_plan(ask->store, prefs, i, &entry->plan);
		judge(ask, out, i, entry);
		add_last_refused(ask, prefs, i, entry);
		add_quota(ask, quota_kind(ask, kind, spot), prefs->entries[i].instance_type, entry);
		add_wait(ask, prefs, i, kind, spot, entry);
		add_price(ask, prefs, i, kind, entry);
	}
}
