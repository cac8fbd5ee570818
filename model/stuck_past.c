#include "model/stuck_past.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/times.h"

/* Apart, so that several types can be asked as one. */
struct stuck_type {
	char instance_type[TYPE_NAME_SIZE];
	enum job_kind kind;
	bool spot;
	struct times waits;
};

void stuck_past_release(struct stuck_past *past)
{
	if (!past)
		return;
	for (size_t i = 0; i < past->count; i++)
		times_release(&past->types[i].waits);
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

void stuck_past_add(struct stuck_past *past, const struct observation *one)
{
	size_t rank = one->chosen_rank;
	if (one->outcome != WAIT_STARTED || one->has_groups || rank == 0 || rank > one->entry_count)
		return;
	const struct observation_entry *got = &one->entries[rank - 1];
	if (!got->on_plan && got->instance_type)
		times_add(&need(past, got->instance_type, one->kind, one->spot)->waits,
			  one->wait_ms);
}

void stuck_past_settle(struct stuck_past *past)
{
	for (size_t i = 0; i < past->count; i++)
		times_sort(&past->types[i].waits);
}

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
	if (!type)
		return;
	own->types[own->count++] = type;
	own->waits += type->waits.count;
	int64_t last_ms = type->waits.ms[type->waits.count - 1];
	own->longest_ms = last_ms > own->longest_ms ? last_ms : own->longest_ms;
}

/* How many waits of a type are not longer. */
static size_t up_to(const struct stuck_type *type, int64_t ms)
{
	size_t low = 0, high = type->waits.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (type->waits.ms[middle] <= ms)
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
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		add_own(&own,
			find(past, job_prefs(job)->entries[i].instance_type, job->kind, job->spot));
	*waits = own.waits;
	if (stuck_after.set)
		return stuck_after.ms;
	if (own.waits < STUCK_WAITS_MIN)
		return STUCK_AFTER_MS;
	return nearest_rank_ms(&own, (own.waits * STUCK_SHARE + 999) / 1000);
}
