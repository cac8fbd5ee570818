#include "views/prospect.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/outlook.h"
#include "model/stretches.h"

#define QUARTER_MS INT64_C(900000)
#define HOUR_MS    INT64_C(3600000)
#define KEPT_MS    1000
#define STEP_JOBS  1000 /* about a millisecond; five where room for 50,000 doubles */

struct prospects {
	struct outlook outlook;
	struct check_known known;          /* what the config certifies */
	struct check_certified *certified; /* owned */
	struct likely_past past;           /* of all of these and the store */
	bool learned;                      /* all of the past, once */
	struct prospect prospect;
	/* What it was worked out for. */
	char *arn; /* owned; NULL: nothing */
	struct preferences prefs;
	bool is_draft;
	struct opt_ms limit;
	uint64_t version;
	int64_t at_ms; /* wall, in units of KEPT_MS */
};

static struct prospects *prospects_of(const struct ui *ui)
{
	return ui->prospects;
}

/* How long it has waited this time: from the submission, or, of spot, since it was interrupted. */
static struct opt_ms waited(const struct job *job, int64_t now_ms)
{
	struct stretch all[STRETCHES_MAX];
	size_t count;
	if (!job->started.set && job->created.set)
		return (struct opt_ms){ true,
					now_ms > job->created.ms ? now_ms - job->created.ms : 0 };
	count = stretches_of(job, now_ms, all);
	if (count == 0 || !all[count - 1].open)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ true, now_ms - all[count - 1].start_ms };
}

/* What the job that the draft takes the place of waits for, too, has not been free so long. */
static void note_not_free(struct forecast_ask *ask, const struct job *job, int64_t now_ms)
{
	struct forecast_ask own;
	outlook_ask(&own, job_prefs(job), job->kind, job->spot);
	for (size_t i = 0; i < ask->count; i++) {
		struct forecast_choice *choice = &ask->choices[i];
		for (size_t k = 0; k < own.count; k++)
			if (own.choices[k].plan.when == PLAN_STARTS_NOT_ASKED &&
			    strcmp(own.choices[k].instance_type, choice->instance_type) == 0 &&
			    count_class_of(own.choices[k].count) == count_class_of(choice->count))
				choice->not_free = waited(job, now_ms);
	}
}

static void fill_ask(struct forecast_ask *ask, const struct ui *ui, const struct job *job,
		     int64_t now_ms)
{
	const struct prospects *prospects = prospects_of(ui);
	const struct store *store = ui->env->store;
	bool waits = job_phase(job) == PHASE_PENDING;
	outlook_ask(ask, &prospects->prefs, job->kind, job->spot);
	outlook_ask_plans(ask, &prospects->prefs, store->plans, store->plan_count, now_ms);
	ask->within_ms[0] = QUARTER_MS;
	ask->within_ms[1] = HOUR_MS;
	ask->within_count = PROSPECT_WITHIN;
	ask->limit = prospects->limit;
	if (prospects->is_draft && waits) {
		note_not_free(ask, job, now_ms);
	} else if (!prospects->is_draft) {
		struct opt_ms deadline = job_pending_deadline(job, now_ms);
		ask->waited = waited(job, now_ms);
		ask->limit = (struct opt_ms){ deadline.set,
					      deadline.ms > now_ms ? deadline.ms - now_ms : 0 };
	}
}

static void work_out(const struct ui *ui, const struct job *job)
{
	struct prospects *prospects = prospects_of(ui);
	struct prospect *prospect = &prospects->prospect;
	int64_t now_ms = ui_now_ms(ui);
	struct forecast_ask ask;
	fill_ask(&ask, ui, job, now_ms);
	likely_of_job(&prospect->likely, &prospects->past, job, &prospects->prefs);
	likely_ask(&prospect->likely, &ask);
	for (size_t i = 0; i < ask.count; i++)
		prospect->plans[i] = ask.choices[i].plan;
	forecast_make(&prospect->forecast, &prospects->outlook.curves, &ask, now_ms);
}

/* It is what was asked last, in the same second. */
static bool is_kept(const struct prospects *prospects, const struct ui *ui, const struct job *job,
		    const struct preferences *prefs, bool is_draft, struct opt_ms limit)
{
	return prospects->arn && strcmp(prospects->arn, job->arn) == 0 &&
	       prospects->is_draft == is_draft && prefs_equal(&prospects->prefs, prefs) &&
	       prospects->limit.set == limit.set && prospects->limit.ms == limit.ms &&
	       prospects->version == prospects->outlook.version &&
	       prospects->at_ms == ui_now_ms(ui) / KEPT_MS;
}

