/* gpuq config: every setting with its value and where it came from; what is wrong with the file. */
#include "views/text/command.h"

static int run_config(struct command_run *run)
{
	const struct report_context context = {
		.format = run->options->format,
		.ascii = command_is_ascii(run),
		.columns = run->columns,
	};
	report_config(run->out, &context, run->options->config);
	command_add_problems(run->messages, run->options->config, false);
	return 0;
}

const struct command command_config = {
	.name = "config",
	.arguments = "",
	.help = "every setting with its value and where it came from",
	.example = "gpuq config\n"
		   "gpuq config -o json",
	.need = NEED_NOTHING,
	.run = run_config,
};
