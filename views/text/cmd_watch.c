/* gpuq watch [NAME...]: a line of JSON for every change of phase. */
#include <string.h>

#include "views/text/command.h"

static bool is_watched(const struct options *options, const struct job *job)
{
	if (options->has_kind && job->kind != options->kind)
		return false;
	for (size_t i = 0; i < options->arg_count; i++)
		if (strcmp(options->args[i], job->name) == 0)
			return true;
	return options->arg_count == 0;
}

static void tell_change(void *ctx, const struct phase_change *change)
{
	struct command_run *run = ctx;
	const struct report_context context = command_context(run);
	if (is_watched(run->options, change->job))
		report_phase_change(run->out, &context, change);
}

/* A slip in a name would be waited for in silence. */
static void tell_absent(struct command_run *run)
{
	for (size_t i = 0; i < run->options->arg_count; i++) {
		const char *name = run->options->args[i];
		struct buf text;
		if (store_find_name(run->store, name))
			continue;
		buf_init(&text, COMMAND_TEXT_MAX);
		buf_addf(&text, "gpuq: %s: there is no such job yet; it is watched for\n", name);
		command_add_outside(run->messages, &text);
		buf_release(&text);
	}
}

static int follow_watch(struct command_run *run)
{
	bool begins = false;
	int status = follow_phases(run, tell_change, &begins);
	if (begins)
		tell_absent(run);
	return status;
}

static int check_watch(struct command_run *run)
{
	struct err err = { 0 };
	if (run->options->format != REPORT_CSV)
		return 0;
	err_set(&err, ERR_USAGE, "writes lines of JSON alone");
	err_subject(&err, "watch");
	err.hint = HINT_SEE_HELP;
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_watch = {
	.name = "watch",
	.arguments = "[NAME...]",
	.help = "a line of JSON for every change of phase, until it is interrupted",
	.example = "gpuq watch | jq -r 'select(.to == \"failed\").job'",
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_WATCH,
	.accepts = accepts,
	.check = check_watch,
	.follow = follow_watch,
	.endless = true,
};