const struct prospect *prospect_find(const struct ui *ui, const struct preferences *prefs)
{
	static const struct prospect nothing = { 0 };
	static const struct prospect unread = { .learning = true };
	struct prospects *prospects = prospects_of(ui);
	const struct job *job = ui_subject(ui);
	const struct draft *draft = job ? draft_find(ui, job->arn) : NULL;
	bool is_draft = draft && (prefs || draft_changed(draft) || ui_on_local(ui));
	struct opt_ms limit = is_draft ? draft->max_pending : (struct opt_ms){ 0 };
	if (!job || !job_has_details(job) || job->has_groups ||
	    (!is_draft && job_phase(job) != PHASE_PENDING))
		return &nothing;
	if (!prospects || !prospects->learned)
		return &unread;
	if (!prefs)
		prefs = is_draft ? &draft->prefs : job_prefs(job);
	if (!is_kept(prospects, ui, job, prefs, is_draft, limit)) {
		mem_set_text(&prospects->arn, job->arn);
		prospects->prefs = *prefs;
		prospects->is_draft = is_draft;
		prospects->limit = limit;
		prospects->version = prospects->outlook.version;
		prospects->at_ms = ui_now_ms(ui) / KEPT_MS;
		work_out(ui, job);
	}
	prospects->prospect.of = is_draft ? PROSPECT_DRAFT : PROSPECT_JOB;
	return &prospects->prospect;
}

struct usual_wait prospect_usual(const struct ui *ui, const char *instance_type, int64_t count,
				 enum job_kind kind, bool spot)
{
	struct prospects *prospects = prospects_of(ui);
	const struct wait_key key = { instance_type, kind, spot, count_class_of(count) };
	const struct survival *curve = NULL;
	struct usual_wait usual = { 0 };
	if (prospects)
		curve = wait_curves_find(&prospects->outlook.curves, &key, ui_now_ms(ui));
	if (!curve)
		return usual;
	usual.n = curve->starts;
	usual.known = usual.n >= FORECAST_STARTS_MIN;
	usual.p50.set = usual.known && survival_quantile(curve, 0.5, &usual.p50.ms);
	usual.p90.set = usual.known && survival_quantile(curve, 0.9, &usual.p90.ms);
	return usual;
}

struct wait_curves *prospect_curves(const struct ui *ui)
{
	struct prospects *prospects = prospects_of(ui);
	return prospects && prospects->learned ? &prospects->outlook.curves : NULL;
}

const struct likely_past *prospect_past(const struct ui *ui)
{
	const struct prospects *prospects = prospects_of(ui);
	return prospects && prospects->learned ? &prospects->past : NULL;
}

void prospect_sight(const struct ui *ui, struct sightings *sightings)
{
	const struct prospects *prospects = prospects_of(ui);
	if (prospects)
		outlook_sight(&prospects->outlook, &ui->env->store->history, sightings);
}

static struct opt_ms stuck_after(const struct ui *ui)
{
	const struct config *config = ui->env->config;
	struct opt_ms after = { 0 };
	if (!config || !config->settings[SETTING_STUCK_AFTER].text)
		return after;
	return (struct opt_ms){ true, config->settings[SETTING_STUCK_AFTER].number };
}

const struct stuck_past *prospect_waits(const struct ui *ui)
{
	const struct prospects *prospects = prospects_of(ui);
	return prospects && prospects->learned ? &prospects->outlook.waits : NULL;
}

static const struct stuck_past *waits_of(const struct ui *ui)
{
	static const struct stuck_past none = { 0 };
	const struct stuck_past *waits = prospect_waits(ui);
	return waits ? waits : &none;
}

unsigned prospect_stuck(const struct ui *ui, const struct job *job)
{
	return stuck_why(ui->env->store, waits_of(ui), job, stuck_after(ui), ui_now_ms(ui));
}

void prospect_add_stuck(struct buf *out, const struct ui *ui, const struct job *job)
{
	stuck_add_words(out, ui->env->store, waits_of(ui), job, stuck_after(ui), ui_now_ms(ui));
}

bool prospect_week(const struct ui *ui, const struct week_of *of, struct week_pattern *pattern)
{
	const struct prospects *prospects = prospects_of(ui);
	if (!prospects || !prospects->learned)
		return false;
	*pattern = outlook_week(&prospects->outlook, &ui->env->store->history, of);
	return true;
}

static struct prospects *begin(struct ui *ui)
{
	const struct store *store = ui->env->store;
	struct prospects *prospects = mem_new(1, sizeof(*prospects));
	prospects->certified = config_fill_known(ui->env->config, &prospects->known);
	prospects->past = (struct likely_past){ &prospects->outlook, &store->history,
						&store->prices, &prospects->known };
	ui->prospects = prospects;
	return prospects;
}

bool prospects_learn(struct ui *ui)
{
	const struct history *history = &ui->env->store->history;
	struct prospects *prospects = prospects_of(ui);
	if (!prospects)
		prospects = begin(ui);
	if (outlook_step(&prospects->outlook, history, STEP_JOBS) ||
	    wait_curves_settle(&prospects->outlook.curves, ui_now_ms(ui)))
		return true;
	bool first = history->loaded && !prospects->learned;
	prospects->learned = history->loaded;
	if (first)
		forecast_reserve(&prospects->prospect.forecast, &prospects->outlook.curves);
	return first;
}

void prospects_forget(struct ui *ui)
{
	struct prospects *prospects = prospects_of(ui);
	if (prospects) {
		outlook_release(&prospects->outlook);
		forecast_release(&prospects->prospect.forecast);
		free(prospects->arn);
		free(prospects->certified);
	}
	free(prospects);
	ui->prospects = NULL;
}
