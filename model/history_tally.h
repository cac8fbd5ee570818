/*
 * The tables of the history (model/history_sums.h) counted in steps of bounded work, for a loop
 * that has keys to answer between them. A job that changes meanwhile is counted as it was or as it
 * is; the next count has it right.
 */
#ifndef GPUQ_HISTORY_TALLY_H
#define GPUQ_HISTORY_TALLY_H

#include "model/history_sums.h"

struct history_tally; /* of history_tally.c */

/* Begins a count of the jobs submitted at since_ms or later. Free it at any moment. */
struct history_tally *history_tally_new(const struct history *history, enum history_by by,
					int64_t since_ms);
void history_tally_free(struct history_tally *tally); /* NULL is accepted */

/* Works for about that many units (some fifty nanoseconds each); true once all is counted, or the
 * history has become another one: then there is nothing to take. The history is that of the
 * beginning. */
bool history_tally_step(struct history_tally *tally, const struct history *history, size_t work);

/* The count that is done; to be released by the caller. */
void history_tally_take(struct history_tally *tally, struct history_sums *out);

#endif
