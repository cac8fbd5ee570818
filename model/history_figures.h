/*
 * What is worked out of a job for the history: how its wait ended, how long it was, how long it ran
 * and what it cost. Pure; of jobs whose details are known (job_has_details).
 */
#ifndef GPUQ_HISTORY_FIGURES_H
#define GPUQ_HISTORY_FIGURES_H

#include "model/observation.h"

struct history_figures {
	enum wait_outcome outcome;
	struct opt_ms first_wait; /* as wait_ms of struct observation; unset = not known */
	struct opt_ms wait;       /* all stretches (job_wait_ms) */
	bool wait_final;
	struct opt_ms run; /* as in struct observation */
	struct money cost; /* so far, or final, with its warm pool; unset = unknown */
	char currency[PRICE_CURRENCY_SIZE], price_date[PRICE_DATE_SIZE]; /* "" = none */
	enum price_source price_source;
};

/* At now_ms, by AWS's clock. */
void history_figures(const struct job *job, const struct price_book *book, int64_t now_ms,
		     struct history_figures *out);

/* Its pending limit ended it: Stopped with a word that says so, or, where there is no word, without
 * ever having had an instance after a wait of that length; or Failed for want of capacity. */
bool history_timed_out(const struct job *job, int64_t now_ms);

#endif
