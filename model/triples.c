#include "model/triples.h"

#include <stdlib.h>

#include "model/base/mem.h"

#define INDEX_MIN 64

void triples_release(struct triples *triples)
{
	free(triples->items);
	free(triples->index);
	*triples = (struct triples){ 0 };
}

/* The numbers are small and count up: multiplied by odd constants they spread over the upper half.
 */
static size_t hash(struct triple triple)
{
	uint64_t sum = triple.a * UINT64_C(0x9e3779b97f4a7c15) +
		       triple.b * UINT64_C(0xc2b2ae3d27d4eb4f) +
		       triple.c * UINT64_C(0x165667b19e3779f9);
	return (size_t)((sum ^ (sum >> 29)) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The slot that holds it, or the free one where it would go. The index is never full. */
static size_t find_slot(const struct triples *triples, struct triple triple)
{
	size_t mask = triples->index_size - 1, slot = hash(triple) & mask;
	for (; triples->index[slot]; slot = (slot + 1) & mask) {
		const struct triple *item = &triples->items[triples->index[slot] - 1];
		if (item->a == triple.a && item->b == triple.b && item->c == triple.c)
			break;
	}
	return slot;
}

static void index_grow(struct triples *triples)
{
	if (triples->index_size >= 2 * (triples->count + 1))
		return;
	free(triples->index);
	triples->index_size = triples->index_size ? triples->index_size * 2 : INDEX_MIN;
	triples->index = mem_new(triples->index_size, sizeof(*triples->index));
	for (size_t i = 0; i < triples->count; i++)
		triples->index[find_slot(triples, triples->items[i])] = (uint32_t)i + 1;
}

bool triples_find(const struct triples *triples, struct triple triple, size_t *position)
{
	uint32_t at = triples->index_size ? triples->index[find_slot(triples, triple)] : 0;
	if (at)
		*position = at - 1;
	return at != 0;
}

size_t triples_add(struct triples *triples, struct triple triple)
{
	index_grow(triples);
	size_t slot = find_slot(triples, triple);
	if (triples->index[slot])
		return triples->index[slot] - 1;
	triples->items = mem_grow(triples->items, &triples->capacity, triples->count + 1,
				  sizeof(*triples->items));
	triples->items[triples->count++] = triple;
	triples->index[slot] = (uint32_t)triples->count;
	return triples->count - 1;
}
