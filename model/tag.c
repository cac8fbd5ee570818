#include "model/tag.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"

static bool is_usable(const struct tag *tag)
{
	return tag->key && tag->key[0] && strnlen(tag->key, TAG_KEY_SIZE) < TAG_KEY_SIZE &&
	       (!tag->value || strnlen(tag->value, TAG_VALUE_SIZE) < TAG_VALUE_SIZE);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct tag *)a)->key, ((const struct tag *)b)->key);
}

static char *put_text(char **room, const char *text)
{
	char *at = *room;
	size_t len = strlen(text) + 1;

	memcpy(at, text, len);
	*room += len;
	return at;
}

struct tag_list *tag_list_new(const struct tag *tags, size_t count)
{
	size_t taken = 0, bytes = 0;
	struct tag_list *list;
	char *room;

	for (size_t i = 0; i < count && taken < TAG_LIST_MAX; i++) {
		if (!is_usable(&tags[i]))
			continue;
		bytes += strlen(tags[i].key) + 1;
		bytes += (tags[i].value ? strlen(tags[i].value) : 0) + 1;
		taken++;
	}
	list = mem_new(1, sizeof(*list) + taken * sizeof(struct tag) + bytes);
	room = (char *)&list->items[taken];
	for (size_t i = 0; i < count && list->count < taken; i++) {
		if (!is_usable(&tags[i]))
			continue;
		struct tag *out = &list->items[list->count++];

		out->key = put_text(&room, tags[i].key);
		out->value = put_text(&room, tags[i].value ? tags[i].value : "");
	}
	if (list->count > 1)
		qsort(list->items, list->count, sizeof(struct tag), compare_keys);
	return list;
}

struct tag_list *tag_list_copy(const struct tag_list *list)
{
	return list ? tag_list_new(list->items, list->count) : NULL;
}

bool tag_list_equal(const struct tag_list *a, const struct tag_list *b)
{
	if (!a || !b || a->count != b->count)
		return a == b;
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->items[i].key, b->items[i].key) != 0 ||
		    strcmp(a->items[i].value, b->items[i].value) != 0)
			return false;
	}
	return true;
}

uint64_t tag_list_hash(const struct tag_list *list)
{
	uint64_t hash = HASH_BEGIN;

	for (size_t i = 0; i < list->count; i++) {
		hash = hash_more_text(hash, list->items[i].key);
		hash = hash_more_text(hash, list->items[i].value);
	}
	return hash;
}
