/* gpuq quotas: the limits of types, what is used of them, and by whom. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/catalog.h"
#include "model/store_quotas.h"
#include "views/text/command.h"

#define NEAR_MAX  3
#define EXIT_NONE 0

static const struct job *const *all_jobs(const struct store *store)
{
	return (const struct job *const *)store->jobs;
}

/* Of the types named, or of those in use; as what was gathered for it. */
static size_t collect(const struct command_run *run, struct quota_key *keys)
{
	const struct options *options = run->options;
	size_t count = 0;
	for (size_t i = 0; i < options->arg_count; i++)
		count = quota_keys_of_type(keys, count, QUOTA_KEYS_MAX, options->args[i]);
	if (options->arg_count == 0)
		count = quota_keys_of_jobs(keys, 0, QUOTA_KEYS_MAX, all_jobs(run->store),
					   run->store->count);
	return count;
}

/* A mistyped name has no quota: that is said, and what may have been meant. */
static bool knows_types(const struct command_run *run)
{
	const struct options *options = run->options;
	bool all = true;
	for (size_t i = 0; i < options->arg_count; i++) {
		const char *near[NEAR_MAX];
		struct err err = { 0 };
		if (catalog_find(options->args[i]) || quota_find(options->args[i], QUOTA_TRAINING))
			continue;
		size_t found = catalog_near(options->args[i], near, NEAR_MAX);
		if (found > 0)
			err_set(&err, ERR_USAGE,
				"is no instance type that is known here; near it: %s", near[0]);
		else
			err_set(&err, ERR_USAGE, "is no instance type that is known here");
		err_subject(&err, "%s", options->args[i]);
		command_message(run->messages, &err);
		err_clear(&err);
		all = false;
	}
	return all;
}

/* Each reason once; the exit status is that of the first. */
static int tell_failures(const struct command_run *run, const struct report_quota *quotas,
			 size_t count)
{
	const struct err *told = NULL;
	int status = EXIT_NONE;
	for (size_t i = 0; i < count; i++) {
		const struct err *err = quotas[i].fact.error;
		if (!err || (told && told->code == err->code))
			continue;
		command_message(run->messages, err);
		status = status == EXIT_NONE ? err_exit_status(err) : status;
		told = err;
	}
	return status;
}

static int write_quotas(struct command_run *run, const struct quota_key *keys, size_t count)
{
	const struct report_context context = command_context(run);
	struct report_quota *quotas = mem_new(count + 1, sizeof(*quotas));
	for (size_t i = 0; i < count; i++) {
		struct quota_fact *fact = &quotas[i].fact;
		fact->instance_type = keys[i].instance_type;
		fact->kind = keys[i].kind;
		store_quota_facts(run->store, fact, 1);
		quota_count(all_jobs(run->store), run->store->count, fact->instance_type,
			    fact->kind, &quotas[i].use);
	}
	report_quotas(run->out, &context, quotas, count);
	int status = tell_failures(run, quotas, count);
	for (size_t i = 0; i < count; i++)
		quota_use_release(&quotas[i].use);
	free(quotas);
	return status;
}

static int run_quotas(struct command_run *run)
{
	struct quota_key keys[QUOTA_KEYS_MAX];
	const struct err wrong = { .code = ERR_USAGE };
	if (!knows_types(run))
		return err_exit_status(&wrong);
	return write_quotas(run, keys, collect(run, keys));
}

const struct command command_quotas = {
	.name = "quotas",
	.arguments = "[TYPE...]",
	.help = "limits of instance types, what is used of them and by which jobs",
	.example = "gpuq quotas\n"
		   "gpuq quotas ml.p5.48xlarge -o json",
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_QUOTAS,
	.run = run_quotas,
};
