/* All that is known of one job, in sections: state, times, list, selection, wait, cost, reason. */
#include "views/page.h"

#include <string.h>

#include "model/base/text.h"
#include "model/pool.h"
#include "model/reason.h"
#include "views/words.h"

#define LABEL_COLUMNS  18
#define STATUS_COLUMNS 26
#define ENTRY_COLUMNS  30

struct writer {
	const struct ui *ui;
	const struct job *job;
	struct buf *out;
	int64_t now_ms;
};

static void section(const struct writer *writer, const char *title)
{
	buf_addf(writer->out, "%s%s\n", writer->out->len > 0 ? "\n" : "", title);
}

static void label(const struct writer *writer, const char *text)
{
	buf_addf(writer->out, "  %-*s", LABEL_COLUMNS, text);
}

static void pair(const struct writer *writer, const char *name, const char *text)
{
	label(writer, name);
	words_first_line(writer->out, text && text[0] ? text : "–");
	buf_add_char(writer->out, '\n');
}

/* The same word for what a Describe would tell as everywhere else. */
static const char *if_read(const struct job *job, const char *text)
{
	if (text && text[0])
		return text;
	return job_has_details(job) ? "–" : "? (not read yet)";
}

static void duration_pair(const struct writer *writer, const char *name, struct opt_ms duration)
{
	label(writer, name);
	if (duration.set)
		words_duration(writer->out, duration.ms);
	else
		buf_add_text(writer->out, if_read(writer->job, NULL));
	buf_add_char(writer->out, '\n');
}

/* 2026-11-30 20:48:08 (3h12m ago) */
static void time_pair(const struct writer *writer, const char *name, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	label(writer, name);
	if (time.set) {
		time_format_full(time.ms, writer->ui->env->utc, text);
		buf_addf(writer->out, "%s  (", text);
		words_duration(writer->out, words_span_ms(time.ms, writer->now_ms));
		buf_add_text(writer->out, " ago)");
	} else {
		buf_add_text(writer->out, "–");
	}
	buf_add_char(writer->out, '\n');
}

static void write_job(const struct writer *writer)
{
	const struct job *job = writer->job;
	section(writer, "JOB");
	pair(writer, "name", job->name);
	pair(writer, "ARN", job->arn);
	pair(writer, "kind", job_kind_word(job->kind));
	pair(writer, "phase", words_phase(job));
	pair(writer, "status", job->status);
	if (job->kind == JOB_TRAINING)
		pair(writer, "secondary status", job->secondary_status);
	pair(writer, "role", if_read(job, job->role_arn));
	pair(writer, "image", if_read(job, job->image));
	pair(writer, "managed spot", job_has_details(job) ? job->spot ? "yes" : "no" : "?");
	pair(writer, "tags", "not known: Describe returns none");
}

