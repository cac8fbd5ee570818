#include "views/card.h"

#include <string.h>

#include "model/base/text.h"
#include "model/explain.h"
#include "model/outlook.h"
#include "views/words.h"

#define VALUE_MAX 400 /* bytes of a value; a failure reason has 1,024 */
#define TRIED_MAX 20  /* the newest */

/* One line of text from outside, with the marks of Markdown that it could be taken for. */
static void add_plain(struct buf *out, const char *text)
{
	struct buf safe;
	size_t len = text_whole_len(text, VALUE_MAX);
	buf_init(&safe, 4 * VALUE_MAX);
	text_sanitise(&safe, text, len, TEXT_CELL, false);
	for (const char *at = buf_text(&safe); *at; at++) {
		if (strchr("\\`*_[]<>|#", *at))
			buf_add_char(out, '\\');
		buf_add_char(out, *at);
	}
	if (text[len])
		buf_add_text(out, "…");
	buf_release(&safe);
}

static void add_time(struct buf *out, int64_t wall_ms)
{
	char text[TIME_TEXT_SIZE];
	time_format_iso(wall_ms, text);
	buf_add_text(out, text);
}

/* --- the job --- */

static void add_wait(const struct job *job, int64_t now_ms, struct buf *out)
{
	struct opt_ms deadline = job_pending_deadline(job, now_ms);
	buf_add_text(out, "- waited: ");
	words_wait(out, job, now_ms);
	if (job->max_pending.set) {
		buf_add_text(out, " of ");
		words_duration(out, job->max_pending.ms);
	}
	if (deadline.set) {
		buf_add_text(out, ", limit reached at ");
		add_time(out, deadline.ms);
	}
	buf_add_char(out, '\n');
}

static void add_job(const struct ui *ui, const struct job *job, struct buf *out)
{
	const struct view_env *env = ui->env;
	int64_t now_ms = ui_now_ms(ui);
	buf_add_text(out, "# ");
	add_plain(out, job->name);
	buf_addf(out, ": %s job, ", job_kind_word(job->kind));
	add_plain(out, words_phase(job));
	buf_add_text(out, "\n\n- account ");
	add_plain(out, env->account[0] ? env->account : "not known");
	buf_add_text(out, ", region ");
	add_plain(out, env->region);
	buf_add_text(out, "\n- status: ");
	add_plain(out, job->status);
	if (job->secondary_status) {
		buf_add_text(out, " / ");
		add_plain(out, job->secondary_status);
	}
	if (job->created.set) {
		buf_add_text(out, ", created ");
		add_time(out, job->created.ms);
	}
	buf_add_char(out, '\n');
	add_wait(job, now_ms, out);
	if (job->selected.set)
		buf_addf(out, "- runs on: choice %zu, %s ×%lld\n", job->selected.rank,
			 job->selected.instance_type, (long long)job->selected.count);
	if (job->failure_reason) {
		buf_add_text(out, "- reason (AWS): ");
		add_plain(out, job->failure_reason);
		buf_add_char(out, '\n');
	}
}

/* --- why --- */

static void add_entries(const struct job *job, const struct explanation *why, struct buf *out)
{
	if (job_prefs(job)->length == 0)
		return;
	buf_add_text(out, "\n## Preference list\n\n| rank | type | plan | so far |\n"
			  "|---|---|---|---|\n");
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		const char *plan = prefs_plan(job_prefs(job), i);
		buf_addf(out, "| %zu | ", i + 1);
		words_entry(out, job_prefs(job), i);
		buf_add_text(out, " | ");
		add_plain(out, plan[0] ? words_plan(plan) : "on demand");
		buf_add_text(out, " | ");
		if (i < why->entry_count) {
			buf_add_text(out, explain_verdict_word(why->entries[i].verdict));
			buf_add_text(out, why->entries[i].why[0] ? ": " : "");
			add_plain(out, why->entries[i].why);
		}
		buf_add_text(out, " |\n");
	}
}

static void add_fact(const struct explain_fact *fact, struct buf *out)
{
	buf_add_text(out, "- ");
	add_plain(out, fact->fact);
	buf_add_text(out, ": ");
	add_plain(out, fact->value ? fact->value : "not there");
	if (fact->at.set) {
		buf_add_text(out, " at ");
		add_time(out, fact->at.ms);
	}
	buf_addf(out, " (%s%s)", fact->source, fact->is_hint ? "; a hint only" : "");
	if (fact->against) {
		buf_add_text(out, "; against it: ");
		add_plain(out, fact->against);
	}
	buf_add_char(out, '\n');
}

