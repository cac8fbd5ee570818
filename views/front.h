/*
 * Who waits for answers: the dashboard's screen, or one command. What has happened is told here to
 * whichever runs; whoever speaks to AWS need not know which that is.
 */
#ifndef GPUQ_FRONT_H
#define GPUQ_FRONT_H

#include "tui/ask_line.h"
#include "views/follower.h"
#include "views/painter.h"
#include "views/text/runner.h"

#define FRONT_TEXT_MAX (1u << 20) /* of all that is said beside a result */

/* {0} with the owner's parts of all three set. */
struct front {
	struct painter painter;   /* of the dashboard */
	struct runner runner;     /* of the command; its command NULL: the dashboard runs */
	struct follower follower; /* of one that goes on */
	struct ask_line ask_line; /* for what a command has to ask */
};

bool front_is_command(const struct front *front);

/* To the status line, or to the messages of the command; releases text. An empty one is not told.
 */
void front_say(struct front *front, enum style style, struct buf *text);
/* The same of an error, in one line. */
void front_warn(struct front *front, const struct err *err);
/* To a person who waits; a command's messages come at its end. */
void front_progress(struct front *front, const char *text);
/* The store has changed. */
void front_refresh(struct front *front);

/* Answers to what was asked of AWS; err NULL: it went well. */
void front_submitted(struct front *front, const char *name, const char *arn, const struct err *err);
void front_stopped(struct front *front, const struct stop_result *result);
void front_requeued(struct front *front, const struct requeue_told *told);
void front_quota_raised(struct front *front, const struct quota_raise *raise,
			const struct quota_raised *raised, const struct err *err);
/* What earlier runs have left is settled: what was agreed to before is known by now. */
void front_settled(struct front *front);

/* An MFA device's code: on the screen, or for a command on the terminal. profile NULL: none is
 * wanted any more. */
void front_ask_code(struct front *front, const char *profile, const char *serial);

#endif
