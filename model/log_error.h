/* Whether a line of a log tells of an error: for the mark of the first one. By its words alone, so
 * a hint and no verdict. */
#ifndef GPUQ_LOG_ERROR_H
#define GPUQ_LOG_ERROR_H

#include <stdbool.h>
#include <stddef.h>

bool log_is_error(const char *text, size_t len);

#endif
