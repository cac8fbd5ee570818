/* gpuq history: how long jobs waited, how often they fell back, and what that cost. */
#include <stdlib.h>

#include "model/config_known.h"
#include "model/history_spread.h"
#include "model/history_sums.h"
#include "views/text/command.h"
#include "views/text/past.h"

/* What is known is told all the same; the exit status is that of the first failure. */
static int tell_failures(const struct command_run *run)
{
	enum err_code told = ERR_NONE;
	int status = 0;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &run->store->sources[i];
		if (!source->failing || source->error.code == told)
			continue;
		if (status == 0) {
			(void)buf_add_text(run->messages,
					   "gpuq: the figures are partial: AWS's lists could not "
					   "be read to their end, and a job that is not kept yet "
					   "may be missing\n");
			status = err_exit_status(&source->error);
		}
		command_message(run->messages, &source->error);
		told = source->error.code;
	}
	return status;
}

static int run_history(struct command_run *run)
{
	const struct options *options = run->options;
	const struct report_context context = {
		.format = options->format,
		.region = run->region,
		.now_ms = store_now_ms(run->store, run->clock),
		.utc = options->utc,
		.ascii = command_is_ascii(run),
		.columns = run->columns,
	};
	int64_t since_ms =
		options->given[SETTING_SINCE] ? context.now_ms - options->since_ms : INT64_MIN;
	struct check_known known = { 0 };
	struct check_certified *certified = config_fill_known(options->config, &known);
	struct history_sums sums;
	struct history_spreads spreads;
	history_sums_make(&run->store->history, options->by, since_ms, &sums);
	history_spreads_make(&run->store->history, options->by, since_ms, &known, &spreads);
	const struct report_history report = {
		&run->store->history,  &sums, &spreads, options->by, run->store->plans,
		run->store->plan_count
	};
	report_history(run->out, &context, &report);
	history_sums_release(&sums);
	history_spreads_release(&spreads);
	free(certified);
	text_past_tell(run);
	return tell_failures(run);
}

static const char *const accepts[] = { "by", NULL };

const struct command command_history = {
	.name = "history",
	.arguments = "",
	.help = "waits, fallbacks, time-outs and costs of all jobs seen",
	.example = "gpuq history\n"
		   "gpuq history --by stem --since 30d -o csv",
	.most_args = 0,
	.need = NEED_HISTORY_FEES,
	.accepts = accepts,
	.run = run_history,
};
