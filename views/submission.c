#include "views/submission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/price.h"
#include "model/request.h"
#include "views/words.h"

#define SECOND_MS    1000
#define INDENT       "      " /* as wide as "from  " */
#define LINE_COLUMNS 56       /* of a page on a terminal of 60 */
#define NAMES_TRIED  60       /* seconds ahead until a name is free */

void submission_add_plain(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		buf_add_char(out, byte < ' ' || byte == 0x7f ? '?' : *text);
	}
}

/* The request may be at AWS in spite of the error. */
static bool may_have_arrived(const struct err *err)
{
	return err->outcome_open || err->code == ERR_TIMEOUT || err->code == ERR_NET ||
	       err->code == ERR_SERVER;
}

/* A try that may have arrived is repeated under its own name, which AWS takes once: two keys make
 * no two jobs. */
static void choose_name(struct submission *copy, const struct ui *ui, const struct job *job,
			const struct draft *draft)
{
	int64_t now_ms = ui_now_ms(ui);

	if (draft->refused_as[0] && may_have_arrived(&draft->refusal)) {
		memcpy(copy->name, draft->refused_as, sizeof(copy->name));
		copy->again = true;
		return;
	}
	job_copy_name(job->name, now_ms, copy->name);
	for (int i = 1; i < NAMES_TRIED && store_find_name(ui->env->store, copy->name); i++)
		job_copy_name(job->name, now_ms + i * SECOND_MS, copy->name);
}

static bool has_plan(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (prefs_plan(prefs, i)[0])
			return true;
	return prefs_has_unplaced_plan(prefs);
}

/* Whether each entry is on demand or has a plan is always said: once where it is all the same. */
static void add_entries(struct buf *out, const struct preferences *prefs, const char *market,
			const char *between)
{
	bool mixed = has_plan(prefs);
	struct buf entry;

	for (size_t i = 0; i < prefs->length; i++) {
		const char *plan = prefs_plan(prefs, i);

		buf_init(&entry, WORDS_MAX);
		words_entry(&entry, prefs, i);
		if (plan[0])
			buf_addf(&entry, " (plan %s)", words_plan(plan));
		else if (mixed)
			buf_addf(&entry, " (%s)", market);
		buf_addf(out, "%s#%zu ", i ? between : "", i + 1);
		submission_add_plain(out, buf_text(&entry));
		buf_release(&entry);
	}
}

/* What holds for the whole list; "" = nothing. */
static void add_common(struct buf *out, const struct preferences *prefs, const char *market)
{
	if (prefs->length && prefs->has_shared_count)
		buf_add_text(out, "one count for all");
	if (prefs_has_unplaced_plan(prefs)) {
		buf_addf(out, "%splan ", out->len ? ", " : "");
		submission_add_plain(out, words_plan(prefs->job_plan_arn));
		buf_add_text(out, " for the entry of its type");
	} else if (prefs->length && !has_plan(prefs)) {
		buf_addf(out, "%s%s", out->len ? ", " : "", market);
	}
}

/* A list that would be broken somewhere in its entries has a line for each. */
static void add_list(struct buf *out, const char *label, const struct preferences *prefs, bool spot)
{
	static const char begin[] = "\n" INDENT;
	const char *market = spot ? "spot" : "on-demand";
	struct buf entries, common;
	bool lines;

	buf_init(&entries, SUBMISSION_PAGE_MAX);
	buf_init(&common, WORDS_MAX);
	add_entries(&entries, prefs, market, ", ");
	add_common(&common, prefs, market);
	lines = prefs->length > 2 ||
		(prefs->length == 2 && entries.len + common.len + sizeof(begin) > LINE_COLUMNS);
	if (lines) {
		buf_clear(&entries);
		add_entries(&entries, prefs, market, begin);
	}
	buf_addf(out, "%s%s", label, prefs->length ? buf_text(&entries) : "(empty)");
	if (common.len)
		buf_addf(out, "%s%s", lines ? begin : ", ", buf_text(&common));
	buf_add_char(out, '\n');
	buf_release(&entries);
	buf_release(&common);
}

