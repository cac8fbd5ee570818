/* The forecast of a list and suggestions: table, json, jsonl, csv. */
#include <inttypes.h>
#include <stdio.h>

#include "views/text/columns.h"
#include "views/text/report_parts.h"

#define TOO_SMALL "n too small"

/* --- table --- */

static void add_share(struct columns *columns, double share, const char *before)
{
	char text[48];
	(void)snprintf(text, sizeof(text), "%s%.0f%%", before, share * 100);
	columns_add(columns, text);
}

static void add_time(struct columns *columns, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	if (time.set)
		duration_format(time.ms / 1000, text);
	columns_add(columns, time.set && time.ms == 0 ? "at once" : time.set ? text : NULL);
}

static void add_count(struct columns *columns, size_t count)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "%zu", count);
	columns_add(columns, text);
}

static void add_money(struct columns *columns, const struct report_forecast *report,
		      struct money money)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_money(&text, money, report->currency, report->is_estimate);
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void write_chances(struct buf *out, const struct report_context *context,
			  const struct forecast *forecast)
{
	static const char *const titles[] = { "START WITHIN", "CHANCE", "95% FROM", "TO" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	for (size_t i = 0; i < forecast->within_count; i++) {
		const struct forecast_within *within = &forecast->within[i];
		add_time(&columns, (struct opt_ms){ true, within->ms });
		add_share(&columns, within->chance,
			  forecast->complete || within->chance >= 1 ? "" : "at least ");
		add_share(&columns, within->low, "");
		add_share(&columns, forecast->complete ? within->high : 1, "");
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

/* "plan full" */
static void add_why_not(struct columns *columns, const struct report_context *context,
			const struct report_forecast *report, size_t i)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plan_start_add_why_not(&text, report->asked->choices[i].plan, report->plans[i],
			       context->now_ms);
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void add_entry(struct columns *columns, const struct report_context *context,
		      const struct report_forecast *report, size_t i)
{
	const struct forecast_entry *entry = &report->forecast->entries[i];
	struct buf text;
	char rank[24];
	int64_t count = 0;
	bool has_count = prefs_count(report->prefs, i, &count);
	enum plan_starts planned = report->asked->choices[i].plan.when;
	buf_init(&text, PLAIN_MAX);
	plain_instances(&text, report->prefs->entries[i].instance_type, has_count, count);
	(void)snprintf(rank, sizeof(rank), "#%zu", i + 1);
	columns_add(columns, rank);
	columns_add(columns, buf_text(&text));
	if (planned == PLAN_STARTS_NOT_ASKED)
		add_count(columns, entry->n);
	else
		columns_add(columns, NULL);
	if (planned == PLAN_STARTS_NEVER || planned == PLAN_STARTS_UNKNOWN) {
		add_why_not(columns, context, report, i);
		columns_add(columns, NULL);
	} else if (entry->known) {
		add_time(columns, entry->p50);
		add_time(columns, entry->p90);
	} else {
		columns_add(columns, TOO_SMALL);
		columns_add(columns, NULL);
	}
	if (report->forecast->complete)
		add_share(columns, entry->chance, "");
	else
		columns_add(columns, NULL);
	add_money(columns, report, report->per_hour[i]);
	add_time(columns, report->run[i]);
	add_money(columns, report, report->asked->choices[i].likely_cost);
	buf_release(&text);
}

/* One of the entries is on demand or spot. */
static bool asks_past(const struct report_forecast *report)
{
	for (size_t i = 0; i < report->asked->count; i++)
		if (report->asked->choices[i].plan.when == PLAN_STARTS_NOT_ASKED)
			return true;
	return false;
}

/* Each plan apart: what it has free, and the fee that is in none of the figures. */
static void write_plans(struct buf *out, const struct report_context *context,
			const struct report_forecast *report)
{
	for (size_t i = 0; i < report->asked->count; i++) {
		const struct plan *plan = report->plans[i];
		if (!plan)
			continue;
		buf_addf(out, "#%zu: plan %s, %s", i + 1, plan->name,
			 plan_state_word(plan_state(plan, context->now_ms)));
		if (plan->available.set && plan->total.set)
			buf_addf(out, ", %" PRId64 " of %" PRId64 " free", plan->available.n,
				 plan->total.n);
		buf_add_text(out, "; its fee is paid apart: ");
		plain_money(out, plan->fee, plan->currency, false);
		buf_add_char(out, '\n');
	}
}

static void write_entries(struct buf *out, const struct report_context *context,
			  const struct report_forecast *report)
{
	static const char *const titles[] = { "RANK",   "TYPE",     "N",   "WAIT P50",   "P90",
					      "CHANCE", "PER HOUR", "RUN", "LIKELY COST" };
	const struct forecast *forecast = report->forecast;
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	double all = 0;
	for (size_t i = 0; i < forecast->count; i++) {
		add_entry(&columns, context, report, i);
		all += forecast->entries[i].chance;
	}
	columns_add(&columns, "list");
	columns_add(&columns, NULL);
	if (asks_past(report))
		add_count(&columns, forecast->n);
	else
		columns_add(&columns, NULL);
	if (forecast->complete) {
		add_time(&columns, forecast->p50);
		add_time(&columns, forecast->p90);
		add_share(&columns, all, "");
	} else {
		columns_add(&columns, TOO_SMALL);
		columns_add(&columns, NULL);
		columns_add(&columns, NULL);
	}
	columns_add(&columns, NULL);
	columns_add(&columns, NULL);
	add_money(&columns, report, forecast->expected_cost);
	columns_write(&columns, out);
	columns_release(&columns);
}

static const char *left_word(enum suggest_left left)
{
	static const char *const words[] = {
		[SUGGEST_FIT] = "fits",
		[SUGGEST_TOO_FEW] = "n too small",
		[SUGGEST_TOO_SLOW] = "its run takes longer than the deadline",
		[SUGGEST_TOO_DEAR] = "its run costs more than the budget",
		[SUGGEST_NO_PRICE] = "no price",
	};
	return words[left];
}

/* As --prefs takes it. */
static void add_list(struct buf *out, const struct suggest_ask *ask,
		     const struct suggestion *suggestion)
{
	for (size_t i = 0; i < suggestion->count; i++) {
		const struct suggest_candidate *pick = &ask->candidates[suggestion->picks[i]];
		buf_addf(out, "%s%s:%" PRId64, i ? "," : "", pick->instance_type, pick->count);
	}
}

/* "91%", by cost "91% for ~$127". */
static void add_measure(struct buf *out, const struct report_forecast *report, double chance,
			struct money cost)
{
	buf_addf(out, "%.0f%%", chance * 100);
	if (report->ask->by != SUGGEST_BY_COST)
		return;
	buf_add_text(out, " for ");
	plain_money(out, cost, report->currency, report->is_estimate);
}

/* There is nothing else to compare it with. */
static void add_why_alone(struct buf *out, const struct report_forecast *report,
			  const struct suggestion *best)
{
	const struct suggest_ask *ask = report->ask;
	if (ask->by == SUGGEST_BY_COST && best->chance >= ask->least_chance)
		buf_addf(out, "why: no list with %.0f%% costs less\n", ask->least_chance * 100);
	else
		buf_add_text(out, "why: no entry beside it makes it likelier\n");
}

static void write_why(struct buf *out, const struct report_forecast *report,
		      const struct suggestion *best)
{
	struct suggest_why why;
	if (!suggest_why(report->suggest, &why))
		return;
	if (best->chance < report->ask->least_chance)
		buf_addf(out, "none has %.0f%%: by chance\n", report->ask->least_chance * 100);
	if (best->count == 1) {
		add_why_alone(out, report, best);
		return;
	}
	buf_addf(out, "why: the best alone, %s, has ",
		 report->ask->candidates[why.alone].instance_type);
	add_measure(out, report, why.alone_chance, why.alone_cost);
	for (size_t i = 0; i < best->count; i++) {
		buf_addf(out, "; without #%zu ", i + 1);
		add_measure(out, report, why.without[i], why.without_cost[i]);
	}
	buf_add_char(out, '\n');
}

static void write_suggestions(struct buf *out, const struct report_context *context,
			      const struct report_forecast *report)
{
	static const char *const titles[] = { "IN TIME", "EXPECTED COST", "SUGGESTED LIST" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	const struct suggestion *best;
	size_t count = suggest_best(report->suggest, &best);
	for (size_t i = 0; i < count; i++) {
		struct buf text;
		buf_init(&text, PLAIN_MAX);
		add_list(&text, report->ask, &best[i]);
		add_share(&columns, best[i].chance, "");
		add_money(&columns, report, best[i].expected_cost);
		columns_add(&columns, buf_text(&text));
		buf_release(&text);
	}
	if (count) {
		buf_add_char(out, '\n');
		columns_write(&columns, out);
		write_why(out, report, &best[0]);
	}
	columns_release(&columns);
	for (size_t i = 0; i < report->ask->count; i++)
		if (suggest_left(report->suggest, i) != SUGGEST_FIT)
			buf_addf(out, "left out: %s: %s\n",
				 report->ask->candidates[i].instance_type,
				 left_word(suggest_left(report->suggest, i)));
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct report_forecast *report)
{
	if (report->forecast->any) {
		write_chances(out, context, report->forecast);
		buf_add_char(out, '\n');
	}
	write_entries(out, context, report);
	write_plans(out, context, report);
	report_outlook_table(out, context, report);
	if (report->suggest)
		write_suggestions(out, context, report);
	buf_add_text(out, "\nBy this account's past; the types are taken to be independent.\n");
	if (report->asked->spot)
		buf_add_text(out, "Of managed spot: its price varies, so no cost is told.\n");
}

/* --- json --- */

static void add_json_share(struct buf *out, const char *name, bool known, double share)
{
	report_add_json_name(out, name);
	if (known)
		buf_addf(out, "%.4g", share);
	else
		buf_add_text(out, "null");
}

static void add_json_seconds(struct buf *out, const char *name, bool known, struct opt_ms time)
{
	report_add_json_integer(out, name, known && time.set, duration_round_ms(time.ms) / 1000);
}

static void add_json_plan(struct buf *out, const struct report_context *context,
			  const struct report_forecast *report, size_t i)
{
	const struct plan *plan = report->plans[i];
	const char *arn = prefs_plan(report->prefs, i);
	report_add_json_string(out, "training_plan_arn", arn[0] ? arn : NULL);
	report_add_json_string(out, "plan_state",
			       plan ? plan_state_word(plan_state(plan, context->now_ms)) : NULL);
	report_add_json_integer(out, "plan_available", plan && plan->available.set,
				plan ? plan->available.n : 0);
	report_add_json_money(out, "plan_fee", plan ? plan->fee : (struct money){ 0 });
	report_add_json_string(out, "plan_currency",
			       plan && plan->currency[0] ? plan->currency : NULL);
}

static void add_json_entry(struct buf *out, const struct report_context *context,
			   const struct report_forecast *report, size_t i)
{
	const struct forecast_entry *entry = &report->forecast->entries[i];
	int64_t count = 0;
	bool has_count = prefs_count(report->prefs, i, &count);
	buf_add_char(out, '{');
	report_add_json_integer(out, "rank", true, (int64_t)i + 1);
	report_add_json_string(out, "instance_type", report->prefs->entries[i].instance_type);
	report_add_json_integer(out, "instance_count", has_count, count);
	bool planned = report->asked->choices[i].plan.when != PLAN_STARTS_NOT_ASKED;
	report_add_json_integer(out, "n", !planned, (int64_t)entry->n);
	add_json_seconds(out, "p50_seconds", entry->known, entry->p50);
	add_json_seconds(out, "p90_seconds", entry->known, entry->p90);
	add_json_share(out, "chance_selected", report->forecast->complete, entry->chance);
	report_add_json_money(out, "per_hour", report->per_hour[i]);
	add_json_seconds(out, "run_seconds", true, report->run[i]);
	if (planned)
		add_json_plan(out, context, report, i);
	buf_add_char(out, '}');
}

static void add_json_within(struct buf *out, const struct forecast *forecast, size_t i)
{
	const struct forecast_within *within = &forecast->within[i];
	buf_add_char(out, '{');
	report_add_json_integer(out, "seconds", true, within->ms / 1000);
	add_json_share(out, "chance", forecast->complete, within->chance);
	add_json_share(out, "low", forecast->complete, within->low);
	add_json_share(out, "high", forecast->complete, within->high);
	buf_add_char(out, '}');
}

static void add_json_suggestion(struct buf *out, const struct report_forecast *report,
				const struct suggestion *suggestion)
{
	struct buf list;
	buf_init(&list, PLAIN_MAX);
	add_list(&list, report->ask, suggestion);
	buf_add_char(out, '{');
	report_add_json_string(out, "prefs", buf_text(&list));
	add_json_share(out, "chance", true, suggestion->chance);
	report_add_json_money(out, "expected_cost", suggestion->expected_cost);
	buf_add_char(out, '}');
	buf_release(&list);
}

/* The winner beside what it is compared with: the best type alone, itself without each entry. */
static void add_json_why(struct buf *out, const struct report_forecast *report,
			 const struct suggestion *best)
{
	struct suggest_why why;
	if (!suggest_why(report->suggest, &why))
		return;
	report_add_json_name(out, "why");
	buf_add_text(out, "{\"best_alone\":{");
	report_add_json_string(out, "instance_type",
			       report->ask->candidates[why.alone].instance_type);
	add_json_share(out, "chance", true, why.alone_chance);
	report_add_json_money(out, "expected_cost", why.alone_cost);
	buf_add_text(out, "},\"without\":[");
	for (size_t i = 0; i < best->count && best->count > 1; i++) {
		buf_add_text(out, i ? ",{" : "{");
		report_add_json_integer(out, "rank", true, (int64_t)i + 1);
		add_json_share(out, "chance", true, why.without[i]);
		report_add_json_money(out, "expected_cost", why.without_cost[i]);
		buf_add_char(out, '}');
	}
	buf_add_text(out, "]}");
}

static void add_json_suggestions(struct buf *out, const struct report_forecast *report)
{
	const struct suggestion *best;
	size_t count = suggest_best(report->suggest, &best), left = 0;
	report_add_json_name(out, "suggestions");
	buf_add_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		buf_add_text(out, i ? "," : "");
		add_json_suggestion(out, report, &best[i]);
	}
	buf_add_char(out, ']');
	if (count)
		add_json_why(out, report, &best[0]);
	report_add_json_name(out, "left_out");
	buf_add_char(out, '[');
	for (size_t i = 0; i < report->ask->count; i++) {
		enum suggest_left why = suggest_left(report->suggest, i);
		if (why == SUGGEST_FIT)
			continue;
		buf_add_text(out, left++ ? ",{" : "{");
		report_add_json_string(out, "certified", report->names[i]);
		report_add_json_string(out, "instance_type",
				       report->ask->candidates[i].instance_type);
		report_add_json_string(out, "why", left_word(why));
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void write_json(struct buf *out, const struct report_context *context,
		       const struct report_forecast *report)
{
	const struct forecast *forecast = report->forecast;
	buf_add_char(out, '{');
	report_add_json_integer(out, "n", asks_past(report), (int64_t)forecast->n);
	report_add_json_name(out, "entries");
	buf_add_char(out, '[');
	for (size_t i = 0; i < forecast->count; i++) {
		buf_add_text(out, i ? "," : "");
		add_json_entry(out, context, report, i);
	}
	buf_add_char(out, ']');
	report_add_json_name(out, "start_within");
	buf_add_char(out, '[');
	for (size_t i = 0; i < forecast->within_count; i++) {
		buf_add_text(out, i ? "," : "");
		add_json_within(out, forecast, i);
	}
	buf_add_char(out, ']');
	add_json_seconds(out, "p50_seconds", forecast->complete, forecast->p50);
	add_json_seconds(out, "p90_seconds", forecast->complete, forecast->p90);
	report_add_json_money(out, "expected_cost", forecast->expected_cost);
	report_add_json_string(out, "currency", report->currency);
	report_outlook_json(out, report);
	if (report->suggest)
		add_json_suggestions(out, report);
	buf_add_text(out, "}\n");
}

/* --- csv --- */

static void write_csv(struct buf *out, const struct report_forecast *report)
{
	const struct forecast *forecast = report->forecast;
	buf_add_text(out, "rank,instance_type,instance_count,n,p50_seconds,p90_seconds,"
			  "chance_selected,per_hour,currency\n");
	for (size_t i = 0; i < forecast->count; i++) {
		const struct forecast_entry *entry = &forecast->entries[i];
		int64_t count = 0;
		bool has_count = prefs_count(report->prefs, i, &count);
		char share[32];
		(void)snprintf(share, sizeof(share), "%.4g", entry->chance);
		report_add_csv_integer(out, true, (int64_t)i + 1);
		report_add_csv_text(out, report->prefs->entries[i].instance_type);
		report_add_csv_integer(out, has_count, count);
		bool planned = report->asked->choices[i].plan.when != PLAN_STARTS_NOT_ASKED;
		report_add_csv_integer(out, !planned, (int64_t)entry->n);
		report_add_csv_integer(out, entry->p50.set,
				       duration_round_ms(entry->p50.ms) / 1000);
		report_add_csv_integer(out, entry->p90.set,
				       duration_round_ms(entry->p90.ms) / 1000);
		report_add_csv_text(out, forecast->complete ? share : NULL);
		report_add_csv_money(out, report->per_hour[i]);
		report_add_csv_text(out, report->currency);
		buf_add_char(out, '\n');
	}
}

void report_forecast(struct buf *out, const struct report_context *context,
		     const struct report_forecast *report)
{
	if (report->forecast->count == 0)
		return;
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, report);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, context, report);
		break;
	case REPORT_CSV:
		write_csv(out, report);
		break;
	}
}
