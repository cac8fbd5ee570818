/* The tables of the history: table, json, jsonl, csv. */
#include <stdio.h>

#include "model/base/text.h"
#include "model/history_fees.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

static struct money cost_of(const struct history_sum *sum)
{
	return (struct money){ .set = sum->has_cost, .micro = sum->cost_micro };
}

static const char *currency_of(const struct history_sum *sum)
{
	return sum->has_cost && sum->currency[0] ? sum->currency : NULL;
}

/* --- table --- */

static void add_number(struct columns *columns, size_t number)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "%zu", number);
	columns_add(columns, text);
}

static void add_share(struct columns *columns, size_t part, size_t of)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "%zu%%", of > 0 ? (part * 100 + of / 2) / of : 0);
	columns_add(columns, of > 0 ? text : NULL);
}

static void add_time(struct columns *columns, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	if (time.set)
		duration_format(time.ms / 1000, text);
	columns_add(columns, time.set ? text : NULL);
}

/* Too few starts are no unknown figure, but one that would mislead. */
static void add_wait(struct columns *columns, const struct history_sum *sum, struct opt_ms wait)
{
	if (sum->started < HISTORY_STARTS_MIN)
		columns_add(columns, "n too small");
	else if (wait.set)
		add_time(columns, wait);
	else
		columns_add(columns, "longer");
}

static void add_cost(struct columns *columns, const struct history_sum *sum)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_money(&text, cost_of(sum), currency_of(sum), sum->cost_is_estimate);
	if (sum->has_cost && sum->cost_is_partial)
		buf_add_text(&text, " + unknown");
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

/* "1.32x", the middle one. */
static void add_ratio(struct columns *columns, const struct history_ratio *ratio)
{
	char text[48];
	int64_t hundredths = (ratio->p50 + 5) / 10;
	(void)snprintf(text, sizeof(text), "%lld.%02lldx", (long long)(hundredths / 100),
		       (long long)(hundredths % 100));
	columns_add(columns, ratio->count > 0 ? text : NULL);
}

static void add_row(struct columns *columns, const struct history_sum *sum,
		    const struct history_spread *spread)
{
	size_t ended = sum->completed + sum->failed + sum->stopped;
	columns_add(columns, sum->key);
	add_number(columns, sum->jobs);
	add_number(columns, sum->started);
	add_share(columns, sum->fallback.part, sum->fallback.of);
	add_wait(columns, sum, sum->wait_p50);
	add_wait(columns, sum, sum->wait_p90);
	add_number(columns, sum->timeouts);
	add_share(columns, sum->completed, ended);
	add_share(columns, sum->failed, ended);
	add_time(columns, sum->run_p50);
	add_time(columns, sum->run_p90);
	add_cost(columns, sum);
	add_ratio(columns, &spread->run_to_first);
	add_ratio(columns, &spread->cost_to_first);
	add_ratio(columns, &spread->run_to_certified);
}

/* Beside the groups: all jobs, and where there are both those with a list and those without. */
static void add_wholes(struct columns *columns, const struct history_sums *sums)
{
	static const struct history_spread nothing = { 0 };
	add_row(columns, &sums->all, &nothing);
	if (sums->lists.jobs == 0 || sums->singles.jobs == 0)
		return;
	add_row(columns, &sums->lists, &nothing);
	add_row(columns, &sums->singles, &nothing);
}

static struct history_fees fees_of(const struct report_history *report,
				   const struct history_sum *sum)
{
	struct history_fees fees;
	history_fees_make(report->history, sum, report->plans, report->plan_count, &fees);
	return fees;
}

