/* Public facts and cases that tests compare with, where the folder that holds them is present. */
#ifndef GPUQ_TESTS_SHARED_H
#define GPUQ_TESTS_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a file below GPUQ_SHARED, else ../shared. NULL, with a line `skipped: ...`, when absent. */
FILE *shared_open(const char *name);

/* The whole of such a file, NUL-terminated; the caller frees it. NULL when absent. */
char *shared_read(const char *name, size_t *len);

/* Reads one line and cuts it at its tabs; returns the number of fields, 0 at the end. The fields
 * are parts of line and end with it. */
size_t shared_row(FILE *file, char *line, size_t size, const char **fields, size_t max);

#endif
