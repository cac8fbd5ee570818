#include "model/forecast.h"

#include <math.h>
#include <stdlib.h>

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
	return (struct opt_ms){ true, ms > now_at_ms ? ms - now_at_ms : 0 };
}

static const struct survival *find_curve(struct wait_curves *curves, const struct forecast_ask *ask,
					 size_t i, int64_t now_ms)
{
	const struct forecast_choice *choice = &ask->choices[i];
	const struct wait_key key = { choice->instance_type, ask->kind, ask->spot,
				      count_class_of(choice->count) };
	if (choice->on_plan || choice->count < 1 || !choice->instance_type)
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

void forecast_make(struct forecast *forecast, struct wait_curves *curves,
		   const struct forecast_ask *ask, int64_t now_ms)
{
	const struct survival *known[PREFS_MAX];
	struct survival later[PREFS_MAX] = { 0 };
	size_t rank[PREFS_MAX], known_count = 0;
	double won[PREFS_MAX];
	/* Until launching would be over nothing tells whether it has started at once. */
	bool waits = ask->waited.set && ask->waited.ms > WAIT_AT_ONCE_MS;
	int64_t waited_ms = waits ? ask->waited.ms : -1;
	int64_t now_at_ms = ask->waited.set && !waits ? ask->waited.ms : 0;
	struct survival kept = forecast->curve;
	*forecast = (struct forecast){ .count = ask->count, .complete = true, .n = SIZE_MAX };
	forecast->curve = kept;
	forecast->within_count = ask->within_count;
	for (size_t i = 0; i < ask->within_count; i++)
		forecast->within[i] = (struct forecast_within){ ask->within_ms[i], 0, 0, 1 };
	for (size_t i = 0; i < ask->count; i++) {
		struct forecast_entry *entry = &forecast->entries[i];
		const struct survival *curve = find_from(curves, ask, i, now_ms, &later[i]);
		entry->n = curve ? survival_starts_after(curve, waited_ms) : 0;
		entry->known = entry->n >= FORECAST_STARTS_MIN;
		forecast->complete = forecast->complete && entry->known;
		forecast->n = entry->n < forecast->n ? entry->n : forecast->n;
		if (!entry->known)
			continue;
		int64_t from_ms = waits ? waited_ms : now_at_ms;
		entry->p50 = quantile(curve, 0.5, waited_ms, from_ms);
		entry->p90 = quantile(curve, 0.9, waited_ms, from_ms);
		rank[known_count] = i;
		known[known_count++] = curve;
	}
	forecast->any = known_count > 0;
	forecast->complete = forecast->complete && forecast->any;
	forecast->n = forecast->n == SIZE_MAX ? 0 : forecast->n;
	int64_t limit_ms = ask->limit.set ? now_at_ms + ask->limit.ms : INT64_MAX;
	if (forecast->any)
		survival_join(&forecast->curve, known, known_count, waited_ms, limit_ms, won);
	for (size_t i = 0; i < PREFS_MAX; i++)
		survival_release(&later[i]);
	if (!forecast->any)
		return;
	for (size_t i = 0; i < known_count; i++)
		forecast->entries[rank[i]].chance = won[i];
	forecast->at_once = waits ? 0 : 1 - survival_waiting(&forecast->curve, 0);
	fill_list(forecast, ask, now_at_ms);
}
