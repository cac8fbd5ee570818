/*
 * Who waits for answers: the dashboard's screen, or one command. What has happened is told here to
 * whichever runs; whoever speaks to AWS need not know which that is.
 */
#ifndef GPUQ_FRONT_H
#define GPUQ_FRONT_H

#include "tui/ask_line.h"
#include "views/follower.h"
#include "views/herald.h"
#include "views/painter.h"
#include "views/text/runner.h"

#define FRONT_TEXT_MAX (1u << 20) /* of all that is said beside a result */

/* {0} with the owner's parts of all three set. */
struct front {
	struct painter painter;     /* of the dashboard */
	struct runner runner;       /* of the command; its command NULL: the dashboard runs */
	struct follower follower;   /* of one that goes on */
	struct herald herald;       /* of the dashboard and of a command that goes on for ever */
	struct ask_line ask_line;   /* for what a command has to ask */
	struct cloud_intents cloud; /* of the herald; front.c's */
};

bool front_is_command(const struct front *front);
/* The rules of the config are carried out from now on, by the env of a view; borrowed. */
void front_start_herald(struct front *front, struct loop *loop, const struct view_env *env);

/* The program is in another place now: painter_move. */
void front_move(struct front *front, const struct view_env *env);
/* Where the state of the place lies: to those who keep some. As of painter_keep. */
void front_keep(struct front *front, const char *folder, bool passing, const struct err *err);

/* To the status line, or to the messages of the command; releases text. An empty one is not told.
 */
void front_say(struct front *front, enum style style, struct buf *text);
/* What is wrong with the config, in one line. */
void front_say_warnings(struct front *front, const struct config *config);
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
