/* gpuq completion SHELL: the script by which a shell completes gpuq's words. */
#include "views/text/complete.h"
#include "views/text/command.h"

static int run_completion(struct command_run *run)
{
	const char *shell = run->options->args[0], *script = complete_script(shell);
	struct err err = { 0 };
	if (script) {
		buf_add_text(run->out, script);
		return 0;
	}
	err_set(&err, ERR_USAGE, "is none of bash, zsh and fish");
	err_subject(&err, "%s", shell);
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

const struct command command_completion = {
	.name = "completion",
	.arguments = "bash|zsh|fish",
	.help = "a script for the shell, by which Tab completes options, jobs, types and profiles",
	.example = "eval \"$(gpuq completion bash)\"\n"
		   "gpuq completion fish >~/.config/fish/completions/gpuq.fish",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_NOTHING,
	.run = run_completion,
};
