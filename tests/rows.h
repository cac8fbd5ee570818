/* Rows of the dashboard's list of jobs, as they stand in the text of a screen. */
#ifndef GPUQ_TESTS_ROWS_H
#define GPUQ_TESTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/job.h"

/* What stands behind the name in its row: kind, phase, wait, ...; NULL if there is no row. */
const char *rows_find(const char *screen, const char *name);
/* The nth word (from 0) of what stands there; "" behind the last one. */
void rows_word(const char *row, int nth, char *out, size_t size);
/* The phase in the row of a job; false if there is no row. */
bool rows_phase(const char *screen, const char *name, enum phase *phase);

#endif
