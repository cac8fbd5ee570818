/* A number for a text, to name files by. Not for anything that somebody could want to forge. */
#ifndef GPUQ_BASE_HASH_H
#define GPUQ_BASE_HASH_H

#include <stdint.h>

#define HASH_BEGIN UINT64_C(14695981039346656037)

/* FNV-1a, 64 bits: the same on every machine and for ever. */
uint64_t hash_text(const char *text);

/* Of several: begins with HASH_BEGIN and goes on with what came before. The ends of texts count, so
 * that "ab", "c" is another than "a", "bc". */
uint64_t hash_more_text(uint64_t hash, const char *text);
uint64_t hash_more(uint64_t hash, uint64_t number);

#endif
