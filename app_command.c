/* One command without a screen: gathers what it wants, runs it once, and ends the loop. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app_state.h"
#include "aws/sagemaker_jobs.h"

/* A command lists ended jobs without their details: a Describe each would take minutes. */
bool app_command_wants(void *ctx, const struct job *job)
{
	const struct options *options = ((struct app *)ctx)->options;
	return job_is_live(job) && (!options->has_kind || job->kind == options->kind);
}

static void finish(struct app *app, int status)
{
	app->exit_status = status;
	app->finished = true;
	loop_stop(app->loop);
}

static void fail(struct app *app, const struct err *err)
{
	err_copy(&app->failure, err);
	finish(app, err_exit_status(err));
}

static void run_command(struct app *app)
{
	app->run.store = &app->store;
	finish(app, app->command->run(&app->run));
}

static void on_command_change(void *ctx)
{
	struct app *app = ctx;
	/* More answers can lie in the turn of the loop that is the last. */
	if (app->finished)
		return;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		if (app->store.sources[i].failing && !app->store.sources[i].loaded) {
			fail(app, &app->store.sources[i].error);
			return;
		}
	if (sync_is_settled(app->sync))
		run_command(app);
}

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct app *app = ctx;
	if (!err) {
		store_take_described(&app->store, job);
		run_command(app);
		return;
	}
	if (err->code == ERR_NOT_FOUND)
		run_command(app); /* it says so itself */
	else
		fail(app, err);
}

static void on_training_described(void *ctx, struct job *job, const struct err *err)
{
	struct app *app = ctx;
	if (err && err->code == ERR_NOT_FOUND)
		jobs_describe(app->client, JOB_PROCESSING, app->options->args[0], on_described,
			      app);
	else
		on_described(ctx, job, err);
}

static void on_command_created(void *ctx, const char *arn, const struct err *err)
{
	struct app *app = ctx;
	if (err) {
		fail(app, err);
		return;
	}
	struct buf line;
	buf_init(&line, OUTPUT_MAX);
	buf_addf(&line, "%s\n", arn);
	command_add_outside(app->run.out, &line);
	buf_release(&line);
	finish(app, 0);
}

static void submit_request(struct app *app)
{
	struct request_facts facts;
	struct err err = { 0 };
	if (request_facts(&app->request, &facts, &err))
		jobs_create(app->client, app->request.kind, facts.name, app->request.text,
			    on_command_created, app);
	else
		fail(app, &err);
	err_clear(&err);
}

static void on_plans_change(void *ctx)
{
	struct app *app = ctx;
	const struct freshness *plans = &app->store.sources[SOURCE_PLANS];
	if (app->finished)
		return;
	if (plans->failing)
		fail(app, &plans->error);
	else if (plans->loaded)
		run_command(app);
}

void app_command_connected(struct app *app)
{
	if (app->run.submit) {
		submit_request(app);
		return;
	}
	switch (app->command->gather) {
	case GATHER_JOB:
		jobs_describe(app->client, JOB_TRAINING, app->options->args[0],
			      on_training_described, app);
		break;
	case GATHER_PLANS:
		app_start_plans(app, on_plans_change);
		plans_feed_want(app->plans, true);
		break;
	case GATHER_JOBS:
	case GATHER_NOTHING:
		app_start_sync(app, on_command_change);
		break;
	}
}

void app_command_failed(struct app *app, const struct err *err)
{
	fail(app, err);
}

/* 0 = stdout is no terminal: nothing is cut for a pipe. */
static int stdout_columns(void)
{
	struct winsize size;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

void app_command_run(struct app *app)
{
	app->run.columns = stdout_columns();
	if (app->command->gather == GATHER_NOTHING) {
		app->exit_status = app->command->run(&app->run);
		if (!app->run.submit || !command_may_submit(&app->run, &app->exit_status))
			return;
	}
	app_connect(app);
	while (loop_turn(app->loop, -1))
		continue;
}
