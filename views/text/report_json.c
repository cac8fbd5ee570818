/* A job as the JSON object of interface.md, its members in that order. */
#include <inttypes.h>

#include "model/base/text.h"
#include "model/pool.h"
#include "model/price.h"
#include "views/text/report_parts.h"

#define MICRO 1000000

void report_add_json_name(struct buf *out, const char *name)
{
	char last = out->len > 0 ? out->data[out->len - 1] : '{';
	(void)buf_addf(out, "%s\"%s\":", last == '{' ? "" : ",", name);
}

/* NULL is unknown. */
void report_add_json_string(struct buf *out, const char *name, const char *value)
{
	report_add_json_name(out, name);
	if (value)
		text_add_json(out, value);
	else
		(void)buf_add_text(out, "null");
}

void report_add_json_integer(struct buf *out, const char *name, bool known, int64_t value)
{
	report_add_json_name(out, name);
	if (known)
		(void)buf_addf(out, "%" PRId64, value);
	else
		(void)buf_add_text(out, "null");
}

void report_add_json_time(struct buf *out, const char *name, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	if (time.set)
		time_format_iso(time.ms, text);
	report_add_json_string(out, name, time.set ? text : NULL);
}

static void add_seconds(struct buf *out, const char *name, struct opt_ms duration)
{
	report_add_json_integer(out, name, duration.set, duration.ms / 1000);
}

void report_add_amount(struct buf *out, int64_t micro)
{
	uint64_t size = micro < 0 ? -(uint64_t)micro : (uint64_t)micro;
	char digits[8];
	int width = 6;
	uint64_t fraction = size % MICRO;
	(void)buf_addf(out, "%s%" PRIu64, micro < 0 ? "-" : "", size / MICRO);
	if (fraction == 0)
		return;
	for (int i = 5; i >= 0; i--, fraction /= 10)
		digits[i] = (char)('0' + fraction % 10);
	while (digits[width - 1] == '0')
		width--;
	(void)buf_addf(out, ".%.*s", width, digits);
}

void report_add_json_money(struct buf *out, const char *name, struct money money)
{
	report_add_json_name(out, name);
	if (money.set)
		report_add_amount(out, money.micro);
	else
		(void)buf_add_text(out, "null");
}

static const char *text_or_null(const char *text)
{
	return text && text[0] ? text : NULL;
}

static void add_entry(struct buf *out, const struct report_context *context, const struct job *job,
		      size_t i)
{
	const struct preference *entry = &job_prefs(job)->entries[i];
	int64_t count = 0;
	bool has_count = prefs_count(job_prefs(job), i, &count);
	struct money rate = price_entry_per_hour(job_prefs(job), i, context->prices, job->kind);
	struct price price = price_find(context->prices, job->kind, entry->instance_type);
	(void)buf_addf(out, "%s{", i > 0 ? "," : "");
	report_add_json_integer(out, "rank", true, (int64_t)i + 1);
	report_add_json_string(out, "instance_type", text_or_null(entry->instance_type));
	report_add_json_integer(out, "instance_count", has_count, count);
	report_add_json_string(out, "training_plan_arn",
			       text_or_null(prefs_plan(job_prefs(job), i)));
	report_add_json_money(out, "per_hour", rate);
	report_add_json_string(out, "currency", price.currency);
	if (entry->group[0])
		report_add_json_string(out, "group", entry->group);
	(void)buf_add_char(out, '}');
}

static void add_preferences(struct buf *out, const struct report_context *context,
			    const struct job *job)
{
	report_add_json_name(out, "preferences");
	if (!job_has_details(job)) {
		(void)buf_add_text(out, "null");
		return;
	}
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		add_entry(out, context, job, i);
	(void)buf_add_char(out, ']');
}

void report_add_json_selected(struct buf *out, const struct selected *selected)
{
	report_add_json_name(out, "selected");
	if (!selected->set) {
		(void)buf_add_text(out, "null");
		return;
	}
	(void)buf_add_char(out, '{');
	report_add_json_integer(out, "rank", selected->rank > 0, (int64_t)selected->rank);
	report_add_json_string(out, "instance_type", text_or_null(selected->instance_type));
	report_add_json_integer(out, "instance_count", true, selected->count);
	(void)buf_add_char(out, '}');
}

/* Of the whole plan, paid before: in none of the figures beside it. */
static void add_fee(struct buf *out, const struct plan *plan)
{
	report_add_json_money(out, "plan_fee", plan ? plan->fee : (struct money){ 0 });
	report_add_json_string(out, "plan_currency", plan ? text_or_null(plan->currency) : NULL);
}

