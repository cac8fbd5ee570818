/* Training plans: table, json, jsonl, csv. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

#define TARGETS_BREAK ", " /* between the words of plan.targets */

/* --- table --- */

static void add_free(struct columns *columns, const struct plan *plan)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (plan->available.set)
		(void)buf_addf(&text, "%" PRId64, plan->available.n);
	else
		(void)buf_add_char(&text, '?');
	if (plan->total.set)
		(void)buf_addf(&text, "/%" PRId64, plan->total.n);
	else
		(void)buf_add_text(&text, "/?");
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void add_moment(struct columns *columns, const struct report_context *context,
		       struct opt_ms time)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_time(&text, time, context->utc);
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct plan *plans, size_t count)
{
	static const char *const titles[] = { "NAME", "STATUS", "STATE", "TYPE",
					      "FREE", "STARTS", "ENDS",  "ARN" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	for (size_t i = 0; i < count; i++) {
		const struct plan *plan = &plans[i];
		struct plan_window window = { 0 };
		(void)plan_current_window(plan, context->now_ms, &window);
		columns_add(&columns, plan->name);
		columns_add(&columns, plan->status);
		columns_add(&columns, plan_state_word(plan_state(plan, context->now_ms)));
		columns_add(&columns, plan->instance_type[0] ? plan->instance_type : NULL);
		add_free(&columns, plan);
		add_moment(&columns, context, window.start);
		add_moment(&columns, context, window.end);
		columns_add(&columns, plan->arn);
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

/* --- json --- */

static const char *text_or_null(const char *text)
{
	return text[0] ? text : NULL;
}

static void add_count(struct buf *out, const char *name, struct opt_count count)
{
	report_add_json_integer(out, name, count.set, count.n);
}

static void add_windows(struct buf *out, const struct plan *plan)
{
	report_add_json_name(out, "windows");
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct plan_window *window = &plan->windows[i];
		(void)buf_add_text(out, i > 0 ? ",{" : "{");
		report_add_json_time(out, "starts_at", window->start);
		report_add_json_time(out, "ends_at", window->end);
		add_count(out, "total", window->total);
		report_add_json_string(out, "status", text_or_null(window->status));
		report_add_json_string(out, "availability_zone", text_or_null(window->zone));
		(void)buf_add_char(out, '}');
	}
	(void)buf_add_char(out, ']');
}

static void add_targets(struct buf *out, const struct plan *plan)
{
	const char *at = plan->targets;
	report_add_json_name(out, "target_resources");
	if (!plan->targets_known) {
		(void)buf_add_text(out, "null");
		return;
	}
	(void)buf_add_char(out, '[');
	while (*at) {
		const char *end = strstr(at, TARGETS_BREAK);
		size_t len = end ? (size_t)(end - at) : strlen(at);
		char word[PLAN_TARGETS_SIZE];
		(void)snprintf(word, sizeof(word), "%.*s", (int)len, at);
		(void)buf_add_text(out, at > plan->targets ? "," : "");
		text_add_json(out, word);
		at += len + (end ? strlen(TARGETS_BREAK) : 0);
	}
	(void)buf_add_char(out, ']');
}

static void add_plan(struct buf *out, const struct report_context *context, const struct plan *plan)
{
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "name", plan->name);
	report_add_json_string(out, "arn", plan->arn);
	report_add_json_string(out, "region", context->region);
	report_add_json_string(out, "status", plan->status);
	report_add_json_string(out, "status_message", plan->status_message);
	report_add_json_string(out, "state", plan_state_word(plan_state(plan, context->now_ms)));
	report_add_json_string(out, "instance_type", text_or_null(plan->instance_type));
	add_count(out, "total", plan->total);
	add_count(out, "available", plan->available);
	add_count(out, "in_use", plan->in_use);
	report_add_json_time(out, "starts_at", plan->start);
	report_add_json_time(out, "ends_at", plan->end);
	add_windows(out, plan);
	add_targets(out, plan);
	report_add_json_money(out, "upfront_fee", plan->fee);
	report_add_json_string(out, "currency", text_or_null(plan->currency));
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct report_context *context,
		       const struct plan *plans, size_t count)
{
	bool lines = context->format == REPORT_JSONL;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < count; i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_plan(out, context, &plans[i]);
		(void)buf_add_text(out, lines ? "\n" : "");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

/* Start and end of each, as in ISO 8601: a/b c/d; ".." where a time is not told. */
static void add_csv_windows(struct buf *out, const struct plan *plan)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct plan_window *window = &plan->windows[i];
		char start[TIME_TEXT_SIZE] = "..", end[TIME_TEXT_SIZE] = "..";
		if (window->start.set)
			time_format_iso(window->start.ms, start);
		if (window->end.set)
			time_format_iso(window->end.ms, end);
		(void)buf_addf(&text, "%s%s/%s", i > 0 ? " " : "", start, end);
	}
	report_add_csv_text(out, buf_text(&text));
	buf_release(&text);
}

static void write_csv(struct buf *out, const struct report_context *context,
		      const struct plan *plans, size_t count)
{
	(void)buf_add_text(out, "name,arn,region,status,state,instance_type,total,available,in_use,"
				"starts_at,ends_at,windows,target_resources,upfront_fee,currency,"
				"status_message\n");
	for (size_t i = 0; i < count; i++) {
		const struct plan *plan = &plans[i];
		report_add_csv_text(out, plan->name);
		report_add_csv_text(out, plan->arn);
		report_add_csv_text(out, context->region);
		report_add_csv_text(out, plan->status);
		report_add_csv_text(out, plan_state_word(plan_state(plan, context->now_ms)));
		report_add_csv_text(out, plan->instance_type);
		report_add_csv_integer(out, plan->total.set, plan->total.n);
		report_add_csv_integer(out, plan->available.set, plan->available.n);
		report_add_csv_integer(out, plan->in_use.set, plan->in_use.n);
		report_add_csv_time(out, plan->start);
		report_add_csv_time(out, plan->end);
		add_csv_windows(out, plan);
		report_add_csv_text(out, plan->targets);
		report_add_csv_money(out, plan->fee);
		report_add_csv_text(out, plan->currency);
		report_add_csv_text(out, plan->status_message);
		(void)buf_add_char(out, '\n');
	}
}

void report_plans(struct buf *out, const struct report_context *context, const struct plan *plans,
		  size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, plans, count);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, context, plans, count);
		break;
	case REPORT_CSV:
		write_csv(out, context, plans, count);
		break;
	}
}
