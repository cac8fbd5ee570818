/* Tests with a long form: how long, and with which seed, so that a run can be had again. */
#ifndef GPUQ_TESTS_SOAK_H
#define GPUQ_TESTS_SOAK_H

#include <stdbool.h>

/* GPUQ_SOAK_SECONDS, or the short form's. */
long soak_seconds(long short_seconds);
/* GPUQ_SEED; else another one each time in the long form, and the standard one in the short. */
int soak_seed(int standard);

#endif
