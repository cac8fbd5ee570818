#include "model/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The one mutable global of this layer: memory can run out anywhere, and no context reaches here.
 * Set once at the start, before any other thread.
 */
static void (*exhausted_hook)(void);

static _Noreturn void exhausted(void)
{
	void (*hook)(void) = exhausted_hook;

	/* A hook that runs out of memory itself must not come back here. */
	exhausted_hook = NULL;
	if (hook)
		hook();
	(void)fputs("gpuq: out of memory\n", stderr);
	abort();
}

void mem_on_exhausted(void (*hook)(void))
{
	exhausted_hook = hook;
}

/* malloc(0) may give NULL, which would read as exhaustion. */
static size_t product(size_t count, size_t size)
{
	if (size && count > PTRDIFF_MAX / size)
		exhausted();
	return count && size ? count * size : 1;
}

void *mem_new(size_t count, size_t size)
{
	void *memory = calloc(1, product(count, size));

	if (!memory)
		exhausted();
	return memory;
}

void *mem_resize(void *old, size_t count, size_t size)
{
	void *memory = realloc(old, product(count, size));

	if (!memory)
		exhausted();
	return memory;
}

char *mem_copy_bytes(const char *bytes, size_t len)
{
	char *copy;

	if (len >= PTRDIFF_MAX)
		exhausted();
	copy = mem_resize(NULL, len + 1, 1);
	if (len)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	return copy;
}

char *mem_copy_text(const char *text)
{
	return text ? mem_copy_bytes(text, strlen(text)) : NULL;
}

void mem_set_text(char **slot, const char *text)
{
	/* Copied first: text may lie inside what the slot holds. */
	char *copy = mem_copy_text(text);

	free(*slot);
	*slot = copy;
}

void *mem_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	size_t room = *capacity ? *capacity : 8;

	if (array && needed <= *capacity)
		return array;
	while (room < needed)
		room = room > SIZE_MAX / 2 ? needed : room * 2;
	array = mem_resize(array, room, size);
	*capacity = room;
	return array;
}
