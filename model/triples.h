/* Three numbers together as the key of an array's item: the position of each combination in the
 * order in which they came. */
#ifndef GPUQ_TRIPLES_H
#define GPUQ_TRIPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct triple {
	uint32_t a, b, c;
};

/* {0} is empty. */
struct triples {
	struct triple *items; /* owned */
	size_t count, capacity;
	uint32_t *index; /* owned table of positions + 1, by hash */
	size_t index_size;
};

void triples_release(struct triples *triples);

/* The position of a combination; a new one stands at the count that was before. */
size_t triples_add(struct triples *triples, struct triple triple);
/* False: it is not there. */
bool triples_find(const struct triples *triples, struct triple triple, size_t *position);

#endif
