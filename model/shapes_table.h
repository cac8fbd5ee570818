/* The generated shapes behind model/shapes.h; nothing else includes it. */
#ifndef GPUQ_SHAPES_TABLE_H
#define GPUQ_SHAPES_TABLE_H

#include "model/shapes.h"

extern const struct shape create_training_job_request, create_processing_job_request;

#endif