/* Of all groups, each plan once. */
static void write_fees(struct buf *out, const struct report_context *context,
		       const struct report_history *report)
{
	struct history_fees fees = fees_of(report, &report->sums->all);
	struct buf names;
	if (fees.plans == 0)
		return;
	buf_init(&names, PLAIN_MAX);
	for (size_t i = 0; i < report->sums->all.plan_count; i++) {
		const char *arn = texts_at(&report->history->texts, report->sums->all.plans[i].arn);
		(void)buf_addf(&names, "%s%s", i > 0 ? ", " : "", arn ? plain_plan(arn) : "?");
	}
	(void)buf_addf(out, "On training plans: %zu starts on %zu plan%s (", fees.starts,
		       fees.plans, fees.plans == 1 ? "" : "s");
	text_sanitise(out, buf_text(&names), names.len, TEXT_CELL, context->ascii);
	(void)buf_add_text(out, "); whole fees ");
	plain_money(out, fees.sum, fees.currency, false);
	(void)buf_addf(out, "%s, paid apart and in no cost above.\n",
		       fees.sum.set && fees.unread > 0 ? " + unknown" : "");
	buf_release(&names);
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct report_history *report)
{
	const struct history_sums *sums = report->sums;
	static const char *const by_titles[HISTORY_BY_COUNT] = { "TYPE",       "RANK", "STEM",
								 "HOUR (UTC)", "TAG",  "ROLE",
								 "LIST" };
	const char *const titles[] = { by_titles[report->by],
				       "JOBS",
				       "STARTED",
				       "FALLBACK",
				       "WAIT P50",
				       "P90",
				       "TIMED OUT",
				       "COMPLETED",
				       "FAILED",
				       "RUN P50",
				       "P90",
				       "COST",
				       "RUN/#1",
				       "COST/#1",
				       "RUN/CERT" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	for (size_t i = 0; i < sums->count; i++)
		add_row(&columns, &sums->rows[i],
			history_spreads_of(report->spreads, sums->rows[i].key));
	add_wholes(&columns, sums);
	columns_write(&columns, out);
	columns_release(&columns);
	(void)buf_add_text(out, "Costs are of instances; storage is billed apart.\n");
	write_fees(out, context, report);
}

/* --- json --- */

static void add_json_share(struct buf *out, const char *name, size_t part, size_t of)
{
	report_add_json_name(out, name);
	if (of > 0)
		(void)buf_addf(out, "%.4g", (double)part / (double)of);
	else
		(void)buf_add_text(out, "null");
}

static void add_json_seconds(struct buf *out, const char *name, struct opt_ms time)
{
	report_add_json_integer(out, name, time.set, time.ms / 1000);
}

static void add_json_ratio(struct buf *out, const char *name, const struct history_ratio *ratio)
{
	report_add_json_name(out, name);
	if (ratio->count > 0)
		(void)buf_addf(out, "%.3f", (double)ratio->p50 / 1000.0);
	else
		(void)buf_add_text(out, "null");
}

static void add_json_spread(struct buf *out, const struct history_spread *spread)
{
	add_json_ratio(out, "run_to_first", &spread->run_to_first);
	report_add_json_integer(out, "run_to_first_jobs", true,
				(int64_t)spread->run_to_first.count);
	add_json_ratio(out, "cost_to_first", &spread->cost_to_first);
	report_add_json_integer(out, "cost_to_first_jobs", true,
				(int64_t)spread->cost_to_first.count);
	add_json_ratio(out, "run_to_certified", &spread->run_to_certified);
	report_add_json_integer(out, "run_to_certified_jobs", true,
				(int64_t)spread->run_to_certified.count);
}

static void add_json_fees(struct buf *out, const struct history_fees *fees)
{
	bool all = fees->unread == 0;
	report_add_json_integer(out, "plan_starts", true, (int64_t)fees->starts);
	report_add_json_integer(out, "plans", true, (int64_t)fees->plans);
	report_add_json_money(out, "plan_fees", all ? fees->sum : (struct money){ 0 });
	report_add_json_string(out, "plan_currency", all ? fees->currency : NULL);
}

static void add_json(struct buf *out, const struct report_history *report,
		     const struct history_sum *sum)
{
	const struct history_spread *spread = history_spreads_of(report->spreads, sum->key);
	struct history_fees fees = fees_of(report, sum);
	size_t ended = sum->completed + sum->failed + sum->stopped;
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "key", sum->key);
	report_add_json_integer(out, "jobs", true, (int64_t)sum->jobs);
	report_add_json_integer(out, "started", true, (int64_t)sum->started);
	add_json_share(out, "fallback_share", sum->fallback.part, sum->fallback.of);
	add_json_seconds(out, "wait_p50_seconds", sum->wait_p50);
	add_json_seconds(out, "wait_p90_seconds", sum->wait_p90);
	report_add_json_integer(out, "timeouts", true, (int64_t)sum->timeouts);
	report_add_json_money(out, "cost", cost_of(sum));
	report_add_json_string(out, "currency", currency_of(sum));
	report_add_json_integer(out, "waits", true, (int64_t)sum->waits);
	add_json_share(out, "completed_share", sum->completed, ended);
	add_json_share(out, "failed_share", sum->failed, ended);
	add_json_seconds(out, "run_p50_seconds", sum->run_p50);
	add_json_seconds(out, "run_p90_seconds", sum->run_p90);
	report_add_json_name(out, "cost_is_partial");
	(void)buf_add_text(out, sum->cost_is_partial ? "true" : "false");
	report_add_json_name(out, "cost_is_estimate");
	(void)buf_add_text(out, sum->cost_is_estimate ? "true" : "false");
	report_add_json_integer(out, "costs", true, (int64_t)sum->costs);
	add_json_spread(out, spread);
	add_json_fees(out, &fees);
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct report_context *context,
		       const struct report_history *report)
{
	bool lines = context->format == REPORT_JSONL;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < report->sums->count; i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_json(out, report, &report->sums->rows[i]);
		(void)buf_add_text(out, lines ? "\n" : "");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

static void add_csv_share(struct buf *out, size_t part, size_t of)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "%.4g", of > 0 ? (double)part / (double)of : 0.0);
	report_add_csv_text(out, of > 0 ? text : NULL);
}

