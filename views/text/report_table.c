/* One job in words: what it is, its times, its list, its wait and its cost. */
#include <inttypes.h>
#include <string.h>

#include "model/odd_times.h"
#include "model/base/text.h"
#include "model/pool.h"
#include "model/reason.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

struct sheet {
	struct buf *out;
	const struct report_context *context;
	const struct job *job;
	struct cost cost;
};

/* "name          value"; text from outside is made harmless, on one line. */
static void write_fact(const struct sheet *sheet, const char *name, const char *value)
{
	(void)buf_addf(sheet->out, "%-14s", name);
	text_sanitise(sheet->out, value, strlen(value), TEXT_CELL, sheet->context->ascii);
	(void)buf_add_char(sheet->out, '\n');
}

static void write_title(const struct sheet *sheet, const char *title)
{
	(void)buf_addf(sheet->out, "\n%s\n", title);
}

static void write_status(const struct sheet *sheet)
{
	const struct job *job = sheet->job;
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	(void)buf_add_text(&text, job->status ? job->status : "unknown");
	if (job->secondary_status)
		(void)buf_addf(&text, ", %s", job->secondary_status);
	write_fact(sheet, "name", job->name);
	write_fact(sheet, "kind", job_kind_word(job->kind));
	write_fact(sheet, "arn", job->arn ? job->arn : "unknown");
	write_fact(sheet, "region", sheet->context->region);
	write_fact(sheet, "phase", phase_word(job_phase(job)));
	write_fact(sheet, "status", buf_text(&text));
	if (job->status_message)
		write_fact(sheet, "message", job->status_message);
	buf_release(&text);
}

static void write_time(const struct sheet *sheet, const char *name, struct opt_ms time)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_time(&text, time, sheet->context->utc);
	write_fact(sheet, name, buf_text(&text));
	buf_release(&text);
}

static void write_wait(const struct sheet *sheet)
{
	const struct job *job = sheet->job;
	bool final;
	struct opt_ms wait = plain_wait(job, sheet->context->now_ms, &final);
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_duration(&text, wait);
	if (wait.set)
		(void)buf_add_text(&text, final ? " (final)" : " so far");
	if (job_never_started(job))
		(void)buf_add_text(&text, ", never started");
	write_fact(sheet, "wait", buf_text(&text));
	buf_release(&text);
}

static void write_limits(const struct sheet *sheet)
{
	const struct job *job = sheet->job;
	struct opt_ms deadline = job_pending_deadline(job, sheet->context->now_ms);
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (job->max_pending.set)
		plain_duration(&text, job->max_pending);
	else
		(void)buf_add_text(&text, job_has_details(job) ? "none" : "unknown");
	if (deadline.set) {
		(void)buf_add_text(&text, ", until ");
		plain_time(&text, deadline, sheet->context->utc);
	}
	write_fact(sheet, "pending limit", buf_text(&text));
	buf_clear(&text);
	plain_duration(&text, job->max_runtime);
	write_fact(sheet, "run limit", buf_text(&text));
	buf_release(&text);
}

static void write_selected(const struct sheet *sheet)
{
	const struct selected *selected = &sheet->job->selected;
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (selected->set)
		plain_instances(&text, selected->instance_type, true, selected->count);
	else if (sheet->job->has_groups)
		(void)buf_add_text(&text, "instance groups");
	else if (job_phase(sheet->job) == PHASE_PENDING)
		(void)buf_add_text(&text, "none yet");
	else
		(void)buf_add_text(&text, job_never_started(sheet->job) ? "none" : "unknown");
	if (selected->set && selected->rank > 0)
		(void)buf_addf(&text, ", rank %zu%s", selected->rank,
			       selected->rank > 1 ? " (fallback)" : "");
	write_fact(sheet, "selected", buf_text(&text));
	buf_release(&text);
}

static void write_pool(const struct sheet *sheet)
{
	struct pool_hold hold;
	struct buf text;
	if (!pool_is_asked(sheet->job))
		return;
	buf_init(&text, PLAIN_MAX);
	pool_add_words(&text, sheet->job);
	if (pool_stands(sheet->job, sheet->context->now_ms, &hold) && hold.instances > 0) {
		(void)buf_addf(&text, ", %" PRId64 " instance%s kept", hold.instances,
			       hold.instances == 1 ? "" : "s");
		if (hold.until.set) {
			(void)buf_add_text(&text, " until ");
			plain_time(&text, hold.until, sheet->context->utc);
			(void)buf_add_text(&text, " at most");
		}
	}
	write_fact(sheet, "warm pool", buf_text(&text));
	buf_release(&text);
}

