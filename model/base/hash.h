/* A number for a text, to name files by. Not for anything that somebody could want to forge. */
#ifndef GPUQ_BASE_HASH_H
#define GPUQ_BASE_HASH_H

#include <stdint.h>

/* FNV-1a, 64 bits: the same on every machine and for ever. */
uint64_t hash_text(const char *text);

#endif
