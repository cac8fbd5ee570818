/*
 * What the service model says of a Create request: its members, their types, limits and patterns
 * (shapes_table.c, made from the service model). Limits that have a rule of their own (list length,
 * counts, pending limit, names) are left out there.
 */
#ifndef GPUQ_SHAPES_H
#define GPUQ_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"

enum shape_type {
	SHAPE_STRUCTURE,
	SHAPE_LIST,
	SHAPE_MAP,
	SHAPE_STRING,
	SHAPE_INTEGER,
	SHAPE_BOOLEAN
};

struct shape_member;

struct shape {
	const char *name; /* in the service model */
	enum shape_type type;
	/* Of a number its value, of a string its characters, of a list or map its items. */
	bool has_min, has_max;
	int64_t min, max;
	const char *pattern; /* POSIX extended, for the whole value; NULL = any */
	const char *example; /* what fits the pattern; NULL without one */
	/* The words of an enumeration; 0 = any text. Those of instance types are left out: they
	 * have rules of their own, and grow. */
	const char *const *words;
	size_t word_count;
	const struct shape *key;            /* of a map */
	const struct shape *item;           /* of a list or map */
	const struct shape_member *members; /* of a structure */
	size_t member_count;
};

struct shape_member {
	const char *name;
	const struct shape *shape;
	bool required;
};

/* CreateTrainingJobRequest or CreateProcessingJobRequest. */
const struct shape *shape_of_request(enum job_kind kind);

/* The member of a structure, or NULL. */
const struct shape_member *shape_find_member(const struct shape *shape, const char *name);

#endif
