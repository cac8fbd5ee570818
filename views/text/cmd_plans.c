/* gpuq plans: the training plans of the region, as the service lists them. */
#include "views/text/command.h"

static int run_plans(struct command_run *run)
{
	const struct report_context context = {
		.format = run->options->format,
		.region = run->region,
		.now_ms = store_now_ms(run->store, run->clock),
		.utc = run->options->utc,
		.ascii = run->options->ascii,
	};
	report_plans(run->out, &context, run->store->plans, run->store->plan_count);
	return 0;
}

const struct command command_plans = {
	.name = "plans",
	.arguments = "",
	.help = "list training plans: state, type, free instances, windows",
	.example = "gpuq plans -o json",
	.need = NEED_PLANS,
	.run = run_plans,
};
