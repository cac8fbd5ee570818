/*
 * Which comes first in a requeue: the stop of the old job or the submission of the new one. Submit
 * first loses nothing where the new one is refused, but for a moment both are there; stop first
 * where there is no room for both, and always where both would write to one checkpoint.
 */
#ifndef GPUQ_REQUEUE_ORDER_H
#define GPUQ_REQUEUE_ORDER_H

#include "model/base/buf.h"
#include "model/price.h"
#include "model/quota.h"

enum requeue_why {
	REQUEUE_WHY_ROOM,       /* there is room for both */
	REQUEUE_WHY_UNTOLD,     /* a limit is not known */
	REQUEUE_WHY_QUOTA,      /* instance_type: both together are above the limit */
	REQUEUE_WHY_BUDGET,     /* both together may be above max_per_hour */
	REQUEUE_WHY_CHECKPOINT, /* both have one CheckpointConfig.S3Uri */
};

struct requeue_sides {
	enum job_kind kind;
	const struct price_book *prices;
	const struct preferences *old_prefs, *new_prefs;
	const char *old_text, *new_text; /* Describe of the old one, request of the new; or NULL */
	const struct quota_fact *quotas;
	size_t quota_count;
	struct money max_per_hour; /* not set = no limit */
};

struct requeue_order {
	bool stop_first;
	bool is_forced; /* the other order is no choice */
	enum requeue_why why;
	char instance_type[TYPE_NAME_SIZE];
};

struct requeue_order requeue_order(const struct requeue_sides *sides);

/* "the old job is stopped first: with both, ml.p5.48xlarge would be above its quota". */
void requeue_order_describe(const struct requeue_order *order, struct buf *out);
/* The same for the order that a person chose instead. */
void requeue_order_describe_chosen(bool stop_first, struct buf *out);

#endif
