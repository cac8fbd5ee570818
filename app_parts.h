/* Shared by app.c and app_command.c alone: the composition as they both see it. */
#ifndef GPUQ_APP_PARTS_H
#define GPUQ_APP_PARTS_H

#include "app.h"
#include "aws/gather.h"
#include "aws/session.h"
#include "model/arn.h"
#include "tui/loop.h"
#include "tui/repaint.h"
#include "tui/term.h"
#include "views/screen.h"
#include "views/text/command.h"

#define OUTPUT_MAX (64u << 20)

struct app {
	const struct options *options;
	struct log *log;
	struct clock clock;
	struct loop *loop;
	char region[REGION_SIZE]; /* "" until it is known */
	struct store store;
	struct session *session;
	struct timer session_timer;
	int exit_status;
	/* the dashboard */
	struct term *term;
	struct screen *screen;
	struct timer paint_timer, tick_timer, wake_timer, refuse_timer;
	struct repaint repaint;
	char account[ACCOUNT_SIZE], profile[128];
	struct err refused; /* why a submission could not even start; told by refuse_timer */
	char refused_name[JOB_NAME_SIZE];
	/* one command */
	const struct command *command;
	struct gathering gathering;
	struct diagnosis diagnosis;
	struct command_run run;
	struct request request;
	struct err failure;
};

/* Connects, and turns the loop until somebody stops it. */
void app_run_loop(struct app *app);

/* app_command.c: runs app->command to its end, whose status and failure are the app's. */
void app_command_run(struct app *app);
/* From the session: there is a connection, or none and why. */
void app_command_connected(struct app *app);
void app_command_failed(struct app *app, const struct err *err);

#endif
