/* What became of each job that was to be stopped. */
#include "views/text/command.h"
#include "views/text/report_parts.h"

static void add_json(struct buf *out, const struct stop_told *told)
{
	buf_add_char(out, '{');
	report_add_json_string(out, "job", told->name);
	report_add_json_string(out, "kind", job_kind_word(told->kind));
	report_add_json_string(out, "result", stop_outcome_word(told->outcome));
	report_add_json_string(out, "message", told->message);
	buf_add_char(out, '}');
}

static void add_csv(struct buf *out, const struct stop_told *told)
{
	report_add_csv_text(out, told->name);
	report_add_csv_text(out, job_kind_word(told->kind));
	report_add_csv_text(out, stop_outcome_word(told->outcome));
	report_add_csv_text(out, told->message);
	buf_add_char(out, '\n');
}

static void add_row(struct buf *out, const struct stop_told *told)
{
	struct buf line;
	buf_init(&line, PLAIN_MAX);
	buf_addf(&line, "%s  %s\n", told->name, stop_outcome_word(told->outcome));
	command_add_outside(out, &line);
	buf_release(&line);
}

void report_stops(struct buf *out, const struct report_context *context,
		  const struct stop_told *told, size_t count)
{
	bool json = context->format == REPORT_JSON;
	if (json)
		buf_add_char(out, '[');
	if (context->format == REPORT_CSV)
		buf_add_text(out, "job,kind,result,message\n");
	for (size_t i = 0; i < count; i++) {
		if (json && i > 0)
			buf_add_char(out, ',');
		if (context->format == REPORT_TABLE)
			add_row(out, &told[i]);
		else if (context->format == REPORT_CSV)
			add_csv(out, &told[i]);
		else
			add_json(out, &told[i]);
		if (context->format == REPORT_JSONL)
			buf_add_char(out, '\n');
	}
	if (json)
		buf_add_text(out, "]\n");
}
