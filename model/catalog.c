#include "model/catalog.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/text.h"
#include "model/catalog_table.h"

#define NEAR_LIMIT 4 /* edits; types of one family differ by two or three characters */

static int compare_name(const void *key, const void *item)
{
	const char *name = key;
	const unsigned short *row = item;
	return strcmp(name, catalog_rows[*row].name);
}

const struct instance_type *catalog_find(const char *name)
{
	const unsigned short *row = bsearch(name, catalog_rows_by_name, catalog_row_count,
					    sizeof(*catalog_rows_by_name), compare_name);
	return row ? &catalog_rows[*row] : NULL;
}

const struct instance_type *catalog_all(size_t *count)
{
	*count = catalog_row_count;
	return catalog_rows;
}

bool catalog_allows(const char *name, enum job_kind kind)
{
	const struct instance_type *type = catalog_find(name);
	return type && (kind == JOB_TRAINING ? type->training : type->processing);
}

const char *catalog_uses(const struct instance_type *type)
{
	static const char *const uses[] = {
		"",
		"training",
		"processing",
		"training, processing",
		"endpoint",
		"training, endpoint",
		"processing, endpoint",
		"training, processing, endpoint",
	};
	return uses[type->training + 2 * type->processing + 4 * type->endpoint];
}

bool catalog_is_accelerated(const char *name)
{
	static const char *const prefixes[] = { "ml.p", "ml.g", "ml.trn" };
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

struct near {
	const char *name;
	unsigned distance;
};

/* Keeps the nearest ones in order; equal distances stay in catalog order. */
static size_t keep_near(struct near *best, size_t count, size_t max, struct near one)
{
	size_t at = count;
	while (at > 0 && best[at - 1].distance > one.distance)
		at--;
	if (at >= max)
		return count;
	if (count < max)
		count++;
	memmove(&best[at + 1], &best[at], (count - 1 - at) * sizeof(*best));
	best[at] = one;
	return count;
}

size_t catalog_near(const char *name, const char **out, size_t max)
{
	struct near best[16] = { 0 };
	size_t count = 0;
	struct buf full;
	if (max > ARRAY_LEN(best))
		max = ARRAY_LEN(best);
	/* Half of all mistyped types are the EC2 name, without the prefix. */
	buf_init(&full, 256);
	buf_addf(&full, "%s%s", strncasecmp(name, "ml.", 3) == 0 ? "" : "ml.", name);
	for (size_t i = 0; i < catalog_row_count && !full.failed; i++) {
		struct near one = { .name = catalog_rows[i].name };
		one.distance = text_distance(buf_text(&full), one.name, NEAR_LIMIT);
		if (one.distance <= NEAR_LIMIT)
			count = keep_near(best, count, max, one);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = best[i].name;
	buf_release(&full);
	return count;
}
