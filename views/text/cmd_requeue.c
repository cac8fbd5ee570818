/* gpuq requeue NAME: a copy with another list takes the place of a pending job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/io.h"
#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/requeue_order.h"
#include "model/store_quotas.h"
#include "views/text/asking.h"
#include "views/text/kept_draft.h"
#include "views/text/plain.h"
#include "views/text/request_file.h"
#include "views/text/stakes.h"

#define NAMES_TRIED 60 /* seconds ahead until a name is free */

static int fail(struct command_run *run, enum err_code code, const char *subject, const char *text)
{
	struct err err = { 0 };
	err_set(&err, code, "%s", text);
	err_subject(&err, "%s", subject);
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

static int report_error(struct command_run *run, struct err *err)
{
	command_message(run->messages, err);
	int status = err_exit_status(err);
	err_clear(err);
	return status;
}

/* --- the request --- */

static void choose_name(const struct command_run *run, const struct job *job,
			char out[JOB_NAME_SIZE])
{
	int64_t now_ms = store_now_ms(run->store, run->clock);
	job_copy_name(job->name, now_ms, out);
	for (int i = 1; i < NAMES_TRIED && store_find_name(run->store, out); i++)
		job_copy_name(job->name, now_ms + i * 1000, out);
}

static bool build(struct command_run *run, const struct job *job, struct preferences *prefs,
		  struct err *err)
{
	const struct options *options = run->options;
	char name[JOB_NAME_SIZE];
	choose_name(run, job, name);
	if (!job->request_json) {
		err_set(err, ERR_NOT_FOUND, "its description is not known");
		return err_subject(err, "%s", job->name);
	}
	if (!prefs_parse(prefs, options->prefs, options->count, err) ||
	    !request_from_describe(run->request, job->kind, job->request_json, name, err) ||
	    !request_set_preferences(run->request, prefs, err) ||
	    (options->name && !request_set_name(run->request, options->name, err)))
		return false;
	return !options->max_pending.set ||
	       request_set_max_pending(run->request, options->max_pending.ms / 1000, err);
}

/* What the rules say: an error is the end of it, and so is a cost over the limits of the config. */
static bool check(struct command_run *run, int *status)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct err err = { 0 };
	struct buf quotas;
	const struct report_context context = { .format = run->options->format,
						.region = run->region,
						.ascii = command_is_ascii(run) };
	bool ok = request_file_check(run, run->request, findings, &err);
	if (!ok)
		*status = report_error(run, &err);
	else if (findings_have_error(findings) || request_file_breaks(findings, "cost-above"))
		*status = 3;
	if (ok) {
		report_findings(run->messages, &context, &run->request->kind, findings);
		buf_init(&quotas, COMMAND_TEXT_MAX);
		request_file_add_quotas(run, run->request, &quotas);
		command_add_outside(run->messages, &quotas);
		buf_release(&quotas);
	}
	ok = ok && *status == 0;
	free(findings);
	return ok;
}

/* --- the order --- */

static struct requeue_order choose_order(const struct command_run *run, const struct job *job,
					 const struct preferences *prefs)
{
	struct check_known limits = { 0 };
	struct quota_fact *quotas =
		store_list_quotas(run->store, prefs, quota_kind_of(job->kind, false));
	free(config_fill_known(run->options->config, &limits));
	const struct requeue_sides sides = { .kind = job->kind,
					     .prices = &run->store->prices,
					     .old_prefs = job_prefs(job),
					     .new_prefs = prefs,
					     .old_text = job->request_json,
					     .new_text = run->request->text,
					     .quotas = quotas,
					     .quota_count = prefs->length,
					     .max_per_hour = limits.max_per_hour };
	struct requeue_order order = requeue_order(&sides);
	free(quotas);
	return order;
}

static bool take_order(struct command_run *run, const struct requeue_order *order, int *status)
{
	const struct options *options = run->options;
	run->requeue.stop_first = options->has_order ? options->stop_first : order->stop_first;
	if (!order->is_forced || run->requeue.stop_first)
		return true;
	*status = fail(run, ERR_USAGE, "--order submit-first",
		       "both jobs write to one checkpoint: they may never overlap");
	return false;
}

