/*
 * The AWS CLI command that does what a submission does, for a shell or a runbook.
 */
#ifndef GPUQ_CLI_LINE_H
#define GPUQ_CLI_LINE_H

#include "model/request.h"

/* Linux's MAX_ARG_STRLEN, 32 pages, less the byte that ends it (execve(2)). */
#define CLI_ARGUMENT_MAX (128u * 1024 - 1)
#define CLI_LINE_FILE    "request.json"

/* Where it goes; NULL or "" = as the CLI chooses. */
struct cli_place {
	const char *region, *endpoint_url, *profile;
};

/*
 * Appends `aws sagemaker create-training-job … --cli-input-json '…'` without a line break, quoted
 * for a POSIX shell. Secrets are masked, so that a masked line does not run as it stands; reveal
 * writes them. False: the request is longer than one argument may be, and the line reads it from
 * CLI_LINE_FILE instead.
 */
bool cli_line_add(struct buf *out, const struct request *request, const struct cli_place *place,
		  bool reveal);

#endif
