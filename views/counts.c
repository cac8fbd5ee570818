#include "views/counts.h"

#include <stdlib.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/history_tally.h"

#define STEP_WORK 10000          /* about a millisecond */
#define RENEW_MS  INT64_C(10000) /* 50,000 jobs are counted anew no more often than this */

struct count {
	struct history_sums sums;
	struct history_spreads spreads;
	bool made, compared;
	uint64_t version; /* of the history, when it was begun */
	int64_t made_ms;  /* monotonic */
};

struct counts {
	struct count of[HISTORY_BY_COUNT];
	struct history_sums old_sums; /* another count has taken their place; freed step by step */
	struct history_spreads old_spreads;
	struct history_tally *tally;           /* owned; NULL: none is under way */
	struct history_comparison *comparison; /* owned; of the runs of what was counted last */
	enum history_by by;                    /* that it counts */
	uint64_t version;                      /* when it began */
};

const struct history_sums *counts_find(const struct ui *ui, enum history_by by)
{
	const struct counts *counts = ui->counts;
	return counts && counts->of[by].made ? &counts->of[by].sums : NULL;
}

const struct history_spreads *counts_spreads(const struct ui *ui, enum history_by by)
{
	static const struct history_spreads none = { 0 };
	const struct counts *counts = ui->counts;
	return counts && counts->of[by].made ? &counts->of[by].spreads : &none;
}

static const struct history *history_of(const struct ui *ui)
{
	return &ui->env->store->history;
}

/* One without a job is no answer to be kept. */
static bool is_due(const struct ui *ui, const struct count *count)
{
	if (!count->made || !count->compared)
		return true;
	return count->version != history_of(ui)->version &&
	       (count->sums.all.jobs == 0 ||
		clock_mono_ms(ui->env->clock) - count->made_ms >= RENEW_MS);
}

static void stop(struct counts *counts)
{
	history_tally_free(counts->tally);
	counts->tally = NULL;
	history_comparison_free(counts->comparison);
	counts->comparison = NULL;
}

static void begin(struct counts *counts, const struct history *history, enum history_by by)
{
	counts->tally = history_tally_new(history, by, INT64_MIN);
	counts->by = by;
	counts->version = history->version;
}

static void keep(struct counts *counts, int64_t now_ms)
{
	struct count *count = &counts->of[counts->by];
	counts->old_sums = count->sums;
	count->sums = (struct history_sums){ 0 };
	history_tally_take(counts->tally, &count->sums);
	count->made = true;
	count->compared = false;
	count->version = counts->version;
	count->made_ms = now_ms;
	stop(counts);
}

/* With the certified entries as the config has them. */
static void begin_comparison(struct ui *ui)
{
	struct check_known known = { 0 };
	struct check_certified *certified = config_fill_known(ui->env->config, &known);
	ui->counts->comparison =
		history_comparison_new(history_of(ui), ui->counts->by, INT64_MIN, &known);
	free(certified);
}

static void keep_spreads(struct counts *counts)
{
	struct count *count = &counts->of[counts->by];
	counts->old_spreads = count->spreads;
	count->spreads = (struct history_spreads){ 0 };
	history_comparison_take(counts->comparison, &count->spreads);
	count->compared = true;
	stop(counts);
}

bool counts_step(struct ui *ui, enum history_by by)
{
	const struct history *history = history_of(ui);
	if (!ui->counts)
		ui->counts = mem_new(1, sizeof(*ui->counts));
	struct counts *counts = ui->counts;
	if (!history_sums_shed(&counts->old_sums, STEP_WORK) ||
	    !history_spreads_shed(&counts->old_spreads, STEP_WORK))
		return true;
	if ((counts->tally || counts->comparison) && counts->by != by)
		stop(counts);
	if (!counts->tally && !counts->comparison) {
		if (!is_due(ui, &counts->of[by]))
			return false;
		begin(counts, history, by);
	}
	if (counts->tally && history_tally_step(counts->tally, history, STEP_WORK)) {
		keep(counts, clock_mono_ms(ui->env->clock));
		begin_comparison(ui);
	}
	if (counts->comparison && history_comparison_step(counts->comparison, history, STEP_WORK))
		keep_spreads(counts);
	return true;
}

void counts_forget(struct ui *ui)
{
	if (!ui->counts)
		return;
	stop(ui->counts);
	history_sums_release(&ui->counts->old_sums);
	history_spreads_release(&ui->counts->old_spreads);
	for (size_t i = 0; i < HISTORY_BY_COUNT; i++) {
		history_sums_release(&ui->counts->of[i].sums);
		history_spreads_release(&ui->counts->of[i].spreads);
	}
	free(ui->counts);
	ui->counts = NULL;
}
