/* Jobs and findings as CSV (RFC 4180 with plain line feeds), safe to open in a spreadsheet. */
#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "views/text/report_parts.h"

static const char *const job_titles[] = {
	"name",
	"kind",
	"arn",
	"region",
	"status",
	"secondary_status",
	"phase",
	"created_at",
	"started_at",
	"ended_at",
	"wait_seconds",
	"wait_is_final",
	"max_pending_seconds",
	"pending_deadline_at",
	"preferences",
	"selected_rank",
	"selected_type",
	"selected_count",
	"currency",
	"per_hour",
	"so_far",
	"likely",
	"worst_case",
	"price_source",
	"price_date",
	"status_message",
	"failure_reason",
};
static const char *const finding_titles[] = { "severity", "rule",    "path", "line",
					      "column",   "message", "fix" };

static void write_titles(struct buf *out, const char *const *titles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)buf_addf(out, "%s%s", i > 0 ? "," : "", titles[i]);
	(void)buf_add_char(out, '\n');
}

static void next_field(struct buf *out)
{
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		(void)buf_add_char(out, ',');
}

/* The full-width forms of these, which some spreadsheets take for the same: U+FF1D, U+FF0B, U+FF0D,
 * U+FF20. */
static const char *const wide_signs[] = { "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
					  "\xEF\xBC\xA0" };

/* A spreadsheet runs a text that begins like a formula, maybe behind blanks; an apostrophe makes it
 * text. Source: OWASP, CSV injection. */
static bool would_run(const char *text)
{
	text += strspn(text, " ");
	for (size_t i = 0; i < ARRAY_LEN(wide_signs); i++)
		if (strncmp(text, wide_signs[i], strlen(wide_signs[i])) == 0)
			return true;
	return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]);
}

static void add_quoted(struct buf *out, const char *text)
{
	(void)buf_add_char(out, '"');
	for (const char *at = text; *at; at++) {
		if (*at == '"')
			(void)buf_add_char(out, '"');
		(void)buf_add_char(out, *at);
	}
	(void)buf_add_char(out, '"');
}

/* Text from outside; nothing for NULL. */
void report_add_csv_text(struct buf *out, const char *text)
{
	struct buf field;
	next_field(out);
	if (!text)
		return;
	buf_init(&field, PLAIN_MAX);
	if (would_run(text))
		(void)buf_add_char(&field, '\'');
	text_sanitise(&field, text, strlen(text), TEXT_FILE, false);
	if (buf_text(&field)[strcspn(buf_text(&field), ",\"\r\n")] != '\0')
		add_quoted(out, buf_text(&field));
	else
		(void)buf_add_text(out, buf_text(&field));
	buf_release(&field);
}

void report_add_csv_integer(struct buf *out, bool known, int64_t value)
{
	next_field(out);
	if (known)
		(void)buf_addf(out, "%" PRId64, value);
}

void report_add_csv_time(struct buf *out, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	if (time.set)
		time_format_iso(time.ms, text);
	report_add_csv_text(out, time.set ? text : NULL);
}

void report_add_csv_money(struct buf *out, struct money money)
{
	next_field(out);
	if (money.set)
		report_add_amount(out, money.micro);
}

/* As LIST of the command line: type:count@plan,... */
static void add_list(struct buf *out, const struct job *job)
{
	struct buf list;
	buf_init(&list, PLAIN_MAX);
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		const char *plan = prefs_plan(job_prefs(job), i);
		int64_t count;
		(void)buf_addf(&list, "%s%s", i > 0 ? "," : "",
			       job_prefs(job)->entries[i].instance_type);
		if (prefs_count(job_prefs(job), i, &count))
			(void)buf_addf(&list, ":%" PRId64, count);
		if (plan[0])
			(void)buf_addf(&list, "@%s", plan);
	}
	report_add_csv_text(out, job_has_details(job) ? buf_text(&list) : NULL);
	buf_release(&list);
}

static void add_cost(struct buf *out, const struct report_context *context, const struct job *job)
{
	struct cost cost = report_cost(context, job);
	report_add_csv_text(out, cost.currency);
	report_add_csv_money(out, cost.per_hour);
	report_add_csv_money(out, cost.so_far);
	report_add_csv_money(out, cost.likely);
	report_add_csv_money(out, cost.worst_case);
	report_add_csv_text(out, price_source_word(cost.source));
	report_add_csv_text(out, cost.date);
}

static void write_job(struct buf *out, const struct report_context *context, const struct job *job)
{
	const struct selected *selected = &job->selected;
	bool final;
	struct opt_ms wait = plain_wait(job, context->now_ms, &final);
	report_add_csv_text(out, job->name);
	report_add_csv_text(out, job_kind_word(job->kind));
	report_add_csv_text(out, job->arn);
	report_add_csv_text(out, context->region);
	report_add_csv_text(out, job->status);
	report_add_csv_text(out, job->secondary_status);
	report_add_csv_text(out, phase_word(job_phase(job)));
	report_add_csv_time(out, job->created);
	report_add_csv_time(out, job->started);
	report_add_csv_time(out, job->ended);
	report_add_csv_integer(out, wait.set, wait.ms / 1000);
	report_add_csv_text(out, !wait.set ? NULL : final ? "true" : "false");
	report_add_csv_integer(out, job->max_pending.set, job->max_pending.ms / 1000);
	report_add_csv_time(out, job_pending_deadline(job, context->now_ms));
	add_list(out, job);
	report_add_csv_integer(out, selected->set && selected->rank > 0, (int64_t)selected->rank);
	report_add_csv_text(out, selected->set ? selected->instance_type : NULL);
	report_add_csv_integer(out, selected->set, selected->count);
	add_cost(out, context, job);
	report_add_csv_text(out, job->status_message);
	report_add_csv_text(out, job->failure_reason);
	(void)buf_add_char(out, '\n');
}

void report_jobs_csv(struct buf *out, const struct report_context *context,
		     const struct job *const *jobs, size_t count)
{
	write_titles(out, job_titles, ARRAY_LEN(job_titles));
	for (size_t i = 0; i < count; i++)
		write_job(out, context, jobs[i]);
}

void report_findings_csv(struct buf *out, const struct findings *findings)
{
	write_titles(out, finding_titles, ARRAY_LEN(finding_titles));
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		report_add_csv_text(out, severity_word(finding->severity));
		report_add_csv_text(out, finding->rule);
		report_add_csv_text(out, finding->path);
		report_add_csv_integer(out, finding->line > 0, (int64_t)finding->line);
		report_add_csv_integer(out, finding->line > 0, (int64_t)finding->column);
		report_add_csv_text(out, finding->message);
		report_add_csv_text(out, finding->fix_text);
		(void)buf_add_char(out, '\n');
	}
}
