#include "views/submission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/price.h"
#include "model/store_quotas.h"
#include "views/submission_page.h"
#include "views/words.h"

#define SECOND_MS   1000
#define NAMES_TRIED 60 /* seconds ahead until a name is free */

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
	if (draft->name[0]) {
		memcpy(copy->name, draft->name, sizeof(copy->name));
		return;
	}
	job_copy_name(job->name, now_ms, copy->name);
	for (int i = 1; i < NAMES_TRIED && store_find_name(ui->env->store, copy->name); i++)
		job_copy_name(job->name, now_ms + i * SECOND_MS, copy->name);
}

/* Why there is no worst case. */
static void add_unknown(struct buf *out, const struct price_stakes *range, bool has_limit)
{
	if (has_limit && range->unpriced > 0)
		buf_addf(out, "unknown: no price for #%zu", range->unpriced);
	else
		buf_add_text(out, has_limit ? "unknown" : "unknown: no run-time limit");
}

/* What it can cost at most decides how it is asked for. */
static void weigh(struct submission *copy, const struct ui *ui, const struct request_facts *facts)
{
	struct price_stakes range = price_list_stakes(&facts->prefs, &ui->env->store->prices,
						      copy->kind, facts->max_runtime);
	struct buf text;

	copy->type_name =
		!range.worst_case.set || range.worst_case.micro > ui->env->confirm_above_micro;
	buf_init(&text, sizeof(copy->stakes) - 1);
	buf_add_text(&text, "Worst case ");
	if (range.worst_case.set) {
		words_money(&text, range.worst_case.micro, range.currency,
			    price_is_approximate(range.source));
		buf_add_text(&text, " (runs ");
		words_duration(&text, facts->max_runtime.ms);
		buf_add_char(&text, ')');
	} else {
		add_unknown(&text, &range, facts->max_runtime.set);
	}
	buf_add_char(&text, '.');
	memcpy(copy->stakes, buf_text(&text), text.len + 1);
	buf_release(&text);
}

bool submission_is_refused(const struct finding *finding)
{
	/* Over max_per_hour or max_worst_case: a doubt of check, a refusal here. */
	return finding->severity == SEVERITY_ERROR || strcmp(finding->rule, "cost-above") == 0;
}

const char *submission_source(const struct draft *draft)
{
	return draft->origin == DRAFT_OF_JOB  ? draft->arn
	       : draft->origin == DRAFT_CLONE ? draft->source
					      : NULL;
}

const struct job_tags *submission_tags(const struct ui *ui, const struct draft *draft)
{
	const struct job_tags *tags = &ui->env->store->tags;
	const char *arn = submission_source(draft);

	return arn && tags->arn && strcmp(tags->arn, arn) == 0 ? tags : NULL;
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

/* What the draft says, where there is no request to read it from. */
static void read_facts(struct submission_view *view)
{
	struct err err = { 0 };

	if (!view->request->text || !request_facts(view->request, view->facts, &err))
		*view->facts = (struct request_facts){ .prefs = view->draft->prefs,
						       .has_spot = view->job->spot,
						       .max_runtime = view->job->max_runtime };
	err_clear(&err);
	view->quotas = store_list_quotas(view->ui->env->store, &view->facts->prefs,
					 quota_kind_of(view->copy->kind, view->facts->has_spot));
}

static bool check_request(const struct submission_view *view, struct findings *findings,
			  struct err *err)
{
	const struct view_env *env = view->ui->env;
	const struct store *store = env->store;
	struct plan_fact *plans = store_plan_facts(store, ui_now_ms(view->ui));
	struct check_known known = { .region = env->region,
				     .prices = &env->store->prices,
				     .plans = plans,
				     .plan_count = store->plan_count,
				     .quotas = view->quotas,
				     .quota_count = view->quotas ? view->facts->prefs.length : 0,
				     .note_unchecked = true };
	struct check_certified *certified = config_fill_known(env->config, &known);

	if (!view->copy->again)
		draft_know_name(view->ui, view->draft, view->copy->name, &known);
	bool ok = request_check(view->request, &known, findings, err);

	free(certified);
	free(plans);
	return ok;
}

/* The source's tags are carried where they are known and the draft has none of its own. */
static bool carry_tags(struct submission *copy, struct request *request, const struct ui *ui,
		       const struct draft *draft, struct err *err)
{
	const struct job_tags *tags = submission_tags(ui, draft);

	copy->carries_tags = tags && tags->fresh.loaded && !request_has_tags(request);
	if (!copy->carries_tags)
		return true;
	return request_set_tags(request, tags->items, tags->count, err);
}

/* Exactly what would be sent. */
static bool build_request(struct submission *copy, const struct submission_view *view,
			  struct request *request, struct err *err)
{
	if (!draft_request(view->draft, copy->name, false, request, err) ||
	    !carry_tags(copy, request, view->ui, view->draft, err))
		return false;
	/* Behind the carried ones: a request with a tag of its own carries none. */
	if (view->ui->env->tag_notes && !draft_tag_note(view->draft, request, err))
		return false;
	/* Sent as it is shown, blank for blank: only the masks differ. */
	request_show(request, true, &copy->exact);
	if (!copy->exact.failed && buf_text(&copy->exact)[0] == '{')
		return true;
	return err_set(err, ERR_TOO_BIG, "the request cannot be shown whole");
}

/* The first refusal that a key can mend, or NULL. */
static const struct finding *first_fix(const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];

		if (submission_is_refused(finding) && finding->fix != FIX_NONE)
			return finding;
	}
	return NULL;
}

