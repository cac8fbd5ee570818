#include "model/price.h"

#include <stdlib.h>
#include <string.h>

#include "model/pool.h"
#include "model/price_table.h"

#define HOUR_MS INT64_C(3600000)

static int compare_row(const void *key, const void *item)
{
	const struct price_row *wanted = key;
	const struct price_row *row = item;
	int order = strcmp(wanted->instance_type, row->instance_type);
	if (order == 0)
		order = strcmp(wanted->region, row->region);
	return order ? order : (int)wanted->kind - (int)row->kind;
}

static struct price find_in_table(const char *region, enum job_kind kind, const char *instance_type)
{
	struct price_row wanted = { .instance_type = instance_type,
				    .region = region,
				    .kind = kind };
	const struct price_row *row =
		bsearch(&wanted, price_rows, price_row_count, sizeof(*price_rows), compare_row);
	if (!row)
		return (struct price){ .source = PRICE_NONE };
	return (struct price){ .source = row->source,
			       .per_hour_micro = row->per_hour_micro,
			       .currency = "USD",
			       .date = row->date };
}

struct price price_find(const struct price_book *book, enum job_kind kind,
			const char *instance_type)
{
	const struct price_list *list = &book->lists[kind];
	if (!list->told)
		return find_in_table(book->region, kind, instance_type);
	const struct listed_price *row = price_book_find(book, kind, instance_type);
	if (!row)
		return (struct price){ .source = PRICE_NONE };
	return (struct price){ .source = PRICE_LIST,
			       .per_hour_micro = row->per_hour_micro,
			       .currency = row->currency,
			       .date = list->date };
}

bool price_is_approximate(enum price_source source)
{
	return source == PRICE_TABLE || source == PRICE_ESTIMATE;
}

/* The surest is the greatest. */
static int sureness(enum price_source source)
{
	switch (source) {
	case PRICE_LIST:
		return 3;
	case PRICE_TABLE:
		return 2;
	case PRICE_ESTIMATE:
		return 1;
	case PRICE_NONE:
		break;
	}
	return 0;
}

bool price_replaces(bool is_final, enum price_source recorded, enum price_source found)
{
	return !is_final || sureness(found) >= sureness(recorded);
}

enum price_source price_source_of(const char *word)
{
	if (!word)
		return PRICE_NONE;
	if (strcmp(word, price_source_word(PRICE_LIST)) == 0)
		return PRICE_LIST;
	return strcmp(word, price_source_word(PRICE_TABLE)) == 0 ? PRICE_TABLE : PRICE_ESTIMATE;
}

const char *price_source_word(enum price_source source)
{
	switch (source) {
	case PRICE_LIST:
		return "price-list";
	case PRICE_TABLE:
		return "table";
	case PRICE_ESTIMATE:
		return "estimate";
	case PRICE_NONE:
		break;
	}
	return NULL;
}

/* Remembers the least certain source, and of that the oldest date. */
static void note_price(struct cost *cost, const struct price *price)
{
	if (price->source < cost->source)
		return;
	if (price->source > cost->source || strcmp(price->date, cost->date) < 0)
		cost->date = price->date;
	cost->source = price->source;
	cost->currency = price->currency;
}

static struct money money_of(int64_t micro)
{
	return (struct money){ .set = true, .micro = micro };
}

static struct money add_money(struct money a, struct money b)
{
	struct money sum = { .set = a.set && b.set };
	if (sum.set && __builtin_add_overflow(a.micro, b.micro, &sum.micro))
		sum.set = false;
	return sum;
}

struct money price_in_time(struct money per_hour, int64_t ms)
{
	if (!per_hour.set)
		return per_hour;
	__extension__ __int128 micro = per_hour.micro;
	micro = (micro * ms + HOUR_MS / 2) / HOUR_MS;
	if (micro > INT64_MAX)
		return (struct money){ 0 };
	return money_of((int64_t)micro);
}

static struct money type_rate(struct cost *cost, const char *instance_type, int64_t count,
			      const struct price_book *book, enum job_kind kind)
{
	struct price price = price_find(book, kind, instance_type);
	struct money rate = { .set = price.source != PRICE_NONE && count >= 0 };
	if (rate.set && __builtin_mul_overflow(price.per_hour_micro, count, &rate.micro))
		rate.set = false;
	/* Amounts of two currencies do not add up, and none of them is the dearer. */
	if (rate.set && cost->currency && strcmp(cost->currency, price.currency) != 0)
		rate.set = false;
	if (rate.set)
		note_price(cost, &price);
	return rate;
}

