/*
 * The opening pictures and, in a busy region, the jobs that keep coming. Everything is drawn from
 * the seed; names, lists, waits and failures look like those of a real account.
 */
#ifndef GPUQ_SIM_SCENARIO_H
#define GPUQ_SIM_SCENARIO_H

#include "aws/sim/region.h"

/* What the world must know before it is made; the scenario goes with the region. */
void sim_scenario_prepare(struct sim_region *region, struct sim_world_options *options);

/* Plans and jobs of the opening picture. */
void sim_scenario_fill(struct sim_region *region);

void sim_scenario_free(struct sim_scenario *scenario);

#endif
