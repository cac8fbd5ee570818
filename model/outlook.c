#include "model/outlook.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

/* What of a job has been learned. */
#define TAKEN_WAIT 1u
#define TAKEN_RUN  2u

/* All but the room for positions. */
static void forget(struct outlook *outlook)
{
	wait_curves_release(&outlook->curves);
	run_times_release(&outlook->runs);
	sighted_release(&outlook->sighted);
	weeks_release(&outlook->weeks);
	stuck_past_release(&outlook->waits);
	outlook->taken_count = outlook->pending_count = 0;
}

void outlook_release(struct outlook *outlook)
{
	forget(outlook);
	free(outlook->taken);
	free(outlook->pending);
	*outlook = (struct outlook){ 0 };
}

static uint64_t first_key(const struct history *history)
{
	return history->count ? history->jobs[0].key : 0;
}

/* Room for all positions; a history that is another one, or has lost jobs, is learned anew. */
static void follow(struct outlook *outlook, const struct history *history)
{
	uint64_t first = first_key(history);
	if (first != outlook->first_key || history->count < outlook->taken_count)
		forget(outlook);
	outlook->first_key = first;
	if (history->count > outlook->taken_capacity)
		outlook->taken = mem_grow(outlook->taken, &outlook->taken_capacity, history->count,
					  sizeof(*outlook->taken));
	while (outlook->taken_count < history->count)
		outlook->taken[outlook->taken_count++] = 0;
}

static bool is_current(const struct outlook *outlook, const struct history *history)
{
	return outlook->version == history->version && outlook->taken_count == history->count &&
	       outlook->first_key == first_key(history);
}

static void note_pending(struct outlook *outlook, size_t i)
{
	if (outlook->pending_count == outlook->pending_capacity)
		outlook->pending = mem_grow(outlook->pending, &outlook->pending_capacity,
					    outlook->pending_count + 1, sizeof(*outlook->pending));
	outlook->pending[outlook->pending_count++] = (uint32_t)i;
}

/* True: something of job i is learned now. */
static bool learn(struct outlook *outlook, const struct history *history, size_t i)
{
	const struct history_job *job = &history->jobs[i];
	uint8_t *taken = &outlook->taken[i], before = *taken;
	struct observation seen;
	if (*taken == (TAKEN_WAIT | TAKEN_RUN) ||
	    (*taken == TAKEN_WAIT && job->phase != PHASE_COMPLETED) ||
	    !history_observe(history, i, &seen))
		return false;
	if (seen.outcome == WAIT_PENDING) {
		note_pending(outlook, i);
		return false;
	}
	if (!(*taken & TAKEN_WAIT)) {
		wait_curves_add(&outlook->curves, &seen);
		sighted_add(&outlook->sighted, job, &seen);
		weeks_add(&outlook->weeks, job, &seen);
		stuck_past_add(&outlook->waits, &seen);
		*taken |= TAKEN_WAIT;
	}
	if (!(*taken & TAKEN_RUN) && run_times_add(&outlook->runs, job))
		*taken |= TAKEN_RUN;
	return *taken != before;
}

/* Those that wait take the place of those that waited before. */
static void take_pending(struct outlook *outlook, const struct history *history)
{
	struct observation *pending = mem_new(outlook->pending_count, sizeof(*pending));
	for (size_t i = 0; i < outlook->pending_count; i++)
		(void)history_observe(history, outlook->pending[i], &pending[i]);
	wait_curves_set_pending(&outlook->curves, pending, outlook->pending_count);
	free(pending);
}

bool outlook_step(struct outlook *outlook, const struct history *history, size_t most)
{
	size_t added = 0;
	if (is_current(outlook, history))
		return false;
	follow(outlook, history);
	outlook->pending_count = 0;
	for (size_t i = 0; i < history->count && added < most; i++)
		added += learn(outlook, history, i);
	stuck_past_settle(&outlook->waits);
	if (added < most) {
		take_pending(outlook, history);
		outlook->version = history->version;
	}
	return true;
}

