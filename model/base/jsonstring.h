/* The inside of JSON strings, shared by the parser and the getters of jsontext. */
#ifndef GPUQ_BASE_JSONSTRING_H
#define GPUQ_BASE_JSONSTRING_H

#include <stddef.h>
#include <stdint.h>

/*
 * One character of a string's inside, escaped or not, at text[0..len), len > 0. Returns the bytes
 * used; 0 where it is none (a raw control, bad UTF-8, a bad escape, half a surrogate pair).
 */
size_t json_string_step(const char *text, size_t len, uint32_t *code);

/* Orders two valid insides by their code points, as strcmp does. */
int json_string_compare(const char *a, size_t len_a, const char *b, size_t len_b);

#endif
