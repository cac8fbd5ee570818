/*
 * What a request would start and cost, in plain lines above a question: entries with their prices,
 * the range from the cheapest to the dearest, the worst case.
 */
#ifndef GPUQ_STAKES_H
#define GPUQ_STAKES_H

#include "model/request.h"

struct stakes {
	enum job_kind kind;
	const struct request_facts *facts;
	const char *region; /* NULL = not known */
	const struct price_book *prices;
};

void stakes_add(struct buf *out, const struct stakes *stakes);

/* The worst case is above that, or not known: the name is typed. */
bool stakes_want_name(const struct stakes *stakes, int64_t confirm_above_micro);

#endif
