/*
 * What is asked of AWS is taken down as an action (model/action_log.h): each call that changes
 * something, at its end, whoever asked for it; and beside the calls what they do not tell.
 */
#ifndef GPUQ_ACTS_H
#define GPUQ_ACTS_H

#include "aws/client.h"
#include "aws/submitter.h"
#include "model/action_log.h"
#include "model/requeue.h"
#include "model/stop.h"

/* As on_change of struct aws_options. */
void acts_called(struct action_log *log, const struct aws_op *op, const char *body,
		 const struct aws_reply *reply, const struct err *err);

/* A submission that no call of this run has settled, or that nothing was sent for; others add
 * nothing. Each takes NULL for the log: nothing is taken down. */
void acts_answered(struct action_log *log, const struct submit_answer *answer);
/* A stop that was not sent. */
void acts_stopped(struct action_log *log, const struct stop_result *result);
/* The end of a requeue. */
void acts_requeued(struct action_log *log, const struct requeue_told *told);

#endif
