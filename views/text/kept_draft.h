/* What a command was to send, and did not, kept for the dashboard. */
#ifndef GPUQ_KEPT_DRAFT_H
#define GPUQ_KEPT_DRAFT_H

#include "views/text/command.h"

/* Keeps the request of a requeue as a draft: of the old job's row, where that job is known. False
 * with err: it is lost. */
bool kept_draft_of_requeue(const struct command_run *run, const struct requeue_told *told,
			   struct err *err) MUST_CHECK;

#endif
