/* gpuq submit FILE: checks a request, shows it, and hands it to the app to send. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "views/text/command.h"

/* The file's bytes ("-" = standard input), at most REQUEST_MAX. */
static bool read_file(const char *path, struct buf *text, struct err *err)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	if (!file) {
		err_set(err, ERR_IO, "%s", strerror(errno));
		err->hint = HINT_CHECK_NAME;
		return err_subject(err, "%s", path);
	}
	char chunk[16384];
	size_t got = 0;
	bool fits = true;
	while (fits && (got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		fits = buf_add(text, chunk, got);
	bool failed = ferror(file) != 0;
	if (file != stdin && fclose(file) != 0)
		failed = true;
	if (!fits)
		err_set(err, ERR_RULE, "is larger than %u bytes, more than SageMaker takes",
			REQUEST_MAX);
	else if (failed)
		err_set(err, ERR_IO, "cannot be read");
	else
		return true;
	return err_subject(err, "%s", path);
}

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
		request_show(request, false, run->out);
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
	    !request_check(request, &findings, &err))
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

static const char *const accepts[] = { "kind",        "prefs",   "count", "name",
				       "max-pending", "dry-run", NULL };

const struct command command_submit = {
	.name = "submit",
	.arguments = "FILE",
	.help = "check a CreateTrainingJob or CreateProcessingJob request and send it",
	.example = "gpuq submit job.json --prefs ml.p5.48xlarge:2,ml.p4d.24xlarge:4 --dry-run",
	.least_args = 1,
	.most_args = 1,
	.gather = GATHER_NOTHING,
	.accepts = accepts,
	.run = run_submit,
};
