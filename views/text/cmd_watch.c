/* gpuq watch [NAME...]: a line of JSON for every change of phase. */
#include <string.h>

#include "views/text/command.h"

static const char *const lists[] = { [SOURCE_TRAINING] = "the list of training jobs",
				     [SOURCE_PROCESSING] = "the list of processing jobs" };

static bool is_watched(const struct options *options, const struct job *job)
{
	if (options->has_kind && job->kind != options->kind)
		return false;
	for (size_t i = 0; i < options->arg_count; i++)
		if (strcmp(options->args[i], job->name) == 0)
			return true;
	return options->arg_count == 0;
}

static void tell_change(void *ctx, const struct phase_change *change)
{
	struct command_run *run = ctx;
	const struct report_context context = command_context(run);
	if (is_watched(run->options, change->job))
		report_phase_change(run->out, &context, change);
}

/* A slip in a name would be waited for in silence. */
static void tell_absent(struct command_run *run)
{
	for (size_t i = 0; i < run->options->arg_count; i++) {
		const char *name = run->options->args[i];
		struct buf text;
		if (store_find_name(run->store, name))
			continue;
		buf_init(&text, COMMAND_TEXT_MAX);
		buf_addf(&text, "gpuq: %s: there is no such job yet; it is watched for\n", name);
		command_add_outside(run->messages, &text);
		buf_release(&text);
	}
}

/* Neither list can be had, and none was before. */
static const struct err *find_failure(const struct store *store)
{
	const struct freshness *training = &store->sources[SOURCE_TRAINING];
	const struct freshness *processing = &store->sources[SOURCE_PROCESSING];
	bool is_lost = training->failing && processing->failing && !training->loaded &&
		       !processing->loaded;
	return is_lost ? &training->error : NULL;
}

static int follow_watch(struct command_run *run)
{
	const struct store *store = run->store;
	int64_t mono_ms = clock_mono_ms(run->clock);
	const struct err *failure = find_failure(store);
	if (failure) {
		command_message(run->messages, failure);
		return err_exit_status(failure);
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &store->sources[i];
		follow_trouble(run, (enum source_id)i, lists[i],
			       source->failing ? &source->error : NULL);
	}
	phases_look(&run->follow.phases, store, mono_ms, tell_change, run);
	if (!run->follow.has_begun && store->sources[SOURCE_TRAINING].loaded &&
	    store->sources[SOURCE_PROCESSING].loaded) {
		run->follow.has_begun = true;
		tell_absent(run);
	}
	run->follow.wake_ms = phases_wait_ms(&run->follow.phases, mono_ms);
	return COMMAND_GOES_ON;
}

static int check_watch(struct command_run *run)
{
	struct err err = { 0 };
	if (run->options->format != REPORT_CSV)
		return 0;
	err_set(&err, ERR_USAGE, "writes lines of JSON alone");
	err_subject(&err, "watch");
	err.hint = HINT_SEE_HELP;
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

static const char *const accepts[] = { "kind", NULL };

const struct command command_watch = {
	.name = "watch",
	.arguments = "[NAME...]",
	.help = "a line of JSON for every change of phase, until it is interrupted",
	.example = "gpuq watch | jq -r 'select(.to == \"failed\").job'",
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_WATCH,
	.accepts = accepts,
	.check = check_watch,
	.follow = follow_watch,
	.endless = true,
};