/* Why there is no worst case. */
static void add_unknown(struct buf *out, const struct preferences *prefs, const struct job *job,
			const char *region)
{
	for (size_t i = 0; job->max_runtime.set && i < prefs->length; i++) {
		if (price_entry_per_hour(prefs, i, region, job->kind).set)
			continue;
		buf_addf(out, "unknown: no price for #%zu", i + 1);
		return;
	}
	buf_add_text(out, job->max_runtime.set ? "unknown" : "unknown: no run-time limit");
}

/* What it can cost at most decides how it is asked for. */
static void weigh(struct submission *copy, const struct ui *ui, const struct job *job,
		  const struct preferences *prefs)
{
	const char *region = ui->env->region;
	struct money worst = price_draft_worst(prefs, region, job->kind, job->max_runtime);
	const char *currency = NULL;
	struct buf text;

	copy->type_name = !worst.set || worst.micro > ui->env->confirm_above_micro;
	if (prefs->length)
		currency = price_find(region, job->kind, prefs->entries[0].instance_type).currency;
	buf_init(&text, sizeof(copy->stakes) - 1);
	buf_add_text(&text, "Worst case ");
	if (worst.set) {
		words_money(&text, worst.micro, currency, true);
		buf_add_text(&text, " (runs ");
		words_duration(&text, job->max_runtime.ms);
		buf_add_char(&text, ')');
	} else {
		add_unknown(&text, prefs, job, region);
	}
	buf_add_char(&text, '.');
	memcpy(copy->stakes, buf_text(&text), text.len + 1);
	buf_release(&text);
}

static void add_findings(struct buf *out, const struct findings *findings)
{
	static const char marks[] = {
		[SEVERITY_ERROR] = '!', [SEVERITY_WARNING] = '~', [SEVERITY_NOTE] = '?'
	};

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];

		buf_addf(out, "%c ", marks[finding->severity]);
		if (finding->entry != CHECK_NO_ENTRY && finding->message[0] != '#')
			buf_addf(out, "#%zu: ", finding->entry + 1);
		submission_add_plain(out, finding->message);
		if (finding->fix_text[0]) {
			buf_add_char(out, ' ');
			submission_add_plain(out, finding->fix_text);
		}
		buf_add_char(out, '\n');
	}
	if (findings->cut)
		buf_add_text(out, "(and more)\n");
}

void submission_add_refusal(struct buf *out, const char *name, const struct err *err)
{
	if (err->outcome_open)
		buf_addf(out, "It is not known whether %s was submitted: %s\n", name,
			 err_word(err->code));
	else
		buf_addf(out, "%s was not submitted: %s\n", name, err_word(err->code));
	if (err->aws_code[0])
		buf_addf(out, "%s\n", err->aws_code);
	buf_addf(out, "%s\n", err_text(err));
	if (err->request_id[0])
		buf_addf(out, "request id %s\n", err->request_id);
	if (may_have_arrived(err))
		buf_add_text(out, "It may have reached AWS. X sends it again under the same name, "
				  "which AWS takes once: it cannot become two jobs.\n");
	if (err_hint_text(err->hint)[0])
		buf_addf(out, "%s\n", err_hint_text(err->hint));
}

static bool same_limit(const struct draft *draft, const struct job *job)
{
	return draft->max_pending.set == job->max_pending.set &&
	       (!job->max_pending.set || draft->max_pending.ms == job->max_pending.ms);
}

static void add_duration(struct buf *out, struct opt_ms limit)
{
	if (limit.set)
		words_duration(out, limit.ms);
	else
		buf_add_text(out, "none");
}

/* "Pending limit 6h00m, before none." */
static void add_limit(struct buf *out, const struct draft *draft, const struct job *job)
{
	buf_add_text(out, "Pending limit ");
	add_duration(out, draft->max_pending);
	if (!same_limit(draft, job)) {
		buf_add_text(out, ", before ");
		add_duration(out, job->max_pending);
	}
	buf_add_text(out, ".\n");
}