/* --- asking --- */

static void add_list(struct buf *out, const char *label, const struct preferences *prefs)
{
	buf_addf(out, "  %s", label);
	for (size_t i = 0; i < prefs->length; i++) {
		int64_t count = 0;
		bool known = prefs_count(prefs, i, &count);
		buf_addf(out, "%s#%zu ", i ? ", " : "", i + 1);
		plain_instances(out, prefs->entries[i].instance_type, known, count);
	}
	buf_add_char(out, '\n');
}

static void describe(struct buf *out, const struct command_run *run, const struct job *job,
		     const struct preferences *prefs, const struct requeue_order *order)
{
	buf_addf(out, "%s is replaced by %s in %s:\n", job->name, run->requeue.new_name,
		 run->region);
	add_list(out, "from ", job_prefs(job));
	add_list(out, "to   ", prefs);
	buf_add_text(out, "Order: ");
	if (run->requeue.stop_first == order->stop_first)
		requeue_order_describe(order, out);
	else
		requeue_order_describe_chosen(run->requeue.stop_first, out);
	buf_add_text(out, ".\n");
}

static bool is_agreed(struct command_run *run, const struct job *job,
		      const struct preferences *prefs, const struct requeue_order *order)
{
	struct request_facts facts;
	struct err ignored = { 0 };
	struct buf text;
	const char *typed = "y";
	const struct stakes stakes = { job->kind, &facts, run->region, &run->store->prices };
	if (!request_facts(run->request, &facts, &ignored)) {
		err_clear(&ignored);
		return false;
	}
	buf_init(&text, COMMAND_TEXT_MAX);
	describe(&text, run, job, prefs, order);
	stakes_add(&text, &stakes);
	if (stakes_want_name(&stakes, run->options->confirm_above_micro))
		typed = run->requeue.new_name;
	buf_addf(&text, "\nType %s and Enter to requeue it, anything else is No: ", typed);
	bool agreed = asking_agrees(run, &text, typed);
	buf_release(&text);
	return agreed;
}

static void show_dry(struct command_run *run, const struct job *job,
		     const struct preferences *prefs, const struct requeue_order *order)
{
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	request_show(run->request, false, &text);
	command_add_outside(run->out, &text);
	buf_clear(&text);
	describe(&text, run, job, prefs, order);
	command_add_outside(run->messages, &text);
	buf_release(&text);
}

/* --- the command --- */

/* It is there, waits, and belongs to nobody or is wanted all the same. */
static bool may_be_requeued(struct command_run *run, const struct job *job, int *status)
{
	const char *name = run->options->args[0];
	struct buf why;
	*status = 1;
	if (!job) {
		*status = fail(run, ERR_NOT_FOUND, name,
			       "there is no training or processing job of that name");
		return false;
	}
	buf_init(&why, COMMAND_TEXT_MAX);
	bool ok = job_phase(job) == PHASE_PENDING;
	if (!ok) {
		buf_addf(&why, "it is %s: only a pending job is requeued",
			 phase_word(job_phase(job)));
		*status = fail(run, ERR_REFUSED, name, buf_text(&why));
	} else if (run->owners[0].kind != OWNER_NONE && !run->options->dry_run) {
		ok = command_despite_owner(run, job, &run->owners[0], &why);
		run->requeue.despite_owner = ok;
	}
	buf_release(&why);
	if (ok)
		*status = 0;
	return ok;
}

static void name_both(struct command_run *run, const struct job *job)
{
	struct request_facts facts;
	struct err ignored = { 0 };
	if (request_facts(run->request, &facts, &ignored))
		(void)snprintf(run->requeue.new_name, sizeof(run->requeue.new_name), "%.63s",
			       facts.name);
	memcpy(run->requeue.old_name, job->name, sizeof(run->requeue.old_name));
	mem_set_text(&run->requeue.old_arn, job->arn);
	err_clear(&ignored);
}

