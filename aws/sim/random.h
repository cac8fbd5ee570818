/* A small seeded generator (splitmix64): the same seed tells the same story. Not for secrets. */
#ifndef GPUQ_SIM_RANDOM_H
#define GPUQ_SIM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next 64 bits; moves the state on. */
uint64_t sim_random_next(uint64_t *state);

/* Evenly in [low, high]. */
int64_t sim_random_between(uint64_t *state, int64_t low, int64_t high);

/* True in percent of 100 cases. */
int sim_random_chance(uint64_t *state, int percent);

/* Exponentially distributed with that mean, at least 1 and at most 20 means. */
int64_t sim_random_around(uint64_t *state, int64_t mean);

/* Fills out with random ones of the letters, and a NUL at its end. */
void sim_random_text(uint64_t *state, const char *letters, char *out, size_t size);

/* A state of its own for a name: what happens to it does not depend on the others. */
uint64_t sim_random_for(uint64_t seed, const char *name);

#endif
