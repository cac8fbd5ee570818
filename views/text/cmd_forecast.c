/* gpuq forecast: when a list would start and what it would cost, by this account's past. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/candidates.h"
#include "model/config_known.h"
#include "model/likely.h"
#include "model/outlook.h"
#include "views/text/command.h"
#include "views/text/past.h"

#define QUARTER_MS       (15 * 60 * INT64_C(1000))
#define HOUR_MS          (60 * 60 * INT64_C(1000))
#define SUGGEST_DEADLINE (24 * HOUR_MS) /* where none is given */
#define LATELY_MS        (24 * HOUR_MS)
#define SUGGEST_WORK     100000000 /* a step's bound; nothing else waits for a command */

struct question {
	struct preferences prefs;
	struct forecast_ask ask;
	struct candidates candidates;
	char stem[JOB_NAME_SIZE]; /* of --name; "" = any */
	struct opt_ms deadline;   /* from now */
	struct outlook outlook;
	struct forecast forecast;
	struct report_forecast report;
	struct check_known known;
	struct check_certified *certified; /* owned */
};

static int fail(struct command_run *run, const char *what, const char *text)
{
	struct err err = { 0 };
	err_set(&err, ERR_USAGE, "%s", text);
	err_subject(&err, "%s", what);
	err.hint = HINT_SEE_HELP;
	command_message(run->messages, &err);
	int status = err_exit_status(&err);
	err_clear(&err);
	return status;
}

/* A duration, or a time that is still to come. */
static bool read_deadline(const char *text, int64_t now_ms, struct opt_ms *deadline)
{
	int64_t seconds, ms;
	if (duration_parse(text, &seconds) && seconds > 0 && seconds < INT32_MAX)
		*deadline = (struct opt_ms){ true, seconds * 1000 };
	else if (time_parse_iso(text, &ms) && ms > now_ms)
		*deadline = (struct opt_ms){ true, ms - now_ms };
	return deadline->set;
}

static void add_costs(struct question *question, const struct command_run *run)
{
	struct report_forecast *report = &question->report;
	struct likely likely = { 0 };
	outlook_runs(&question->outlook, &run->store->history, question->stem, question->ask.kind,
		     &question->prefs, likely.run);
	likely_fill(&likely, &question->prefs, question->ask.kind, question->stem,
		    &run->store->prices, &question->known);
	for (size_t i = 0; i < question->ask.count; i++) {
		if (!question->ask.spot && !question->ask.choices[i].plan.unread)
			report->per_hour[i] = likely.per_hour[i];
		report->run[i] = likely.run[i];
	}
	likely_ask(&likely, &question->ask);
	report->currency = likely.currency;
	report->is_estimate = likely.is_estimate;
}

/* The certified entries whose run time is written there, of the stem where one is given. */
static struct suggest *suggest(struct question *question, const struct command_run *run,
			       int64_t now_ms)
{
	struct suggest_ask *ask = &question->candidates.ask;
	int64_t least = run->options->least_chance;
	*ask = (struct suggest_ask){
		.kind = question->ask.kind,
		.spot = question->ask.spot,
		.most = question->ask.spot ? 1 : PREFS_MAX,
		.deadline_ms = question->deadline.set ? question->deadline.ms : SUGGEST_DEADLINE,
		.limit = run->options->max_pending,
		.budget = run->options->budget,
		.by = least ? SUGGEST_BY_COST : SUGGEST_BY_CHANCE,
		.least_chance = (double)least / 100,
	};
	candidates_fill(&question->candidates, &question->known, question->stem,
			&run->store->prices);
	if (question->candidates.currency)
		question->report.currency = question->candidates.currency;
	struct suggest *suggest = suggest_new(&question->outlook.curves, ask, now_ms);
	while (!suggest_step(suggest, SUGGEST_WORK))
		;
	return suggest;
}

static bool names_plan(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (prefs_plan(prefs, i)[0])
			return true;
	return false;
}

