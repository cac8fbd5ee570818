/*
 * Texts as somebody might write them who wants to harm whoever looks: escape sequences whole and
 * cut, controls in either encoding, broken UTF-8, characters whose width is in doubt, piles of
 * marks, turned directions, formats of printf, and very long ones. By seed.
 */
#ifndef GPUQ_TESTS_HOSTILE_H
#define GPUQ_TESTS_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

#define HOSTILE_SIZE 20000 /* of the longest, with its NUL */

struct hostile {
	uint32_t seed;
	unsigned long count; /* of the texts made so far */
	char text[HOSTILE_SIZE];
};

/* The next one: without a NUL but at its end, at most size bytes with that. Borrowed until the next
 * call. */
const char *hostile_next(struct hostile *hostile, size_t size);

/* One of below. */
uint32_t hostile_lot(struct hostile *hostile, uint32_t below);

/* In an array / an owned text; three times of four, so that what is usual comes too. */
void hostile_put(struct hostile *hostile, char *out, size_t size);
void hostile_set(struct hostile *hostile, char **slot);

#endif
