#include "model/shapes.h"

#include <string.h>

#include "model/shapes_table.h"

const struct shape *shape_of_request(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &create_training_job_request : &create_processing_job_request;
}

const struct shape_member *shape_find_member(const struct shape *shape, const char *name)
{
	for (size_t i = 0; i < shape->member_count; i++) {
		if (strcmp(shape->members[i].name, name) == 0)
			return &shape->members[i];
	}
	return NULL;
}
