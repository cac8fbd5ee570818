#include "model/likely.h"

#include <string.h>

/* What was measured for the stem; unset: nobody has. */
static struct opt_ms certified_run(const struct check_known *known, const char *stem,
				   const struct preferences *prefs, size_t i)
{
	int64_t count;
	for (size_t k = 0; k < known->certified_count; k++) {
		const struct check_certified *entry = &known->certified[k];
		if (entry->run.set && check_certified_is_of(entry, stem) &&
		    strcmp(entry->instance_type, prefs->entries[i].instance_type) == 0 &&
		    (!entry->has_count || (prefs_count(prefs, i, &count) && count == entry->count)))
			return entry->run;
	}
	return (struct opt_ms){ 0 };
}

void likely_fill(struct likely *likely, const struct preferences *prefs, enum job_kind kind,
		 const char *stem, const struct price_book *book, const struct check_known *known)
{
	for (size_t i = 0; i < prefs->length && i < PREFS_MAX; i++) {
		struct price price = price_find(book, kind, prefs->entries[i].instance_type);
		likely->per_hour[i] = price_entry_per_hour(prefs, i, book, kind);
		if (!likely->run[i].set && stem[0])
			likely->run[i] = certified_run(known, stem, prefs, i);
		if (likely->run[i].set)
			likely->cost[i] = price_in_time(likely->per_hour[i], likely->run[i].ms);
		if (price.source == PRICE_NONE)
			continue;
		likely->currency = price.currency;
		likely->is_estimate = likely->is_estimate || price_is_approximate(price.source);
	}
}

void likely_of_job(struct likely *likely, const struct likely_past *past, const struct job *job,
		   const struct preferences *prefs)
{
	char stem[JOB_NAME_SIZE] = "";
	*likely = (struct likely){ 0 };
	job_stem(job->name, stem);
	outlook_runs(past->outlook, past->history, stem, job->kind, prefs, likely->run);
	likely_fill(likely, prefs, job->kind, stem, past->prices, past->known);
}

struct opt_ms likely_run(const struct likely_past *past, const struct job *job)
{
	size_t rank = job->selected.set ? job->selected.rank : 1;
	bool is_open = job_prefs(job)->is_list && !job->selected.set;
	struct likely likely;
	if (job_has_ended(job) || is_open || rank == 0 || rank > job_prefs(job)->length ||
	    rank > PREFS_MAX)
		return (struct opt_ms){ 0 };
	likely_of_job(&likely, past, job, job_prefs(job));
	return likely.run[rank - 1];
}

void likely_ask(const struct likely *likely, struct forecast_ask *ask)
{
	for (size_t i = 0; i < ask->count; i++) {
		struct forecast_choice *choice = &ask->choices[i];
		choice->likely_cost = (struct money){ 0 };
		if (choice->plan.when != PLAN_STARTS_NOT_ASKED)
			choice->likely_cost.set = !choice->plan.unread;
		else if (!ask->spot && !ask->plan_unread)
			choice->likely_cost = likely->cost[i];
	}
}