static struct money entry_rate(struct cost *cost, const struct preferences *prefs, size_t i,
			       const struct price_book *book, enum job_kind kind)
{
	int64_t count;
	if (!prefs_count(prefs, i, &count))
		return (struct money){ 0 };
	if (prefs_plan(prefs, i)[0])
		return money_of(0);
	return type_rate(cost, prefs->entries[i].instance_type, count, book, kind);
}

struct money price_entry_per_hour(const struct preferences *prefs, size_t i,
				  const struct price_book *book, enum job_kind kind)
{
	struct cost cost = { 0 };
	return entry_rate(&cost, prefs, i, book, kind);
}

/* The most that the preferences can cost an hour: a list's dearest entry, or all groups. */
static struct money highest_rate(struct cost *cost, const struct preferences *prefs,
				 const struct price_book *book, enum job_kind kind)
{
	struct money sum = money_of(0), dearest = { 0 };
	for (size_t i = 0; i < prefs->length; i++) {
		struct money rate = entry_rate(cost, prefs, i, book, kind);
		sum = add_money(sum, rate);
		if (!rate.set)
			return rate;
		if (!dearest.set || rate.micro > dearest.micro)
			dearest = rate;
	}
	return prefs->is_list || prefs->length == 0 ? dearest : sum;
}

struct money price_draft_worst(const struct preferences *prefs, const struct price_book *book,
			       enum job_kind kind, struct opt_ms max_runtime)
{
	struct cost cost = { 0 };
	if (!max_runtime.set || max_runtime.ms < 0)
		return (struct money){ 0 };
	return price_in_time(highest_rate(&cost, prefs, book, kind), max_runtime.ms);
}

static void raise_to(struct money *most, struct money rate)
{
	if (!most->set || rate.micro > most->micro)
		*most = rate;
}

static void widen(struct price_stakes *range, struct money rate, size_t i)
{
	if (!range->least.set || rate.micro < range->least.micro)
		range->least = rate;
	if (!range->most.set || rate.micro > range->most.micro)
		range->dearest = i;
	raise_to(&range->most, rate);
}

/* Over the entries, each by itself. */
static void range_entries(struct price_stakes *range, struct cost *cost,
			  const struct preferences *prefs, const struct price_book *book,
			  enum job_kind kind)
{
	bool has_plan = prefs_has_unplaced_plan(prefs);
	struct money on_demand = { 0 };
	for (size_t i = 0; i < prefs->length; i++) {
		struct money rate = entry_rate(cost, prefs, i, book, kind);
		bool planned = prefs_plan(prefs, i)[0];
		has_plan = has_plan || planned;
		if (!rate.set && range->unpriced == 0)
			range->unpriced = i + 1;
		if (rate.set)
			widen(range, rate, i);
		if (rate.set && !planned)
			raise_to(&on_demand, rate);
	}
	if (has_plan)
		range->on_demand = on_demand;
}

struct price_stakes price_list_stakes(const struct preferences *prefs,
				      const struct price_book *book, enum job_kind kind,
				      struct opt_ms max_runtime)
{
	struct price_stakes range = { 0 };
	struct cost cost = { 0 };
	range_entries(&range, &cost, prefs, book, kind);
	if (!prefs->is_list && prefs->length > 1)
		range.least = range.most = highest_rate(&cost, prefs, book, kind);
	range.worst_case = price_draft_worst(prefs, book, kind, max_runtime);
	range.currency = cost.currency;
	range.source = cost.source;
	range.date = cost.date;
	return range;
}

static const char *selected_plan(const struct job *job)
{
	size_t rank = job->selected.rank;
	return job->selected.set && rank > 0 ? prefs_plan(job_prefs(job), rank - 1) : "";
}

/* By the hour on demand, once chosen. */
static struct money chosen_rate(struct cost *cost, const struct job *job,
				const struct price_book *book)
{
	if (job->has_groups || (!job->selected.set && !job_prefs(job)->is_list))
		return highest_rate(cost, job_prefs(job), book, job->kind);
	if (!job->selected.set)
		return (struct money){ 0 };
	if (selected_plan(job)[0])
		return money_of(0);
	return type_rate(cost, job->selected.instance_type, job->selected.count, book, job->kind);
}

