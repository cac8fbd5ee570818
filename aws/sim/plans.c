/* Training plans: reserved instances of one type in one or several windows of time. */
#include "aws/sim/world.h"

#include <string.h>

void sim_plan_add(struct sim_world *world, const struct sim_plan *plan)
{
	if (world->plan_count == SIM_PLANS_MAX)
		return;
	size_t at = world->plan_count++;
	world->plans[at] = *plan;
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct sim_window *window = &plan->windows[i];
		if (window->start_ms > world->now_ms)
			sim_world_announce(world, SIM_EVENT_PLAN, at, window->start_ms);
		if (window->end_ms > world->now_ms)
			sim_world_announce(world, SIM_EVENT_PLAN, at, window->end_ms);
	}
}

int sim_plan_find(const struct sim_world *world, const char *arn)
{
	for (size_t i = 0; i < world->plan_count; i++) {
		if (strcmp(world->plans[i].arn, arn) == 0)
			return (int)i;
	}
	return SIM_NOWHERE;
}

enum sim_plan_state sim_plan_state(const struct sim_plan *plan, int64_t now_ms)
{
	for (size_t i = 0; i < plan->window_count; i++) {
		if (now_ms < plan->windows[i].start_ms)
			return i == 0 ? SIM_PLAN_SCHEDULED : SIM_PLAN_BETWEEN;
		if (now_ms < plan->windows[i].end_ms)
			return SIM_PLAN_ACTIVE;
	}
	return SIM_PLAN_EXPIRED;
}

int64_t sim_plan_free(const struct sim_plan *plan, int64_t now_ms)
{
	if (sim_plan_state(plan, now_ms) != SIM_PLAN_ACTIVE)
		return 0;
	return plan->total > plan->in_use ? plan->total - plan->in_use : 0;
}