static void add_summary(struct buf *out, const struct submission *copy, const struct ui *ui,
			const struct job *job, const struct draft *draft)
{
	const struct view_env *env = ui->env;

	buf_addf(out, "New %s job %s in %s, account %s:\na copy of ", job_kind_word(copy->kind),
		 copy->name, env->region, env->account[0] ? env->account : "not known yet");
	submission_add_plain(out, job->name);
	buf_add_text(out, "\n\n");
	if (prefs_equal(&draft->prefs, &job->prefs)) {
		add_list(out, "list  ", &draft->prefs, job->spot);
		if (same_limit(draft, job))
			buf_add_text(out, "The list is unchanged: a plain copy.\n");
	} else {
		add_list(out, "from  ", &job->prefs, job->spot);
		add_list(out, "to    ", &draft->prefs, job->spot);
	}
	if (copy->kind == JOB_TRAINING)
		add_limit(out, draft, job);
	buf_addf(out, "%s\n", copy->stakes);
	submission_add_fate(out, copy, job);
	buf_add_text(out, "Tags are not copied.\n");
}

static bool check_request(const struct request *request, const struct ui *ui,
			  struct findings *findings, struct err *err)
{
	const struct store *store = ui->env->store;
	struct plan_fact *plans = store_plan_facts(store, ui_now_ms(ui));
	const struct check_known known = { .region = ui->env->region,
					   .plans = plans,
					   .plan_count = store->plan_count };
	bool ok = request_check(request, &known, findings, err);

	free(plans);
	return ok;
}

/* The request of the copy, and what the rules say of it. */
static bool build_request(struct submission *copy, const struct ui *ui, const struct draft *draft,
			  struct findings *findings, struct err *err)
{
	struct request request = { 0 };
	struct buf shown;
	bool ok = false;

	buf_init(&shown, SUBMISSION_PAGE_MAX);
	if (!draft_request(draft, copy->name, false, &request, err) ||
	    !check_request(&request, ui, findings, err))
		goto out;
	/* Sent as it is shown, blank for blank: only the masks differ. */
	request_show(&request, true, &copy->exact);
	request_show(&request, false, &shown);
	ok = !copy->exact.failed && !shown.failed && buf_text(&copy->exact)[0] == '{';
	if (!ok)
		err_set(err, ERR_TOO_BIG, "the request cannot be shown whole");
out:
	copy->page = buf_take(&shown); /* the summary is put before it */
	request_release(&request);
	return ok;
}

/* Puts the summary before the request, or says what hinders. */
static void compose(struct submission *copy, const struct ui *ui, const struct job *job,
		    const struct draft *draft, const struct findings *findings,
		    const struct err *err)
{
	struct buf page;

	buf_init(&page, SUBMISSION_PAGE_MAX);
	if (draft->refused_as[0]) {
		buf_add_text(&page, "The last try: ");
		submission_add_refusal(&page, draft->refused_as, &draft->refusal);
		buf_add_char(&page, '\n');
	}
	if (ui->env->read_only)
		buf_add_text(&page, "Read-only: nothing is submitted.\n\n");
	else if (err->code != ERR_NONE)
		buf_addf(&page, "This request cannot be made: %s\n\n", err_text(err));
	else if (copy->blocked)
		buf_add_text(&page, "SageMaker would refuse this request:\n");
	add_findings(&page, findings);
	if (findings->count)
		buf_add_char(&page, '\n');
	add_summary(&page, copy, ui, job, draft);
	if (strcmp(copy->page, buf_text(&copy->exact)) != 0)
		buf_add_text(&page, "Values that look like secrets are masked here and sent as "
				    "they are.\n");
	buf_addf(&page, "\n%s", copy->page);
	free(copy->page);
	copy->blocked = copy->blocked || page.failed;
	copy->page = buf_take(&page);
}

