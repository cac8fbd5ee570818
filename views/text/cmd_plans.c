/* gpuq plans: the training plans of the region, as the service lists them. */
#include "views/text/command.h"

static int run_plans(struct command_run *run)
{
	const struct report_context context = command_context(run);
	report_plans(run->out, &context, run->store->plans, run->store->plan_count);
	return 0;
}

const struct command command_plans = {
	.name = "plans",
	.arguments = "",
	.help = "list training plans: state, type, free instances, windows",
	.example = "gpuq plans\n"
		   "gpuq plans -o json",
	.need = NEED_PLANS,
	.run = run_plans,
};
