/*
 * How much slower than its pace an operation is asked because AWS said that it was too fast: each
 * throttle halves the pace, and each minute gives a tenth of the full pace back. Times are
 * monotonic milliseconds. {0} is the full pace.
 */
#ifndef GPUQ_SLOWDOWN_H
#define GPUQ_SLOWDOWN_H

#include <stdint.h>

#define SLOWDOWN_FULL    1000 /* permille */
#define SLOWDOWN_LEAST   125
#define SLOWDOWN_STEP_MS 600 /* that give one permille back */

struct slowdown {
	int64_t lost;     /* permille of the full pace, as of since_ms */
	int64_t since_ms; /* the newest throttle */
};

/* The share of the full pace, in permille; at a time before the newest throttle, what that left. */
int64_t slowdown_pace(const struct slowdown *slowdown, int64_t now_ms);
/* A pause that is right at full pace, at the pace of now. */
int64_t slowdown_stretch(const struct slowdown *slowdown, int64_t pause_ms, int64_t now_ms);
/* When the full pace is back; INT64_MIN where it was never left. */
int64_t slowdown_over_ms(const struct slowdown *slowdown);
/* So many answers said that it was too fast. */
void slowdown_note_throttled(struct slowdown *slowdown, unsigned count, int64_t now_ms);
/* Takes another one's where that is the slower as of now. */
void slowdown_join(struct slowdown *slowdown, const struct slowdown *other, int64_t now_ms);

#endif
