/*
 * A region's capacity as a process of its own, to forecast against: each type is free and busy by
 * turns, for random times. A job starts where its list first finds a free type, at one moment the
 * better rank. Written apart from the forecast, of which it knows nothing.
 */
#ifndef GPUQ_TESTS_CAPACITY_H
#define GPUQ_TESTS_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/observation.h"

#define CAPACITY_TYPES 6

struct capacity_job {
	struct observation observation; /* as it is known once its wait is over */
	int64_t ends_at_ms;             /* when that is */
	int64_t true_wait_ms; /* until it would have started; its end without one hides it */
};

struct capacity;

/*
 * Jobs for as long as they are asked for, ascending by submission. common: all types share a slow
 * factor, days in which each is seldom free and long busy.
 */
struct capacity *capacity_new(uint32_t seed, bool common);
void capacity_free(struct capacity *capacity);
struct capacity_job capacity_next(struct capacity *capacity);
/* The type's name, static. */
const char *capacity_type(size_t type);

#endif
