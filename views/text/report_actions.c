/* What this program did to AWS, or tried, in the order given. */
#include "views/text/columns.h"
#include "views/text/report_parts.h"

static void write_table(struct buf *out, const struct report_context *context,
			const struct action *const *actions, size_t count)
{
	static const char *const titles[] = { "TIME", "ACTION",     "JOB",  "RESULT",
					      "BY",   "REQUEST-ID", "CODE", "TEXT" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	for (size_t i = 0; i < count; i++) {
		const struct action *action = actions[i];
		struct buf at;
		buf_init(&at, PLAIN_MAX);
		plain_time(&at, (struct opt_ms){ true, action->at_ms }, context->utc);
		columns_add(&columns, buf_text(&at));
		columns_add(&columns, action->what);
		columns_add(&columns, action->subject);
		columns_add(&columns, action_result_word(action->result));
		columns_add(&columns, action->by);
		columns_add(&columns, action->request_id[0] ? action->request_id : NULL);
		columns_add(&columns, action->code[0] ? action->code : NULL);
		columns_add(&columns, action->text);
		buf_release(&at);
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

static void add_json(struct buf *out, const struct action *action)
{
	buf_add_char(out, '{');
	report_add_json_time(out, "at", (struct opt_ms){ true, action->at_ms });
	report_add_json_string(out, "action", action->what);
	report_add_json_string(out, "subject", or_null(action->subject));
	report_add_json_string(out, "replaced_by", or_null(action->other));
	report_add_json_string(out, "by", or_null(action->by));
	report_add_json_string(out, "result", action_result_word(action->result));
	report_add_json_string(out, "code", or_null(action->code));
	report_add_json_string(out, "request_id", or_null(action->request_id));
	report_add_json_string(out, "text", or_null(action->text));
	buf_add_char(out, '}');
}

static void write_json(struct buf *out, bool lines, const struct action *const *actions,
		       size_t count)
{
	buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < count; i++) {
		buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_json(out, actions[i]);
		buf_add_text(out, lines ? "\n" : "");
	}
	buf_add_text(out, lines ? "" : "]\n");
}

static void write_csv(struct buf *out, const struct action *const *actions, size_t count)
{
	buf_add_text(out, "at,action,subject,replaced_by,by,result,code,request_id,text\n");
	for (size_t i = 0; i < count; i++) {
		const struct action *action = actions[i];
		report_add_csv_time(out, (struct opt_ms){ true, action->at_ms });
		report_add_csv_text(out, action->what);
		report_add_csv_text(out, action->subject);
		report_add_csv_text(out, action->other);
		report_add_csv_text(out, action->by);
		report_add_csv_text(out, action_result_word(action->result));
		report_add_csv_text(out, action->code);
		report_add_csv_text(out, action->request_id);
		report_add_csv_text(out, action->text);
		buf_add_char(out, '\n');
	}
}

void report_actions(struct buf *out, const struct report_context *context,
		    const struct action *const *actions, size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, actions, count);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, context->format == REPORT_JSONL, actions, count);
		break;
	case REPORT_CSV:
		write_csv(out, actions, count);
		break;
	}
}
