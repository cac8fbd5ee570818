/* Screen Explain: why the job is pending, was refused or ended so, the keys for what to do, what
 * speaks for it, and what became of each entry. */
#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "model/explain.h"
#include "views/drafting.h"
#include "views/local.h"
#include "views/plan_words.h"
#include "views/prospect.h"
#include "views/sections.h"
#include "views/stop.h"
#include "views/text/report.h"
#include "views/words.h"

#define KEYS_COLUMNS  8
#define LEAST_COLUMNS 76 /* where the page's are not known yet */

/* --- what is written --- */

static void add_time(const struct writer *writer, const char *before, struct opt_ms time)
{
	if (!time.set)
		return;
	buf_add_text(writer->out, before);
	words_time(writer->out, time.ms, writer->now_ms, writer->ui->env->utc);
}

/* "  SecondaryStatus: Pending  (DescribeTrainingJob, since 12:17)", in two lines where one is too
 * short; AWS's own words are marked as no more than a hint. */
static void write_fact(const struct writer *writer, const struct explain_fact *fact)
{
	int columns = writer->columns > 0 ? writer->columns : LEAST_COLUMNS;
	struct buf line, source;
	buf_init(&line, WORDS_MAX);
	buf_init(&source, WORDS_MAX);
	buf_addf(&line, "  %s: ", fact->fact);
	words_first_line(&line, fact->value ? fact->value : "none");
	buf_addf(&source, "(%s", fact->source);
	if (fact->at.set) {
		buf_add_text(&source, ", since ");
		words_time(&source, fact->at.ms, writer->now_ms, writer->ui->env->utc);
	}
	buf_add_char(&source, ')');
	bool fits = text_width(buf_text(&line)) + 2 + text_width(buf_text(&source)) <= columns;
	buf_addf(writer->out, "%s%s%s\n", buf_text(&line), fits ? "  " : "\n    ",
		 buf_text(&source));
	if (fact->is_hint)
		buf_add_text(writer->out, "    a hint: nothing rests on it\n");
	else if (fact->against)
		buf_addf(writer->out, "    against it: %s\n", fact->against);
	buf_release(&source);
	buf_release(&line);
}

static const char *mark_of(const struct writer *writer, enum explain_verdict verdict)
{
	static const enum glyph marks[] = {
		[EXPLAIN_ENTRY_UNKNOWN] = GLYPH_DOT,
		[EXPLAIN_ENTRY_TAKEN] = GLYPH_CHECK,
		[EXPLAIN_ENTRY_REFUSED] = GLYPH_CROSS,
		[EXPLAIN_ENTRY_NOT_TRIED] = GLYPH_DOT,
	};
	return writer->surface ? draw_glyph(writer->surface, marks[verdict]) : " ";
}

static void write_figures(const struct writer *writer, const struct explain_entry *entry)
{
	struct buf *out = writer->out;
	if (entry->per_hour.set) {
		words_money(out, entry->per_hour.micro, entry->currency, entry->price_is_estimate);
		buf_add_text(out, "/h");
	} else {
		buf_add_text(out, "no price");
	}
	buf_addf(out, ", %s quota ", quota_kind_word(entry->quota_kind));
	if (entry->has_limit) {
		buf_addf(out, "%" PRId64 " of %" PRId64 " left", entry->left, entry->limit);
		add_time(writer, ", read ", (struct opt_ms){ true, entry->limit_read_ms });
	} else {
		buf_add_text(out, "not read");
	}
	if (entry->plan_arn[0])
		return;
	if (entry->has_wait) {
		buf_add_text(out, ", usual wait ");
		words_usual(out, entry->wait_p50);
		buf_addf(out, " (n=%zu)", entry->wait_starts);
	} else {
		buf_addf(out, ", usual wait: n too small (n=%zu)", entry->wait_starts);
	}
}

static void write_entry(const struct writer *writer, const struct preferences *prefs, size_t i,
			const struct explain_entry *entry)
{
	struct buf *out = writer->out;
	buf_addf(out, "  %s #%zu ", mark_of(writer, entry->verdict), i + 1);
	words_entry(out, prefs, i);
	buf_addf(out, "  %s: %s\n    ", explain_verdict_word(entry->verdict), entry->why);
	write_figures(writer, entry);
	add_time(writer, ", last not free ", entry->last_refused);
	if (entry->plan_arn[0])
		buf_addf(out, ", plan %s", words_plan(entry->plan_arn));
	if (entry->plan) {
		buf_add_char(out, ' ');
		words_plan_state(out, entry->plan, writer->now_ms);
		buf_add_char(out, ' ');
		words_plan_window(out, entry->plan, writer->ui);
	}
	buf_add_char(out, '\n');
}