static void add_plan(struct columns *columns, const struct preferences *prefs, size_t i, bool spot)
{
	const char *plan = prefs_plan(prefs, i);
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	if (plan[0])
		(void)buf_addf(&text, "plan %s", plain_plan(plan));
	else
		(void)buf_add_text(&text, prefs_has_unplaced_plan(prefs) ? "-"
					  : spot                         ? "spot"
									 : "on demand");
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void add_entry(const struct sheet *sheet, struct columns *columns, size_t i)
{
	const struct preferences *prefs = job_prefs(sheet->job);
	const struct preference *entry = &prefs->entries[i];
	const struct price_book *prices = sheet->context->prices;
	struct money rate = price_entry_per_hour(prefs, i, prices, sheet->job->kind);
	struct price price = price_find(prices, sheet->job->kind, entry->instance_type);
	int64_t count = 0;
	bool has_count = prefs_count(prefs, i, &count);
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	(void)buf_addf(&text, "#%zu", i + 1);
	columns_add(columns, entry->group[0] ? entry->group : buf_text(&text));
	buf_clear(&text);
	plain_instances(&text, entry->instance_type, has_count, count);
	columns_add(columns, buf_text(&text));
	add_plan(columns, prefs, i, sheet->job->spot);
	buf_clear(&text);
	plain_money(&text, rate, price.currency, price_is_approximate(price.source));
	(void)buf_add_text(&text, "/h");
	columns_add(columns, rate.set ? buf_text(&text) : "no price");
	buf_release(&text);
}

static void write_preferences(const struct sheet *sheet)
{
	const struct preferences *prefs = job_prefs(sheet->job);
	struct columns columns = { .width = 4, .indent = "  ", .ascii = sheet->context->ascii };
	write_title(sheet, sheet->job->has_groups ? "instance groups"
			   : prefs->is_list       ? "preferences"
						  : "instances");
	if (!job_has_details(sheet->job)) {
		(void)buf_add_text(sheet->out, "  unknown\n");
		return;
	}
	for (size_t i = 0; i < prefs->length; i++)
		add_entry(sheet, &columns, i);
	columns_write(&columns, sheet->out);
	columns_release(&columns);
	if (!prefs_has_unplaced_plan(prefs))
		return;
	const char *plan = plain_plan(prefs->job_plan_arn);
	(void)buf_add_text(sheet->out, "  plan of the job, for the entry of its type: ");
	text_sanitise(sheet->out, plan, strlen(plan), TEXT_CELL, sheet->context->ascii);
	(void)buf_add_char(sheet->out, '\n');
}

static struct opt_ms transition_length(const struct sheet *sheet, size_t i)
{
	struct opt_ms start = job_transition(sheet->job, i).start;
	struct opt_ms end = job_transition_end(sheet->job, i, sheet->context->now_ms);
	struct opt_ms length = { .set = start.set && end.set };
	if (length.set && end.ms > start.ms && __builtin_sub_overflow(end.ms, start.ms, &length.ms))
		length.set = false;
	if (job_transition(sheet->job, i).end.set)
		length.ms = duration_round_ms(length.ms);
	return length;
}

static void write_odd_times(const struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	odd_times_add(&text, sheet->job, sheet->context->now_ms);
	for (const char *line = buf_text(&text); *line;) {
		size_t len = strcspn(line, "\n");
		(void)buf_add_text(sheet->out, "  odd: ");
		text_sanitise(sheet->out, line, len, TEXT_CELL, sheet->context->ascii);
		(void)buf_add_char(sheet->out, '\n');
		line += len + (line[len] == '\n');
	}
	buf_release(&text);
}

static void write_timeline(const struct sheet *sheet)
{
	struct columns columns = { .width = 4, .indent = "  ", .ascii = sheet->context->ascii };
	struct buf text;
	if (sheet->job->transition_count == 0)
		return;
	buf_init(&text, PLAIN_MAX);
	write_title(sheet, "timeline");
	for (size_t i = 0; i < sheet->job->transition_count; i++) {
		const struct transition transition = job_transition(sheet->job, i);
		buf_clear(&text);
		plain_time(&text, transition.start, sheet->context->utc);
		columns_add(&columns, buf_text(&text));
		columns_add(&columns, transition.status);
		buf_clear(&text);
		plain_duration(&text, transition_length(sheet, i));
		columns_add(&columns, buf_text(&text));
		columns_add(&columns, transition.message ? transition.message : "");
	}
	columns_write(&columns, sheet->out);
	write_odd_times(sheet);
	columns_release(&columns);
	buf_release(&text);
}

static void write_amount(const struct sheet *sheet, const char *name, struct money money,
			 const char *per)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	plain_money(&text, money, sheet->cost.currency, price_is_approximate(sheet->cost.source));
	(void)buf_addf(&text, "%s", money.set ? per : "");
	(void)buf_addf(sheet->out, "  %-12s%s\n", name, buf_text(&text));
	buf_release(&text);
}

