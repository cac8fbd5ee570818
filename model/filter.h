/* Filter by words: every word must stand in name, kind, phase, status, type or message. */
#ifndef GPUQ_FILTER_H
#define GPUQ_FILTER_H

#include <stdbool.h>

#include "model/job.h"

#define FILTER_SIZE 256

/* Blank-separated words, ASCII case ignored; "!word" excludes. Empty matches all. */
bool filter_matches(const char *filter, const struct job *job);

#endif
