/*
 * When a type was last seen free or refused, from the jobs that asked for it: "p5 not free at
 * 14:02, 14:31". Tries at a submission and what a start or a time-out says of the entries that
 * waited until then.
 */
#ifndef GPUQ_SIGHTINGS_H
#define GPUQ_SIGHTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/observation.h"

#define SIGHTINGS_MAX 8

struct sighting {
	int64_t at_ms; /* wall */
	bool free;
};

/* Set type, kind, spot and since_ms; the rest is filled by sightings_add. */
struct sightings {
	const char *instance_type; /* borrowed */
	enum job_kind kind;
	bool spot;
	int64_t since_ms;                      /* what is older is left out; wall */
	struct sighting newest[SIGHTINGS_MAX]; /* the newest first; one a minute */
	size_t count;
};

/* Adds what a job says of the type; jobs in any order, each once. */
void sightings_add(struct sightings *sightings, const struct observation *observation);
/* What entry i of its list says, whatever its type. */
void sightings_add_entry(struct sightings *sightings, const struct observation *observation,
			 size_t i);
/* Adds one sighting. */
void sightings_add_one(struct sightings *sightings, const struct sighting *sighting);

#endif
