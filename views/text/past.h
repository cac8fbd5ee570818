/*
 * What a command knows of earlier runs, for the likely costs of jobs: the same as the screen's
 * (views/prospect.h), learned at once.
 */
#ifndef GPUQ_TEXT_PAST_H
#define GPUQ_TEXT_PAST_H

#include "model/likely.h"
#include "views/text/command.h"

struct text_past {
	struct outlook outlook;
	struct check_known known;
	struct check_certified *certified; /* owned */
	struct likely_past likely;         /* borrows from the others and the store */
};

/* From the run's history and config. It is not moved; release it before they change. */
void text_past_init(struct text_past *past, const struct command_run *run);
void text_past_release(struct text_past *past);

/* For stderr, in one line: what keeps the history from its file, and whether what earlier runs kept
 * is missing from what is counted. Nothing where all is well. */
void text_past_tell(const struct command_run *run);

#endif
