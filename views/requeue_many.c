/* X with marked jobs: the list of the selected job's draft takes the place of each one's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/store_quotas.h"
#include "views/requeue.h"
#include "views/stop.h"
#include "views/submission.h"
#include "views/words.h"

#define TEXT_MAX    (1u << 20)
#define NAMES_TRIED 3600 /* seconds ahead until a name is free */
#define SECOND_MS   1000

/* One of them: what will be asked for. */
struct many_wish {
	enum job_kind kind;
	char old_name[JOB_NAME_SIZE], new_name[JOB_NAME_SIZE];
	char *old_arn;   /* owned */
	struct buf text; /* the request, secrets and all: wiped */
	bool stop_first;
};

struct requeue_many {
	struct ui *ui;
	struct many_wish *wishes; /* owned */
	size_t count, capacity;
	bool type_it; /* one may cost more than is confirmed by y */
};

static void release(struct requeue_many *many)
{
	for (size_t i = 0; i < many->count; i++) {
		buf_wipe(&many->wishes[i].text);
		buf_release(&many->wishes[i].text);
		free(many->wishes[i].old_arn);
	}
	free(many->wishes);
	free(many);
}

void requeue_many_forget(struct ui *ui)
{
	if (ui->requeue_many)
		release(ui->requeue_many);
	ui->requeue_many = NULL;
}

/* --- what becomes of each --- */

static bool is_taken(const struct requeue_many *many, const char *name)
{
	for (size_t i = 0; i < many->count; i++)
		if (strcmp(many->wishes[i].new_name, name) == 0)
			return true;
	return store_find_name(many->ui->env->store, name) != NULL;
}

static void choose_name(const struct requeue_many *many, const struct job *job,
			char out[JOB_NAME_SIZE])
{
	int64_t now_ms = ui_now_ms(many->ui);
	job_copy_name(job->name, now_ms, out);
	for (int i = 1; i < NAMES_TRIED && is_taken(many, out); i++)
		job_copy_name(job->name, now_ms + i * SECOND_MS, out);
}

static bool build(const struct job *job, const struct draft *draft, const char *name,
		  struct request *request, struct err *err)
{
	if (!request_from_describe(request, job->kind, job->request_json, name, err) ||
	    !request_set_preferences(request, &draft->prefs, err))
		return false;
	if (job->kind == JOB_PROCESSING)
		return true;
	return draft->max_pending.set
		       ? request_set_max_pending(request, draft->max_pending.ms / 1000, err)
		       : request_drop_max_pending(request, err);
}

/* The first of what SageMaker, or a limit of the config, refuses; "" = none. */
static void find_fault(const struct ui *ui, const struct draft *draft,
		       const struct request *request, struct buf *why)
{
	const struct view_env *env = ui->env;
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct plan_fact *plans = store_plan_facts(env->store, ui_now_ms(ui));
	struct quota_fact *quotas =
		store_list_quotas(env->store, &draft->prefs, quota_kind_of(draft->kind, false));
	struct check_known known = { .region = env->region,
				     .prices = &env->store->prices,
				     .plans = plans,
				     .plan_count = env->store->plan_count,
				     .quotas = quotas,
				     .quota_count = draft->prefs.length };
	struct check_certified *certified = config_fill_known(env->config, &known);
	struct err err = { 0 };
	if (!request_check(request, &known, findings, &err))
		buf_add_text(why, err_text(&err));
	for (size_t i = 0; i < findings->count && why->len == 0; i++)
		if (submission_is_refused(&findings->items[i]))
			buf_add_text(why, findings->items[i].message);
	err_clear(&err);
	free(certified);
	free(quotas);
	free(plans);
	free(findings);
}

static void add_wish(struct requeue_many *many, const struct job *job, const struct draft *draft,
		     const char *name, const char *text)
{
	const struct view_env *env = many->ui->env;
	struct money worst =
		price_draft_worst(&draft->prefs, &env->store->prices, job->kind, job->max_runtime);
	many->wishes =
		mem_grow(many->wishes, &many->capacity, many->count + 1, sizeof(*many->wishes));
	struct many_wish *wish = &many->wishes[many->count++];
	*wish = (struct many_wish){
		.kind = job->kind,
		.old_arn = mem_copy_text(job->arn),
		.stop_first = submission_order(many->ui, job, draft, text).stop_first
	};
	buf_init(&wish->text, SUBMISSION_PAGE_MAX);
	buf_add_text(&wish->text, text);
	memcpy(wish->old_name, job->name, sizeof(wish->old_name));
	memcpy(wish->new_name, name, sizeof(wish->new_name));
	many->type_it = many->type_it || !worst.set || worst.micro > env->confirm_above_micro;
}

/* Why a marked job is left out; "" = it is not. */
static void add_hindrance(const struct ui *ui, const struct job *job, const struct draft *draft,
			  struct buf *why)
{
	struct owner owner;
	if (job_phase(job) != PHASE_PENDING) {
		buf_addf(why, "is %s", phase_word(job_phase(job)));
	} else if (requeue_of(ui, job->kind, job->name)) {
		buf_add_text(why, "is being requeued already");
	} else if (stop_find_owner(ui, job, &owner)) {
		buf_add_text(why, "belongs to ");
		owner_describe(&owner, why);
		buf_add_text(why, ": X on it alone asks");
	} else if (job->kind != draft->kind) {
		buf_add_text(why, "is of the other kind");
	} else if (!job->request_json) {
		buf_add_text(why, "is not described yet");
	}
}