static void add_why(const struct explanation *why, struct buf *out)
{
	buf_addf(out, "\n## Why\n\n%s (%s): ", explain_class_word(why->class),
		 why->certain ? "certain" : "likely");
	add_plain(out, why->text ? why->text : "");
	buf_add_text(out, "\n\n");
	for (size_t i = 0; i < why->fact_count; i++)
		add_fact(&why->facts[i], out);
	if (why->next_count > 0)
		buf_add_text(out, "\n## Next\n\n");
	for (size_t i = 0; i < why->next_count; i++)
		buf_addf(out, "- %s: %s\n", explain_action_word(why->next[i].action),
			 why->next[i].why);
}

/* --- what was tried --- */

static void add_action(const struct action *action, struct buf *out)
{
	buf_add_text(out, "- ");
	add_time(out, action->at_ms);
	buf_add_char(out, ' ');
	add_plain(out, action->what);
	buf_add_char(out, ' ');
	add_plain(out, action->subject);
	if (action->other[0]) {
		buf_add_text(out, " by ");
		add_plain(out, action->other);
	}
	buf_addf(out, ": %s", action_result_word(action->result));
	if (action->code[0]) {
		buf_add_text(out, ", ");
		add_plain(out, action->code);
	}
	if (action->request_id[0]) {
		buf_add_text(out, ", request id ");
		add_plain(out, action->request_id);
	}
	if (action->text[0]) {
		buf_add_text(out, ": ");
		add_plain(out, action->text);
	}
	buf_add_char(out, '\n');
}

/* The oldest first: the course of things. */
static void add_tried(const struct actions *actions, const struct job *job, struct buf *out)
{
	size_t from = actions->count, found = 0;
	while (from > 0 && found < TRIED_MAX)
		found += action_is_of(&actions->items[--from], job->name);
	buf_add_text(out, "\n## Tried\n\n");
	if (found == 0)
		buf_add_text(out, actions->is_read ? "Nothing by gpuq on this machine.\n"
						   : "Not known: the record was not read.\n");
	for (size_t i = from; i < actions->count; i++)
		if (action_is_of(&actions->items[i], job->name))
			add_action(&actions->items[i], out);
}

/* --- where to look --- */

void card_add_console(const struct ui *ui, const struct job *job, struct buf *out)
{
	const char *region = ui->env->region;
	const char *host = strncmp(region, "cn-", 3) == 0       ? "console.amazonaws.cn"
			   : strncmp(region, "us-gov-", 7) == 0 ? "console.amazonaws-us-gov.com"
								: "console.aws.amazon.com";
	buf_addf(out, "https://%s.%s/sagemaker/home?region=%s#/%s/%s", region, host, region,
		 job->kind == JOB_TRAINING ? "jobs" : "processing-jobs", job->name);
}

static void add_links(const struct ui *ui, const struct job *job, struct buf *out)
{
	const char *region = ui->env->region;
	buf_add_text(out, "\n## Where\n\n- ARN: `");
	buf_add_text(out, job->arn);
	buf_add_text(out, "`\n- console: <");
	card_add_console(ui, job, out);
	buf_addf(out, ">\n- `gpuq explain %s --region %s`\n\nWritten by gpuq at ", job->name,
		 region);
	add_time(out, ui_now_ms(ui));
	buf_add_text(out, ".\n");
}

void card_write(const struct ui *ui, const struct job *job, struct buf *out)
{
	struct outlook outlook = { 0 };
	struct explanation why = { 0 };
	outlook_learn(&outlook, &ui->env->store->history);
	explain(&(struct explain_ask){ .job = job,
				       .store = ui->env->store,
				       .curves = &outlook.curves,
				       .now_ms = ui_now_ms(ui) },
		&why);
	add_job(ui, job, out);
	add_entries(job, &why, out);
	add_why(&why, out);
	add_tried(&ui->env->store->actions, job, out);
	add_links(ui, job, out);
	explanation_release(&why);
	outlook_release(&outlook);
}

void card_copy(struct ui *ui)
{
	const struct intents *intents = &ui->env->intents;
	const struct job *job = ui_selected(ui);
	struct buf card;
	if (!job) {
		ui->say(ui, STYLE_DIM, "no job is selected");
		return;
	}
	buf_init(&card, CARD_MAX);
	card_write(ui, job, &card);
	if (card.failed)
		ui->say(ui, STYLE_WARNING, "the card is too long to be copied");
	else
		intents->copy(intents->host, "the card", buf_text(&card));
	buf_release(&card);
}