static void add_csv_ratio(struct buf *out, const struct history_ratio *ratio)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "%.3f", (double)ratio->p50 / 1000.0);
	report_add_csv_text(out, ratio->count > 0 ? text : NULL);
	report_add_csv_integer(out, true, (int64_t)ratio->count);
}

static void add_csv_fees(struct buf *out, const struct history_fees *fees)
{
	bool all = fees->unread == 0;
	report_add_csv_integer(out, true, (int64_t)fees->starts);
	report_add_csv_integer(out, true, (int64_t)fees->plans);
	report_add_csv_money(out, all ? fees->sum : (struct money){ 0 });
	report_add_csv_text(out, all ? fees->currency : NULL);
}

static void write_csv(struct buf *out, const struct report_history *report)
{
	const struct history_sums *sums = report->sums;
	(void)buf_add_text(out, "key,jobs,started,fallback_share,wait_p50_seconds,"
				"wait_p90_seconds,timeouts,cost,currency,waits,completed_share,"
				"failed_share,run_p50_seconds,run_p90_seconds,cost_is_partial,"
				"costs,run_to_first,run_to_first_jobs,cost_to_first,"
				"cost_to_first_jobs,run_to_certified,run_to_certified_jobs,"
				"plan_starts,plans,plan_fees,plan_currency,cost_is_estimate\n");
	for (size_t i = 0; i < sums->count; i++) {
		const struct history_sum *sum = &sums->rows[i];
		const struct history_spread *spread = history_spreads_of(report->spreads, sum->key);
		struct history_fees fees = fees_of(report, sum);
		size_t ended = sum->completed + sum->failed + sum->stopped;
		report_add_csv_text(out, sum->key);
		report_add_csv_integer(out, true, (int64_t)sum->jobs);
		report_add_csv_integer(out, true, (int64_t)sum->started);
		add_csv_share(out, sum->fallback.part, sum->fallback.of);
		report_add_csv_integer(out, sum->wait_p50.set, sum->wait_p50.ms / 1000);
		report_add_csv_integer(out, sum->wait_p90.set, sum->wait_p90.ms / 1000);
		report_add_csv_integer(out, true, (int64_t)sum->timeouts);
		report_add_csv_money(out, cost_of(sum));
		report_add_csv_text(out, currency_of(sum));
		report_add_csv_integer(out, true, (int64_t)sum->waits);
		add_csv_share(out, sum->completed, ended);
		add_csv_share(out, sum->failed, ended);
		report_add_csv_integer(out, sum->run_p50.set, sum->run_p50.ms / 1000);
		report_add_csv_integer(out, sum->run_p90.set, sum->run_p90.ms / 1000);
		report_add_csv_text(out, sum->cost_is_partial ? "true" : "false");
		report_add_csv_integer(out, true, (int64_t)sum->costs);
		add_csv_ratio(out, &spread->run_to_first);
		add_csv_ratio(out, &spread->cost_to_first);
		add_csv_ratio(out, &spread->run_to_certified);
		add_csv_fees(out, &fees);
		report_add_csv_text(out, sum->cost_is_estimate ? "true" : "false");
		(void)buf_add_char(out, '\n');
	}
}

void report_history(struct buf *out, const struct report_context *context,
		    const struct report_history *report)
{
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
