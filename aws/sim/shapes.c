#include "aws/sim/shapes.h"

#include <string.h>

const struct sim_shape *sim_shape_named(const char *name)
{
	for (size_t i = 0; i < sim_shape_count; i++) {
		if (strcmp(sim_shapes[i].name, name) == 0)
			return &sim_shapes[i];
	}
	return NULL;
}

const struct sim_member *sim_shape_member(const struct sim_shape *shape, const char *name)
{
	for (size_t i = 0; i < shape->member_count; i++) {
		if (strcmp(shape->members[i].name, name) == 0)
			return &shape->members[i];
	}
	return NULL;
}

bool sim_shape_has_word(const struct sim_shape *shape, const char *word)
{
	for (size_t i = 0; i < shape->word_count; i++) {
		if (strcmp(shape->words[i], word) == 0)
			return true;
	}
	return false;
}