static void sort(struct requeue_many *many, const struct job *job, const struct draft *draft,
		 struct buf *rows, struct buf *left_out)
{
	struct request request = { 0 };
	struct err err = { 0 };
	struct buf why;
	char name[JOB_NAME_SIZE] = "";
	buf_init(&why, WORDS_MAX);
	add_hindrance(many->ui, job, draft, &why);
	if (why.len == 0) {
		choose_name(many, job, name);
		if (build(job, draft, name, &request, &err))
			find_fault(many->ui, draft, &request, &why);
		else
			buf_add_text(&why, err_text(&err));
	}
	if (why.len > 0) {
		buf_addf(left_out, "  %s: %s\n", job->name, buf_text(&why));
	} else {
		add_wish(many, job, draft, name, request.text);
		buf_addf(rows, "  %s as %s (%s)\n", job->name, name,
			 many->wishes[many->count - 1].stop_first ? "stop first" : "submit first");
	}
	request_release(&request);
	buf_release(&why);
	err_clear(&err);
}

/* --- asking --- */

static void requeue_now(void *ctx)
{
	struct requeue_many *many = ctx;
	struct ui *ui = many->ui;
	const struct cloud_intents *cloud = &ui->env->cloud;
	char text[64];
	(void)snprintf(text, sizeof(text), "requeues of %zu jobs begin", many->count);
	ui->say(ui, STYLE_DIM, text);
	marks_clear(&ui->marks);
	for (size_t i = 0; i < many->count; i++) {
		const struct many_wish *one = &many->wishes[i];
		const struct requeue_wish wish = { .kind = one->kind,
						   .old_name = one->old_name,
						   .old_arn = one->old_arn,
						   .new_name = one->new_name,
						   .text = buf_text(&one->text),
						   .stop_first = one->stop_first,
						   .carries_tags = true };
		cloud->requeue(cloud->host, &wish);
	}
	requeue_many_forget(ui);
}

static void requeue_not(void *ctx)
{
	struct requeue_many *many = ctx;
	struct ui *ui = many->ui;
	ui->say(ui, STYLE_DIM, "nothing was changed; the jobs stay marked");
	requeue_many_forget(ui);
}

static void add_list(struct buf *out, const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		buf_addf(out, "%s#%zu ", i ? ", " : "  ", i + 1);
		words_entry(out, prefs, i);
	}
	buf_add_char(out, '\n');
}

static void ask(struct requeue_many *many, const struct draft *draft, const struct buf *rows,
		const struct buf *left_out)
{
	const struct view_env *env = many->ui->env;
	struct question question = {
		.changes_cloud = true, .yes = requeue_now, .no = requeue_not, .ctx = many
	};
	struct buf text;
	char typed[48] = "";
	(void)snprintf(question.title, sizeof(question.title), "Requeue %zu jobs?", many->count);
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "In %s (account %s), each a copy of its own job with this list:\n",
		 env->region, env->account[0] ? env->account : "not known yet");
	add_list(&text, &draft->prefs);
	buf_addf(&text, "\n%s", buf_text(rows));
	buf_add_text(&text, "The tags of each go with its copy; where they cannot be read, "
			    "its end says so.\n");
	if (left_out->len)
		buf_addf(&text, "\nLeft out:\n%s", buf_text(left_out));
	if (many->type_it) {
		(void)snprintf(typed, sizeof(typed), "requeue %zu jobs", many->count);
		buf_addf(&text, "\nTo requeue them, type: %s", typed);
		question.type_name = typed;
	}
	question.text = text.data;
	many->ui->push(many->ui, &question_pane, &question);
	buf_release(&text);
}

void requeue_many_begin(struct ui *ui)
{
	const struct job *source = ui_selected(ui);
	const struct draft *draft = source ? draft_find(ui, source->arn) : NULL;
	struct buf rows, left_out;
	if (!draft || !draft_changed(draft)) {
		ui->say(ui, STYLE_WARNING,
			"edit the selected job's list first: the marked jobs get it (U unmarks)");
		return;
	}
	requeue_many_forget(ui);
	ui->requeue_many = mem_new(1, sizeof(*ui->requeue_many));
	ui->requeue_many->ui = ui;
	buf_init(&rows, TEXT_MAX);
	buf_init(&left_out, TEXT_MAX);
	for (size_t i = 0; i < ui->marks.count; i++) {
		const struct job *job = store_find(ui->env->store, ui->marks.arns[i]);
		if (job)
			sort(ui->requeue_many, job, draft, &rows, &left_out);
	}
	if (ui->requeue_many->count > 0)
		ask(ui->requeue_many, draft, &rows, &left_out);
	else
		ui->push(ui, &message_pane,
			 &(struct message){ "Nothing to requeue", buf_text(&left_out) });
	buf_release(&rows);
	buf_release(&left_out);
}
