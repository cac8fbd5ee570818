/* gpuq submit FILE: checks a request, shows it, and hands it to the app to send. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/base/io.h"
#include "views/text/command.h"

#define ANSWER_SIZE 16

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

/* A name that leads to no readable file is a wrong argument. */
static bool read_file(const char *path, struct buf *text, struct err *err)
{
	if (io_read_file(path, text, err))
		return true;
	if (err->code == ERR_IO) {
		err->code = ERR_USAGE;
		err->hint = HINT_CHECK_FILE;
	}
	return false;
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
						.ascii = run->options->ascii };
	bool table = context.format == REPORT_TABLE;
	if (table && run->options->dry_run)
		show_request(run->out, request);
	report_findings(table ? run->messages : run->out, &context, request->kind, findings);
}

static int run_submit(struct command_run *run)
{
	struct err err = { 0 };
	struct buf text;
	struct findings findings = { 0 };
	struct request *request = run->request;
	const char *path = run->options->args[0];
	buf_init(&text, REQUEST_MAX);
	bool ok =
		read_file(path, &text, &err) &&
		request_read(request, buf_text(&text), text.len, path,
			     run->options->has_kind ? &run->options->kind : NULL, &findings, &err);
	buf_release(&text);
	if (!ok && findings.count > 0 && run->options->format != REPORT_TABLE) {
		show(run, request, &findings);
		err_clear(&err);
		return 3;
	}
	if (!ok || !apply_options(request, run->options, &err) ||
	    !request_check(request, NULL, &findings, &err))
		return report_error(run, &err);
	if (findings_have_error(&findings) || run->options->dry_run) {
		show(run, request, &findings);
		return findings_have_error(&findings) ? 3 : 0;
	}
	const struct report_context context = { .region = run->region };
	report_findings(run->messages, &context, request->kind, &findings);
	run->submit = true;
	return 0;
}

static bool refuse(struct command_run *run, const char *why, int *status)
{
	struct err err = { 0 };
	err_set(&err, ERR_USAGE, "%s", why);
	err_subject(&err, "submit");
	*status = report_error(run, &err);
	return false;
}

static bool refuse_read_only(struct command_run *run, int *status)
{
	struct buf why;
	buf_init(&why, ERR_TEXT_MAX);
	buf_add_text(&why, "changes something, and read_only is on: ");
	config_add_origin(run->options->config, SETTING_READ_ONLY, &why);
	refuse(run, buf_text(&why), status);
	buf_release(&why);
	return false;
}

bool command_may_submit(struct command_run *run, int *status)
{
	char answer[ANSWER_SIZE] = "";
	struct buf text;
	if (run->options->read_only)
		return refuse_read_only(run, status);
	if (run->options->yes)
		return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return refuse(run, "there is no terminal to ask on; --yes sends without asking",
			      status);
	buf_init(&text, REQUEST_MAX * 2);
	buf_add(&text, buf_text(run->messages), run->messages->len);
	buf_clear(run->messages);
	show_request(&text, run->request);
	buf_addf(&text, "\nSend this to %s? y sends, anything else is No: ", run->region);
	bool agreed = io_write_all(STDERR_FILENO, &text) && fgets(answer, sizeof(answer), stdin) &&
		      strcmp(answer, "y\n") == 0;
	buf_release(&text);
	if (!agreed)
		buf_add_text(run->messages, "gpuq: nothing was sent\n");
	*status = agreed ? 0 : 1;
	return agreed;
}

static const char *const accepts[] = { "kind",        "prefs",   "count", "name",
				       "max-pending", "dry-run", NULL };

const struct command command_submit = {
	.name = "submit",
	.arguments = "FILE",
	.help = "check a CreateTrainingJob or CreateProcessingJob request and send it",
	.example = "gpuq submit job.json --prefs ml.p5.48xlarge:2,ml.p4d.24xlarge:4 --dry-run",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_NOTHING,
	.submits = true,
	.accepts = accepts,
	.run = run_submit,
};