static void add_cost(struct buf *out, const struct report_context *context, const struct job *job)
{
	struct cost cost = report_cost(context, job);
	report_add_json_name(out, "cost");
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "currency", cost.currency);
	report_add_json_money(out, "per_hour", cost.per_hour);
	report_add_json_money(out, "so_far", cost.so_far);
	report_add_json_money(out, "likely", cost.likely);
	report_add_json_money(out, "worst_case", cost.worst_case);
	report_add_json_string(out, "price_source", price_source_word(cost.source));
	report_add_json_string(out, "price_date", text_or_null(cost.date));
	if (cost.plan)
		add_fee(out, context->plan);
	(void)buf_add_char(out, '}');
}

/* Of a job that asked for one; a status of null is one that the service does not tell. */
static void add_pool(struct buf *out, const struct report_context *context, const struct job *job)
{
	const struct warm_pool *pool = &job->pool;
	struct pool_hold hold = { 0 };
	bool stands = pool_stands(job, context->now_ms, &hold);
	struct cost cost = price_job_cost(job, context->prices, context->now_ms);
	report_add_json_name(out, "warm_pool");
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "status", pool->status);
	report_add_json_string(out, "reused_by", pool->reused_by);
	add_seconds(out, "retained_seconds", pool->retained);
	report_add_json_integer(out, "instances_kept", !stands || hold.instances > 0,
				stands ? hold.instances : 0);
	report_add_json_time(out, "kept_until", stands ? hold.until : (struct opt_ms){ 0 });
	report_add_json_money(out, "retained_cost", cost.retained);
	report_add_json_string(out, "currency", cost.currency);
	(void)buf_add_char(out, '}');
}

void report_job_json(struct buf *out, const struct report_context *context, const struct job *job)
{
	bool final;
	struct opt_ms wait = plain_wait(job, context->now_ms, &final);
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "name", job->name);
	report_add_json_string(out, "kind", job_kind_word(job->kind));
	report_add_json_string(out, "arn", job->arn);
	report_add_json_string(out, "region", context->region);
	report_add_json_string(out, "status", job->status);
	report_add_json_string(out, "secondary_status", job->secondary_status);
	report_add_json_string(out, "status_message", job->status_message);
	report_add_json_string(out, "phase", phase_word(job_phase(job)));
	report_add_json_time(out, "created_at", job->created);
	report_add_json_time(out, "started_at", job->started);
	report_add_json_time(out, "ended_at", job->ended);
	add_seconds(out, "wait_seconds", wait);
	report_add_json_name(out, "wait_is_final");
	(void)buf_add_text(out, !wait.set ? "null" : final ? "true" : "false");
	add_seconds(out, "max_pending_seconds", job->max_pending);
	report_add_json_time(out, "pending_deadline_at",
			     job_pending_deadline(job, context->now_ms));
	add_preferences(out, context, job);
	report_add_json_selected(out, &job->selected);
	add_cost(out, context, job);
	report_add_json_string(out, "failure_reason", job->failure_reason);
	if (pool_is_asked(job))
		add_pool(out, context, job);
	if (context->note)
		report_add_json_string(out, "note", context->note);
	(void)buf_add_char(out, '}');
}

static void add_finding(struct buf *out, const struct finding *finding)
{
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "severity", severity_word(finding->severity));
	report_add_json_string(out, "rule", finding->rule);
	report_add_json_string(out, "path", text_or_null(finding->path));
	report_add_json_integer(out, "line", finding->line > 0, (int64_t)finding->line);
	report_add_json_integer(out, "column", finding->line > 0, (int64_t)finding->column);
	report_add_json_string(out, "message", finding->message);
	report_add_json_string(out, "fix", text_or_null(finding->fix_text));
	(void)buf_add_char(out, '}');
}

void report_findings_json(struct buf *out, const enum job_kind *kind,
			  const struct findings *findings)
{
	(void)buf_add_char(out, '{');
	report_add_json_name(out, "findings");
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < findings->count; i++) {
		(void)buf_add_text(out, i > 0 ? "," : "");
		add_finding(out, &findings->items[i]);
	}
	(void)buf_add_char(out, ']');
	report_add_json_string(out, "kind", kind ? job_kind_word(*kind) : NULL);
	report_add_json_name(out, "ok");
	(void)buf_add_text(out, findings_have_error(findings) ? "false" : "true");
	if (findings->cut) {
		report_add_json_name(out, "more");
		(void)buf_add_text(out, "true");
	}
	(void)buf_add_char(out, '}');
}