static struct opt_ms span(int64_t from_ms, int64_t to_ms)
{
	struct opt_ms time = { .set = true };
	if (to_ms > from_ms && __builtin_sub_overflow(to_ms, from_ms, &time.ms))
		time.set = false;
	return time;
}

/* The time that AWS bills for each instance so far, as far as it is known. */
static struct opt_ms billed_time(const struct job *job, int64_t now_ms)
{
	enum phase phase = job_phase(job);
	struct opt_ms none = { .set = true }, unknown = { 0 };
	if (job_never_started(job))
		return none;
	if (job->billable.set)
		return job->billable.ms > 0 ? job->billable : none;
	if (!job->started.set) {
		/* TrainingStartTime is when billing begins, before the download. */
		bool waits = phase == PHASE_PENDING || phase == PHASE_STARTING ||
			     phase == PHASE_STOPPING;
		return waits ? none : unknown;
	}
	if (job->spot || phase == PHASE_PENDING)
		return unknown; /* waits between the runs are not billed */
	if (!job_has_ended(job))
		return span(job->started.ms, now_ms);
	if (!job->described)
		return unknown;
	if (job->training_time.set)
		return job->training_time;
	return job->ended.set ? span(job->started.ms, job->ended.ms) : unknown;
}

static bool holds_instances(const struct job *job, enum phase phase)
{
	if (phase == PHASE_PENDING || job_never_started(job))
		return false;
	if (!job->has_groups)
		return job->selected.set;
	return job->started.set || phase == PHASE_STARTING || phase == PHASE_RUNNING;
}

/* What AWS has told of it, or the time since the end while it stands. */
static struct opt_ms retained_time(const struct job *job, int64_t now_ms)
{
	struct pool_hold hold;
	if (job->pool.retained.set || !pool_stands(job, now_ms, &hold))
		return job->pool.retained;
	return span(job->ended.ms, now_ms);
}

struct money price_pool_per_hour(const struct job *job, const struct price_book *book,
				 int64_t now_ms)
{
	struct cost cost = { 0 };
	struct pool_hold hold;
	if (!pool_stands(job, now_ms, &hold) || prefs_has_unplaced_plan(job_prefs(job)))
		return (struct money){ 0 };
	return chosen_rate(&cost, job, book);
}

struct cost price_job_cost(const struct job *job, const struct price_book *book, int64_t now_ms)
{
	struct cost cost = { 0 };
	if (!job_has_details(job))
		return cost;
	enum phase phase = job_phase(job);
	struct opt_ms billed = billed_time(job, now_ms);
	bool chosen = holds_instances(job, phase);
	struct money rate = chosen_rate(&cost, job, book);
	struct money highest = chosen ? rate : highest_rate(&cost, job_prefs(job), book, job->kind);

	if (job->max_runtime.set && job->max_runtime.ms >= 0)
		cost.worst_case = price_in_time(highest, job->max_runtime.ms);
	/* A plan that may or may not serve the choice: the price on demand is a bound, no cost. */
	if (prefs_has_unplaced_plan(job_prefs(job)))
		rate.set = false;
	if (chosen)
		cost.per_hour = rate;
	cost.plan = chosen && selected_plan(job)[0];
	if (billed.set)
		cost.so_far = billed.ms == 0 ? money_of(0) : price_in_time(rate, billed.ms);
	struct opt_ms retained = retained_time(job, now_ms);
	if (retained.set)
		cost.retained = price_in_time(rate, retained.ms);
	if (job_never_started(job))
		cost.worst_case = money_of(0);
	return cost;
}

struct money price_job_likely(const struct job *job, const struct price_book *book,
			      struct opt_ms run_time, int64_t now_ms)
{
	struct cost cost = { 0 };
	bool open = job_prefs(job)->is_list && !job->selected.set;
	if (!run_time.set || run_time.ms < 0 || open || job->spot || !job_has_details(job) ||
	    prefs_has_unplaced_plan(job_prefs(job)))
		return (struct money){ 0 };
	struct money likely = price_in_time(chosen_rate(&cost, job, book), run_time.ms);
	struct money so_far = price_job_cost(job, book, now_ms).so_far;
	if (likely.set && so_far.set && so_far.micro > likely.micro)
		return so_far;
	return likely;
}