/* What the plans say of the entries that have one; what was not read is told beside it. */
static void add_plans(struct question *question, struct command_run *run, int64_t now_ms)
{
	const struct store *store = run->store;
	const struct preferences *prefs = &question->prefs;
	const struct freshness *plans = &store->sources[SOURCE_PLANS];
	outlook_ask_plans(&question->ask, prefs, store->plans, store->plan_count, now_ms);
	for (size_t i = 0; i < question->ask.count; i++)
		if (prefs_plan(prefs, i)[0])
			question->report.plans[i] = store_find_plan(store, prefs_plan(prefs, i));
	if (names_plan(prefs) && plans->failing)
		command_message(run->messages, &plans->error);
}

/* A script reads UTC, as all its times are. */
static void add_lately(struct question *question, const struct command_run *run,
		       const struct report_context *context)
{
	const struct history *history = &run->store->history;
	const struct forecast_ask *ask = &question->ask;
	bool utc = context->utc || context->format != REPORT_TABLE;
	for (size_t i = 0; i < ask->count; i++) {
		struct report_lately *lately = &question->report.lately[i];
		const char *type = ask->choices[i].instance_type;
		const struct week_of of = { type, ask->kind, ask->spot, utc };
		if (ask->choices[i].plan.when != PLAN_STARTS_NOT_ASKED)
			continue;
		lately->seen = (struct sightings){ .instance_type = type,
						   .kind = ask->kind,
						   .spot = ask->spot,
						   .since_ms = context->now_ms - LATELY_MS };
		outlook_sight(&question->outlook, history, &lately->seen);
		week_pattern_learn(&lately->week, history, &of);
	}
}

static void report(struct question *question, struct command_run *run)
{
	const struct report_context context = command_context(run);
	struct suggest *found = NULL;
	add_plans(question, run, context.now_ms);
	outlook_learn(&question->outlook, &run->store->history);
	add_costs(question, run);
	add_lately(question, run, &context);
	forecast_make(&question->forecast, &question->outlook.curves, &question->ask,
		      context.now_ms);
	if (run->options->suggest)
		found = suggest(question, run, context.now_ms);
	if (found && question->candidates.ask.count == 0)
		buf_add_text(run->messages, "gpuq: no [certified NAME] of the config has a "
					    "run_time for this: nothing to suggest\n");
	if (question->candidates.too_many)
		buf_addf(run->messages, "gpuq: the first %d certified entries count\n",
			 SUGGEST_CANDIDATES_MAX);
	question->report.prefs = &question->prefs;
	question->report.forecast = &question->forecast;
	question->report.asked = &question->ask;
	question->report.suggest = found;
	question->report.ask = &question->candidates.ask;
	question->report.names = question->candidates.names;
	report_forecast(run->out, &context, &question->report);
	suggest_free(found);
}

static void ask_list(struct question *question, const struct options *options)
{
	struct forecast_ask *ask = &question->ask;
	outlook_ask(ask, &question->prefs, options->has_kind ? options->kind : JOB_TRAINING,
		    options->spot);
	ask->limit = options->max_pending;
	ask->within_ms[ask->within_count++] = QUARTER_MS;
	ask->within_ms[ask->within_count++] = HOUR_MS;
	if (question->deadline.set)
		ask->within_ms[ask->within_count++] = question->deadline.ms;
	if (options->name)
		job_stem(options->name, question->stem);
}

/* What managed spot training has not: lists, plans, processing, a price known before. NULL: all is
 * well. */
static const char *wrong_of_spot(const struct options *options, const struct preferences *prefs)
{
	if (!options->spot)
		return NULL;
	if (prefs->length > 1)
		return "takes one type: SageMaker refuses a list of spot";
	if (names_plan(prefs))
		return "has no training plan";
	if (options->has_kind && options->kind == JOB_PROCESSING)
		return "is of training jobs alone";
	if (options->budget.set || options->least_chance)
		return "has no price that is known before: no --budget, no --least-chance";
	return NULL;
}

/* What the options ask for; the exit status, and messages say what is wrong with them. */
static int read_question(struct question *question, struct command_run *run)
{
	const struct options *options = run->options;
	struct err err = { 0 };
	int status = 0;
	if (!options->prefs)
		return fail(run, "forecast", "needs --prefs LIST");
	if (!options->suggest && options->budget.set)
		return fail(run, "--budget", "is of --suggest");
	if (!options->suggest && options->least_chance)
		return fail(run, "--least-chance", "is of --suggest");
	if (!prefs_parse(&question->prefs, options->prefs, options->count, &err)) {
		command_message(run->messages, &err);
		status = err_exit_status(&err);
	} else if (wrong_of_spot(options, &question->prefs))
		status = fail(run, "--spot", wrong_of_spot(options, &question->prefs));
	else if (options->deadline &&
		 !read_deadline(options->deadline, store_now_ms(run->store, run->clock),
				&question->deadline))
		status = fail(run, "--deadline",
			      "takes a duration (6h) or a time to come (2026-12-01T18:00Z)");
	err_clear(&err);
	return status;
}

