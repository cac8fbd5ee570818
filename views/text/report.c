#include "views/text/report.h"

#include <stdio.h>
#include <strings.h>

#include "model/base/text.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

bool report_format_parse(const char *word, enum report_format *format)
{
	static const char *const words[] = { [REPORT_TABLE] = "table",
					     [REPORT_JSON] = "json",
					     [REPORT_JSONL] = "jsonl",
					     [REPORT_CSV] = "csv" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcasecmp(word, words[i]) != 0)
			continue;
		*format = (enum report_format)i;
		return true;
	}
	return false;
}

/* What of a job's messages matters most in one line: why it failed, else why it waits. */
static const char *job_message(const struct job *job)
{
	if (job->failure_reason)
		return job->failure_reason;
	return job_is_live(job) && job->status_message ? job->status_message : "";
}

static void add_selected(struct columns *columns, const struct job *job)
{
	char rank[24] = "-";
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (job->selected.set)
		plain_instances(&text, job->selected.instance_type, true, job->selected.count);
	if (job->selected.set && job->selected.rank > 0)
		(void)snprintf(rank, sizeof(rank), "#%zu", job->selected.rank);
	columns_add(columns, job->selected.set ? buf_text(&text) : NULL);
	columns_add(columns, rank);
	buf_release(&text);
}

/* What it runs on, else what it asks for first, and how many entries more there are. */
static void add_type(struct columns *columns, const struct job *job)
{
	const struct preferences *prefs = job_prefs(job);
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (job->selected.set)
		(void)buf_add_text(&text, job->selected.instance_type);
	else if (prefs->length > 0)
		(void)buf_add_text(&text, prefs->entries[0].instance_type);
	if (!job->selected.set && prefs->length > 1)
		(void)buf_addf(&text, " +%zu", prefs->length - 1);
	columns_add(columns, text.len > 0 ? buf_text(&text) : NULL);
	buf_release(&text);
}

/* Money of a cell; "-" where it is not known. */
static void add_money(struct columns *columns, const struct cost *cost, struct money money)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_money(&text, money, cost->currency, price_is_approximate(cost->source));
	columns_add(columns, money.set ? buf_text(&text) : NULL);
	buf_release(&text);
}

static void add_duration(struct columns *columns, struct opt_ms duration)
{
	char text[TIME_TEXT_SIZE];
	if (duration.set)
		duration_format(duration.ms / 1000, text);
	columns_add(columns, duration.set ? text : NULL);
}

struct cost report_cost(const struct report_context *context, const struct job *job)
{
	struct cost cost = price_job_cost(job, context->prices, context->now_ms);
	if (context->past)
		cost.likely = price_job_likely(job, context->prices, likely_run(context->past, job),
					       context->now_ms);
	return cost;
}

static void add_row(struct columns *columns, const struct report_context *context,
		    const struct job *job)
{
	struct cost cost = report_cost(context, job);
	bool final;
	columns_add(columns, job->name);
	columns_add(columns, job_kind_word(job->kind));
	columns_add(columns, phase_word(job_phase(job)));
	add_duration(columns, plain_wait(job, context->now_ms, &final));
	add_duration(columns, job->max_pending);
	add_type(columns, job);
	add_selected(columns, job);
	add_money(columns, &cost, cost.per_hour);
	add_money(columns, &cost, cost.so_far);
	columns_add(columns, job_message(job));
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct job *const *jobs, size_t count)
{
	static const char *const titles[] = { "NAME",     "KIND",   "PHASE",    "WAIT",
					      "LIMIT",    "TYPE",   "SELECTED", "RANK",
					      "PER-HOUR", "SO-FAR", "MESSAGE" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	for (size_t i = 0; i < count; i++)
		add_row(&columns, context, jobs[i]);
	columns_write(&columns, out);
	columns_release(&columns);
}

static void write_array(struct buf *out, const struct report_context *context,
			const struct job *const *jobs, size_t count)
{
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		(void)buf_add_text(out, i > 0 ? ",\n " : "");
		report_job_json(out, context, jobs[i]);
	}
	(void)buf_add_text(out, "]\n");
}