void outlook_learn(struct outlook *outlook, const struct history *history)
{
	(void)outlook_step(outlook, history, SIZE_MAX);
}

void outlook_ask(struct forecast_ask *ask, const struct preferences *prefs, enum job_kind kind,
		 bool spot)
{
	*ask = (struct forecast_ask){ .kind = kind, .spot = spot };
	for (size_t i = 0; i < prefs->length && i < PREFS_MAX; i++) {
		struct forecast_choice *choice = &ask->choices[ask->count++];
		choice->instance_type = prefs->entries[i].instance_type;
		if (prefs_plan(prefs, i)[0])
			choice->plan = (struct plan_start){ PLAN_STARTS_UNKNOWN, 0, true };
		if (!prefs_count(prefs, i, &choice->count))
			choice->count = 0;
	}
}

void outlook_ask_plans(struct forecast_ask *ask, const struct preferences *prefs,
		       const struct plan *plans, size_t plan_count, int64_t now_ms)
{
	const struct plan *whole = NULL;
	if (prefs_has_unplaced_plan(prefs))
		whole = plan_find(plans, plan_count, prefs->job_plan_arn);
	ask->plan_unread = prefs_has_unplaced_plan(prefs) && (!whole || !whole->instance_type[0]);
	for (size_t i = 0; i < ask->count; i++) {
		struct forecast_choice *choice = &ask->choices[i];
		const char *arn = prefs_plan(prefs, i);
		const struct plan *plan = arn[0] ? plan_find(plans, plan_count, arn) : whole;
		/* That of the whole job serves the entry of its type. */
		if (arn[0] || (plan && strcmp(plan->instance_type, choice->instance_type) == 0))
			choice->plan =
				plan_start(plan, choice->instance_type, choice->count, now_ms);
	}
}

void outlook_sight(const struct outlook *outlook, const struct history *history,
		   struct sightings *sightings)
{
	uint32_t type = texts_find(&history->texts, sightings->instance_type);
	struct observation seen;
	if (!type)
		return;
	sighted_find(&outlook->sighted, type, sightings);
	for (size_t i = 0; i < outlook->pending_count; i++)
		if (outlook->pending[i] < history->count &&
		    history_observe(history, outlook->pending[i], &seen))
			sightings_add(sightings, &seen);
	/* What waited on demand and was then stopped, or is of another run, told of it too. */
	const struct history_refusal *refusal =
		history_last_refusal(history, sightings->instance_type);
	if (!refusal || sightings->spot)
		return;
	sightings_add_one(sightings, &(const struct sighting){ refusal->since_ms, false });
	sightings_add_one(sightings, &(const struct sighting){ refusal->until_ms, false });
}

struct week_pattern outlook_week(const struct outlook *outlook, const struct history *history,
				 const struct week_of *of)
{
	uint32_t type = texts_find(&history->texts, of->instance_type);
	struct week_pattern pattern = weeks_find(&outlook->weeks, type, of);
	week_pattern_learn_some(&pattern, history, outlook->pending, outlook->pending_count, of);
	return pattern;
}

void outlook_runs(const struct outlook *outlook, const struct history *history, const char *stem,
		  enum job_kind kind, const struct preferences *prefs,
		  struct opt_ms runs[PREFS_MAX])
{
	struct run_of of = { .stem = stem[0] ? texts_find(&history->texts, stem) : 0,
			     .kind = kind };
	for (size_t i = 0; i < PREFS_MAX; i++)
		runs[i] = (struct opt_ms){ 0 };
	for (size_t i = 0; of.stem && i < prefs->length && i < PREFS_MAX; i++) {
		of.type = texts_find(&history->texts, prefs->entries[i].instance_type);
		if (of.type && prefs_count(prefs, i, &of.count))
			runs[i] = run_times_median(&outlook->runs, &of);
	}
}