/* AWS's texts whole, each of their lines indented. */
static void write_whole(const struct writer *writer, const char *title, const char *text)
{
	if (!text || !text[0])
		return;
	section(writer, title);
	while (*text) {
		size_t len = strcspn(text, "\n");
		buf_addf(writer->out, "  %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

/* What is no word of AWS says whose it is. */
static void write_remark(const struct writer *writer)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	reason_add_remark(&text, writer->job);
	write_whole(writer, "REMARK (gpuq)", buf_text(&text));
	buf_release(&text);
}

static void write_times(const struct writer *writer)
{
	const struct job *job = writer->job;
	section(writer, writer->ui->env->utc ? "TIMES (UTC)" : "TIMES (local)");
	time_pair(writer, "created", job->created);
	time_pair(writer, "started", job->started);
	time_pair(writer, "ended", job->ended);
	time_pair(writer, "last modified", job->modified);
	if (job->kind == JOB_TRAINING) {
		duration_pair(writer, "pending limit", job->max_pending);
		duration_pair(writer, "billable time", job->billable);
		duration_pair(writer, "training time", job->training_time);
	}
	duration_pair(writer, "run limit", job->max_runtime);
	if (pool_is_asked(job)) {
		label(writer, "warm pool");
		pool_add_words(writer->out, job);
		buf_add_char(writer->out, '\n');
	}
}

/* One that is over to the nearest second. */
static void add_span(struct buf *out, const struct transition *transition, int64_t end_ms)
{
	int64_t span_ms = words_span_ms(transition->start.ms, end_ms);
	words_duration(out, transition->end.set ? duration_round_ms(span_ms) : span_ms);
}

static void write_transition(const struct writer *writer, size_t i)
{
	const struct job *job = writer->job;
	const struct transition *transition = &job->transitions[i];
	struct opt_ms end = job_transition_end(job, i, writer->now_ms);
	char time[TIME_TEXT_SIZE] = "?";
	struct buf took;
	if (transition->start.set)
		time_format_full(transition->start.ms, writer->ui->env->utc, time);
	buf_init(&took, WORDS_MAX);
	if (transition->start.set && end.set)
		add_span(&took, transition, end.ms);
	if (!transition->end.set && job_is_live(job) && i + 1 == job->transition_count)
		buf_add_text(&took, " so far");
	buf_addf(writer->out, "  %-19s  %-*s  %s\n", time, STATUS_COLUMNS, transition->status,
		 buf_text(&took));
	if (transition->message && transition->message[0]) {
		buf_add_text(writer->out, "    ");
		words_first_line(writer->out, transition->message);
		buf_add_char(writer->out, '\n');
	}
	buf_release(&took);
}

static void write_timeline(const struct writer *writer)
{
	const struct job *job = writer->job;
	section(writer, "TIMELINE");
	if (job->kind == JOB_PROCESSING)
		buf_add_text(writer->out, "  processing jobs publish no transitions\n");
	else if (job->transition_count == 0)
		buf_addf(writer->out, "  %s\n", job->described ? "none" : "? (not read yet)");
	for (size_t i = 0; i < job->transition_count; i++)
		write_transition(writer, i);
}

static void write_entry(const struct writer *writer, size_t i)
{
	const struct preferences *prefs = &writer->job->prefs;
	const struct preference *entry = &prefs->entries[i];
	struct money money =
		price_entry_per_hour(prefs, i, writer->ui->env->region, writer->job->kind);
	struct price price =
		price_find(writer->ui->env->region, writer->job->kind, entry->instance_type);
	int64_t count = 1;
	size_t start = writer->out->len;
	(void)prefs_count(prefs, i, &count);
	buf_addf(writer->out, "  #%zu ", i + 1);
	words_entry(writer->out, prefs, i);
	while (text_width(buf_text(writer->out) + start) < ENTRY_COLUMNS)
		buf_add_char(writer->out, ' ');
	buf_add_text(writer->out, "  ");
	words_hardware(writer->out, entry->instance_type, count);
	buf_add_text(writer->out, "  ");
	if (money.set) {
		words_money(writer->out, money.micro, price.currency, true);
		buf_add_text(writer->out, "/h");
	} else {
		buf_add_text(writer->out, "no price");
	}
	if (entry->group[0])
		buf_addf(writer->out, "  group %s", entry->group);
	if (prefs_plan(prefs, i)[0])
		buf_addf(writer->out, "  plan %s", prefs_plan(prefs, i));
	buf_add_char(writer->out, '\n');
}

static void write_list(const struct writer *writer)
{
	const struct preferences *prefs = &writer->job->prefs;
	section(writer, writer->job->has_groups ? "INSTANCE GROUPS"
			: prefs->is_list        ? "INSTANCE PREFERENCES"
						: "INSTANCES (no preference list)");
	if (!job_has_details(writer->job))
		buf_add_text(writer->out, "  ? (not read yet)\n");
	for (size_t i = 0; i < prefs->length; i++)
		write_entry(writer, i);
	if (prefs_has_unplaced_plan(prefs))
		buf_addf(writer->out, "  job-level plan %s serves the entry of its type\n",
			 prefs->job_plan_arn);
}

static void write_selected(const struct writer *writer)
{
	const struct selected *selected = &writer->job->selected;
	section(writer, "SELECTED");
	if (!selected->set) {
		buf_addf(writer->out, "  %s\n", if_read(writer->job, NULL));
		return;
	}
	buf_addf(writer->out, "  %s ×%lld  ", selected->instance_type, (long long)selected->count);
	words_hardware(writer->out, selected->instance_type, selected->count);
	if (selected->rank == 0)
		buf_add_text(writer->out, "  not a type of the list");
	else if (writer->job->prefs.is_list)
		buf_addf(writer->out, "  rank %zu of %zu%s", selected->rank,
			 writer->job->prefs.length, selected->rank > 1 ? ", a fallback" : "");
	buf_add_char(writer->out, '\n');
}

static void write_wait(const struct writer *writer)
{
	struct opt_ms deadline = job_pending_deadline(writer->job, writer->now_ms);
	section(writer, "WAIT");
	label(writer, "pending in all");
	words_wait(writer->out, writer->job, writer->now_ms);
	if (job_never_started(writer->job))
		buf_add_text(writer->out, ", never started");
	buf_add_char(writer->out, '\n');
	if (deadline.set) {
		label(writer, "limit reached");
		words_time(writer->out, deadline.ms, writer->now_ms, writer->ui->env->utc);
		buf_add_char(writer->out, '\n');
	}
}

static void money_pair(const struct writer *writer, const char *name, struct money money,
		       const struct cost *cost)
{
	label(writer, name);
	if (money.set)
		words_money(writer->out, money.micro, cost->currency, true);
	else
		buf_add_text(writer->out, "unknown");
	buf_add_char(writer->out, '\n');
}

static void write_cost(const struct writer *writer)
{
	struct cost cost = price_job_cost(writer->job, writer->ui->env->region, writer->now_ms);
	const char *source = price_source_word(cost.source);
	section(writer, "COST");
	if (cost.plan)
		buf_add_text(writer->out, "  prepaid by the training plan: nothing more\n");
	money_pair(writer, "so far", cost.so_far, &cost);
	money_pair(writer, "per hour", cost.per_hour, &cost);
	money_pair(writer, "likely", cost.likely, &cost);
	money_pair(writer, "worst case", cost.worst_case, &cost);
	if (writer->job->pool.retained.set)
		money_pair(writer, "warm pool", cost.retained, &cost);
	label(writer, "price from");
	buf_addf(writer->out, "%s %s\n", source ? source : "no price known",
		 cost.date ? cost.date : "");
}

static void describe(const struct page *page, const struct job *job, struct buf *out)
{
	const struct writer writer = { page->ui, job, out, ui_now_ms(page->ui) };
	write_job(&writer);
	write_whole(&writer, "REASON (AWS)", job->failure_reason);
	write_remark(&writer);
	write_whole(&writer, "MESSAGE (AWS)", job->status_message);
	write_times(&writer);
	write_timeline(&writer);
	write_list(&writer);
	write_selected(&writer);
	write_wait(&writer);
	write_cost(&writer);
}

static void description_open(void *state, struct ui *ui, const void *argument)
{
	const struct job *job = ui_selected(ui);
	(void)argument;
	page_start(state, ui, job ? job->name : "", PAGE_ABOUT_JOB);
}

/* Made for each frame: its waits tick. */
static void description_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct page *page = state;
	const struct job *job = page_job(page);
	struct buf text;
	(void)focused;
	buf_init(&text, PAGE_TEXT_MAX);
	if (job)
		describe(page, job, &text);
	else
		buf_add_text(&text, "This job is not listed any more.");
	page_paint(page, out, at, buf_text(&text));
	buf_release(&text);
}

const struct pane_ops description_pane = {
	.name = "description",
	.title = "Description",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = description_open,
	.close = page_close,
	.draw = description_draw,
};
