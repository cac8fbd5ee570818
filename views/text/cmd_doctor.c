/* gpuq doctor: what works on the way from this terminal to AWS, and what does not. */
#include "views/text/command.h"

static int run_doctor(struct command_run *run)
{
	const struct options *options = run->options;
	const struct report_context context = {
		.format = options->format,
		.ascii = options->ascii || !run->terminal.is_utf8,
		.columns = run->columns,
	};
	diagnosis_add_terminal(run->diagnosis, &run->terminal, options->ascii, options->no_color);
	diagnosis_add_config(run->diagnosis, options->config);
	report_diagnosis(run->out, &context, run->diagnosis);
	return diagnosis_exit_status(run->diagnosis);
}

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "",
	.help = "what works: terminal, region, credentials, clock, each permission",
	.example = "gpuq doctor\n"
		   "gpuq doctor --profile ops -o json",
	.need = NEED_DIAGNOSIS,
	.run = run_doctor,
};
