/* Quotas and who holds them: table, json, jsonl, csv. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

static struct opt_ms read_at(const struct quota_fact *fact)
{
	return (struct opt_ms){ .set = fact->told, .ms = fact->read_at_ms };
}

/* --- table --- */

/* A number and what is said of it. */
static void add_number(struct columns *columns, int64_t number, const char *remark)
{
	char text[48];
	snprintf(text, sizeof(text), "%" PRId64 "%s", number, remark);
	columns_add(columns, text);
}

/* The limit, or why it is not told. */
static void add_limit(struct columns *columns, const struct quota_fact *fact)
{
	char why[QUOTA_WHY_SIZE];
	if (fact->told) {
		add_number(columns, fact->limit, fact->is_default ? " (default)" : "");
		return;
	}
	quota_why_untold(fact, why);
	columns_add(columns, why);
}

static void add_holders(struct columns *columns, const struct quota_use *use)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	for (size_t i = 0; i < use->holder_count; i++)
		buf_addf(&text, "%s%s x%" PRId64 " (%s)", i > 0 ? ", " : "",
			 use->holders[i].job->name, use->holders[i].count,
			 quota_holder_state(&use->holders[i]));
	columns_add(columns, text.len > 0 ? buf_text(&text) : NULL);
	buf_release(&text);
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct report_quota *quotas, size_t count)
{
	static const char *const titles[] = { "TYPE", "KIND", "LIMIT",  "USED",
					      "LEFT", "READ", "HOLDERS" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct quota_fact *fact = &quotas[i].fact;
		columns_add(&columns, fact->instance_type);
		columns_add(&columns, quota_kind_word(fact->kind));
		add_limit(&columns, fact);
		add_number(&columns, fact->used, fact->unread > 0 ? "+" : "");
		if (fact->told)
			add_number(&columns, quota_left(fact), "");
		else
			columns_add(&columns, NULL);
		buf_clear(&text);
		plain_time(&text, read_at(fact), context->utc);
		columns_add(&columns, buf_text(&text));
		add_holders(&columns, &quotas[i].use);
	}
	columns_write(&columns, out);
	columns_release(&columns);
	buf_release(&text);
}

/* --- json --- */

static void add_json_holders(struct buf *out, const struct quota_use *use)
{
	report_add_json_name(out, "holders");
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < use->holder_count; i++) {
		const struct quota_holder *holder = &use->holders[i];
		(void)buf_add_text(out, i > 0 ? ",{" : "{");
		report_add_json_string(out, "name", holder->job->name);
		report_add_json_integer(out, "instance_count", true, holder->count);
		report_add_json_string(out, "state", quota_holder_state(holder));
		report_add_json_time(out, "since", holder->since);
		(void)buf_add_char(out, '}');
	}
	(void)buf_add_char(out, ']');
}

static void add_flag(struct buf *out, const char *name, bool known, bool value)
{
	report_add_json_name(out, name);
	(void)buf_add_text(out, !known ? "null" : value ? "true" : "false");
}

static void add_quota(struct buf *out, const struct report_quota *quota)
{
	const struct quota_fact *fact = &quota->fact;
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "instance_type", fact->instance_type);
	report_add_json_string(out, "kind", quota_kind_word(fact->kind));
	report_add_json_integer(out, "limit", fact->told, fact->limit);
	add_flag(out, "is_default", fact->told, fact->is_default);
	report_add_json_integer(out, "used", true, fact->used);
	report_add_json_integer(out, "waiting", true, fact->waiting);
	report_add_json_integer(out, "jobs_not_read", true, (int64_t)fact->unread);
	add_json_holders(out, &quota->use);
	report_add_json_string(out, "code", fact->code);
	report_add_json_time(out, "read_at", read_at(fact));
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct report_context *context,
		       const struct report_quota *quotas, size_t count)
{
	bool lines = context->format == REPORT_JSONL;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < count; i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_quota(out, &quotas[i]);
		(void)buf_add_text(out, lines ? "\n" : "");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

static void write_csv(struct buf *out, const struct report_quota *quotas, size_t count)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	(void)buf_add_text(out, "instance_type,kind,limit,is_default,used,waiting,jobs_not_read,"
				"holders,code,read_at\n");
	for (size_t i = 0; i < count; i++) {
		const struct quota_fact *fact = &quotas[i].fact;
		const struct quota_use *use = &quotas[i].use;
		buf_clear(&text);
		for (size_t k = 0; k < use->holder_count; k++)
			buf_addf(&text, "%s%s:%" PRId64, k > 0 ? " " : "",
				 use->holders[k].job->name, use->holders[k].count);
		report_add_csv_text(out, fact->instance_type);
		report_add_csv_text(out, quota_kind_word(fact->kind));
		report_add_csv_integer(out, fact->told, fact->limit);
		report_add_csv_text(out, !fact->told ? NULL : fact->is_default ? "true" : "false");
		report_add_csv_integer(out, true, fact->used);
		report_add_csv_integer(out, true, fact->waiting);
		report_add_csv_integer(out, true, (int64_t)fact->unread);
		report_add_csv_text(out, buf_text(&text));
		report_add_csv_text(out, fact->code);
		report_add_csv_time(out, read_at(fact));
		(void)buf_add_char(out, '\n');
	}
	buf_release(&text);
}

void report_quotas(struct buf *out, const struct report_context *context,
		   const struct report_quota *quotas, size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, quotas, count);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, context, quotas, count);
		break;
	case REPORT_CSV:
		write_csv(out, quotas, count);
		break;
	}
}
