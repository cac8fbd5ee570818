/* One command without a screen: what it needs of AWS is gathered, then it writes its result. */
#include "app_parts.h"

#include "aws/sagemaker_jobs.h"
#include "tui/facts.h"

static void finish(struct app *app, int status)
{
	app->exit_status = status;
	loop_stop(app->loop);
}

/* The end of the command. */
static void fail(struct app *app, const struct err *err)
{
	err_copy(&app->failure, err);
	finish(app, err_exit_status(err));
}

static void on_gathered(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	app->run.store = &app->store;
	if (err)
		fail(app, err);
	else
		finish(app, app->command->run(&app->run));
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
	if (request_facts(&app->request, &facts, &err)) {
		struct order order = { .kind = app->request.kind,
				       .name = facts.name,
				       .text = app->request.text };
		jobs_create(session_client(app->session), &order, on_command_created, app);
	} else {
		fail(app, &err);
	}
	err_clear(&err);
}

static void gather(struct app *app)
{
	static const enum gather_what whats[] = { [GATHER_NOTHING] = GATHER_ALL_JOBS,
						  [GATHER_JOBS] = GATHER_ALL_JOBS,
						  [GATHER_JOB] = GATHER_ONE_JOB,
						  [GATHER_PLANS] = GATHER_ALL_PLANS,
						  [GATHER_DIAGNOSIS] = GATHER_DIAGNOSIS_ROWS };
	app->gathering = (struct gathering){ .session = app->session,
					     .store = &app->store,
					     .what = whats[app->command->gather],
					     .name = app->options->args[0],
					     .diagnosis = &app->diagnosis,
					     .done = on_gathered,
					     .ctx = app };
	gather_start(&app->gathering);
}

void app_command_run(struct app *app)
{
	term_facts(&app->run.terminal);
	/* Nothing is cut for a pipe. */
	app->run.columns = app->run.terminal.out_is_tty ? app->run.terminal.columns : 0;
	if (app->command->gather == GATHER_DIAGNOSIS)
		gather(app); /* of why there may be no connection, too */
	else
		command_add_problems(app->run.messages, app->options->config, true);
	if (app->command->gather == GATHER_NOTHING) {
		app->exit_status = app->command->run(&app->run);
		if (!app->run.submit)
			return;
	}
	app_run_loop(app);
}

void app_command_connected(struct app *app)
{
	if (gather_connected(&app->gathering, NULL))
		return;
	if (!app->run.submit)
		gather(app);
	else if (command_may_submit(&app->run, &app->exit_status)) /* where it goes is asked too */
		submit_request(app);
	else
		loop_stop(app->loop);
}

void app_command_failed(struct app *app, const struct err *err)
{
	if (!gather_connected(&app->gathering, err))
		fail(app, err);
}
