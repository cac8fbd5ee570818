/* gpuq iam-policy: the least IAM policy for what the program can call. Asks AWS nothing. */
#include "views/text/report_parts.h"
#include "views/text/command.h"

/* action, resource: for a sheet of what a team asks its administrators for. */
static void write_csv(struct buf *out, const struct command_sources *sources, const char *partition,
		      bool read_only)
{
	buf_add_text(out, "statement,action,resource\n");
	for (int part = 0; part < (read_only ? POLICY_CHANGE : POLICY_PARTS); part++)
		for (size_t i = 0; i < sources->action_count; i++) {
			struct buf resource;
			if (sources->actions[i].part != (enum policy_part)part)
				continue;
			buf_init(&resource, PLAIN_MAX);
			policy_add_resource(&resource, (enum policy_part)part, partition);
			report_add_csv_text(out, policy_part_word((enum policy_part)part));
			report_add_csv_text(out, sources->actions[i].action);
			report_add_csv_text(out, buf_text(&resource));
			buf_add_char(out, '\n');
			buf_release(&resource);
		}
}

static int run_policy(struct command_run *run)
{
	const struct options *options = run->options;
	const struct command_sources *sources = run->sources;
	const char *partition = policy_partition(run->region);
	if (options->format == REPORT_CSV)
		write_csv(run->out, sources, partition, options->read_only);
	else
		policy_add(run->out, sources->actions, sources->action_count, partition,
			   options->read_only, options->format == REPORT_JSONL);
	if (!options->read_only)
		buf_addf(run->messages,
			 "gpuq: put the role of your jobs, or a pattern for their roles, in the "
			 "place of %s\n",
			 POLICY_ROLE);
	return 0;
}

const struct command command_iam_policy = {
	.name = "iam-policy",
	.arguments = "",
	.help = "the least IAM policy that gpuq needs (with --read-only: to look)",
	.example = "gpuq iam-policy --read-only\n"
		   "gpuq iam-policy >policy.json",
	.need = NEED_NOTHING,
	.run = run_policy,
};
