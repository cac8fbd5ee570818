/* Screen Job: all that is known of one, in sections: state, reason, times, timeline, list,
 * selection, wait, spot, cost, tags. */
#include "views/sections.h"

#include <string.h>

#include "model/base/text.h"
#include "model/pool.h"
#include "model/reason.h"
#include "model/stretches.h"
#include "views/plan_words.h"
#include "views/prospect.h"
#include "views/text/report.h"
#include "views/words.h"

#define ENTRY_COLUMNS 30
#define SECOND_MS     1000
#define MINUTE_MS     60000

/* The same word for what a Describe would tell as everywhere else. */
static const char *if_read(const struct job *job, const char *text)
{
	if (text && text[0])
		return text;
	return job_has_details(job) ? "–" : "? (not read yet)";
}

static void duration_pair(const struct writer *writer, const char *name, struct opt_ms duration)
{
	section_label(writer, name);
	if (duration.set)
		words_duration(writer->out, duration.ms);
	else
		buf_add_text(writer->out, if_read(writer->job, NULL));
	buf_add_char(writer->out, '\n');
}

/* What is billed by the second: "1h18m  (4736 s)". */
static void seconds_pair(const struct writer *writer, const char *name, struct opt_ms duration)
{
	if (!duration.set) {
		duration_pair(writer, name, duration);
		return;
	}
	section_label(writer, name);
	words_duration(writer->out, duration.ms);
	if (duration.ms >= MINUTE_MS)
		buf_addf(writer->out, "  (%lld s)", (long long)duration.ms / SECOND_MS);
	buf_add_char(writer->out, '\n');
}

/* 2026-11-30 20:48:08 (3h12m ago) */
static void time_pair(const struct writer *writer, const char *name, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	section_label(writer, name);
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

/* Of the job as a whole; its entries have theirs. */
static void write_capacity(const struct writer *writer)
{
	section_label(writer, "capacity");
	words_job_capacity(writer->out, writer->ui->env->store, writer->job);
	buf_add_char(writer->out, '\n');
}

static void write_job(const struct writer *writer)
{
	const struct job *job = writer->job;
	section_begin(writer, "JOB");
	section_pair(writer, "name", job->name);
	section_pair(writer, "kind", job_kind_word(job->kind));
	section_pair(writer, "phase", words_phase(job));
	section_pair(writer, "status", job->status);
	if (job->kind == JOB_TRAINING)
		section_pair(writer, "secondary status", job->secondary_status);
	write_capacity(writer);
}

/* Long texts that nobody needs first. */
static void write_identity(const struct writer *writer)
{
	const struct job *job = writer->job;
	section_begin(writer, "IDENTITY");
	section_pair(writer, "ARN", job->arn);
	section_pair(writer, "role", if_read(job, job->role_arn));
	section_pair(writer, "image", if_read(job, job->image));
}

/* Texts whole, each of their lines indented. */
static void write_whole(const struct writer *writer, const char *title, const char *text)
{
	if (!text || !text[0])
		return;
	section_begin(writer, title);
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
	section_begin(writer, writer->ui->env->utc ? "TIMES (UTC)" : "TIMES (local)");
	time_pair(writer, "created", job->created);
	time_pair(writer, "started", job->started);
	time_pair(writer, "ended", job->ended);
	time_pair(writer, "last modified", job->modified);
	if (job->kind == JOB_TRAINING) {
		duration_pair(writer, "pending limit", job->max_pending);
		seconds_pair(writer, "billable time", job->billable);
		seconds_pair(writer, "training time", job->training_time);
	}
	duration_pair(writer, "run limit", job->max_runtime);
	if (pool_is_asked(job)) {
		section_label(writer, "warm pool");
		words_pool(writer->out, job, writer->now_ms, writer->ui->env->utc);
		buf_add_char(writer->out, '\n');
	}
}

static void write_entry(const struct writer *writer, size_t i)
{
	const struct preferences *prefs = job_prefs(writer->job);
	const struct preference *entry = &prefs->entries[i];
	struct money money =
		price_entry_per_hour(prefs, i, &writer->ui->env->store->prices, writer->job->kind);
	struct price price = price_find(&writer->ui->env->store->prices, writer->job->kind,
					entry->instance_type);
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
		words_money(writer->out, money.micro, price.currency,
			    price_is_approximate(price.source));
		buf_add_text(writer->out, "/h");
	} else {
		buf_add_text(writer->out, "no price");
	}
	buf_add_text(writer->out, entry->group[0] ? "  group " : "  ");
	buf_addf(writer->out, "%s%s", entry->group, entry->group[0] ? ", " : "");
	words_capacity(writer->out, writer->ui->env->store, prefs, i, writer->job->spot);
	buf_add_char(writer->out, '\n');
	if (entry->plan_arn[0])
		buf_addf(writer->out, "     %s\n", entry->plan_arn);
}

