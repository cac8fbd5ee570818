/* gpuq actions [NAME...]: what gpuq did to AWS from here, or tried. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "views/text/command.h"

static bool is_wanted(const struct options *options, const struct action *action)
{
	for (size_t i = 0; i < options->arg_count; i++)
		if (action_is_of(action, options->args[i]))
			return true;
	return options->arg_count == 0;
}

static int run_actions(struct command_run *run)
{
	const struct report_context context = command_context(run);
	const struct actions *actions = &run->store->actions;
	const struct action **wanted = mem_new(actions->count + 1, sizeof(const struct action *));
	size_t count = 0;
	for (size_t i = 0; i < actions->count; i++)
		if (is_wanted(run->options, &actions->items[i]))
			wanted[count++] = &actions->items[i];
	report_actions(run->out, &context, wanted, count);
	free(wanted);
	return 0;
}

const struct command command_actions = {
	.name = "actions",
	.arguments = "[NAME...]",
	.help = "what gpuq did from here, or tried: creates, stops, requeues, raises",
	.example = "gpuq actions -o jsonl",
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_ACTIONS,
	.run = run_actions,
};