void submission_prepare(struct submission *copy, const struct ui *ui, const struct job *job,
			const struct draft *draft)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct err err = { 0 };
	bool built;

	copy->kind = job->kind;
	buf_init(&copy->exact, SUBMISSION_PAGE_MAX);
	choose_name(copy, ui, job, draft);
	weigh(copy, ui, job, &draft->prefs);
	built = build_request(copy, ui, draft, findings, &err);
	submission_choose_way(copy, ui, job, draft);
	copy->blocked = !built || ui->env->read_only || findings_have_error(findings);
	compose(copy, ui, job, draft, findings, &err);
	err_clear(&err);
	free(findings);
}

void submission_release(struct submission *copy)
{
	if (!copy)
		return;
	buf_wipe(&copy->exact);
	buf_release(&copy->exact);
	free(copy->page);
	*copy = (struct submission){ 0 };
}

static struct draft *find_sent(const struct ui *ui, const char *name)
{
	struct draft *draft = name[0] ? ui->drafts : NULL;

	while (draft && strcmp(draft->sent_as, name) != 0)
		draft = draft->next;
	return draft;
}

static void settle_refusal(struct ui *ui, struct draft *draft, const char *name,
			   const struct err *err)
{
	struct buf text;

	buf_init(&text, WORDS_MAX);
	buf_addf(&text,
		 err->outcome_open ? "not known whether %s was submitted (%s): "
				   : "%s was not submitted (%s): ",
		 name, err->aws_code[0] ? err->aws_code : err_word(err->code));
	if (draft && draft->watched)
		buf_add_text(&text, draft_changed(draft) ? "the draft stays" : "see above");
	else if (draft)
		buf_add_text(&text, "X on the old job shows why");
	else
		words_first_line(&text, err_text(err));
	ui->say(ui, STYLE_ERROR, buf_text(&text));
	buf_release(&text);
	if (!draft)
		return;
	memcpy(draft->refused_as, draft->sent_as, sizeof(draft->refused_as));
	err_copy(&draft->refusal, err);
	draft->sent_as[0] = '\0';
	ui->changed(ui);
}

/* Whether the list of jobs will show the new one: judged by what is known of it before AWS tells.
 */
static bool will_be_shown(const struct ui *ui, const struct job *before,
			  const struct preferences *prefs, const char *name)
{
	struct job job = { .kind = before->kind, .prefs = *prefs };
	bool shown;

	(void)snprintf(job.name, sizeof(job.name), "%s", name);
	mem_set_text(&job.status, "InProgress");
	mem_set_text(&job.secondary_status, job.kind == JOB_TRAINING ? "Pending" : NULL);
	shown = ui_shows(ui, &job);
	job_release(&job);
	return shown;
}

static void say_submitted(struct ui *ui, const struct draft *draft, const char *name)
{
	const struct job *before = draft ? store_find(ui->env->store, draft->arn) : NULL;
	bool hidden = before && !will_be_shown(ui, before, &draft->sent.prefs, name);
	struct buf text;

	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "submitted %s%s", name,
		 hidden ? " (hidden by the filter: a shows all)" : "");
	ui->say(ui, STYLE_GOOD, buf_text(&text));
	buf_release(&text);
}

static void settle_success(struct ui *ui, struct draft *draft, const char *name, const char *arn)
{
	if (draft && draft->watched)
		ui->pop(ui);
	say_submitted(ui, draft, name);
	if (draft) {
		struct prefs_state state = draft_state(draft);

		draft->sent_as[0] = '\0';
		if (prefs_state_equal(&state, &draft->sent) || !draft_changed(draft))
			draft_drop(ui, draft->arn);
	}
	ui->changed(ui);
	if (arn)
		ui->select(ui, arn);
}

void submit_pane_result(struct ui *ui, const char *name, const char *arn, const struct err *err)
{
	struct draft *draft = find_sent(ui, name);

	if (err)
		settle_refusal(ui, draft, name, err);
	else
		settle_success(ui, draft, name, arn);
}
