#include "model/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/mem.h"

#define MONEY_MAX 9e18 /* micro units; int64_t holds a little more */

void forecast_release(struct forecast *forecast)
{
	survival_release(&forecast->curve);
	*forecast = (struct forecast){ 0 };
}

void forecast_reserve(struct forecast *forecast, const struct wait_curves *curves)
{
	survival_reserve(&forecast->curve, wait_curves_most_steps(curves, PREFS_MAX));
}

/* A quantile of a curve from now on: of those who wait longer than waited_ms (negative: of all). */
static struct opt_ms quantile(const struct survival *curve, double share, int64_t waited_ms,
			      int64_t now_at_ms)
{
	double waiting = survival_waiting(curve, waited_ms);
	int64_t ms;
	if (!survival_quantile(curve, 1 - (1 - share) * waiting, &ms))
		return (struct opt_ms){ 0 };
	/* The first millisecond of a job that waits is at once: see foretell_plan. */
	return (struct opt_ms){ true, ms > now_at_ms + 1 ? ms - now_at_ms : 0 };
}

static const struct survival *find_curve(struct wait_curves *curves, const struct forecast_ask *ask,
					 size_t i, int64_t now_ms)
{
	const struct forecast_choice *choice = &ask->choices[i];
	const struct wait_key key = { choice->instance_type, ask->kind, ask->spot,
				      count_class_of(choice->count) };
	if (choice->count < 1 || !choice->instance_type)
		return NULL;
	return wait_curves_find(curves, &key, now_ms);
}

/* The same, of an entry that was not free for a while from then on: in later. */
static const struct survival *find_from(struct wait_curves *curves, const struct forecast_ask *ask,
					size_t i, int64_t now_ms, struct survival *later)
{
	const struct survival *curve = find_curve(curves, ask, i, now_ms);
	const struct opt_ms *not_free = &ask->choices[i].not_free;
	if (!curve || !not_free->set || not_free->ms <= WAIT_AT_ONCE_MS)
		return curve;
	survival_after(later, curve, not_free->ms);
	return later;
}

static struct money expected_cost(const struct forecast *forecast, const struct forecast_ask *ask)
{
	double sum = 0, chance = 0;
	for (size_t i = 0; i < forecast->count; i++) {
		const struct money *cost = &ask->choices[i].likely_cost;
		if (forecast->entries[i].chance <= 0)
			continue;
		if (!cost->set)
			return (struct money){ 0 };
		sum += forecast->entries[i].chance * (double)cost->micro;
		chance += forecast->entries[i].chance;
	}
	if (!forecast->complete || chance <= 0 || !(sum / chance < MONEY_MAX))
		return (struct money){ 0 };
	return (struct money){ true, llround(sum / chance) };
}

/* The list's own figures. Its curve counts from waited_ms, now is now_at_ms behind that. */
static void fill_list(struct forecast *forecast, const struct forecast_ask *ask, int64_t now_at_ms)
{
	const struct survival *curve = &forecast->curve;
	for (size_t i = 0; i < ask->within_count; i++) {
		int64_t ms = ask->within_ms[i];
		struct survival_band band = survival_started_band(curve, now_at_ms + ms);
		forecast->within[i] =
			(struct forecast_within){ ms, 1 - survival_waiting(curve, now_at_ms + ms),
						  band.low, band.high };
	}
	forecast->p50 = quantile(curve, 0.5, -1, now_at_ms);
	forecast->p90 = quantile(curve, 0.9, -1, now_at_ms);
	forecast->expected_cost = expected_cost(forecast, ask);
}

/* Everybody starts at that time: a curve of as many as can be counted, so that nothing is left
 * open. */
static void make_certain(struct survival *curve, int64_t ms)
{
	curve->steps = mem_new(1, sizeof(*curve->steps));
	curve->capacity = curve->count = 1;
	curve->steps[0] = (struct survival_step){
		.ms = ms, .at_risk = UINT32_MAX, .starts = UINT32_MAX, .variance = INFINITY
	};
	curve->seen = curve->starts = UINT32_MAX;
	curve->last_ms = INT64_MAX;
}

/* How the times of the question and of the curves go together. */
struct clocks {
	int64_t waited_ms; /* the curves are of those who wait longer; -1 = of all */
	int64_t now_at_ms; /* now, on the joined curve */
	int64_t now_ms;    /* wall */
};

static struct clocks clocks_of(const struct forecast_ask *ask, int64_t now_ms)
{
	/* Until launching would be over nothing tells whether it has started at once. */
	bool waits = ask->waited.set && ask->waited.ms > WAIT_AT_ONCE_MS;
	return (struct clocks){ .waited_ms = waits ? ask->waited.ms : -1,
				.now_at_ms = ask->waited.set && !waits ? ask->waited.ms : 0,
				.now_ms = now_ms };
}

