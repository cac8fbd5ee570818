/*
 * Things that many have alike, each kept once and counted: texts, lists. A thing is one block of
 * memory; whoever has a share reads it and leaves it as it is. Not for several threads.
 */
#ifndef GPUQ_SHARES_H
#define GPUQ_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept; none of them is called with NULL. */
struct share_kind {
	uint64_t (*hash)(const void *thing); /* equal ones have the same */
	bool (*same)(const void *a, const void *b);
	void *(*copy)(const void *thing); /* to be freed with free() */
};

struct share {
	void *thing; /* owned; NULL: a free slot */
	uint32_t hash, count;
};

/* All of one kind. {0} is empty. */
struct shares {
	struct share *slots; /* owned table, by hash */
	size_t slot_count;   /* a power of two, or 0 */
	size_t used;
};

/* Things that others still have a share in are freed too. */
void shares_release(struct shares *shares);

/* Takes a thing over; returns the one to be used in its place, which is the shares'. NULL for
 * NULL. */
void *shares_take(struct shares *shares, const struct share_kind *kind, void *thing);

/* Gives a share back; returns an equal thing that is the caller's own. NULL for NULL. */
void *shares_give(struct shares *shares, const struct share_kind *kind, void *thing);

#endif