static void write_list(const struct writer *writer)
{
	const struct preferences *prefs = job_prefs(writer->job);
	section_begin(writer, writer->job->has_groups ? "INSTANCE GROUPS"
			      : prefs->is_list        ? "INSTANCE PREFERENCES"
						      : "INSTANCES (no preference list)");
	if (!job_has_details(writer->job))
		buf_add_text(writer->out, "  ? (not read yet)\n");
	for (size_t i = 0; i < prefs->length; i++)
		write_entry(writer, i);
	if (prefs_has_unplaced_plan(prefs))
		buf_addf(writer->out, "  plan of the job, for the entry of its type\n     %s\n",
			 prefs->job_plan_arn);
}

static const char *none_selected(const struct job *job)
{
	if (!job_has_details(job))
		return "? (not read yet)";
	if (job->has_groups)
		return "– (groups: all of them)";
	if (job_phase(job) == PHASE_PENDING)
		return "– (pending)";
	return job_never_started(job) ? "– (never started)" : "–";
}

static void write_selected(const struct writer *writer)
{
	const struct selected *selected = &writer->job->selected;
	section_begin(writer, "SELECTED");
	if (!selected->set) {
		buf_addf(writer->out, "  %s\n", none_selected(writer->job));
		return;
	}
	buf_addf(writer->out, "  %s ×%lld  ", selected->instance_type, (long long)selected->count);
	words_hardware(writer->out, selected->instance_type, selected->count);
	if (selected->rank == 0)
		buf_add_text(writer->out, "  not a type of the list");
	else if (job_prefs(writer->job)->is_list)
		buf_addf(writer->out, "  rank %zu of %zu%s", selected->rank,
			 job_prefs(writer->job)->length, selected->rank > 1 ? ", a fallback" : "");
	buf_add_char(writer->out, '\n');
}

/* What spot saved against the same time on demand, as AWS works it out: 1 - billed / trained. */
static void write_spot(const struct writer *writer)
{
	const struct job *job = writer->job;
	if (!job->spot)
		return;
	section_begin(writer, "SPOT");
	section_label(writer, "interruptions");
	buf_addf(writer->out, "%zu\n", stretches_interruptions(job));
	section_label(writer, "billed");
	if (words_has_spot(job))
		words_spot(writer->out, job);
	else
		buf_add_text(writer->out, job_is_live(job) ? "told at the end" : "not told");
	buf_add_char(writer->out, '\n');
}

static void money_pair(const struct writer *writer, const char *name, struct money money,
		       const struct cost *cost)
{
	section_label(writer, name);
	if (money.set)
		words_money(writer->out, money.micro, cost->currency,
			    price_is_approximate(cost->source));
	else
		buf_add_text(writer->out, "unknown");
	buf_add_char(writer->out, '\n');
}

static struct money likely_cost(const struct writer *writer)
{
	const struct likely_past *past = prospect_past(writer->ui);
	if (!past)
		return (struct money){ 0 };
	return price_job_likely(writer->job, past->prices, likely_run(past, writer->job),
				writer->now_ms);
}

