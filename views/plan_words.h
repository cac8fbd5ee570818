/* Facts about a training plan in the few words that panes show. */
#ifndef GPUQ_PLAN_WORDS_H
#define GPUQ_PLAN_WORDS_H

#include "model/plan.h"
#include "views/pane.h"

/* active, full (active, nothing free), between, scheduled, ...; a word that no list knows as it
 * came. */
void words_plan_state(struct buf *out, const struct plan *plan, int64_t now_ms);
enum style words_plan_style(const struct plan *plan, int64_t now_ms);
/* "3 of 4 free", "? of 4 free". */
void words_plan_free(struct buf *out, const struct plan *plan);
/* What entry i runs on: "plan p5-plan", "spot" or "on-demand"; "plan or on-demand" where a plan of
 * the whole job serves one entry, and which one is not known here. */
void words_capacity(struct buf *out, const struct store *store, const struct preferences *prefs,
		    size_t i, bool spot);
/* What the job as a whole runs on: that of its selection, or what all its entries have in common;
 * "by entry" where they differ, "?" before its Describe. */
void words_job_capacity(struct buf *out, const struct store *store, const struct job *job);
/* Of the open window, else the next, else the last: "until 12-05 14:00", "from 12-01 14:00". */
void words_plan_window(struct buf *out, const struct plan *plan, const struct ui *ui);

#endif
