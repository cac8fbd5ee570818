/* What the history screen shows of one group: its cells, and the lines below the table. */
#ifndef GPUQ_HISTORY_GROUP_H
#define GPUQ_HISTORY_GROUP_H

#include "model/base/buf.h"
#include "model/history_spread.h"
#include "model/history_sums.h"
#include "model/store.h"
#include "tui/draw.h"

/* What the screen shows, as it was counted last. */
struct history_past {
	enum history_by by;
	const struct history_sums *sums;
	const struct history_spreads *spreads;
	const struct store *store; /* whose history it is, and the plans as they were read */
};

/* "43%"; "-" of none. */
void history_add_share(struct buf *out, size_t part, size_t of);
/* A quantile of waits, "longer", or "n=3": too few starts are no unknown figure, but one that
 * would mislead. */
void history_add_wait(struct buf *out, const struct history_sum *sum, struct opt_ms wait);
/* Of its cost; NULL: none is known, or needed for 0. */
const char *history_currency(const struct history_sum *sum);
/* The sum, "+" behind one that lacks some, "?" for none. */
void history_add_cost(struct buf *out, const struct history_sum *sum);
/* "1.32x", the middle one; "-" where there is nothing to compare. */
void history_add_ratio(struct buf *out, const struct history_ratio *ratio);
/* How many of those that started here have ended. */
size_t history_ended(const struct history_sum *sum);

/* The lines of the group of that row. */
void history_draw_group(const struct history_past *past, size_t row, struct surface *out,
			struct rect at);

#endif