static void write_lines(struct buf *out, const struct report_context *context,
			const struct job *const *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		report_job_json(out, context, jobs[i]);
		(void)buf_add_char(out, '\n');
	}
}

void report_jobs(struct buf *out, const struct report_context *context,
		 const struct job *const *jobs, size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, jobs, count);
		break;
	case REPORT_JSON:
		write_array(out, context, jobs, count);
		break;
	case REPORT_JSONL:
		write_lines(out, context, jobs, count);
		break;
	case REPORT_CSV:
		report_jobs_csv(out, context, jobs, count);
		break;
	}
}

void report_job(struct buf *out, const struct report_context *context, const struct job *job)
{
	switch (context->format) {
	case REPORT_TABLE:
		report_job_table(out, context, job);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_lines(out, context, &job, 1);
		break;
	case REPORT_CSV:
		report_jobs_csv(out, context, &job, 1);
		break;
	}
}

/* "error count-mixed: message fix (path, line 7, column 12)" */
static void write_finding(struct buf *out, const struct finding *finding, bool ascii)
{
	struct buf line;
	buf_init(&line, PLAIN_MAX);
	(void)buf_addf(&line, "%s %s: %s", severity_word(finding->severity), finding->rule,
		       finding->message);
	if (finding->fix_text[0])
		(void)buf_addf(&line, " %s", finding->fix_text);
	if (finding->path[0] || finding->line > 0)
		(void)buf_addf(&line, " (%s%s", finding->path,
			       finding->path[0] && finding->line > 0 ? ", " : "");
	if (finding->line > 0)
		(void)buf_addf(&line, "line %zu, column %zu", finding->line, finding->column);
	if (finding->path[0] || finding->line > 0)
		(void)buf_add_char(&line, ')');
	text_sanitise(out, buf_text(&line), line.len, TEXT_CELL, ascii);
	(void)buf_add_char(out, '\n');
	buf_release(&line);
}

static void add_number(struct buf *out, size_t count, const char *one, const char *many)
{
	if (count == 0)
		return;
	bool first = out->len == 0 || out->data[out->len - 1] == '\n';
	(void)buf_addf(out, "%s%zu %s", first ? "" : ", ", count, count == 1 ? one : many);
}

/* "2 errors, 1 warning, 3 notes"; what is not checked is never "no rule is broken" alone. */
static void write_numbers(struct buf *out, const struct findings *findings)
{
	size_t numbers[] = { [SEVERITY_ERROR] = 0, [SEVERITY_WARNING] = 0, [SEVERITY_NOTE] = 0 };
	for (size_t i = 0; i < findings->count; i++)
		numbers[findings->items[i].severity]++;
	if (numbers[SEVERITY_ERROR] + numbers[SEVERITY_WARNING] == 0)
		(void)buf_add_text(out, "no rule is broken");
	add_number(out, numbers[SEVERITY_ERROR], "error", "errors");
	add_number(out, numbers[SEVERITY_WARNING], "warning", "warnings");
	add_number(out, numbers[SEVERITY_NOTE], "note", "notes");
	(void)buf_add_char(out, '\n');
}

static void write_findings(struct buf *out, const struct report_context *context,
			   const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		write_finding(out, &findings->items[i], context->ascii);
	if (findings->cut)
		(void)buf_addf(out, "more than %d findings: the rest is not shown\n", FINDINGS_MAX);
	write_numbers(out, findings);
}

void report_findings(struct buf *out, const struct report_context *context,
		     const enum job_kind *kind, const struct findings *findings)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_findings(out, context, findings);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		report_findings_json(out, kind, findings);
		(void)buf_add_char(out, '\n');
		break;
	case REPORT_CSV:
		report_findings_csv(out, findings);
		break;
	}
}
