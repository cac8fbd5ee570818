#include "model/texts.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"

#define INDEX_MIN 64

/* The slot that holds the text, or the free one where it would go. The index is never full. */
static size_t find_slot(const struct texts *texts, const char *text)
{
	size_t mask = texts->index_size - 1, slot = (size_t)hash_text(text) & mask;

	while (texts->index[slot] && strcmp(texts->items[texts->index[slot]], text) != 0)
		slot = (slot + 1) & mask;
	return slot;
}

static void index_grow(struct texts *texts, size_t count)
{
	size_t size = texts->index_size ? texts->index_size : INDEX_MIN;

	while (size < 2 * (count + 1))
		size *= 2;
	if (size == texts->index_size)
		return;
	free(texts->index);
	texts->index_size = size;
	texts->index = mem_new(texts->index_size, sizeof(*texts->index));
	for (size_t i = 1; i < texts->count; i++)
		texts->index[find_slot(texts, texts->items[i])] = (uint32_t)i;
}

void texts_expect(struct texts *texts, size_t count)
{
	index_grow(texts, count);
}

uint32_t texts_find(const struct texts *texts, const char *text)
{
	return text && texts->index_size ? texts->index[find_slot(texts, text)] : 0;
}

uint32_t texts_add(struct texts *texts, const char *text)
{
	uint32_t found = texts_find(texts, text);

	if (!text || found)
		return found;
	texts->items =
		mem_grow(texts->items, &texts->capacity, texts->count + 2, sizeof(*texts->items));
	if (texts->count == 0)
		texts->items[texts->count++] = NULL;
	index_grow(texts, texts->count);
	texts->items[texts->count] = mem_copy_text(text);
	texts->index[find_slot(texts, text)] = (uint32_t)texts->count;
	return (uint32_t)texts->count++;
}

const char *texts_at(const struct texts *texts, uint32_t number)
{
	return number < texts->count ? texts->items[number] : NULL;
}

void texts_release(struct texts *texts)
{
	if (!texts)
		return;
	for (size_t i = 1; i < texts->count; i++)
		free(texts->items[i]);
	free(texts->items);
	free(texts->index);
	*texts = (struct texts){ 0 };
}
