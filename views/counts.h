/*
 * The tables of the history, counted in idle turns, so that no key waits for it, and kept: what was
 * counted once is shown at once until it has been counted anew.
 */
#ifndef GPUQ_COUNTS_H
#define GPUQ_COUNTS_H

#include "model/history_spread.h"
#include "model/history_sums.h"
#include "views/pane.h"

struct counts; /* of counts.c */

/* The newest count, or NULL: there is none yet. Good until the next step. */
const struct history_sums *counts_find(const struct ui *ui, enum history_by by);

/* How the runs of that count compare; of the same life. */
const struct history_spreads *counts_spreads(const struct ui *ui, enum history_by by);

/* Some milliseconds of counting the table that is looked at, where the history has changed and the
 * last count is not quite new; false: there was nothing to count. */
bool counts_step(struct ui *ui, enum history_by by);

/* Another place: its past is another one. */
void counts_forget(struct ui *ui);

#endif
