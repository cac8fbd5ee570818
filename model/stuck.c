#include "model/stuck.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/explain_parts.h"

/* Sorted, so that several types can be asked as one. */
struct stuck_type {
	char instance_type[TYPE_NAME_SIZE];
	enum job_kind kind;
	bool spot;
	int64_t *waits; /* owned; ascending once made */
	size_t count, capacity;
};

void stuck_past_release(struct stuck_past *past)
{
	if (!past)
		return;
	for (size_t i = 0; i < past->count; i++)
		free(past->types[i].waits);
	free(past->types);
	*past = (struct stuck_past){ 0 };
}

static const struct stuck_type *find(const struct stuck_past *past, const char *instance_type,
				     enum job_kind kind, bool spot)
{
	for (size_t i = 0; i < past->count; i++) {
		const struct stuck_type *type = &past->types[i];
		if (type->kind == kind && type->spot == spot &&
		    strcmp(type->instance_type, instance_type) == 0)
			return type;
	}
	return NULL;
}

static struct stuck_type *need(struct stuck_past *past, const char *instance_type,
			       enum job_kind kind, bool spot)
{
	const struct stuck_type *known = find(past, instance_type, kind, spot);
	if (known)
		return &past->types[known - past->types];
	past->types = mem_grow(past->types, &past->capacity, past->count + 1, sizeof(*past->types));
	struct stuck_type *added = &past->types[past->count++];
	*added = (struct stuck_type){ .kind = kind, .spot = spot };
	size_t len = strnlen(instance_type, TYPE_NAME_SIZE - 1);
	memcpy(added->instance_type, instance_type, len);
	return added;
}

/* The wait of a job that got its instances on demand. */
static void take(struct stuck_past *past, const struct observation *one)
{
	size_t rank = one->chosen_rank;
	if (one->outcome != WAIT_STARTED || one->has_groups || rank == 0 ||
	    rank > one->entry_count || one->entries[rank - 1].on_plan)
		return;
	struct stuck_type *type =
		need(past, one->entries[rank - 1].instance_type, one->kind, one->spot);
	type->waits = mem_grow(type->waits, &type->capacity, type->count + 1, sizeof(*type->waits));
	type->waits[type->count++] = one->wait_ms;
}