static void write_cost(const struct writer *writer)
{
	struct cost cost =
		price_job_cost(writer->job, &writer->ui->env->store->prices, writer->now_ms);
	const char *source = price_source_word(cost.source);
	section_begin(writer, "COST");
	money_pair(writer, "so far", cost.so_far, &cost);
	section_label(writer, "per hour");
	words_per_hour(writer->out, writer->job, &cost);
	buf_add_char(writer->out, '\n');
	if (!job_has_ended(writer->job)) /* what it has cost is known */
		money_pair(writer, "likely", likely_cost(writer), &cost);
	money_pair(writer, "worst case", cost.worst_case, &cost);
	if (cost.retained.set)
		money_pair(writer, "warm pool", cost.retained, &cost);
	section_label(writer, "price from");
	buf_addf(writer->out, "%s %s%s\n", source ? source : "no price known",
		 cost.date ? cost.date : "",
		 source && writer->job->spot ? ", on demand: spot is less" : "");
	section_label(writer, "storage");
	buf_add_text(writer->out, "billed apart, not counted here\n");
}

static const char *note_of(const struct ui *ui, const struct job *job)
{
	return history_note(&ui->env->store->history, job->kind, job->name);
}

static void write_all(const struct writer *writer)
{
	write_job(writer);
	write_whole(writer, "NOTE: WHY THIS ORDER", note_of(writer->ui, writer->job));
	write_whole(writer, "REASON (AWS)", writer->job->failure_reason);
	write_remark(writer);
	write_whole(writer, "MESSAGE (AWS)", writer->job->status_message);
	write_times(writer);
	section_timeline(writer);
	section_wait(writer);
	write_list(writer);
	write_selected(writer);
	write_spot(writer);
	write_cost(writer);
	write_identity(writer);
	section_tags(writer);
}

static void description_open(void *state, struct ui *ui, const void *argument)
{
	const char *arn = argument ? argument : ui->selected_arn;
	const struct job *job = store_find(ui->env->store, arn);
	page_start(state, ui, job ? job->name : "", PAGE_ABOUT_JOB);
	page_set_job(state, arn);
}

static void description_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	(void)focused;
	sections_draw(state, out, at, write_all);
}

/* The page stays: what opens above it goes back to it. */
static void open_raw(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &raw_pane, page->arn);
}

static void open_timeline(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &timeline_pane, page->arn);
}

static void open_logs(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &logs_pane, page->arn);
}

static const struct key_binding bindings[] = {
	{ .keys = "y",
	  .action = "job-page-raw",
	  .help = "the job as JSON, secrets masked",
	  .brief = "JSON",
	  .flags = KEY_FOOTER,
	  .run = open_raw },
	{ .keys = "t",
	  .action = "job-page-timeline",
	  .help = "its transitions and waits alone",
	  .brief = "timeline",
	  .flags = KEY_FOOTER,
	  .run = open_timeline },
	{ .keys = "L",
	  .action = "job-page-logs",
	  .help = "what its hosts have written",
	  .brief = "logs",
	  .flags = KEY_FOOTER,
	  .run = open_logs },
	{ 0 },
};

const struct key_scope job_scope = { .name = "Job", .bindings = bindings, .parent = &pager_scope };

static void description_wants(const void *state, struct wants *wants)
{
	wants->tags = ((const struct page *)state)->arn;
}

/* The page as a text, else what `gpuq show` tells. */
static void description_write(const void *state, const struct report_context *context,
			      struct buf *out)
{
	const struct page *page = state;
	const struct job *job = page_job(page);
	struct report_context whole = *context;
	if (context->format == REPORT_TABLE) {
		sections_add(page, out, write_all);
	} else if (job) {
		whole.plan = store_plan_of(page->ui->env->store, job);
		whole.note = note_of(page->ui, job);
		report_job(out, &whole, job);
	}
}

const struct pane_ops description_pane = {
	.name = "description",
	.title = "Description",
	.scope = &job_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = description_open,
	.close = page_close,
	.draw = description_draw,
	.wants = description_wants,
	.writes = "md json jsonl csv txt",
	.write = description_write,
};
