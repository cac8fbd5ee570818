#include "model/tags.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

static void drop_items(struct job_tags *tags)
{
	for (size_t i = 0; i < tags->count; i++) {
		free(tags->items[i].key);
		free(tags->items[i].value);
	}
	free(tags->items);
	tags->items = NULL;
	tags->count = 0;
}

void tags_release(struct job_tags *tags)
{
	drop_items(tags);
	free(tags->arn);
	err_clear(&tags->fresh.error);
	*tags = (struct job_tags){ 0 };
}

void tags_look_at(struct job_tags *tags, const char *arn)
{
	if (arn == tags->arn || (arn && tags->arn && strcmp(arn, tags->arn) == 0))
		return;
	char *copy = mem_copy_text(arn);
	tags_release(tags);
	tags->arn = copy;
}

void tags_add(struct job_tags *tags, const char *key, const char *value)
{
	if (tags->count >= TAGS_MAX)
		return;
	tags->items = mem_resize(tags->items, tags->count + 1, sizeof(*tags->items));
	tags->items[tags->count++] = (struct tag){ mem_copy_text(key), mem_copy_text(value) };
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct tag *)a)->key, ((const struct tag *)b)->key);
}

void tags_take(struct job_tags *tags, struct job_tags *from, int64_t mono_ms)
{
	drop_items(tags);
	tags->items = from->items;
	tags->count = from->count;
	from->items = NULL;
	from->count = 0;
	if (tags->count > 1)
		qsort(tags->items, tags->count, sizeof(*tags->items), compare_keys);
	err_clear(&tags->fresh.error);
	tags->fresh =
		(struct freshness){ .asked = true, .loaded = true, .loaded_mono_ms = mono_ms };
}

void tags_fail(struct job_tags *tags, const struct err *err, int64_t retry_mono_ms)
{
	tags->fresh.asked = true;
	tags->fresh.failing = true;
	tags->fresh.retry_mono_ms = retry_mono_ms;
	err_copy(&tags->fresh.error, err);
}
