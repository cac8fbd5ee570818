/* Tags as a record tells them: all of one resource, in one block of memory. */
#ifndef GPUQ_TAG_H
#define GPUQ_TAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The service allows 50 on a resource, keys of 128 characters and values of 256: service model,
 * TagKey and TagValue; a character has four bytes at most. */
#define TAG_LIST_MAX   50
#define TAG_KEY_SIZE   513
#define TAG_VALUE_SIZE 1025

struct tag {
	char *key, *value; /* value may be "" */
};

/* One block, to be freed with free(): the texts stand behind the items. */
struct tag_list {
	size_t count;
	struct tag items[];
};

/* A new list, by key. Tags without a key, with texts that are too long, and those above
 * TAG_LIST_MAX are left out. */
struct tag_list *tag_list_new(const struct tag *tags, size_t count);
/* NULL for NULL. */
struct tag_list *tag_list_copy(const struct tag_list *list);
/* The same tags; NULL equals NULL alone. */
bool tag_list_equal(const struct tag_list *a, const struct tag_list *b);
/* Equal ones have the same; not of NULL. */
uint64_t tag_list_hash(const struct tag_list *list);

#endif
