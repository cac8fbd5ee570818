/* Explanations: table, json, jsonl, csv. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

static const char *job_name(const struct report_explain *one)
{
	return one->job ? one->job->name : one->name;
}

static enum job_kind job_kind(const struct report_explain *one)
{
	return one->job ? one->job->kind : one->kind;
}

static const struct preferences *prefs_of(const struct report_explain *one)
{
	return job_prefs(one->job); /* a refusal has no entries */
}

/* --- table --- */

static void add_cell_time(struct columns *columns, const struct report_context *context,
			  struct opt_ms time)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_time(&text, time, context->utc);
	columns_add(columns, time.set ? buf_text(&text) : NULL);
	buf_release(&text);
}

static void write_facts(struct buf *out, const struct report_context *context,
			const struct explanation *explanation)
{
	static const char *const titles[] = { "FACT", "VALUE", "SINCE", "SOURCE", "AGAINST IT" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .indent = "  ",
				   .ascii = context->ascii };
	for (size_t i = 0; i < explanation->fact_count; i++) {
		const struct explain_fact *fact = &explanation->facts[i];
		columns_add(&columns, fact->fact);
		columns_add(&columns, fact->value);
		add_cell_time(&columns, context, fact->at);
		columns_add(&columns, fact->source);
		columns_add(&columns,
			    fact->is_hint ? "a hint: nothing rests on it" : fact->against);
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

static void add_price(struct columns *columns, const struct explain_entry *entry)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_money(&text, entry->per_hour, entry->currency, entry->price_is_estimate);
	buf_add_text(&text, "/h");
	columns_add(columns, entry->per_hour.set ? buf_text(&text) : NULL);
	buf_release(&text);
}

static void add_quota(struct columns *columns, const struct explain_entry *entry)
{
	char text[80];
	(void)snprintf(text, sizeof(text), "%s: %" PRId64 " of %" PRId64 " left",
		       quota_kind_word(entry->quota_kind), entry->left, entry->limit);
	columns_add(columns, entry->has_limit ? text : NULL);
}

static void add_wait(struct columns *columns, const struct explain_entry *entry)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (entry->has_wait) {
		plain_duration(&text, entry->wait_p50);
		buf_addf(&text, " (n=%zu)", entry->wait_starts);
	} else {
		buf_addf(&text, "n=%zu", entry->wait_starts);
	}
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void add_plan(struct columns *columns, const struct report_context *context,
		     const struct explain_entry *entry)
{
	struct plan_window window = { 0 };
	char from[TIME_TEXT_SIZE];
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	buf_add_text(&text, plain_plan(entry->plan_arn));
	if (entry->plan && plan_current_window(entry->plan, context->now_ms, &window) &&
	    window.start.set) {
		time_format_full(window.start.ms, context->utc, from);
		buf_addf(&text, " %s, window from %s",
			 plan_state_word(plan_state(entry->plan, context->now_ms)), from);
	}
	columns_add(columns, entry->plan_arn[0] ? buf_text(&text) : NULL);
	buf_release(&text);
}

static void write_entries(struct buf *out, const struct report_context *context,
			  const struct report_explain *one)
{
	static const char *const titles[] = { "RANK",         "TYPE",       "VERDICT",
					      "WHY",          "PER HOUR",   "QUOTA",
					      "LAST REFUSED", "USUAL WAIT", "PLAN" };
	const struct explanation *explanation = one->explanation;
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .indent = "  ",
				   .ascii = context->ascii };
	for (size_t i = 0; i < explanation->entry_count; i++) {
		const struct explain_entry *entry = &explanation->entries[i];
		int64_t count = 0;
		bool has_count = prefs_count(prefs_of(one), i, &count);
		char rank[24];
		struct buf type;
		(void)snprintf(rank, sizeof(rank), "#%zu", i + 1);
		columns_add(&columns, rank);
		buf_init(&type, PLAIN_MAX);
		plain_instances(&type, prefs_of(one)->entries[i].instance_type, has_count, count);
		columns_add(&columns, buf_text(&type));
		buf_release(&type);
		columns_add(&columns, explain_verdict_word(entry->verdict));
		columns_add(&columns, entry->why);
		add_price(&columns, entry);
		add_quota(&columns, entry);
		add_cell_time(&columns, context, entry->last_refused);
		add_wait(&columns, entry);
		add_plan(&columns, context, entry);
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

static void write_next(struct buf *out, const struct explanation *explanation)
{
	for (size_t i = 0; i < explanation->next_count; i++) {
		const struct explain_next *next = &explanation->next[i];
		const char *keys = next->keys;
		buf_addf(out, "  %s%s%s%s: %s\n", explain_action_word(next->action),
			 keys[0] ? " (keys " : "", keys, keys[0] ? ")" : "", next->why);
	}
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct report_explain *one)
{
	const struct explanation *explanation = one->explanation;
	const char *doubt =
		explanation->class == EXPLAIN_UNKNOWN || explanation->certain ? "" : " (likely)";
	text_sanitise(out, job_name(one), strlen(job_name(one)), TEXT_CELL, context->ascii);
	buf_addf(out, ": %s%s\n", explain_class_word(explanation->class), doubt);
	text_sanitise(out, explanation->text, strlen(explanation->text), TEXT_CELL, context->ascii);
	buf_add_text(out, "\n\nevidence, the deciding fact first\n");
	write_facts(out, context, explanation);
	if (explanation->entry_count > 0) {
		buf_add_text(out, "\nentries\n");
		write_entries(out, context, one);
	}
	if (explanation->next_count > 0) {
		buf_add_text(out, "\nwhat to do\n");
		write_next(out, explanation);
	}
}

/* --- json --- */

static void add_fact(struct buf *out, const struct explain_fact *fact)
{
	buf_add_char(out, '{');
	report_add_json_string(out, "fact", fact->fact);
	report_add_json_string(out, "value", fact->value);
	report_add_json_time(out, "at", fact->at);
	report_add_json_string(out, "source", fact->source);
	report_add_json_string(out, "against", fact->against);
	report_add_json_name(out, "hint");
	buf_add_text(out, fact->is_hint ? "true" : "false");
	buf_add_char(out, '}');
}

static void add_seconds(struct buf *out, const char *name, bool known, struct opt_ms duration)
{
	report_add_json_integer(out, name, known && duration.set, duration.ms / 1000);
}

static void add_entry(struct buf *out, const struct report_context *context,
		      const struct report_explain *one, size_t i)
{
	const struct explain_entry *entry = &one->explanation->entries[i];
	struct plan_window window = { 0 };
	if (entry->plan)
		(void)plan_current_window(entry->plan, context->now_ms, &window);
	buf_add_char(out, '{');
	report_add_json_integer(out, "rank", true, (int64_t)i + 1);
	report_add_json_string(out, "instance_type", prefs_of(one)->entries[i].instance_type);
	report_add_json_string(out, "verdict", explain_verdict_word(entry->verdict));
	report_add_json_string(out, "why", entry->why);
	report_add_json_time(out, "last_refused_at", entry->last_refused);
	report_add_json_money(out, "per_hour", entry->per_hour);
	report_add_json_string(out, "currency", entry->currency);
	report_add_json_string(out, "quota_kind", quota_kind_word(entry->quota_kind));
	report_add_json_integer(out, "quota_limit", entry->has_limit, entry->limit);
	report_add_json_integer(out, "quota_left", entry->has_limit, entry->left);
	report_add_json_time(out, "quota_read_at",
			     (struct opt_ms){ entry->has_limit, entry->limit_read_ms });
	report_add_json_integer(out, "n", true, (int64_t)entry->wait_starts);
	add_seconds(out, "wait_p50_seconds", entry->has_wait, entry->wait_p50);
	add_seconds(out, "wait_p90_seconds", entry->has_wait, entry->wait_p90);
	report_add_json_string(out, "training_plan_arn",
			       entry->plan_arn[0] ? entry->plan_arn : NULL);
	report_add_json_string(out, "plan_state",
			       entry->plan
				       ? plan_state_word(plan_state(entry->plan, context->now_ms))
				       : NULL);
	report_add_json_time(out, "plan_window_at", window.start);
	report_add_json_time(out, "plan_window_until", window.end);
	buf_add_char(out, '}');
}

static void add_job(struct buf *out, const struct report_context *context,
		    const struct report_explain *one)
{
	report_add_json_name(out, "job");
	if (one->job) {
		report_job_json(out, context, one->job);
		return;
	}
	buf_add_char(out, '{');
	report_add_json_string(out, "name", job_name(one));
	report_add_json_string(out, "kind", job_kind_word(job_kind(one)));
	report_add_json_string(out, "arn", NULL);
	report_add_json_string(out, "region", context->region);
	buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct report_context *context,
		       const struct report_explain *one)
{
	const struct explanation *explanation = one->explanation;
	buf_add_char(out, '{');
	add_job(out, context, one);
	report_add_json_string(out, "class", explain_class_word(explanation->class));
	report_add_json_name(out, "certain");
	buf_add_text(out, explanation->certain ? "true" : "false");
	report_add_json_string(out, "text", explanation->text);
	report_add_json_name(out, "evidence");
	buf_add_char(out, '[');
	for (size_t i = 0; i < explanation->fact_count; i++) {
		buf_add_text(out, i > 0 ? "," : "");
		add_fact(out, &explanation->facts[i]);
	}
	buf_add_char(out, ']');
	report_add_json_name(out, "entries");
	buf_add_char(out, '[');
	for (size_t i = 0; i < explanation->entry_count; i++) {
		buf_add_text(out, i > 0 ? "," : "");
		add_entry(out, context, one, i);
	}
	buf_add_char(out, ']');
	report_add_json_name(out, "next");
	buf_add_char(out, '[');
	for (size_t i = 0; i < explanation->next_count; i++) {
		const struct explain_next *next = &explanation->next[i];
		buf_add_text(out, i > 0 ? ",{" : "{");
		report_add_json_string(out, "action", explain_action_word(next->action));
		report_add_json_string(out, "why", next->why);
		buf_add_char(out, '}');
	}
	buf_add_text(out, "]}");
}

/* --- csv --- */

/* A line for each fact. */
static void write_csv(struct buf *out, const struct report_explain *one)
{
	const struct explanation *explanation = one->explanation;
	for (size_t i = 0; i < explanation->fact_count; i++) {
		const struct explain_fact *fact = &explanation->facts[i];
		report_add_csv_text(out, job_name(one));
		report_add_csv_text(out, explain_class_word(explanation->class));
		report_add_csv_text(out, explanation->certain ? "true" : "false");
		report_add_csv_text(out, fact->fact);
		report_add_csv_text(out, fact->value);
		report_add_csv_time(out, fact->at);
		report_add_csv_text(out, fact->source);
		report_add_csv_text(out, fact->is_hint ? "hint" : fact->against);
		buf_add_text(out, "\n");
	}
}

void report_explanations(struct buf *out, const struct report_context *context,
			 const struct report_explain *all, size_t count)
{
	bool array = context->format == REPORT_JSON && count > 1;
	if (context->format == REPORT_CSV)
		buf_add_text(out, "name,class,certain,fact,value,at,source,against\n");
	buf_add_text(out, array ? "[" : "");
	for (size_t i = 0; i < count; i++) {
		switch (context->format) {
		case REPORT_TABLE:
			buf_add_text(out, i > 0 ? "\n" : "");
			write_table(out, context, &all[i]);
			break;
		case REPORT_CSV:
			write_csv(out, &all[i]);
			break;
		default:
			buf_add_text(out, array && i > 0 ? "," : "");
			write_json(out, context, &all[i]);
			buf_add_text(out, context->format == REPORT_JSONL ? "\n" : "");
		}
	}
	if (context->format == REPORT_JSON)
		buf_add_text(out, array ? "]\n" : "\n");
}
