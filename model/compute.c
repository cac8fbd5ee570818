#include "model/compute.h"

#include "model/catalog.h"

struct compute compute_of(const char *instance_type, int64_t count)
{
	const struct instance_type *type = catalog_find(instance_type);

	if (!type || count < 1 || count > PREFS_COUNT_MAX)
		return (struct compute){ 0 };
	return (struct compute){
		.known = true,
		.accelerators = count * type->accelerators,
		.memory_gib = count * type->accelerators * type->memory_gib_each,
	};
}

struct compute compute_of_entry(const struct preferences *prefs, size_t i)
{
	int64_t count;

	if (!prefs_count(prefs, i, &count))
		return (struct compute){ 0 };
	return compute_of(prefs->entries[i].instance_type, count);
}

static int64_t part(const struct compute *compute, enum compute_measure measure)
{
	return measure == COMPUTE_MEMORY ? compute->memory_gib : compute->accelerators;
}

/* The count whose total is that one; 0 where none is. */
static int64_t count_of(int64_t total, int64_t each)
{
	if (total < 1 || each < 1 || total % each != 0 || total / each > PREFS_COUNT_MAX)
		return 0;
	return total / each;
}

size_t compute_offers(const struct compute *wanted, const char *instance_type, int64_t count_now,
		      struct compute_offer offers[COMPUTE_MEASURES])
{
	const struct compute one = compute_of(instance_type, 1);
	size_t found = 0;

	if (!wanted->known || !one.known)
		return 0;
	for (int i = 0; i < COMPUTE_MEASURES; i++) {
		enum compute_measure measure = (enum compute_measure)i;
		int64_t total = part(wanted, measure);
		int64_t count = count_of(total, part(&one, measure));

		if (count == 0 || count == count_now || (found > 0 && offers[0].count == count))
			continue;
		offers[found++] = (struct compute_offer){ measure, count, total };
	}
	return found;
}
