#include "views/text/runner.h"

#include <stdlib.h>
#include <unistd.h>

#include "model/base/io.h"
#include "views/text/asking.h"

#define LINE_MAX_BYTES 4096

void runner_progress(const char *text)
{
	struct buf line;
	if (!isatty(STDERR_FILENO))
		return;
	buf_init(&line, LINE_MAX_BYTES);
	buf_addf(&line, "gpuq: %s\n", text);
	if (!io_write_all(STDERR_FILENO, &line))
		buf_clear(&line); /* the message at the end says all */
	buf_release(&line);
}

static void end(struct runner *runner, int status)
{
	runner->status = status;
	runner->host.end(runner->host.host, status);
}

void runner_release(struct runner *runner)
{
	stop_errand_release(&runner->run.stops);
	follow_release(&runner->run.follow);
	free(runner->run.requeue.old_arn);
	for (size_t i = 0; i < ARRAY_LEN(runner->run.refusals); i++)
		err_clear(&runner->run.refusals[i].err);
}

void runner_failed(struct runner *runner, const struct err *err)
{
	err_copy(&runner->failure, err);
	end(runner, err_exit_status(err));
}

static void requeue(struct runner *runner)
{
	const struct requeue_errand *errand = &runner->run.requeue;
	const struct requeue_wish wish = { .kind = runner->run.request->kind,
					   .old_name = errand->old_name,
					   .old_arn = errand->old_arn,
					   .new_name = errand->new_name,
					   .text = runner->run.request->text,
					   .stop_first = errand->stop_first,
					   .despite_owner = errand->despite_owner };
	runner->host.cloud.requeue(runner->host.cloud.host, &wish);
}

void runner_requeued(struct runner *runner, const struct requeue_told *told)
{
	int status = command_requeued(&runner->run, told);
	if (!told->late && requeue_has_ended(told->step))
		end(runner, status);
}

void runner_interrupted(struct runner *runner)
{
	const struct requeue_errand *errand = &runner->run.requeue;
	struct buf text;
	buf_init(&text, LINE_MAX_BYTES);
	if (errand->is_wanted)
		buf_addf(
			&text,
			"gpuq: interrupted: the requeue of %s cannot be taken back any more, since "
			"%s may be at AWS already; the next gpuq that changes something (the "
			"dashboard, submit or requeue) finds out and ends it\n",
			errand->old_name, errand->new_name);
	else
		buf_add_text(&text, "gpuq: interrupted: it may have been submitted already; what "
				    "is not is not sent any more\n");
	command_add_outside(runner->run.messages, &text);
	buf_release(&text);
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
		runner->host.cloud.submit(runner->host.cloud.host, &order);
	} else {
		runner_failed(runner, &err);
	}
	err_clear(&err);
}

/* Where it goes is asked too. */
static void ask_and_submit(struct runner *runner)
{
	int status = runner->status;
	if (command_may_submit(&runner->run, &status))
		submit(runner);
	else
		end(runner, status);
}

static void look_at_request(struct runner *runner)
{
	runner_progress("looks at the quotas, the plans and the name at AWS");
	runner->host.gather(runner->host.host, NEED_REQUEST);
}

void runner_gathered(struct runner *runner, const struct err *err)
{
	if (err) {
		runner_failed(runner, err);
		return;
	}
	if (runner->run.submit) {
		ask_and_submit(runner);
		return;
	}
	if (runner->command->follow) {
		runner->host.follow(runner->host.host);
		return;
	}
	bool looked = runner->run.look.asked;
	int status =
		looked ? command_ask_requeue(&runner->run) : runner->command->run(&runner->run);
	const struct stop_errand *stops = &runner->run.stops;
	if (runner->run.requeue.is_wanted)
		requeue(runner);
	else if (runner->run.requeue.is_built && !looked)
		look_at_request(runner);
	else if (stops->count > 0)
		runner->host.cloud.stop(runner->host.cloud.host, stops->wishes, stops->count);
	else
		end(runner, status);
}

bool runner_wants(const struct runner *runner, const struct job *job)
{
	const struct options *options = runner->run.options;
	bool has_changed = runner->command->endless && job_has_details(job);
	return (job_is_live(job) || quota_counts(job) || has_changed) &&
	       (!options->has_kind || job->kind == options->kind);
}

bool runner_look(struct runner *runner)
{
	runner->run.follow.wake_ms = -1;
	int status = runner->command->follow(&runner->run);
	if (status != COMMAND_GOES_ON)
		end(runner, status);
	return status == COMMAND_GOES_ON;
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

bool runner_start(struct runner *runner)
{
	const struct command *command = runner->command;
	/* Nothing is cut for a pipe. */
	runner->run.columns = runner->run.terminal.out_is_tty ? runner->run.terminal.columns : 0;
	if (command->changes && !runner->run.options->dry_run &&
	    !asking_may_change(&runner->run, &runner->status))
		return false;
	runner->run.need = command->need;
	if (command->check && (runner->status = command->check(&runner->run)) != 0)
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
	if (!runner->run.submit) {
		runner->host.gather(runner->host.host, runner->run.need);
	} else if (asking_may_change(&runner->run, &status)) {
		look_at_request(runner);
	} else {
		end(runner, status);
	}
}
