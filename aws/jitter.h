/* The random share of a pause: machines that were turned away together shall not come back
 * together. Not for secrets. */
#ifndef GPUQ_JITTER_H
#define GPUQ_JITTER_H

#include <stdint.h>

struct jitter {
	uint64_t state;
};

/* seed 0: the system's. The same seed gives the same shares. */
void jitter_init(struct jitter *jitter, uint64_t seed);
/* Uniform in [0, 1). */
double jitter_next(struct jitter *jitter);

#endif
