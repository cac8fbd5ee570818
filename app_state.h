/* The composition's own state, for its two files: app.c (the dashboard and what both need) and
 * app_command.c (one command without a screen). */
#ifndef GPUQ_APP_STATE_H
#define GPUQ_APP_STATE_H

#include "app.h"
#include "aws/client.h"
#include "aws/demo.h"
#include "aws/plans_feed.h"
#include "aws/sync.h"
#include "model/arn.h"
#include "tui/loop.h"
#include "tui/term.h"
#include "views/screen.h"
#include "views/text/command.h"

#define OUTPUT_MAX (64u << 20)

struct app {
	const struct options *options;
	struct clock clock;
	struct loop *loop;
	const char *region;
	struct demo demo;
	struct aws_client *client;
	struct sync *sync;
	struct store store;
	struct plans_feed *plans;
	struct timer client_timer, sync_timer, plans_timer;
	int exit_status;
	/* the dashboard */
	struct term *term;
	struct screen *screen;
	struct timer paint_timer, tick_timer, wake_timer, refuse_timer;
	int64_t painted_ms;
	bool dirty;
	char account[ACCOUNT_SIZE];
	struct err refused; /* why a submission could not even start; told by refuse_timer */
	char refused_name[JOB_NAME_SIZE];
	/* one command */
	bool finished;
	const struct command *command;
	struct command_run run;
	struct request request;
	struct err failure;
};

/* Connects to AWS; the dashboard or the command goes on from there. */
void app_connect(struct app *app);
/* Keeps jobs, or training plans, in the store. */
void app_start_sync(struct app *app, void (*on_change)(void *ctx));
void app_start_plans(struct app *app, void (*on_change)(void *ctx));

/* Runs the command that the options name, until it has ended. */
void app_command_run(struct app *app);
/* The client stands, or there is none. */
void app_command_connected(struct app *app);
void app_command_failed(struct app *app, const struct err *err);
/* What sync describes for a command; ctx is the app. */
bool app_command_wants(void *ctx, const struct job *job);

#endif
