/* Texts for tests: encoded, random, and read from the cases. */
#ifndef GPUQ_TESTS_ANYTEXT_H
#define GPUQ_TESTS_ANYTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A small generator of 24 bits, so that a failure can be repeated. */
uint32_t anytext_random(uint32_t *seed);

/* The bytes of any number up to 0x10FFFF, surrogates too. Written apart from the code it tests. */
size_t anytext_encode(uint32_t code, char out[4]);

/*
 * Random bytes that are often UTF-8, with the characters that matter more often than chance. Not
 * terminated; returns the length, at most max.
 */
size_t anytext_fill(uint32_t *seed, char *out, size_t max);

/* Reads a shared file whole and ends it with NUL; false, having said so, when it is absent. */
bool anytext_shared(const char *name, char *out, size_t size);

#endif
