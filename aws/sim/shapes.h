/*
 * The input shapes of the operations, as rows made from the service model by
 * tests/tables/make_sim_shapes.py: what is required, the words, the limits and the patterns.
 * Constant data.
 */
#ifndef GPUQ_SIM_SHAPES_H
#define GPUQ_SIM_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_shape_kind {
	SIM_STRUCTURE,
	SIM_LIST,
	SIM_MAP,
	SIM_TEXT,
	SIM_INTEGER,
	SIM_LONG,
	SIM_BOOLEAN,
	SIM_TIME,
	SIM_NUMBER
};

struct sim_member {
	const char *name;
	size_t shape; /* index into sim_shapes */
	bool required;
};

struct sim_shape {
	const char *name;
	enum sim_shape_kind kind;
	bool has_min, has_max; /* of the number, the length in characters or the number of items */
	int64_t min, max;
	const char *pattern; /* as the service words it, or NULL */
	const char *posix;   /* the same as a POSIX extended one; NULL: nothing to test */
	const char *const *words;
	size_t word_count;
	const struct sim_member *members;
	size_t member_count;
	size_t key, value; /* shapes of a map's keys, and of a map's or list's values */
};

extern const struct sim_shape sim_shapes[];
extern const size_t sim_shape_count;

/* The shape of that name; NULL if there is none. */
const struct sim_shape *sim_shape_named(const char *name);

/* The member's row, or NULL. */
const struct sim_member *sim_shape_member(const struct sim_shape *shape, const char *name);

/* One of the shape's words. */
bool sim_shape_has_word(const struct sim_shape *shape, const char *word);

#endif
