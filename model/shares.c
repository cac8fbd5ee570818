#include "model/shares.h"

#include <stdlib.h>

#include "model/base/mem.h"

#define SLOTS_MIN 64

void shares_release(struct shares *shares)
{
	if (!shares)
		return;
	for (size_t i = 0; i < shares->slot_count; i++)
		free(shares->slots[i].thing);
	free(shares->slots);
	*shares = (struct shares){ 0 };
}

static uint32_t hash_of(const struct share_kind *kind, const void *thing)
{
	uint64_t hash = kind->hash(thing);
	return (uint32_t)(hash ^ hash >> 32);
}

/* The slot that holds an equal thing, or the free one where it would go. The table is never full.
 */
static size_t find_slot(const struct shares *shares, const struct share_kind *kind,
			const void *thing, uint32_t hash)
{
	size_t mask = shares->slot_count - 1, at = hash & mask;
	while (shares->slots[at].thing && shares->slots[at].thing != thing &&
	       !(shares->slots[at].hash == hash && kind->same(shares->slots[at].thing, thing)))
		at = (at + 1) & mask;
	return at;
}

static void grow(struct shares *shares, const struct share_kind *kind)
{
	const struct shares old = *shares;
	if (old.slot_count >= 2 * (old.used + 1))
		return;
	shares->slot_count = old.slot_count ? old.slot_count * 2 : SLOTS_MIN;
	shares->slots = mem_new(shares->slot_count, sizeof(*shares->slots));
	for (size_t i = 0; i < old.slot_count; i++) {
		const struct share *share = &old.slots[i];
		if (share->thing)
			shares->slots[find_slot(shares, kind, share->thing, share->hash)] = *share;
	}
	free(old.slots);
}

/* Frees a slot and moves up what had to be put behind it. */
static void empty(struct shares *shares, size_t slot)
{
	size_t mask = shares->slot_count - 1, free_slot = slot;
	shares->slots[free_slot] = (struct share){ 0 };
	shares->used--;
	for (size_t at = (slot + 1) & mask; shares->slots[at].thing; at = (at + 1) & mask) {
		size_t home = shares->slots[at].hash & mask;
		if (((at - home) & mask) < ((at - free_slot) & mask))
			continue;
		shares->slots[free_slot] = shares->slots[at];
		shares->slots[at] = (struct share){ 0 };
		free_slot = at;
	}
}

void *shares_take(struct shares *shares, const struct share_kind *kind, void *thing)
{
	if (!thing)
		return NULL;
	grow(shares, kind);
	uint32_t hash = hash_of(kind, thing);
	struct share *share = &shares->slots[find_slot(shares, kind, thing, hash)];
	if (share->thing) {
		share->count++;
		free(thing);
		return share->thing;
	}
	*share = (struct share){ thing, hash, 1 };
	shares->used++;
	return thing;
}

void *shares_give(struct shares *shares, const struct share_kind *kind, void *thing)
{
	if (!thing)
		return NULL;
	size_t slot = find_slot(shares, kind, thing, hash_of(kind, thing));
	struct share *share = &shares->slots[slot];
	if (share->count > 1) {
		share->count--;
		return kind->copy(thing);
	}
	empty(shares, slot);
	return thing;
}
