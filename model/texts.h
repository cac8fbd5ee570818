/* Texts that come again and again, each kept once under a number. {0} holds none. */
#ifndef GPUQ_TEXTS_H
#define GPUQ_TEXTS_H

#include <stddef.h>
#include <stdint.h>

struct texts {
	char **items; /* owned, each too; item 0 is NULL: the number of no text */
	size_t count, capacity;
	uint32_t *index; /* owned table of numbers, by hash */
	size_t index_size;
};

/* The number of a text, a new one where it is new; 0 for NULL. */
uint32_t texts_add(struct texts *texts, const char *text);
/* The same without adding: 0 where it is not there. */
uint32_t texts_find(const struct texts *texts, const char *text);
/* Borrowed for as long as the texts live; NULL for 0 and for a number that is none. */
const char *texts_at(const struct texts *texts, uint32_t number);

/* Room in the index for so many, so that it is not made anew while they come. */
void texts_expect(struct texts *texts, size_t count);

void texts_release(struct texts *texts);

#endif
