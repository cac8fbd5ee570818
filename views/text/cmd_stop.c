/* gpuq stop NAME...: asks, and has the jobs stopped one after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/text/asking.h"
#include "views/text/plain.h"

/* The job of an argument, of the kind that --kind wants. */
static const struct job *find_job(const struct command_run *run, const char *name)
{
	const struct options *options = run->options;
	for (size_t i = 0; i < run->store->count; i++) {
		const struct job *job = store_at(run->store, i);
		if (strcmp(job->name, name) == 0 &&
		    (!options->has_kind || job->kind == options->kind))
			return job;
	}
	return NULL;
}

static void tell(struct command_run *run, enum err_code code, enum err_hint hint, const char *name,
		 const char *text)
{
	struct err err = { 0 };
	err_set(&err, code, "%s", text);
	err_subject(&err, "%s", name);
	err.hint = hint;
	command_message(run->messages, &err);
	err_clear(&err);
}

static void note(struct command_run *run, enum job_kind kind, const char *name,
		 enum stop_outcome outcome, const char *message)
{
	struct stop_errand *stops = &run->stops;
	stops->told = mem_grow(stops->told, &stops->told_capacity, stops->told_count + 1,
			       sizeof(*stops->told));
	struct stop_told *told = &stops->told[stops->told_count++];
	*told = (struct stop_told){ .kind = kind,
				    .outcome = outcome,
				    .message = mem_copy_text(message) };
	(void)snprintf(told->name, sizeof(told->name), "%s", name);
}

/* --- before --- */

bool command_despite_owner(struct command_run *run, const struct job *job,
			   const struct owner *owner, struct buf *refusal)
{
	const char *typed = owner_typed(owner, job->name);
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_addf(&text, "%s belongs to ", job->name);
	owner_describe(owner, &text);
	buf_addf(&text,
		 ", which fails when its job is stopped: stop that instead.\nTo go on with the job "
		 "all the same, type %s: ",
		 typed);
	bool wanted = !run->options->yes && asking_word(run, &text, typed);
	buf_release(&text);
	if (wanted)
		return true;
	buf_addf(refusal, "not %s: it belongs to ",
		 strcmp(run->options->command, "stop") == 0 ? "stopped" : "requeued");
	owner_describe(owner, refusal);
	buf_addf(refusal,
		 ", which would fail. Stop that instead; or run gpuq %s on a terminal, without "
		 "--yes, and type %s.",
		 run->options->command, typed);
	tell(run, ERR_REFUSED, HINT_NONE, job->name, buf_text(refusal));
	return false;
}

static bool is_wanted_all_the_same(struct command_run *run, const struct job *job,
				   const struct owner *owner)
{
	struct buf refusal;
	buf_init(&refusal, COMMAND_TEXT_MAX);
	bool wanted = command_despite_owner(run, job, owner, &refusal);
	if (!wanted)
		note(run, job->kind, job->name, STOP_OWNED, buf_text(&refusal));
	buf_release(&refusal);
	return wanted;
}

static void add_wish(struct command_run *run, const struct job *job, bool despite_owner)
{
	struct stop_errand *stops = &run->stops;
	struct stop_wish *wish = &stops->wishes[stops->count++];
	*wish = (struct stop_wish){ .kind = job->kind, .despite_owner = despite_owner };
	memcpy(wish->name, job->name, sizeof(wish->name));
	stop_stakes_add(&stops->stakes, job, &run->store->prices,
			store_now_ms(run->store, run->clock));
}

static bool is_named_before(const struct options *options, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(options->args[i], options->args[at]) == 0)
			return true;
	return false;
}

/* One argument; returns the exit status it makes. */
static int consider(struct command_run *run, size_t at)
{
	const char *name = run->options->args[at];
	const struct job *job = find_job(run, name);
	const struct owner *owner = &run->owners[at];
	if (is_named_before(run->options, at))
		return 0;
	if (!job) {
		tell(run, ERR_NOT_FOUND, HINT_CHECK_NAME, name, "there is no job of that name");
		note(run, JOB_TRAINING, name, STOP_GONE, "there is no job of that name");
		return 1;
	}
	if (job_has_ended(job) || job_phase(job) == PHASE_STOPPING) {
		note(run, job->kind, name, STOP_OVER, phase_word(job_phase(job)));
		return 0;
	}
	if (owner->kind != OWNER_NONE && !is_wanted_all_the_same(run, job, owner))
		return 1;
	add_wish(run, job, owner->kind != OWNER_NONE);
	return 0;
}

