/*
 * Memory that never fails: out of memory ends the program after the hook has put the terminal
 * right. No other file calls malloc, calloc, realloc or strdup.
 */
#ifndef GPUQ_BASE_MEM_H
#define GPUQ_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory for count objects of size bytes each; the product is checked. Free with free(). */
void *mem_new(size_t count, size_t size);

/* realloc for count objects of size bytes; new space is not zeroed. */
void *mem_resize(void *old, size_t count, size_t size);

/* A copy of text, or NULL for NULL. The caller frees it. */
char *mem_copy_text(const char *text);

/* A NUL-terminated copy of len bytes. The caller frees it. */
char *mem_copy_bytes(const char *bytes, size_t len);

/* Replaces *slot by a copy of text (NULL allowed), freeing what it held. */
void mem_set_text(char **slot, const char *text);

/* Makes room in a growing array: doubles *capacity until it holds needed objects of size bytes. */
void *mem_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* Called once, before abort, when memory has run out: restores the screen. NULL for none. */
void mem_on_exhausted(void (*hook)(void));

#endif
