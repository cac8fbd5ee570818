/*
 * A sample (tests/sample.h) in which every text that comes from outside is hostile: of jobs, their
 * requests, tags, logs and metrics, of plans, limits and prices, of the past, of errors, of drafts,
 * and of the place. What is no text stays as usual, so that every view has something to draw.
 */
#ifndef GPUQ_TESTS_SPOIL_H
#define GPUQ_TESTS_SPOIL_H

#include "model/requeue.h"
#include "tests/hostile.h"
#include "tests/sample.h"

#define SPOIL_PLACES 5 /* texts of the environment */

struct spoil {
	struct hostile hostile;
	char *places[SPOIL_PLACES]; /* owned */
	struct config config;
};

/* After sample_start; before the screen is made. */
void spoil_sample(struct spoil *spoil, struct sample *sample);
void spoil_release(struct spoil *spoil);

/* What is read of the job that is selected: its tags, logs and metrics. */
void spoil_selected(struct spoil *spoil, struct sample *sample);

/* A draft, as an earlier start might have left it; NULL where the lot made it unreadable. */
struct draft *spoil_draft(struct spoil *spoil);
/* An error with every member; clear it. */
void spoil_err(struct spoil *spoil, struct err *err);

#endif