/* By its plan. The curve, in own, is as those of the past: from the submission on. */
static const struct survival *foretell_plan(struct forecast_entry *entry,
					    const struct plan_start *plan,
					    const struct clocks *clocks, struct survival *own)
{
	entry->known = plan->when != PLAN_STARTS_UNKNOWN;
	if (plan->when != PLAN_STARTS_IN)
		return NULL;
	entry->p50 = entry->p90 = (struct opt_ms){ true, plan->in_ms };
	int64_t from_ms = clocks->waited_ms < 0 ? clocks->now_at_ms : clocks->waited_ms;
	int64_t in_ms = plan->in_ms > 0 ? from_ms + plan->in_ms : 0;
	/* What it has waited for is behind it: at once is as soon as there can be. */
	make_certain(own, in_ms > clocks->waited_ms ? in_ms : clocks->waited_ms + 1);
	return own;
}

/* By the past; NULL where that says too little. */
static const struct survival *foretell(struct forecast *forecast, struct wait_curves *curves,
				       const struct forecast_ask *ask, size_t i,
				       const struct clocks *clocks, struct survival *own)
{
	struct forecast_entry *entry = &forecast->entries[i];
	const struct survival *curve = find_from(curves, ask, i, clocks->now_ms, own);
	int64_t from_ms = clocks->waited_ms < 0 ? clocks->now_at_ms : clocks->waited_ms;
	entry->n = curve ? survival_starts_after(curve, clocks->waited_ms) : 0;
	entry->known = entry->n >= FORECAST_STARTS_MIN;
	forecast->n = entry->n < forecast->n ? entry->n : forecast->n;
	if (!entry->known)
		return NULL;
	entry->p50 = quantile(curve, 0.5, clocks->waited_ms, from_ms);
	entry->p90 = quantile(curve, 0.9, clocks->waited_ms, from_ms);
	return curve;
}

/* Until when it waits, on the joined curve. */
static int64_t limit_of(const struct forecast_ask *ask, const struct clocks *clocks)
{
	int64_t limit_ms = clocks->now_at_ms + ask->limit.ms, latest_ms = 0;
	for (size_t i = 0; i < ask->count; i++)
		if (ask->choices[i].plan.when == PLAN_STARTS_IN &&
		    ask->choices[i].plan.in_ms > latest_ms)
			latest_ms = ask->choices[i].plan.in_ms;
	return ask->limit.set ? limit_ms + latest_ms : INT64_MAX;
}

void forecast_make(struct forecast *forecast, struct wait_curves *curves,
		   const struct forecast_ask *ask, int64_t now_ms)
{
	const struct clocks clocks = clocks_of(ask, now_ms);
	const struct survival *known[PREFS_MAX];
	struct survival own[PREFS_MAX] = { 0 };
	size_t rank[PREFS_MAX], known_count = 0;
	double won[PREFS_MAX];
	struct survival kept = forecast->curve;
	*forecast = (struct forecast){ .count = ask->count, .complete = true, .n = SIZE_MAX };
	forecast->curve = kept;
	forecast->within_count = ask->within_count;
	for (size_t i = 0; i < ask->within_count; i++)
		forecast->within[i] = (struct forecast_within){ ask->within_ms[i], 0, 0, 1 };
	for (size_t i = 0; i < ask->count; i++) {
		const struct plan_start *plan = &ask->choices[i].plan;
		const struct survival *curve;
		if (plan->when == PLAN_STARTS_NOT_ASKED)
			curve = foretell(forecast, curves, ask, i, &clocks, &own[i]);
		else
			curve = foretell_plan(&forecast->entries[i], plan, &clocks, &own[i]);
		forecast->complete = forecast->complete && forecast->entries[i].known;
		if (!curve)
			continue;
		rank[known_count] = i;
		known[known_count++] = curve;
	}
	forecast->any = known_count > 0;
	forecast->complete = forecast->complete && forecast->any;
	forecast->n = forecast->n == SIZE_MAX ? 0 : forecast->n;
	if (forecast->any)
		survival_join(&forecast->curve, known, known_count, clocks.waited_ms,
			      limit_of(ask, &clocks), won);
	for (size_t i = 0; i < PREFS_MAX; i++)
		survival_release(&own[i]);
	if (!forecast->any)
		return;
	for (size_t i = 0; i < known_count; i++)
		forecast->entries[rank[i]].chance = won[i];
	forecast->at_once = clocks.waited_ms >= 0 ? 0 : 1 - survival_waiting(&forecast->curve, 0);
	fill_list(forecast, ask, clocks.now_at_ms);
}