static void write_next(const struct writer *writer, const struct explanation *explanation)
{
	section_begin(writer, "WHAT TO DO");
	for (size_t i = 0; i < explanation->next_count; i++) {
		const struct explain_next *next = &explanation->next[i];
		buf_addf(writer->out, "  %-*s%s: %s\n", KEYS_COLUMNS, next->keys,
			 explain_action_word(next->action), next->why);
	}
	if (explanation->next_count == 0)
		buf_add_text(writer->out, "  nothing\n");
}

static void write_explanation(const struct writer *writer, const struct explanation *explanation,
			      const struct preferences *prefs)
{
	bool doubt = explanation->class != EXPLAIN_UNKNOWN && !explanation->certain;
	section_begin(writer, "WHY");
	buf_addf(writer->out, "  %s%s\n  %s\n", explain_class_word(explanation->class),
		 doubt ? " (likely)" : "", explanation->text);
	write_next(writer, explanation);
	section_begin(writer, "EVIDENCE, THE DECIDING FACT FIRST");
	for (size_t i = 0; i < explanation->fact_count; i++)
		write_fact(writer, &explanation->facts[i]);
	if (explanation->entry_count > 0)
		section_begin(writer, "ENTRIES");
	for (size_t i = 0; i < explanation->entry_count; i++)
		write_entry(writer, prefs, i, &explanation->entries[i]);
}

/* NULL: not known yet. */
static const struct check_known *certified_of(const struct ui *ui)
{
	const struct likely_past *past = prospect_past(ui);
	return past ? past->known : NULL;
}

static void write_job(const struct writer *writer)
{
	const struct explain_ask ask = { .job = writer->job,
					 .store = writer->ui->env->store,
					 .curves = prospect_curves(writer->ui),
					 .known = certified_of(writer->ui),
					 .now_ms = writer->now_ms };
	struct explanation explanation;
	explain(&ask, &explanation);
	write_explanation(writer, &explanation, job_prefs(writer->job));
	explanation_release(&explanation);
}

/* A refused submission tells no more later on: its text is made once. */
static void write_refused(struct page *page, const struct draft *draft)
{
	const struct explain_refusal refusal = { .err = &draft->refusal,
						 .kind = draft->kind,
						 .prefs = &draft->prefs };
	const struct writer writer = { .ui = page->ui,
				       .out = &page->text,
				       .now_ms = ui_now_ms(page->ui) };
	const struct explain_ask ask = { .refusal = &refusal,
					 .store = page->ui->env->store,
					 .curves = prospect_curves(page->ui),
					 .now_ms = writer.now_ms };
	struct explanation explanation;
	explain(&ask, &explanation);
	write_explanation(&writer, &explanation, &draft->prefs);
	explanation_release(&explanation);
}

/* --- the pane --- */

static void explain_open(void *state, struct ui *ui, const void *argument)
{
	struct page *page = state;
	const char *arn = argument ? argument : ui->selected_arn;
	const struct job *job = store_find(ui->env->store, arn);
	const struct draft *draft = job ? NULL : ui_draft(ui);
	page_start(page, ui,
		   job     ? job->name
		   : draft ? local_name(draft)
			   : "",
		   job ? PAGE_ABOUT_JOB : PAGE_ABOUT_NOTHING);
	if (job)
		page_set_job(page, arn);
	else if (draft && local_phase(draft) == LOCAL_REFUSED)
		write_refused(page, draft);
	else
		buf_add_text(&page->text, "Nothing has been submitted here: there is nothing to "
					  "explain.\n");
}

static void explain_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct page *page = state;
	if (page->arn)
		sections_draw(page, out, at, write_job);
	else
		page_draw(state, out, at, focused);
}

static void explain_wants(const void *state, struct wants *wants)
{
	const struct page *page = state;
	const struct job *job = page_job(page);
	wants->plans = true;
	for (size_t i = 0; job && i < job_prefs(job)->length; i++)
		wants_quota(wants, (struct quota_key){ job_prefs(job)->entries[i].instance_type,
						       quota_kind_of(job->kind, job->spot) });
}

/* The draft whose refusal the page tells of, while it is there. */
static const struct draft *refused_of(const struct page *page)
{
	for (const struct draft *draft = page->ui->drafts; draft; draft = draft->next)
		if (!page->arn && local_phase(draft) == LOCAL_REFUSED &&
		    strcmp(local_name(draft), page->title) == 0)
			return draft;
	return NULL;
}

