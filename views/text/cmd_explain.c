/* gpuq explain NAME...: why jobs are pending, were refused or ended so. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/explain.h"
#include "views/text/command.h"
#include "views/text/past.h"

static void say_unknown(struct command_run *run, const char *name)
{
	struct err err = { 0 };
	err_set(&err, ERR_NOT_FOUND,
		"there is no training or processing job of that name, and no refusal of one is "
		"kept here");
	err_subject(&err, "%s", name);
	err.hint = HINT_CHECK_NAME;
	command_message(run->messages, &err);
	err_clear(&err);
}

/* The job of argument i, or what was kept of its refusal. */
static bool explain_one(const struct command_run *run, size_t i, struct explain_ask *ask,
			struct report_explain *one)
{
	const struct need_refusal *kept = &run->refusals[i];
	const struct explain_refusal refusal = { .err = &kept->err,
						 .at = kept->at,
						 .kind = kept->kind };
	ask->job = store_find_name(run->store, run->options->args[i]);
	ask->refusal = ask->job || !kept->is_kept ? NULL : &refusal;
	if (!ask->job && !ask->refusal)
		return false;
	one->job = ask->job;
	one->name = run->options->args[i];
	one->kind = kept->kind;
	one->explanation = mem_new(1, sizeof(*one->explanation));
	explain(ask, one->explanation);
	ask->refusal = NULL;
	return true;
}

static int run_explain(struct command_run *run)
{
	const struct report_context context = command_context(run);
	size_t count = run->options->arg_count, known = 0;
	struct report_explain *all = mem_new(count, sizeof(*all));
	struct outlook outlook = { 0 };
	outlook_learn(&outlook, &run->store->history);
	struct check_known sections = { 0 };
	struct check_certified *certified = config_fill_known(run->options->config, &sections);
	struct explain_ask ask = { .store = run->store,
				   .curves = &outlook.curves,
				   .known = &sections,
				   .now_ms = context.now_ms };
	for (size_t i = 0; i < count; i++) {
		if (explain_one(run, i, &ask, &all[known]))
			known++;
		else
			say_unknown(run, run->options->args[i]);
	}
	if (known > 0)
		report_explanations(run->out, &context, all, known);
	for (size_t i = 0; i < known; i++) {
		explanation_release(all[i].explanation);
		free(all[i].explanation);
	}
	text_past_tell(run);
	outlook_release(&outlook);
	free(certified);
	free(all);
	return known == count ? 0 : 1;
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_explain = {
	.name = "explain",
	.arguments = "NAME...",
	.help = "why a job is pending, or was refused, or ended so: evidence, what to do",
	.example = "gpuq explain llm-ft-0930\n"
		   "gpuq explain llm-ft-0930 eval-nightly-20261130 -o json",
	.least_args = 1,
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_EXPLAIN,
	.accepts = accepts,
	.run = run_explain,
};