/* The first quota that is too small for its count, and as much of it as would do. */
static void note_short_quota(struct submission *copy, const struct submission_view *view)
{
	const struct preferences *prefs = &view->facts->prefs;
	int64_t count;

	for (size_t i = 0; view->quotas && i < view->findings->count; i++) {
		const struct finding *finding = &view->findings->items[i];

		if (strcmp(finding->rule, "quota-short") != 0 || finding->entry >= prefs->length ||
		    !prefs_count(prefs, finding->entry, &count))
			continue;
		copy->raise = (struct quota_raise){
			.kind = quota_kind_of(copy->kind, view->facts->has_spot),
			.desired = quota_needed(&view->quotas[finding->entry], count),
		};
		memcpy(copy->raise.instance_type, prefs->entries[finding->entry].instance_type,
		       TYPE_NAME_SIZE);
		return;
	}
}

/* Works out what is shown and whether it may be sent; the request has been tried. */
static void judge(struct submission *copy, const struct submission_view *view)
{
	const struct findings *findings = view->findings;
	const struct finding *fix = view->ui->env->read_only ? NULL : first_fix(findings);
	struct buf page;

	buf_init(&page, SUBMISSION_PAGE_MAX);
	weigh(copy, view->ui, view->facts);
	submission_choose_way(copy, view->ui, view->job, view->draft);
	copy->blocked = view->err->code != ERR_NONE || view->ui->env->read_only;
	for (size_t i = 0; i < findings->count; i++)
		copy->blocked = copy->blocked || submission_is_refused(&findings->items[i]);
	if (!view->ui->env->read_only)
		note_short_quota(copy, view);
	if (fix) {
		copy->fix = mem_new(1, sizeof(*copy->fix));
		*copy->fix = *fix;
	}
	copy->blocked = !submission_page(view, &page) || copy->blocked;
	copy->page = buf_take(&page);
}

void submission_prepare(struct submission *copy, const struct ui *ui, const struct job *job,
			const struct draft *draft)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { 0 };
	struct err err = { 0 };
	struct submission_view view = { .ui = ui,
					.copy = copy,
					.job = job,
					.draft = draft,
					.request = &request,
					.facts = mem_new(1, sizeof(*view.facts)),
					.findings = findings,
					.err = &err };

	copy->kind = job->kind;
	buf_init(&copy->exact, SUBMISSION_PAGE_MAX);
	if (!copy->name[0])
		choose_name(copy, ui, job, draft);
	if (!build_request(copy, &view, &request, &err))
		request_release(&request);
	read_facts(&view);
	if (err.code == ERR_NONE && !check_request(&view, findings, &err))
		request_release(&request);
	judge(copy, &view);
	request_release(&request);
	err_clear(&err);
	free(view.quotas);
	free(view.facts);
	free(findings);
}

void submission_release(struct submission *copy)
{
	if (!copy)
		return;
	buf_wipe(&copy->exact);
	buf_release(&copy->exact);
	free(copy->page);
	free(copy->fix);
	*copy = (struct submission){ 0 };
}

struct draft *submission_find_draft(const struct ui *ui, const char *name)
{
	struct draft *draft = name[0] ? ui->drafts : NULL;

	while (draft && strcmp(draft->sent_as, name) != 0 && strcmp(draft->resumed_as, name) != 0)
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
		buf_add_text(&text, "its row says why, X there tries again");
	else
		words_first_line(&text, err_text(err));
	ui->say(ui, STYLE_ERROR, buf_text(&text));
	buf_release(&text);
	if (!draft)
		return;
	draft_note_answer(draft, name, err);
	ui->changed(ui);
}

/* Whether the list of jobs will show the new one: judged by what is known of it before AWS tells.
 */
static bool will_be_shown(const struct ui *ui, const struct draft *draft, const char *name)
{
	struct job job = { .kind = draft->kind, .prefs = prefs_copy(&draft->sent.prefs) };
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
	bool hidden = draft && !will_be_shown(ui, draft, name);
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
		draft_keep_note(ui, draft, name);
		draft_note_answer(draft, name, NULL);
		if (draft_is_as_sent(draft) || (draft->arn && !draft_changed(draft)))
			draft_drop(ui, draft->job.arn);
		else
			draft_renew(ui, draft); /* the old one has been submitted */
	}
	ui->changed(ui);
	if (arn)
		ui->select(ui, arn);
}

void submit_pane_result(struct ui *ui, const char *name, const char *arn, const struct err *err)
{
	struct draft *draft = submission_find_draft(ui, name);

	if (err)
		settle_refusal(ui, draft, name, err);
	else
		settle_success(ui, draft, name, arn);
}
