/*
 * The simulated region in a test's own hands: a world whose pools are set by name, and a region
 * whose clock is turned by hand and that is asked without a network.
 */
#ifndef GPUQ_TESTS_SIMWORLD_H
#define GPUQ_TESTS_SIMWORLD_H

#include "aws/sim/region.h"

#define SIM_TEST_START_MS INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */

/* A world without jobs; jobs end and limits bite, capacity moves only by hand. */
void simworld_init(struct sim_world *world, uint64_t seed);
void simworld_set_free(struct sim_world *world, const char *instance_type, int64_t free);
int64_t simworld_free(const struct sim_world *world, const char *instance_type);
void simworld_advance(struct sim_world *world, int64_t seconds);

/* An order: a list of "type:count,type:count"; with_plan entries are "type:count@plan". One type
 * without a list: leave the flag out. */
struct sim_order simworld_order(const struct sim_world *world, const char *name,
				const char *entries);
/* Submits a training job with such a list; max_pending_seconds 0 = no limit. */
struct sim_job *simworld_submit(struct sim_world *world, const char *name, const char *entries,
				int64_t max_pending_seconds);
/* The secondary status of the job's transitions, joined by blanks; static buffer. */
const char *simworld_story(const struct sim_job *job);

/* A region without signatures (unless options say so), on a clock of its own. */
struct simregion {
	struct sim_region region;
	int64_t mono_ms, wall_ms;
	struct sim_answer answer; /* of the last request */
};
/* Options changes nothing where NULL: scenario empty, seed 1, no rate limit, no signatures. */
struct simregion *simregion_new(const struct sim_options *options);
void simregion_free(struct simregion *sim);
struct sim_options simregion_options(void);
/* Turns the machine's clock. */
void simregion_pass(struct simregion *sim, int64_t ms);

/* Asks an operation: SageMaker's, or with its prefix another's ("ServiceQuotasV20190624.X");
 * returns the status. The body of the answer is simregion_body. */
int simregion_call(struct simregion *sim, const char *operation, const char *body);
/* Asks an endpoint: POST with a body, GET without. */
int simregion_control(struct simregion *sim, const char *path, const char *body);
const char *simregion_body(const struct simregion *sim);
/* Fails the test unless the answer is that refusal and its message holds the text. */
void simregion_refuses(struct simregion *sim, const char *operation, const char *body,
		       const char *code, const char *text);
/* A CreateTrainingJob request of that name with that ResourceConfig; static buffer. */
const char *simregion_training(const char *name, const char *resources);

#endif
