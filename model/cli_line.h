/*
 * The AWS CLI command that does what a submission does, for a shell or a runbook.
 */
#ifndef GPUQ_CLI_LINE_H
#define GPUQ_CLI_LINE_H

#include "model/request.h"

/* Where it goes; NULL or "" = as the CLI chooses. */
struct cli_place {
	const char *region, *endpoint_url, *profile;
};

/*
 * Appends `aws sagemaker create-training-job … --cli-input-json '…'` without a line break, quoted
 * for a POSIX shell. Secrets are masked, so that a masked line does not run as it stands; reveal
 * writes them.
 */
void cli_line_add(struct buf *out, const struct request *request, const struct cli_place *place,
		  bool reveal);

#endif
