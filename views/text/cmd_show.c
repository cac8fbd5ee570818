/* gpuq show NAME: one job whole. */
#include "views/text/past.h"

static int run_show(struct command_run *run)
{
	struct report_context context = command_context(run);
	struct text_past past;
	const struct job *job = store_find_name(run->store, run->options->args[0]);
	if (!job) {
		struct err err = { 0 };
		err_set(&err, ERR_NOT_FOUND, "there is no training or processing job of that name");
		err_subject(&err, "%s", run->options->args[0]);
		err.hint = HINT_CHECK_NAME;
		command_message(run->messages, &err);
		err_clear(&err);
		return 1;
	}
	text_past_init(&past, run);
	context.past = &past.likely;
	context.plan = store_plan_of(run->store, job);
	context.note = history_note(&run->store->history, job->kind, job->name);
	report_job(run->out, &context, job);
	text_past_release(&past);
	return 0;
}

const struct command command_show = {
	.name = "show",
	.arguments = "NAME",
	.help = "one job: status, timeline, list, selection, wait, cost",
	.example = "gpuq show llm-ft-0930\n"
		   "gpuq show llm-ft-0930 -o json",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_JOB_HISTORY,
	.run = run_show,
};
