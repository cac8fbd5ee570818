/* gpuq jobs: both kinds in one list, newest first; for a person in the order of the screen. */
#include <stdlib.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/filter.h"
#include "model/order.h"
#include "views/text/past.h"

/* Equal words mean the phase: "stopping", "completed", "failed", "stopped" (interface.md). */
static bool status_matches(const char *wanted, const struct job *job)
{
	enum phase phase;
	if (!wanted)
		return true;
	if (phase_parse(wanted, &phase))
		return job_phase(job) == phase;
	return job->status && strcasecmp(job->status, wanted) == 0;
}

static bool is_wanted(const struct options *options, const struct filter *filter,
		      const struct job *job, const struct filter_ask *ask)
{
	return (!options->has_kind || job->kind == options->kind) &&
	       status_matches(options->status, job) && filter_matches(filter, job, ask);
}

struct row {
	const struct job *job;
	struct order_place place;
	size_t at;
};

/* Ties keep the order they came in. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = order_compare(&x->place, &y->place);
	if (order != 0)
		return order;
	return x->at < y->at ? -1 : 1;
}

/* What waits longest is looked for first; scripts get the order that they had. */
static void sort_for_person(const struct job **jobs, size_t count, int64_t now_ms)
{
	struct row *rows = mem_new(count + 1, sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct row){ jobs[i], order_place(jobs[i], now_ms), i };
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++)
		jobs[i] = rows[i].job;
	free(rows);
}

/* A filter that is none is told before AWS is asked. */
static int check_jobs(struct command_run *run)
{
	const char *text = run->options->filter;
	struct filter *filter = text ? filter_new(text) : NULL;
	const struct filter_wrong *wrong = filter_wrong(filter);
	struct err err = { 0 };
	if (wrong) {
		err_set(&err, ERR_USAGE, "column %d: %s", text_columns(text, wrong->at) + 1,
			wrong->text);
		err.hint = HINT_SEE_HELP;
		err_subject(&err, "--filter");
		command_message(run->messages, &err);
		err_clear(&err);
	}
	int status = wrong ? err_exit_status(&(struct err){ .code = ERR_USAGE }) : 0;
	filter_free(filter);
	return status;
}

static int run_jobs(struct command_run *run)
{
	struct report_context context = command_context(run);
	struct text_past past;
	const struct job **wanted = mem_new(run->store->count + 1, sizeof(const struct job *));
	struct filter_memo memo = { 0 };
	const struct filter_ask ask = { context.now_ms, &run->store->prices, &memo };
	struct filter *filter = run->options->filter ? filter_new(run->options->filter) : NULL;
	size_t count = 0;
	for (size_t i = 0; i < run->store->count; i++) {
		const struct job *job = store_at(run->store, i);
		if (is_wanted(run->options, filter, job, &ask))
			wanted[count++] = job;
	}
	if (context.format == REPORT_TABLE)
		sort_for_person(wanted, count, context.now_ms);
	text_past_init(&past, run);
	context.past = &past.likely;
	report_jobs(run->out, &context, wanted, count);
	text_past_release(&past);
	filter_free(filter);
	free(wanted);
	return 0;
}

static const char *const accepts[] = { "status", "kind", "filter", NULL };

const struct command command_jobs = {
	.name = "jobs",
	.arguments = "",
	.help = "list training and processing jobs",
	.example = "gpuq jobs --status pending --filter \"llm wait>2h\" -o json\n"
		   "gpuq jobs --since 24h -o csv >jobs.csv\n"
		   "gpuq jobs --status failed --kind training",
	.most_args = 0,
	.need = NEED_JOBS,
	.accepts = accepts,
	.check = check_jobs,
	.run = run_jobs,
};
