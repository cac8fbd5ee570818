/* gpuq show NAME: one job whole. */
#include <stdlib.h>

#include "model/config_known.h"
#include "model/likely.h"
#include "model/outlook.h"
#include "views/text/command.h"

/* On the entry that it was given, or has no choice but to be given; unset for a list that waits,
 * and for a job that is over: what that costs is known. */
static struct opt_ms likely_run(const struct command_run *run, const struct job *job)
{
	struct check_known known = { 0 };
	struct check_certified *certified = config_fill_known(run->options->config, &known);
	struct outlook outlook = { 0 };
	struct likely likely = { 0 };
	char stem[JOB_NAME_SIZE];
	size_t rank = job->selected.set ? job->selected.rank : 1;
	if (job_has_ended(job)) {
		free(certified);
		return (struct opt_ms){ 0 };
	}
	job_stem(job->name, stem);
	outlook_learn(&outlook, &run->store->history);
	outlook_runs(&outlook, &run->store->history, stem, job->kind, &job->prefs, likely.run);
	likely_fill(&likely, &job->prefs, job->kind, stem, &run->store->prices, &known);
	outlook_release(&outlook);
	free(certified);
	return rank > 0 && rank <= PREFS_MAX ? likely.run[rank - 1] : (struct opt_ms){ 0 };
}

static int run_show(struct command_run *run)
{
	struct report_context context = command_context(run);
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
	context.likely_run = likely_run(run, job);
	context.note = history_note(&run->store->history, job->kind, job->name);
	report_job(run->out, &context, job);
	return 0;
}

const struct command command_show = {
	.name = "show",
	.arguments = "NAME",
	.help = "one job: status, timeline, list, selection, wait, cost",
	.example = "gpuq show llm-ft-0930 -o json",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_JOB_HISTORY,
	.run = run_show,
};
