/* gpuq check FILE: every fault of a request at once, without a word to AWS. */
#include "views/text/request_file.h"

static int report_error(struct command_run *run, struct err *err)
{
	command_message(run->messages, err);
	int status = err_exit_status(err);
	err_clear(err);
	return status;
}

static int run_check(struct command_run *run)
{
	const struct report_context context = { .format = run->options->format,
						.region = run->region,
						.ascii = run->options->ascii };
	struct findings findings = { 0 };
	struct request request = { 0 };
	struct err err = { 0 };
	bool is_request = request_file_read(run, &request, &findings, &err);
	bool told = findings.count > 0; /* what it is instead of a request */
	if (is_request)
		told = request_file_check(run, &request, &findings, &err);
	if (told)
		report_findings(run->out, &context, is_request ? &request.kind : NULL, &findings);
	request_release(&request);
	if (!told)
		return report_error(run, &err);
	err_clear(&err);
	return findings_have_error(&findings) ? 3 : 0;
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_check = {
	.name = "check",
	.arguments = "FILE",
	.help = "check a Create request (JSON file, - for stdin); asks AWS nothing",
	.example = "gpuq check job.json\n"
		   "gpuq check job.json -o json\n"
		   "gpuq check - --kind training <job.json",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_NOTHING,
	.accepts = accepts,
	.run = run_check,
};
