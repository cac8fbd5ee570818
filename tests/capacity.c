#include "tests/capacity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE        INT64_C(60000)
#define MEAN_ARRIVAL  (20.0 * MINUTE)
#define DAYS          90
#define HORIZON       (DAYS * 24 * 60 * MINUTE)
#define TURNS_MAX     65536
#define REGIME_MEAN   (3.0 * 24 * 60 * MINUTE)
#define TIGHT_BUSY    4.0 /* times as long busy, and as short free, in tight days */
#define TIGHT_FREE    3.0
#define STOPPED_SHARE 0.1
#define STOPPED_MEAN  (240.0 * MINUTE)
#define LIMITED_SHARE 0.3
#define LIMIT_LEAST   (120.0 * MINUTE)
#define LIMIT_SPREAD  (1200.0 * MINUTE)

static const struct {
	const char *name;
	double free_minutes, busy_minutes; /* means */
} types[CAPACITY_TYPES] = {
	{ "ml.p5.48xlarge", 12, 260 },  { "ml.p4d.24xlarge", 60, 120 },
	{ "ml.p4de.24xlarge", 8, 180 }, { "ml.g6e.48xlarge", 90, 60 },
	{ "ml.g5.48xlarge", 240, 45 },  { "ml.trn1.32xlarge", 60, 90 },
};

struct turn {
	int64_t free_ms, busy_ms; /* from when it is free, from when busy again */
};

struct capacity {
	uint64_t random;
	struct turn *turns[CAPACITY_TYPES];
	size_t turn_count[CAPACITY_TYPES];
	int64_t regimes[TURNS_MAX / 64]; /* tight from each odd one to the next */
	size_t regime_count;
	int64_t now_ms;
};

/* splitmix64; 0 < result < 1. */
static double uniform(struct capacity *capacity)
{
	uint64_t z = capacity->random += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double exponential(struct capacity *capacity, double mean)
{
	return -mean * log(uniform(capacity));
}

static bool is_tight(const struct capacity *capacity, int64_t ms)
{
	size_t before = 0;
	while (before < capacity->regime_count && capacity->regimes[before] <= ms)
		before++;
	return before % 2 == 1;
}

/* A busy time is the sum of a short and a long one, so that its rate is not constant. */
static void fill_turns(struct capacity *capacity, size_t type)
{
	struct turn *turns = calloc(TURNS_MAX, sizeof(*turns));
	size_t count = 0;
	double at = -exponential(capacity, 100 * MINUTE);
	while (at < HORIZON && count < TURNS_MAX) {
		bool tight = is_tight(capacity, (int64_t)at);
		double mean_free = types[type].free_minutes * MINUTE / (tight ? TIGHT_FREE : 1);
		double mean_busy = types[type].busy_minutes * MINUTE * (tight ? TIGHT_BUSY : 1);
		turns[count].free_ms = (int64_t)at;
		at += exponential(capacity, mean_free);
		turns[count++].busy_ms = (int64_t)at;
		at += exponential(capacity, mean_busy * 0.2) +
		      exponential(capacity, mean_busy * 0.8);
	}
	capacity->turns[type] = turns;
	capacity->turn_count[type] = count;
}

struct capacity *capacity_new(uint32_t seed, bool common)
{
	struct capacity *capacity = calloc(1, sizeof(*capacity));
	capacity->random = seed;
	for (double at = 0; common && at < HORIZON;) {
		at += exponential(capacity, REGIME_MEAN);
		capacity->regimes[capacity->regime_count++] = (int64_t)at;
	}
	for (size_t i = 0; i < CAPACITY_TYPES; i++)
		fill_turns(capacity, i);
	return capacity;
}

void capacity_free(struct capacity *capacity)
{
	for (size_t i = 0; i < CAPACITY_TYPES; i++)
		free(capacity->turns[i]);
	free(capacity);
}

/* How long from at_ms until the type is free. */
static int64_t wait_of(const struct capacity *capacity, size_t type, int64_t at_ms)
{
	const struct turn *turns = capacity->turns[type];
	size_t i = 0;
	while (i + 1 < capacity->turn_count[type] && turns[i].busy_ms <= at_ms)
		i++;
	return turns[i].free_ms > at_ms ? turns[i].free_ms - at_ms : 0;
}

static void choose_list(struct capacity *capacity, struct observation *job, size_t *chosen)
{
	size_t order[CAPACITY_TYPES];
	double dice = uniform(capacity);
	job->entry_count = dice < 0.4 ? 1 : dice < 0.65 ? 2 : dice < 0.85 ? 3 : 5;
	for (size_t i = 0; i < CAPACITY_TYPES; i++)
		order[i] = i;
	for (size_t i = 0; i < job->entry_count; i++) {
		size_t other = i + (size_t)(uniform(capacity) * (double)(CAPACITY_TYPES - i));
		chosen[i] = order[other];
		order[other] = order[i];
		job->entries[i] = (struct observation_entry){ types[chosen[i]].name, 1, false };
	}
}

struct capacity_job capacity_next(struct capacity *capacity)
{
	struct capacity_job job = { .true_wait_ms = INT64_MAX };
	struct observation *known = &job.observation;
	size_t chosen[CAPACITY_TYPES];
	capacity->now_ms += (int64_t)exponential(capacity, MEAN_ARRIVAL);
	known->submitted_at_ms = capacity->now_ms;
	choose_list(capacity, known, chosen);
	for (size_t i = 0; i < known->entry_count; i++) {
		int64_t ms = wait_of(capacity, chosen[i], capacity->now_ms);
		if (ms < job.true_wait_ms) {
			job.true_wait_ms = ms;
			known->chosen_rank = i + 1;
		}
	}
	known->outcome = WAIT_STARTED;
	known->wait_ms = job.true_wait_ms;
	double patience =
		uniform(capacity) < STOPPED_SHARE ? exponential(capacity, STOPPED_MEAN) : HUGE_VAL;
	double limit = uniform(capacity) < LIMITED_SHARE
			       ? LIMIT_LEAST + LIMIT_SPREAD * uniform(capacity)
			       : HUGE_VAL;
	double until = patience < limit ? patience : limit;
	if (until < (double)known->wait_ms) {
		known->outcome = patience < limit ? WAIT_STOPPED : WAIT_TIMED_OUT;
		known->chosen_rank = 0;
		known->wait_ms = (int64_t)until;
	}
	job.ends_at_ms = known->submitted_at_ms + known->wait_ms;
	return job;
}

const char *capacity_type(size_t type)
{
	return types[type].name;
}
