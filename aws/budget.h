/*
 * How often one operation may be started: not faster than a gap, where asked for no more than a
 * burst and a steady rate behind it, and both slower after throttles. Times are monotonic
 * milliseconds.
 */
#ifndef GPUQ_BUDGET_H
#define GPUQ_BUDGET_H

#include "aws/slowdown.h"

struct budget {
	int64_t gap_ms;           /* between two starts at full pace */
	int64_t steady_ms;        /* from one start to the next on average; 0 = no such bound */
	int64_t burst;            /* starts that may run ahead of the average */
	int64_t last_ms;          /* the newest start; INT64_MIN before any */
	int64_t spent_ms;         /* of burst x steady_ms, as of last_ms */
	struct slowdown slowdown; /* set by its owner, who hears of throttles */
};

void budget_init(struct budget *budget, int64_t gap_ms, int64_t steady_ms, int64_t burst);
/* When the next start is allowed, as things stand; may be past. */
int64_t budget_ready_ms(const struct budget *budget, int64_t now_ms);
void budget_note_start(struct budget *budget, int64_t now_ms);

#endif