/* Where the figures are from, with the date beside them. */
static void write_source(const struct sheet *sheet)
{
	const char *word = price_source_word(sheet->cost.source);
	const char *date = sheet->cost.date;
	if (!word)
		(void)buf_addf(sheet->out, "  %-12sno price known\n", "prices");
	else
		(void)buf_addf(sheet->out, "  %-12s%s%s%s%s\n", "prices",
			       price_is_approximate(sheet->cost.source) ? "~ " : "", word,
			       date && date[0] ? " of " : "", date ? date : "");
	(void)buf_addf(sheet->out, "  %-12sbilled apart, not counted here\n", "storage");
}

/* What was paid before, for all that the plan serves, is no cost of the job. */
static void write_plan(const struct sheet *sheet)
{
	const struct plan *plan = sheet->context->plan;
	(void)buf_addf(sheet->out, "  %-12sprepaid: no more by the hour\n", "plan");
	(void)buf_addf(sheet->out, "  %-12s", "plan fee");
	plain_money(sheet->out, plan ? plan->fee : (struct money){ 0 },
		    plan ? plan->currency : NULL, false);
	(void)buf_add_text(sheet->out, " for the whole plan, paid apart\n");
}

static void write_cost(const struct sheet *sheet)
{
	write_title(sheet, "cost");
	if (job_phase(sheet->job) == PHASE_PENDING && !sheet->cost.per_hour.set)
		(void)buf_addf(sheet->out, "  %-12snone while pending\n", "now");
	else
		write_amount(sheet, "now", sheet->cost.per_hour, "/h");
	write_amount(sheet, "so far", sheet->cost.so_far, "");
	write_amount(sheet, "likely", sheet->cost.likely, "");
	write_amount(sheet, "worst case", sheet->cost.worst_case, "");
	if (sheet->cost.retained.set)
		write_amount(sheet, "warm pool", sheet->cost.retained, ", beside the training");
	write_source(sheet);
	if (sheet->cost.plan)
		write_plan(sheet);
}

/* Whole, with its lines, each indented. */
static void write_reason(const struct sheet *sheet)
{
	const char *reason = sheet->job->failure_reason;
	if (!reason)
		return;
	write_title(sheet, "failure reason");
	while (*reason) {
		size_t len = strcspn(reason, "\n");
		(void)buf_add_text(sheet->out, "  ");
		text_sanitise(sheet->out, reason, len, TEXT_FILE, sheet->context->ascii);
		(void)buf_add_char(sheet->out, '\n');
		reason += len + (reason[len] ? 1 : 0);
	}
}

/* What is no word of AWS says whose it is. */
static void write_remark(const struct sheet *sheet)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	reason_add_remark(&text, sheet->job);
	if (text.len > 0)
		write_fact(sheet, "gpuq's remark", buf_text(&text));
	buf_release(&text);
}

void report_job_table(struct buf *out, const struct report_context *context, const struct job *job)
{
	const struct sheet sheet = {
		.out = out,
		.context = context,
		.job = job,
		.cost = report_cost(context, job),
	};
	write_status(&sheet);
	write_time(&sheet, "created", job->created);
	write_time(&sheet, "started", job->started);
	write_time(&sheet, "ended", job->ended);
	write_wait(&sheet);
	write_limits(&sheet);
	write_selected(&sheet);
	write_pool(&sheet);
	write_preferences(&sheet);
	if (context->note)
		write_fact(&sheet, "  note", context->note);
	write_timeline(&sheet);
	write_cost(&sheet);
	write_reason(&sheet);
	write_remark(&sheet);
}
