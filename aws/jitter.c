#include "aws/jitter.h"

#include <unistd.h>

void jitter_init(struct jitter *jitter, uint64_t seed)
{
	/* It needs to differ between machines, not to be secret: without a seed any will do. */
	if (seed == 0 && (getentropy(&seed, sizeof(seed)) != 0 || seed == 0))
		seed = UINT64_C(0x9E3779B97F4A7C15);
	jitter->state = seed;
}

/* xorshift64*. */
double jitter_next(struct jitter *jitter)
{
	uint64_t x = jitter->state;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	jitter->state = x;
	return (double)((x * UINT64_C(0x2545F4914F6CDD1D)) >> 11) / 9007199254740992.0;
}
