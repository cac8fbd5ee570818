#include "model/candidates.h"

#include "model/config_value.h"

#define BUDGET_MAX 1000000000 /* as the amounts of the config */

static void add(struct candidates *candidates, const struct check_certified *entry,
		const struct price_book *book)
{
	struct suggest_ask *ask = &candidates->ask;
	struct price price = price_find(book, ask->kind, entry->instance_type);
	struct suggest_candidate *candidate = &ask->candidates[ask->count];
	candidates->names[ask->count++] = entry->name;
	*candidate = (struct suggest_candidate){ .instance_type = entry->instance_type,
						 .count = entry->has_count ? entry->count : 1,
						 .run_ms = entry->run.ms };
	if (price.source == PRICE_NONE || ask->spot) /* whose price varies */
		return;
	candidates->currency = price.currency;
	candidates->is_estimate = candidates->is_estimate || price_is_approximate(price.source);
	if (price.per_hour_micro <= 0 || candidate->count <= INT64_MAX / price.per_hour_micro)
		candidate->per_hour =
			(struct money){ true, price.per_hour_micro * candidate->count };
}

void candidates_fill(struct candidates *candidates, const struct check_known *known,
		     const char *stem, const struct price_book *book)
{
	for (size_t i = 0; i < known->certified_count; i++) {
		const struct check_certified *entry = &known->certified[i];
		if (!entry->run.set || (stem[0] && !check_certified_is_of(entry, stem)))
			continue;
		if (candidates->ask.count < SUGGEST_CANDIDATES_MAX)
			add(candidates, entry, book);
		else
			candidates->too_many = true;
	}
}

bool candidates_exist(const struct check_known *known, const char *job_name)
{
	char stem[JOB_NAME_SIZE];
	job_stem(job_name, stem);
	for (size_t i = 0; known && i < known->certified_count; i++) {
		const struct check_certified *entry = &known->certified[i];
		if (entry->run.set && check_certified_is_of(entry, stem))
			return true;
	}
	return false;
}

bool candidates_read_budget(const char *text, struct money *budget)
{
	static const struct value_rule rule = { VALUE_MONEY, 0, BUDGET_MAX, NULL };
	budget->set = value_read(&rule, text, &budget->micro, NULL);
	return budget->set;
}