static int compare_waits(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

bool stuck_past_make(struct stuck_past *past, const struct history *history)
{
	if (past->made && past->version == history->version)
		return false;
	stuck_past_release(past);
	past->made = true;
	past->version = history->version;
	for (size_t i = 0; i < history->count; i++) {
		struct observation one;
		if (history_observe(history, i, &one))
			take(past, &one);
	}
	for (size_t i = 0; i < past->count; i++)
		qsort(past->types[i].waits, past->types[i].count, sizeof(int64_t), compare_waits);
	return true;
}

/* --- the threshold --- */

/* The types of a job's list, each once. */
struct own_types {
	const struct stuck_type *types[PREFS_KEEP_MAX];
	size_t count, waits;
	int64_t longest_ms;
};

static void add_own(struct own_types *own, const struct stuck_type *type)
{
	for (size_t i = 0; i < own->count; i++)
		if (own->types[i] == type)
			return;
	if (!type || type->count == 0)
		return;
	own->types[own->count++] = type;
	own->waits += type->count;
	int64_t last_ms = type->waits[type->count - 1];
	own->longest_ms = last_ms > own->longest_ms ? last_ms : own->longest_ms;
}

/* How many waits of a type are not longer. */
static size_t up_to(const struct stuck_type *type, int64_t ms)
{
	size_t low = 0, high = type->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (type->waits[middle] <= ms)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The shortest time that so many of all waits do not exceed. */
static int64_t nearest_rank_ms(const struct own_types *own, size_t rank)
{
	int64_t low = 0, high = own->longest_ms;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		size_t count = 0;
		for (size_t i = 0; i < own->count; i++)
			count += up_to(own->types[i], middle);
		if (count >= rank)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int64_t stuck_threshold_ms(const struct stuck_past *past, const struct job *job,
			   struct opt_ms stuck_after, size_t *waits)
{
	struct own_types own = { .count = 0 };
	for (size_t i = 0; i < job->prefs.length; i++)
		add_own(&own,
			find(past, job->prefs.entries[i].instance_type, job->kind, job->spot));
	*waits = own.waits;
	if (stuck_after.set)
		return stuck_after.ms;
	if (own.waits < STUCK_WAITS_MIN)
		return STUCK_AFTER_MS;
	return nearest_rank_ms(&own, (own.waits * STUCK_SHARE + 999) / 1000);
}

/* --- the marks --- */

static int64_t span_ms(struct opt_ms from, int64_t to_ms)
{
	int64_t span;
	if (!from.set || to_ms <= from.ms)
		return 0;
	return __builtin_sub_overflow(to_ms, from.ms, &span) ? INT64_MAX : span;
}

static bool is_over(int64_t ms, int64_t limit_ms, int64_t permille)
{
	return limit_ms > 0 && ms >= limit_ms / 1000 * permille + limit_ms % 1000 * permille / 1000;
}

/* Since the last transition, which is the stop; else since it was last changed. */
static struct opt_ms stop_began(const struct job *job)
{
	if (job->transition_count > 0 && job->transitions[job->transition_count - 1].start.set)
		return job->transitions[job->transition_count - 1].start;
	return job->modified;
}

static bool has_on_demand(const struct store *store, const struct job *job)
{
	const struct plan *plan;
	for (size_t i = 0; i < job->prefs.length; i++)
		if (!explain_plan(store, &job->prefs, i, &plan)[0])
			return true;
	return job->prefs.length == 0;
}

/* Where only plans are waited for, the time in which they are closed is nobody's delay. */
static unsigned why_pending(const struct store *store, const struct stuck_past *past,
			    const struct job *job, struct opt_ms stuck_after, int64_t now_ms)
{
	struct pending_clock clock = pending_clock(store, job, now_ms);
	int64_t waited_ms = clock.counted_ms;
	bool final;
	unsigned why = 0;
	size_t waits;
	if (has_on_demand(store, job))
		(void)job_wait_ms(job, now_ms, &waited_ms, &final);
	else if (clock.stands)
		waited_ms = 0;
	if (waited_ms > stuck_threshold_ms(past, job, stuck_after, &waits))
		why |= STUCK_WAITS;
	if (clock.has_limit && !clock.untold &&
	    is_over(clock.counted_ms, clock.limit_ms, STUCK_LIMIT))
		why |= STUCK_NEAR_LIMIT;
	return why;
}

unsigned stuck_why(const struct store *store, const struct stuck_past *past, const struct job *job,
		   struct opt_ms stuck_after, int64_t now_ms)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return job_has_details(job) ? why_pending(store, past, job, stuck_after, now_ms)
					    : 0;
	case PHASE_RUNNING:
		return job->max_runtime.set && is_over(span_ms(job->started, now_ms),
						       job->max_runtime.ms, STUCK_RUN)
			       ? STUCK_NEAR_END
			       : 0;
	case PHASE_STOPPING:
		return span_ms(stop_began(job), now_ms) > STUCK_STOPPING_MS ? STUCK_STOPPING : 0;
	case PHASE_STOPPED:
	case PHASE_FAILED:
		return job->secondary_status &&
				       strcmp(job->secondary_status, "MaxRuntimeExceeded") == 0
			       ? STUCK_MODEL_LOST
			       : 0;
	default:
		return 0;
	}
}

static void add_waits(struct buf *out, const struct stuck_past *past, const struct job *job,
		      struct opt_ms stuck_after)
{
	size_t waits;
	char text[TIME_TEXT_SIZE];
	int64_t threshold_ms = stuck_threshold_ms(past, job, stuck_after, &waits);
	duration_format(threshold_ms / 1000, text);
	if (stuck_after.set)
		buf_addf(out, "stuck: it waits longer than stuck_after (%s). ", text);
	else if (waits < STUCK_WAITS_MIN)
		buf_addf(out, "stuck: it waits longer than %s (usual waits: n=%zu, too small). ",
			 text, waits);
	else
		buf_addf(out, "stuck: of %zu waits of its types 95 %% were over by %s. ", waits,
			 text);
}

void stuck_add_words(struct buf *out, const struct store *store, const struct stuck_past *past,
		     const struct job *job, struct opt_ms stuck_after, int64_t now_ms)
{
	unsigned why = stuck_why(store, past, job, stuck_after, now_ms);
	if (why & STUCK_WAITS)
		add_waits(out, past, job, stuck_after);
	if (why & STUCK_NEAR_LIMIT)
		buf_add_text(out, "over 80 % of the pending limit are counted. ");
	if (why & STUCK_STOPPING)
		buf_add_text(out, "it has been stopping for over an hour. ");
	if (why & STUCK_NEAR_END)
		buf_add_text(out, "over 90 % of MaxRuntimeInSeconds have passed. ");
	if (why & STUCK_MODEL_LOST)
		buf_add_text(out, "MaxRuntimeInSeconds ended it: what it had not saved is lost. ");
}
