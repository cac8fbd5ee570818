/*
 * The curves of waits for each type and count class, kept from observations. Adding one is cheap;
 * a curve is made when it is asked for and something has changed. 50,000 jobs take a few MiB.
 *
 * What an observation says of each entry of its list:
 * - the entry that was chosen: a start;
 * - a better rank: it was tried at that moment and had nothing, so it is censored then, at risk;
 * - a worse rank: it was not tried any more, so it is censored just before;
 * - a job that still waits, was stopped or failed: all are censored where it is known to wait;
 * - a time-out or a refusal for want of capacity: the same, and a refusal at once counts.
 * A start at once (WAIT_AT_ONCE_MS) is kept as 0. Entries on a training plan say nothing, nor do
 * clusters of groups. Training, processing, and spot are kept apart.
 */
#ifndef GPUQ_WAIT_CURVES_H
#define GPUQ_WAIT_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/observation.h"
#include "model/survival.h"

/*
 * Capacity comes in blocks that are asked for together, and what is asked for doubles: 1, 2, 3 and
 * 4, 5 to 8, 9 to 16, more. One instance and two differ most; finer classes would seldom come to
 * ten starts.
 */
enum count_class { COUNT_1, COUNT_2, COUNT_4, COUNT_8, COUNT_16, COUNT_MORE };
enum count_class count_class_of(int64_t count);       /* below 1 counts as 1 */
const char *count_class_word(enum count_class class); /* 1, 2, 3-4, ..., 17+; static */

struct wait_key {
	const char *instance_type; /* borrowed */
	enum job_kind kind;
	bool spot;
	enum count_class class;
};

struct wait_series; /* of wait_curves.c */

/* {0} is valid: nothing was seen. */
struct wait_curves {
	struct wait_series **series; /* owned; in order of appearance */
	size_t count, capacity;
	struct wait_series **slots; /* owned; by hash of type */
	size_t slot_count;          /* a power of two, or 0 */
	size_t jobs;                /* added, pending ones not counted */
	size_t settled;             /* series from here on may have changed */
};

void wait_curves_release(struct wait_curves *curves);

/* Adds a job whose wait is over, once: started, or ended without a start. A pending one is
 * ignored. */
void wait_curves_add(struct wait_curves *curves, const struct observation *observation);

/* Makes one of the curves that have changed anew, so that no question pays for it (some
 * milliseconds after a first fill); false when none is left. For idle turns. */
bool wait_curves_settle(struct wait_curves *curves, int64_t now_ms);

/* The jobs that wait now take the place of those given before; others among them are ignored.
 * Their wait goes on by the clock from submitted_at_ms. */
void wait_curves_set_pending(struct wait_curves *curves, const struct observation *pending,
			     size_t count);

/*
 * The curve of a key as of now (wall), or NULL where no job asked for it. It is good until
 * observations are added or the key is asked for again; the waits of pending jobs in it are up to a
 * minute old.
 */
const struct survival *wait_curves_find(struct wait_curves *curves, const struct wait_key *key,
					int64_t now_ms);

/* How many steps so many of the curves have in all, at most. */
size_t wait_curves_most_steps(const struct wait_curves *curves, size_t count);

/* All keys seen, in order of appearance; false behind the last. */
bool wait_curves_key(const struct wait_curves *curves, size_t i, struct wait_key *key);

#endif