/* "  NAME  running, 2 x ml.p5.48xlarge, ~$196 an hour" */
static void add_row(struct buf *out, const struct command_run *run, const struct job *job)
{
	struct cost cost =
		price_job_cost(job, &run->store->prices, store_now_ms(run->store, run->clock));
	buf_addf(out, "  %s  %s", job->name, phase_word(job_phase(job)));
	if (job->selected.set) {
		buf_add_text(out, ", ");
		plain_instances(out, job->selected.instance_type, true, job->selected.count);
	}
	if (job_phase(job) == PHASE_PENDING) {
		buf_add_text(out, ", nothing by the hour\n");
		return;
	}
	buf_add_text(out, ", ");
	plain_money(out, cost.per_hour, cost.currency, price_is_approximate(cost.source));
	buf_add_text(out, cost.per_hour.set ? " an hour\n" : " cost by the hour\n");
}

static bool is_agreed(struct command_run *run)
{
	const struct stop_errand *stops = &run->stops;
	bool high = stop_stakes_are_high(&stops->stakes, run->options->confirm_above_micro);
	char typed[JOB_NAME_SIZE] = "y";
	struct buf text;
	if (high && stops->count == 1)
		(void)snprintf(typed, sizeof(typed), "%s", stops->wishes[0].name);
	else if (high)
		(void)snprintf(typed, sizeof(typed), "stop %zu jobs", stops->count);
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_addf(&text, "Stopped in %s:\n", run->region);
	for (size_t i = 0; i < stops->count; i++)
		add_row(&text, run, find_job(run, stops->wishes[i].name));
	if (high)
		buf_addf(&text, "Type %s to stop %s, anything else is No: ", typed,
			 stops->count == 1 ? "it" : "them");
	else
		buf_addf(&text, "Stop %s? y stops, anything else is No: ",
			 stops->count == 1 ? "it" : "them");
	bool agreed = asking_agrees(run, &text, typed);
	buf_release(&text);
	return agreed;
}

static void report(struct command_run *run)
{
	const struct report_context context = { .format = run->options->format,
						.region = run->region,
						.ascii = command_is_ascii(run) };
	report_stops(run->out, &context, run->stops.told, run->stops.told_count);
}

static int run_stop(struct command_run *run)
{
	int status = 0;
	for (size_t i = 0; i < run->options->arg_count; i++) {
		int made = consider(run, i);
		status = status ? status : made;
	}
	if (run->stops.count > 0 && !is_agreed(run)) {
		run->stops.count = 0;
		buf_add_text(run->messages, "gpuq: nothing was stopped\n");
		status = 1;
	}
	if (run->stops.count == 0)
		report(run);
	run->stops.status = status;
	return status;
}

/* --- after --- */

/* What AWS said, with what to do next, is for a person; the report has its first words. */
static void take_failure(struct command_run *run, const struct stop_result *result)
{
	struct err err = { 0 };
	err_copy(&err, result->err);
	err_subject(&err, "%s", result->name);
	command_message(run->messages, &err);
	err_clear(&err);
	note(run, result->kind, result->name, STOP_FAILED, err_text(result->err));
	if (run->stops.status == 0)
		run->stops.status = err_exit_status(result->err);
}

static void take_owned(struct command_run *run, const struct stop_result *result)
{
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_add_text(&text, "not stopped: it belongs to ");
	owner_describe(&result->owner, &text);
	tell(run, ERR_REFUSED, HINT_NONE, result->name, buf_text(&text));
	note(run, result->kind, result->name, STOP_OWNED, buf_text(&text));
	buf_release(&text);
	if (run->stops.status == 0)
		run->stops.status = 1;
}

int command_stopped(struct command_run *run, const struct stop_result *result)
{
	if (result->outcome == STOP_FAILED)
		take_failure(run, result);
	else if (result->outcome == STOP_OWNED)
		take_owned(run, result);
	else
		note(run, result->kind, result->name, result->outcome, NULL);
	if (result->left == 0)
		report(run);
	return run->stops.status;
}

void stop_errand_release(struct stop_errand *stops)
{
	for (size_t i = 0; i < stops->told_count; i++)
		free(stops->told[i].message);
	free(stops->told);
	*stops = (struct stop_errand){ 0 };
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_stop = {
	.name = "stop",
	.arguments = "NAME...",
	.help = "stop jobs, one after the other (asks first)",
	.example = "gpuq stop llm-ft-0930 eval-nightly-20261130\n"
		   "gpuq stop llm-ft-0930 --yes",
	.least_args = 1,
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_OWNED,
	.changes = true,
	.accepts = accepts,
	.run = run_stop,
};
