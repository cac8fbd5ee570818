/*
 * How often one operation may be started: not faster than a gap, where asked for no more than a
 * burst and a steady rate behind it, and both at a pace that each throttle halves and time gives
 * back. Times are monotonic milliseconds.
 */
#ifndef GPUQ_BUDGET_H
#define GPUQ_BUDGET_H

#include <stdint.h>

#define BUDGET_PACE_FULL     1000 /* permille */
#define BUDGET_PACE_LEAST    125
#define BUDGET_RECOVERY_STEP 160 /* ms for one permille: from half to full in 80 s */

struct budget {
	int64_t gap_ms;    /* between two starts at full pace */
	int64_t steady_ms; /* from one start to the next on average; 0 = no such bound */
	int64_t burst;     /* starts that may run ahead of the average */
	int64_t pace;      /* permille, as of paced_ms */
	int64_t paced_ms;
	int64_t last_ms;  /* the newest start; INT64_MIN before any */
	int64_t spent_ms; /* of burst x steady_ms, as of last_ms */
};

void budget_init(struct budget *budget, int64_t gap_ms, int64_t steady_ms, int64_t burst);
/* The share of the full pace, in permille; at a time before the newest throttle, what that left. */
int64_t budget_pace(const struct budget *budget, int64_t now_ms);
/* A pause that is right at full pace, at the pace of now. */
int64_t budget_stretch(const struct budget *budget, int64_t pause_ms, int64_t now_ms);
/* When the next start is allowed, as things stand; may be past. */
int64_t budget_ready_ms(const struct budget *budget, int64_t now_ms);
void budget_note_start(struct budget *budget, int64_t now_ms);
/* So many answers said that it was too fast. */
void budget_note_throttled(struct budget *budget, unsigned count, int64_t now_ms);

#endif
