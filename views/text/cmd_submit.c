/* gpuq submit FILE: checks a request, shows it, and hands it to the app to send. */
#include <stdio.h>
#include <string.h>

#include "views/text/asking.h"
#include "views/text/request_file.h"
#include "views/text/stakes.h"

static bool apply_options(struct request *request, const struct options *options, struct err *err)
{
	struct preferences prefs = { 0 };
	if (options->count && !options->prefs) {
		err_set(err, ERR_USAGE, "goes with --prefs");
		return err_subject(err, "--count");
	}
	if (options->prefs && (!prefs_parse(&prefs, options->prefs, options->count, err) ||
			       !request_set_preferences(request, &prefs, err)))
		return false;
	if (options->name && !request_set_name(request, options->name, err))
		return false;
	return !options->max_pending.set ||
	       request_set_max_pending(request, options->max_pending.ms / 1000, err);
}

/* For a person: what the file says may hold anything. */
static void show_request(struct buf *out, const struct request *request)
{
	struct buf text;
	buf_init(&text, REQUEST_MAX * 2);
	request_show(request, false, &text);
	command_add_outside(out, &text);
	buf_release(&text);
}

static int report_error(struct command_run *run, struct err *err)
{
	command_message(run->messages, err);
	int status = err_exit_status(err);
	err_clear(err);
	return status;
}

/* The request is shown for a person; a script gets the findings as json. */
static void show(struct command_run *run, const struct request *request,
		 const struct findings *findings)
{
	const struct report_context context = { .format = run->options->format,
						.region = run->region,
						.ascii = command_is_ascii(run) };
	bool table = context.format == REPORT_TABLE;
	if (table && run->options->dry_run)
		show_request(run->out, request);
	report_findings(table ? run->messages : run->out, &context,
			request->text ? &request->kind : NULL, findings);
}

/* Over max_per_hour or max_worst_case a doubt of `check` is a refusal. */
static bool is_refused(const struct findings *findings)
{
	return findings_have_error(findings) || request_file_breaks(findings, "cost-above");
}

static int run_submit(struct command_run *run)
{
	struct err err = { 0 };
	struct findings findings = { 0 };
	struct request *request = run->request;
	bool ok = request_file_read(run, request, &findings, &err);
	if (!ok && findings.count > 0 && run->options->format != REPORT_TABLE) {
		show(run, request, &findings);
		err_clear(&err);
		return 3;
	}
	if (!ok || !apply_options(request, run->options, &err) ||
	    !request_file_check(run, request, &findings, &err))
		return report_error(run, &err);
	if (is_refused(&findings) || run->options->dry_run) {
		show(run, request, &findings);
		return is_refused(&findings) ? 3 : 0;
	}
	run->submit = true; /* what AWS has to say of it comes first */
	return 0;
}

/* What it would start, and what is to be typed: y, or above confirm_above the name. */
static void add_question(struct command_run *run, const struct stakes *stakes, bool type_name,
			 struct buf *out)
{
	request_show(run->request, false, out);
	stakes_add(out, stakes);
	request_file_add_quotas(run, run->request, out);
	(void)buf_addf(out, "\nSend this to %s? ", run->region);
	if (type_name)
		(void)buf_addf(out, "Type %s and Enter to send it", stakes->facts->name);
	else
		(void)buf_add_text(out, "y sends");
	(void)buf_add_text(out, ", anything else is No: ");
}

static bool ask(struct command_run *run, const struct request_facts *facts)
{
	const struct stakes stakes = { run->request->kind, facts, run->region,
				       &run->store->prices };
	bool type_name = stakes_want_name(&stakes, run->options->confirm_above_micro);
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	add_question(run, &stakes, type_name, &text);
	bool agreed = asking_agrees(run, &text, type_name ? facts->name : "y");
	buf_release(&text);
	if (!agreed)
		buf_add_text(run->messages, "gpuq: nothing was sent\n");
	return agreed;
}

/* AWS has told what it can, and the region, and with it the price, may be known only now. */
static bool refuse(struct command_run *run, int *status)
{
	const struct report_context context = { .region = run->region,
						.ascii = command_is_ascii(run) };
	struct findings findings = { 0 };
	struct err err = { 0 };
	if (!request_file_check(run, run->request, &findings, &err)) {
		*status = report_error(run, &err);
		return true;
	}
	struct buf quotas;
	buf_init(&quotas, COMMAND_TEXT_MAX);
	if (is_refused(&findings)) {
		show(run, run->request, &findings);
		*status = 3;
	} else {
		report_findings(run->messages, &context, &run->request->kind, &findings);
	}
	/* Else they stand in the question, below a request that may fill the screen. */
	if (*status == 3 || run->options->yes)
		request_file_add_quotas(run, run->request, &quotas);
	command_add_outside(run->messages, &quotas);
	buf_release(&quotas);
	return is_refused(&findings);
}

bool command_may_submit(struct command_run *run, int *status)
{
	struct request_facts facts;
	struct err err = { 0 };
	if (refuse(run, status))
		return false;
	if (!request_facts(run->request, &facts, &err)) {
		*status = report_error(run, &err);
		return false;
	}
	bool agreed = ask(run, &facts);
	*status = agreed ? 0 : 1;
	return agreed;
}

static const char *const accepts[] = { "kind",        "prefs",   "count", "name",
				       "max-pending", "dry-run", NULL };

const struct command command_submit = {
	.name = "submit",
	.arguments = "FILE",
	.help = "check a Create request (JSON file, - for stdin) and send it",
	.example = "gpuq submit job.json --prefs ml.p5.48xlarge:2,ml.p4d.24xlarge:4 --dry-run\n"
		   "gpuq submit job.json --name nightly-1 --max-pending 6h --yes",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_NOTHING,
	.submits = true,
	.accepts = accepts,
	.run = run_submit,
};
