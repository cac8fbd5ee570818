/* The jobs that are there when a region opens: waiting, starting, running, stopping and ended. */
#ifndef GPUQ_SIM_PICTURE_H
#define GPUQ_SIM_PICTURE_H

#include "aws/sim/world.h"

/* How a job of the scenario comes into the world. */
struct sim_birth {
	int64_t created_ms;
	bool past; /* only the record: the picture tells what has become of it */
	int64_t run_ms;
	uint64_t luck;
};

/* A new job of that recipe (index into sim_recipes); NULL if it has no quota or no room. */
struct sim_job *sim_scenario_submit(struct sim_world *world, size_t recipe,
				    const struct sim_birth *birth);

/* Fills the world with about that many jobs; 0 = 60, crowded 513. Only the ended ones scale: 12
 * wait and 18 have their instances, crowded 31. */
void sim_picture_paint(struct sim_world *world, uint64_t random, bool crowded, size_t jobs);

#endif
