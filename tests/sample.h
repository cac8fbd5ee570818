/*
 * A store made by hand for tests of the screen: one job of every sort, at a fixed moment
 * (2026-11-30 14:02:00 UTC), with clocks that the test turns.
 */
#ifndef GPUQ_TESTS_SAMPLE_H
#define GPUQ_TESTS_SAMPLE_H

#include "model/store.h"
#include "views/view.h"

#define SAMPLE_STOPS_MAX 16
#define SAMPLE_NOW       "2026-11-30T14:02:00Z"

struct sample {
	struct store store;
	struct clock clock;
	int64_t mono_ms, wall_ms;
	struct view_env env;
	/* What the screen asked for. */
	char selected[256];
	unsigned refreshes, stops, quits, submits, discards;
	struct stop_wish stopped[SAMPLE_STOPS_MAX]; /* of the last stop */
	size_t stopped_count;
	unsigned switches, codes;
	char to_profile[64], to_region[64]; /* of the last switch; "" = NULL was given */
	char code[16];                      /* the last one; "" = given up */
	/* What there is to choose from; NULL at the end, or NULL = nothing. */
	const char *const *profiles, *const *regions;
};

/* A screen's surroundings over an empty store: nothing asked, nothing loaded. */
void sample_start(struct sample *sample);
/* Fills it: both lists loaded 2 s ago, everything described but one. */
void sample_fill(struct sample *sample);
/* The history has taken in every job that is described, and what earlier runs kept is read. */
void sample_record(struct sample *sample);
void sample_stop(struct sample *sample);

/* Lets time pass on both clocks. */
void sample_pass(struct sample *sample, int64_t ms);

/* "arn:aws:sagemaker:...:training-job/NAME" in a static-free buffer of 256 bytes. */
void sample_arn(enum job_kind kind, const char *name, char out[256]);

#endif
