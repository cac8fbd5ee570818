#include "tui/layout.h"

static int minimum_of(const struct layout_part *part)
{
	return part->minimum > 0 ? part->minimum : 0;
}

static int weight_of(const struct layout_part *part)
{
	return part->weight > 0 ? part->weight : 0;
}

/* How many parts, from the first, get their minimum; *rest is what is then left. */
static size_t parts_kept(int length, const struct layout_part *parts, size_t count, int *rest)
{
	size_t kept = 0;

	*rest = length > 0 ? length : 0;
	while (kept < count && minimum_of(&parts[kept]) <= *rest) {
		*rest -= minimum_of(&parts[kept]);
		kept++;
	}
	return kept;
}

void layout_split(int length, const struct layout_part *parts, size_t count, int *sizes)
{
	int rest;
	size_t kept = parts_kept(length, parts, count, &rest);
	long long weights = 0, seen = 0, given = 0;

	for (size_t i = 0; i < kept; i++)
		weights += weight_of(&parts[i]);
	for (size_t i = 0; i < count; i++) {
		sizes[i] = 0;
		if (i >= kept)
			continue;
		sizes[i] = minimum_of(&parts[i]);
		if (weights == 0)
			continue;
		/* Each takes up to the running share, so that rounding never loses a cell. */
		seen += weight_of(&parts[i]);
		long long share = rest * seen / weights - given;
		sizes[i] += (int)share;
		given += share;
	}
}

struct rect layout_inset(struct rect outer, int by)
{
	struct rect inner = { outer.x + by, outer.y + by, outer.w - 2 * by, outer.h - 2 * by };

	if (inner.w < 0)
		inner.w = 0;
	if (inner.h < 0)
		inner.h = 0;
	return inner;
}

struct rect layout_row(struct rect outer, int line)
{
	if (line < 0 || line >= outer.h || outer.w <= 0)
		return (struct rect){ outer.x, outer.y, 0, 0 };
	return (struct rect){ outer.x, outer.y + line, outer.w, 1 };
}

bool layout_contains(struct rect outer, struct rect inner)
{
	if (inner.w <= 0 || inner.h <= 0)
		return true;
	return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w &&
	       inner.y + inner.h <= outer.y + outer.h;
}
