/* The newest sightings of every type, learned job by job: what was seen of one is then looked up,
 * however many jobs there are. */
#ifndef GPUQ_SIGHTED_H
#define GPUQ_SIGHTED_H

#include "model/history.h"
#include "model/sightings.h"
#include "model/triples.h"

/* {0} has seen nothing. Types are the numbers of one history's texts. */
struct sighted {
	struct triples keys;
	struct sightings *items; /* owned; one a key; of all times */
	size_t capacity;
};

void sighted_release(struct sighted *sighted);

/* Adds a job whose wait is over, once: the same job as the history has it and as an observation. */
void sighted_add(struct sighted *sighted, const struct history_job *job,
		 const struct observation *observation);

/* Adds the newest ones of a type to those that are asked for. */
void sighted_find(const struct sighted *sighted, uint32_t type, struct sightings *sightings);

#endif
