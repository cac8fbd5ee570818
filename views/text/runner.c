#include "views/text/runner.h"

#include "views/text/asking.h"

#define LINE_MAX_BYTES 4096

static void end(struct runner *runner, int status)
{
	runner->status = status;
	runner->host.end(runner->host.host, status);
}

void runner_failed(struct runner *runner, const struct err *err)
{
	err_copy(&runner->failure, err);
	end(runner, err_exit_status(err));
}

void runner_gathered(struct runner *runner, const struct err *err)
{
	if (err) {
		runner_failed(runner, err);
		return;
	}
	int status = runner->command->run(&runner->run);
	const struct stop_errand *stops = &runner->run.stops;
	if (stops->count > 0)
		runner->host.stop(runner->host.host, stops->wishes, stops->count);
	else
		end(runner, status);
}

void runner_stopped(struct runner *runner, const struct stop_result *result)
{
	int status = command_stopped(&runner->run, result);
	if (result->left == 0)
		end(runner, status);
}

void runner_created(struct runner *runner, const char *arn, const struct err *err)
{
	struct buf line;
	if (err) {
		runner_failed(runner, err);
		return;
	}
	buf_init(&line, LINE_MAX_BYTES);
	buf_addf(&line, "%s\n", arn);
	command_add_outside(runner->run.out, &line);
	buf_release(&line);
	end(runner, 0);
}

static void submit(struct runner *runner)
{
	const struct request *request = runner->run.request;
	struct request_facts facts;
	struct err err = { 0 };
	if (request_facts(request, &facts, &err)) {
		const struct order order = { .kind = request->kind,
					     .name = facts.name,
					     .text = request->text };
		runner->host.create(runner->host.host, &order);
	} else {
		runner_failed(runner, &err);
	}
	err_clear(&err);
}

bool runner_start(struct runner *runner)
{
	const struct command *command = runner->command;
	/* Nothing is cut for a pipe. */
	runner->run.columns = runner->run.terminal.out_is_tty ? runner->run.terminal.columns : 0;
	if (command->changes && !asking_may_change(&runner->run, &runner->status))
		return false;
	if (command->need == NEED_DIAGNOSIS)
		runner->host.gather(runner->host.host, NEED_DIAGNOSIS); /* of no connection, too */
	else
		command_add_problems(runner->run.messages, runner->run.options->config, true);
	if (command->need == NEED_NOTHING)
		runner->status = command->run(&runner->run);
	return command->need != NEED_NOTHING || runner->run.submit;
}

bool runner_submits(const struct runner *runner, char key[JOURNAL_KEY_SIZE])
{
	const struct request *request = runner->run.request;
	struct request_facts facts;
	struct err ignored = { 0 };
	bool ok = runner->run.submit && request_facts(request, &facts, &ignored) &&
		  journal_key(request->kind, facts.name, NULL, key);
	err_clear(&ignored);
	return ok;
}

void runner_connected(struct runner *runner)
{
	int status = runner->status;
	if (!runner->run.submit)
		runner->host.gather(runner->host.host, runner->command->need);
	else if (command_may_submit(&runner->run, &status)) /* where it goes is asked too */
		submit(runner);
	else
		end(runner, status);
}
