/* gpuq check FILE: every fault of a request at once, without a word to AWS. */
#include "views/text/foreign_check.h"
#include "views/text/request_file.h"

static int report_error(struct command_run *run, struct err *err)
{
	command_message(run->messages, err);
	int status = err_exit_status(err);
	err_clear(err);
	return status;
}

/* What is found; false with err: the file cannot be read. *kind: of the request, where *is_of_kind
 * says that there is one. */
static bool look(const struct command_run *run, struct findings *findings, bool *is_of_kind,
		 enum job_kind *kind, struct err *err)
{
	struct request request = { 0 };
	struct buf text;
	buf_init(&text, REQUEST_MAX);
	bool told = request_file_text(run, &text, findings, err);
	if (told && request_file_take(run, &text, &request, findings, err)) {
		*kind = request.kind;
		*is_of_kind = true;
		told = request_file_check(run, &request, findings, err);
	} else if (told) { /* the findings say what it is instead */
		*is_of_kind = foreign_check(run, buf_text(&text), text.len, findings, kind);
	}
	request_release(&request);
	buf_wipe(&text);
	buf_release(&text);
	return told || findings->count > 0;
}

static int run_check(struct command_run *run)
{
	const struct report_context context = { .format = run->options->format,
						.region = run->region,
						.ascii = command_is_ascii(run) };
	struct findings findings = { 0 };
	struct err err = { 0 };
	enum job_kind kind = JOB_TRAINING;
	bool is_of_kind = false;
	if (!look(run, &findings, &is_of_kind, &kind, &err))
		return report_error(run, &err);
	report_findings(run->out, &context, is_of_kind ? &kind : NULL, &findings);
	if (is_of_kind && context.format == REPORT_TABLE)
		buf_addf(run->out, "as the request of a %s job\n", job_kind_word(kind));
	err_clear(&err);
	return findings_have_error(&findings) ? 3 : 0;
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_check = {
	.name = "check",
	.arguments = "FILE",
	.help = "check a Create request (- for stdin), also in Python, YAML, a state machine; "
		"offline",
	.example = "gpuq check job.json\n"
		   "gpuq check job.json -o json\n"
		   "gpuq check - --kind training <job.json",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_NOTHING,
	.accepts = accepts,
	.run = run_check,
};