/* A type that the catalog does not know may be a misspelt one, a plan that AWS does not list too:
 * their figures stay unknown for ever. */
static bool is_told(const struct finding *finding)
{
	return finding->severity == SEVERITY_ERROR || strcmp(finding->rule, "unknown-type") == 0 ||
	       (finding->severity == SEVERITY_WARNING && strcmp(finding->rule, "plan-state") == 0);
}

/* What would be refused has no chance: a repeated type is no second one. The rules that need AWS go
 * by what the store has by now. */
static void check_prefs(const struct command_run *run, const struct preferences *prefs,
			enum job_kind kind, struct findings *findings)
{
	struct plan_fact *plans =
		store_plan_facts(run->store, store_now_ms(run->store, run->clock));
	const struct check_known known = { .region = run->region,
					   .plans = plans,
					   .plan_count = plans ? run->store->plan_count : 0 };
	const struct check_input input = { .kind = kind, .prefs = prefs, .known = &known };
	size_t kept = 0;
	check_preferences(&input, findings);
	for (size_t i = 0; i < findings->count; i++)
		if (is_told(&findings->items[i]))
			findings->items[kept++] = findings->items[i];
	findings->count = kept;
	free(plans);
}

/* The exit status of the list by itself. Errors are told as submit tells them; doubts on stderr,
 * beside the forecast that follows. */
static int check_list(struct command_run *run, const struct preferences *prefs, bool tell_doubts)
{
	const struct options *options = run->options;
	struct report_context context = { .format = options->format,
					  .region = run->region,
					  .ascii = command_is_ascii(run) };
	enum job_kind kind = options->has_kind ? options->kind : JOB_TRAINING;
	struct findings *findings = mem_new(1, sizeof(*findings));
	check_prefs(run, prefs, kind, findings);
	bool refused = findings_have_error(findings);
	if (!refused)
		context.format = REPORT_TABLE;
	if (refused || (tell_doubts && findings->count > 0))
		report_findings(context.format == REPORT_TABLE ? run->messages : run->out, &context,
				&kind, findings);
	free(findings);
	return refused ? 3 : 0;
}

/* By this machine's clock, as far as times go; no plan has been read yet. */
static int check_forecast(struct command_run *run)
{
	struct question *question = mem_new(1, sizeof(*question));
	int status = read_question(question, run);
	if (status == 0)
		status = check_list(run, &question->prefs, false);
	if (names_plan(&question->prefs))
		run->need = NEED_HISTORY_PLANS;
	free(question);
	return status;
}

static int run_forecast(struct command_run *run)
{
	struct question *question = mem_new(1, sizeof(*question));
	int status = read_question(question, run);
	if (status == 0)
		status = check_list(run, &question->prefs, true);
	if (status == 0) {
		ask_list(question, run->options);
		question->certified = config_fill_known(run->options->config, &question->known);
		report(question, run);
		text_past_tell(run);
	}
	free(question->certified);
	forecast_release(&question->forecast);
	outlook_release(&question->outlook);
	free(question);
	return status;
}

static const char *const accepts[] = { "prefs",  "count",        "kind",     "name",
				       "spot",   "max-pending",  "deadline", "suggest",
				       "budget", "least-chance", NULL };

const struct command command_forecast = {
	.name = "forecast",
	.arguments = "--prefs LIST",
	.help = "chance and time to start a list, and what it would cost",
	.example = "gpuq forecast --prefs ml.p5.48xlarge:2,ml.p4d.24xlarge:4 --name llm-ft\n"
		   "gpuq forecast --prefs ml.p5.48xlarge:2 --suggest --deadline 12h --budget 2500",
	.need = NEED_HISTORY,
	.accepts = accepts,
	.check = check_forecast,
	.run = run_forecast,
};
