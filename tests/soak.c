#include "tests/soak.h"

#include <stdlib.h>
#include <time.h>

#define SEEDS 100000

static long number(const char *variable)
{
	const char *text = getenv(variable);

	return text ? strtol(text, NULL, 10) : 0;
}

long soak_seconds(long short_seconds)
{
	long seconds = number("GPUQ_SOAK_SECONDS");

	return seconds > 0 ? seconds : short_seconds;
}

int soak_seed(int standard)
{
	if (getenv("GPUQ_SEED"))
		return (int)number("GPUQ_SEED");
	return number("GPUQ_SOAK_SECONDS") > 0 ? (int)(time(NULL) % SEEDS) : standard;
}
