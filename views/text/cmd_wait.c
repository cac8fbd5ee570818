/* gpuq wait NAME: until the job runs, or has ended. */
#include <string.h>

#include "views/text/command.h"
#include "views/text/plain.h"

static int tell(struct command_run *run, enum err_code code, enum err_hint hint, const char *text)
{
	struct err err = { 0 };
	err_set(&err, code, "%s", text);
	err_subject(&err, "%s", run->options->args[0]);
	err.hint = hint;
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

static const struct job *find_job(const struct command_run *run)
{
	const struct options *options = run->options;
	const struct job *job = store_find_name(run->store, options->args[0]);
	for (size_t i = 0; options->has_kind && job && i < run->store->count; i++) {
		const struct job *other = store_at(run->store, i);
		if (other->kind == options->kind && strcmp(other->name, job->name) == 0)
			return other;
	}
	return job;
}

/* "NAME is running after a wait of 1h42m, on ml.p4d.24xlarge x4 (#2)" */
static void add_line(struct buf *out, const struct command_run *run, const struct job *job)
{
	enum phase phase = job_phase(job);
	struct buf text;
	bool final;
	struct opt_ms wait = plain_wait(job, store_now_ms(run->store, run->clock), &final);
	buf_init(&text, PLAIN_MAX);
	buf_addf(&text, "%s %s %s", job->name, job_has_ended(job) ? "has" : "is",
		 phase_word(phase));
	if (wait.set) {
		buf_add_text(&text, " after a wait of ");
		plain_duration(&text, wait);
	}
	if (job->selected.set) {
		buf_add_text(&text, ", on ");
		plain_instances(&text, job->selected.instance_type, true, job->selected.count);
		if (job->selected.rank > 0)
			buf_addf(&text, " (#%zu)", job->selected.rank);
	}
	buf_add_char(&text, '\n');
	command_add_outside(out, &text);
	buf_release(&text);
}

static int end(struct command_run *run, const struct job *job, int status)
{
	const struct report_context context = command_context(run);
	if (context.format == REPORT_TABLE)
		add_line(run->out, run, job);
	else
		report_job(run->out, &context, job);
	return status;
}

static int end_badly(struct command_run *run, const struct job *job)
{
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_addf(&text, "it has %s", phase_word(job_phase(job)));
	if (job->failure_reason)
		buf_addf(&text, ": %s", job->failure_reason);
	(void)tell(run, ERR_REFUSED, HINT_NONE, buf_text(&text));
	buf_release(&text);
	return end(run, job, 1);
}

static int give_up(struct command_run *run, const struct job *job)
{
	char waited[TIME_TEXT_SIZE];
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	duration_format(run->options->timeout.ms / 1000, waited);
	buf_addf(&text, "it is still %s after %s", phase_word(job_phase(job)), waited);
	int status = tell(run, ERR_TIMEOUT, HINT_NONE, buf_text(&text));
	buf_release(&text);
	return status;
}

/* The state that is known may be one that a list has overtaken: the details are on their way. */
static bool is_settled(const struct job *job, const struct fresh *fresh)
{
	return job->described || fresh->error;
}

static int follow_wait(struct command_run *run)
{
	const struct options *options = run->options;
	struct follow *follow = &run->follow;
	int64_t mono_ms = clock_mono_ms(run->clock);
	const struct job *job = find_job(run);
	if (!job)
		return tell(run, ERR_NOT_FOUND, HINT_CHECK_NAME,
			    follow->has_begun ? "the job is not there any more"
					      : "there is no job of that name");
	if (!follow->has_begun)
		follow->until_mono_ms = mono_ms + options->timeout.ms;
	follow->has_begun = true;
	enum phase phase = job_phase(job);
	struct fresh fresh = store_job_fresh(run->store, job, mono_ms);
	follow_trouble(run, SOURCE_DESCRIBE, "the job", fresh.error);
	if (is_settled(job, &fresh)) {
		if (phase == PHASE_FAILED || phase == PHASE_STOPPED)
			return end_badly(run, job);
		if (phase == PHASE_COMPLETED || (options->until_running && phase == PHASE_RUNNING))
			return end(run, job, 0);
	}
	if (!options->timeout.set)
		return COMMAND_GOES_ON;
	if (mono_ms >= follow->until_mono_ms)
		return give_up(run, job);
	follow->wake_ms = follow->until_mono_ms - mono_ms;
	return COMMAND_GOES_ON;
}

static const char *const accepts[] = { "until", "timeout", "kind", NULL };

const struct command command_wait = {
	.name = "wait",
	.arguments = "NAME",
	.help = "wait until a job has ended, or is running",
	.example = "gpuq wait llm-ft-0930\n"
		   "gpuq wait llm-ft-0930 --until running --timeout 6h && echo it runs",
	.least_args = 1,
	.most_args = 1,
	.need = NEED_WAIT,
	.accepts = accepts,
	.follow = follow_wait,
};
