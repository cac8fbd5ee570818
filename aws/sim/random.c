#include "aws/sim/random.h"

#include <math.h>
#include <string.h>

uint64_t sim_random_next(uint64_t *state)
{
	*state += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t z = *state;
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

int64_t sim_random_between(uint64_t *state, int64_t low, int64_t high)
{
	if (high <= low)
		return low;
	uint64_t span = (uint64_t)(high - low) + 1;
	return low + (int64_t)(sim_random_next(state) % span);
}

int sim_random_chance(uint64_t *state, int percent)
{
	return sim_random_between(state, 1, 100) <= percent;
}

int64_t sim_random_around(uint64_t *state, int64_t mean)
{
	/* 53 bits, never 0: log() stays finite. */
	double unit = ((double)(sim_random_next(state) >> 11) + 1.0) / 9007199254740993.0;
	double value = -log(unit) * (double)mean;
	double ceiling = 20.0 * (double)mean;
	if (value > ceiling)
		value = ceiling;
	return value < 1.0 ? 1 : (int64_t)value;
}

void sim_random_text(uint64_t *state, const char *letters, char *out, size_t size)
{
	size_t count = strlen(letters);
	for (size_t i = 0; i + 1 < size; i++)
		out[i] = letters[sim_random_next(state) % count];
	out[size - 1] = '\0';
}

uint64_t sim_random_for(uint64_t seed, const char *name)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325) ^ seed; /* FNV-1a */
	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
	(void)sim_random_next(&hash);
	return hash;
}