static void add_report(const struct page *page, const struct report_context *context,
		       struct buf *out)
{
	const struct job *job = page_job(page);
	const struct draft *draft = job ? NULL : refused_of(page);
	struct explanation explanation;
	struct explain_refusal refusal = { 0 };
	const struct explain_ask ask = { .job = job,
					 .refusal = draft ? &refusal : NULL,
					 .store = page->ui->env->store,
					 .curves = prospect_curves(page->ui),
					 .known = certified_of(page->ui),
					 .now_ms = context->now_ms };
	const struct report_explain one = { .job = job,
					    .name = page->title,
					    .kind = draft ? draft->kind : JOB_TRAINING,
					    .explanation = &explanation };
	if (!job && !draft)
		return;
	if (draft)
		refusal = (struct explain_refusal){ .err = &draft->refusal,
						    .kind = draft->kind,
						    .prefs = &draft->prefs };
	explain(&ask, &explanation);
	report_explanations(out, context, &one, 1);
	explanation_release(&explanation);
}

/* The page as a text, else what `gpuq explain` tells. */
static void explain_write(const void *state, const struct report_context *context, struct buf *out)
{
	const struct page *page = state;
	if (context->format != REPORT_TABLE)
		add_report(page, context, out);
	else if (page->arn)
		sections_add(page, out, write_job);
	else
		buf_addf(out, "%s\n%s", page->title, buf_text(&page->text));
}

static void open_above(void *state, const struct pane_ops *ops)
{
	struct page *page = state;
	if (page->arn)
		page->ui->push(page->ui, ops, page->arn);
}

static void open_timeline(void *state)
{
	open_above(state, &timeline_pane);
}

static void open_logs(void *state)
{
	open_above(state, &logs_pane);
}

static void open_plans(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &plans_pane, NULL);
}

static void open_quotas(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &quotas_pane, NULL);
}

static void open_raw(void *state)
{
	open_above(state, &raw_pane);
}

/* What is edited is of the selected row: the page's job becomes that where it is not. */
static struct ui *leave_for_row(struct page *page)
{
	struct ui *ui = page->ui;
	ui->pop(ui);
	if (page->arn)
		ui->select(ui, page->arn);
	return ui;
}

static void describe(void *state)
{
	struct page *page = state;
	if (page->arn)
		page->ui->push(page->ui, &description_pane, page->arn);
}

static void edit_list(void *state)
{
	struct ui *ui = leave_for_row(state);
	ui->edit_list(ui);
}

static void edit_request(void *state)
{
	drafting_edit_request(leave_for_row(state));
}

/* This job alone, whatever is marked. */
static void stop(void *state)
{
	struct page *page = state;
	if (page->arn)
		stop_begin_of(page->ui, page->arn);
	else
		page->ui->say(page->ui, STYLE_DIM, "nothing runs of it that could be stopped");
}

static const struct key_binding bindings[] = {
	{ .keys = "P F2",
	  .action = "explain-list",
	  .help = "edit its list: o suggests, l limit, X submits",
	  .brief = "list",
	  .flags = KEY_FOOTER,
	  .run = edit_list },
	{ .keys = "L",
	  .action = "explain-logs",
	  .help = "what its hosts have written",
	  .brief = "logs",
	  .flags = KEY_FOOTER,
	  .run = open_logs },
	{ .keys = "t",
	  .action = "explain-timeline",
	  .help = "its transitions and waits",
	  .brief = "timeline",
	  .flags = KEY_FOOTER,
	  .run = open_timeline },
	{ .keys = "% F12",
	  .action = "explain-quotas",
	  .help = "limits of instance types, holders, and a raise",
	  .brief = "quotas",
	  .flags = KEY_FOOTER,
	  .run = open_quotas },
	{ .keys = "S F9",
	  .action = "explain-stop",
	  .help = "stop this job",
	  .brief = "stop",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = stop },
	{ .keys = "d",
	  .action = "explain-describe",
	  .help = "the job's whole description",
	  .brief = "describe",
	  .run = describe },
	{ .keys = "y",
	  .action = "explain-raw",
	  .help = "the job as JSON, secrets masked",
	  .brief = "JSON",
	  .run = open_raw },
	{ .keys = "E",
	  .action = "explain-edit",
	  .help = "edit the request in $EDITOR",
	  .brief = "editor",
	  .run = edit_request },
	{ .keys = "B",
	  .action = "explain-plans",
	  .help = "the training plans of the region",
	  .brief = "plans",
	  .run = open_plans },
	{ 0 },
};

const struct key_scope explain_scope = { .name = "Explain",
					 .bindings = bindings,
					 .parent = &pager_scope };

const struct pane_ops explain_pane = {
	.name = "explain",
	.title = "Explain",
	.scope = &explain_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = explain_open,
	.close = page_close,
	.draw = explain_draw,
	.wants = explain_wants,
	.writes = "md json jsonl csv txt",
	.write = explain_write,
};
