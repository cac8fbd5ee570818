#include "views/text/stakes.h"

#include "model/price.h"
#include "views/text/plain.h"

static struct price_stakes range_of(const struct stakes *stakes)
{
	return price_list_stakes(&stakes->facts->prefs, stakes->prices, stakes->kind,
				 stakes->facts->max_runtime);
}

static void add_entry(struct buf *out, const struct stakes *stakes, size_t i)
{
	const struct preferences *prefs = &stakes->facts->prefs;
	const struct preference *entry = &prefs->entries[i];
	const char *plan = prefs_plan(prefs, i);
	struct money rate = price_entry_per_hour(prefs, i, stakes->prices, stakes->kind);
	struct price price = price_find(stakes->prices, stakes->kind, entry->instance_type);
	int64_t count = 0;
	bool has_count = prefs_count(prefs, i, &count);
	(void)buf_addf(out, "  #%zu ", i + 1);
	if (entry->group[0])
		(void)buf_addf(out, "%s: ", entry->group);
	plain_instances(out, entry->instance_type, has_count, count);
	if (plan[0]) {
		(void)buf_addf(out, ", plan %s: prepaid\n", plain_plan(plan));
		return;
	}
	(void)buf_addf(out, ", %s: ", stakes->facts->has_spot ? "spot" : "on demand");
	plain_money(out, rate, price.currency, price_is_approximate(price.source));
	(void)buf_add_text(out, rate.set ? " an hour\n" : "\n");
}

static void add_range(struct buf *out, const struct stakes *stakes,
		      const struct price_stakes *range)
{
	(void)buf_add_text(out, "Costs ");
	plain_money(out, range->least, range->currency, price_is_approximate(range->source));
	if (range->least.set && range->least.micro != range->most.micro) {
		(void)buf_add_text(out, " to ");
		plain_money(out, range->most, range->currency, price_is_approximate(range->source));
	}
	if (range->least.set)
		(void)buf_add_text(out, " an hour");
	if (range->unpriced > 0)
		(void)buf_addf(out, ", without a price for #%zu", range->unpriced);
	(void)buf_add_text(out, ". Worst case ");
	plain_money(out, range->worst_case, range->currency, price_is_approximate(range->source));
	if (range->worst_case.set && stakes->facts->prefs.is_list)
		(void)buf_addf(out, " (#%zu for ", range->dearest + 1);
	else if (range->worst_case.set)
		(void)buf_add_text(out, " (runs ");
	if (range->worst_case.set) {
		plain_duration(out, stakes->facts->max_runtime);
		(void)buf_add_char(out, ')');
	} else if (!stakes->facts->max_runtime.set) {
		(void)buf_add_text(out, ": no run-time limit");
	}
	(void)buf_add_text(out, ".\n");
}

static void add_waiting(struct buf *out, const struct stakes *stakes)
{
	if (stakes->kind == JOB_PROCESSING) {
		(void)buf_add_text(out, "AWS bounds no waiting of a processing job.\n");
		return;
	}
	if (!stakes->facts->max_pending.set) {
		(void)buf_add_text(out, "No pending limit.\n");
		return;
	}
	(void)buf_add_text(out, "Pending limit ");
	plain_duration(out, stakes->facts->max_pending);
	(void)buf_add_text(out, ".\n");
}

void stakes_add(struct buf *out, const struct stakes *stakes)
{
	const struct request_facts *facts = stakes->facts;
	struct price_stakes range = range_of(stakes);
	(void)buf_addf(out, "%s: a %s job%s%s\n", facts->name, job_kind_word(stakes->kind),
		       stakes->region ? " in " : "", stakes->region ? stakes->region : "");
	for (size_t i = 0; i < facts->prefs.length; i++)
		add_entry(out, stakes, i);
	if (prefs_has_unplaced_plan(&facts->prefs))
		(void)buf_addf(out, "  plan %s for the entry of its type\n",
			       plain_plan(facts->prefs.job_plan_arn));
	add_range(out, stakes, &range);
	if (range.on_demand.set) {
		(void)buf_add_text(out, "May start on demand at up to ");
		plain_money(out, range.on_demand, range.currency,
			    price_is_approximate(range.source));
		(void)buf_add_text(out, " an hour.\n");
	}
	add_waiting(out, stakes);
}

bool stakes_want_name(const struct stakes *stakes, int64_t confirm_above_micro)
{
	struct price_stakes range = range_of(stakes);
	return !range.worst_case.set || range.worst_case.micro > confirm_above_micro;
}