int command_ask_requeue(struct command_run *run)
{
	const struct options *options = run->options;
	const struct job *job = store_find_name(run->store, options->args[0]);
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	int status = 0;
	if (!job)
		return fail(run, ERR_NOT_FOUND, options->args[0], "it is not there any more");
	if (!prefs_parse(&prefs, options->prefs, options->count, &err))
		return report_error(run, &err);
	struct requeue_order order = choose_order(run, job, &prefs);
	if (!check(run, &status) || !take_order(run, &order, &status))
		return status;
	if (run->options->dry_run) {
		show_dry(run, job, &prefs, &order);
		return 0;
	}
	run->requeue.is_wanted = is_agreed(run, job, &prefs, &order);
	if (run->requeue.is_wanted)
		return 0;
	buf_add_text(run->messages, "gpuq: nothing was changed\n");
	return 1;
}

static int run_requeue(struct command_run *run)
{
	const struct job *job = store_find_name(run->store, run->options->args[0]);
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	int status = 0;
	if (!run->options->prefs)
		return fail(run, ERR_USAGE, "requeue", "needs --prefs LIST");
	if (!may_be_requeued(run, job, &status))
		return status;
	if (!build(run, job, &prefs, &err))
		return report_error(run, &err);
	name_both(run, job);
	if (run->options->dry_run)
		return command_ask_requeue(run);
	run->requeue.is_built = true;
	return 0;
}

/* --- what becomes of it --- */

/* It may take minutes: who waits reads how far it is. */
static void say_now(struct command_run *run, const struct buf *text)
{
	struct buf line;
	buf_init(&line, COMMAND_TEXT_MAX);
	buf_add(&line, buf_text(run->messages), run->messages->len);
	buf_clear(run->messages);
	buf_add_text(&line, "gpuq: ");
	command_add_outside(&line, text);
	buf_add_char(&line, '\n');
	(void)!io_write_all(STDERR_FILENO, &line);
	buf_release(&line);
}

/* The new one is not there, but was wanted: it waits for another try. */
static void add_way_on(const struct command_run *run, const struct requeue_told *told,
		       struct buf *out)
{
	struct err err = { 0 };
	if (told->step != REQUEUE_NOT_CREATED && told->step != REQUEUE_WITHDRAWN)
		return;
	if (kept_draft_of_requeue(run, told, &err))
		buf_addf(out,
			 ". What was to be sent is kept as a draft: in the dashboard, X on the row "
			 "of %s shows it and asks",
			 told->old_name);
	else
		buf_addf(out,
			 ". What was to be sent could not be kept as a draft (%s). To submit a "
			 "copy of %s after all: in the dashboard P on it, and X once its list is "
			 "as wanted",
			 err_text(&err), told->old_name);
	err_clear(&err);
}

int command_requeued(struct command_run *run, const struct requeue_told *told)
{
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	requeue_describe(told, &text);
	add_way_on(run, told, &text);
	say_now(run, &text);
	buf_clear(&text);
	if (told->step == REQUEUE_DONE && !told->late && told->new_arn) {
		buf_addf(&text, "%s\n", told->new_arn);
		command_add_outside(run->out, &text);
	}
	buf_release(&text);
	if (told->step == REQUEUE_DONE)
		return 0;
	return told->err ? err_exit_status(told->err) : 1;
}

static const char *const accepts[] = { "prefs", "count",   "name", "max-pending",
				       "order", "dry-run", NULL };

const struct command command_requeue = {
	.name = "requeue",
	.arguments = "NAME",
	.help = "put a copy with another list in the place of a pending job",
	.example = "gpuq requeue llm-ft-0930 --prefs ml.p4d.24xlarge:4,ml.p5.48xlarge:2\n"
		   "gpuq requeue llm-ft-0930 --prefs ml.p5.48xlarge,ml.p5e.48xlarge --count 2 "
		   "--order stop-first",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_OWNED,
	.changes = true,
	.submits = true,
	.accepts = accepts,
	.run = run_requeue,
};
