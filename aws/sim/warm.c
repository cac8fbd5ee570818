/* Warm pools: the instances of a job that ended well stay for a while, for the next one like it. */
#include "aws/sim/world.h"

#define SECOND_MS INT64_C(1000)

static const struct sim_entry *entry_of(const struct sim_job *job)
{
	return &job->order.entries[job->selected];
}

bool sim_warm_has_room(const struct sim_world *world, const struct sim_job *job)
{
	const struct sim_pool *pool = &world->pools[entry_of(job)->pool];
	return pool->used[SIM_QUOTA_WARM_POOL] + entry_of(job)->count <=
	       pool->quota[SIM_QUOTA_WARM_POOL];
}

void sim_warm_keep(struct sim_world *world, struct sim_job *job, int64_t at_ms)
{
	job->held_ms = sim_job_held_ms(job, at_ms);
	job->holds = false;
	job->warm_from = (struct opt_ms){ .set = true, .ms = at_ms };
	world->warm_count++;
	world->pools[entry_of(job)->pool].used[SIM_QUOTA_WARM_POOL] += entry_of(job)->count;
}

struct sim_job *sim_warm_find(const struct sim_world *world, const struct sim_order *order,
			      const struct sim_entry *entry)
{
	if (world->warm_count == 0 || order->keep_alive_ms == 0 || order->groups || order->spot ||
	    entry->plan != SIM_NOWHERE)
		return NULL;
	for (size_t i = 0; i < world->job_count; i++) {
		struct sim_job *job = world->jobs[i];
		if (job->warm_from.set && !job->warm_end.set &&
		    entry_of(job)->pool == entry->pool && entry_of(job)->count == entry->count)
			return job;
	}
	return NULL;
}

void sim_warm_end(struct sim_world *world, struct sim_job *job, const struct sim_job *next)
{
	const struct sim_entry *entry = entry_of(job);
	struct sim_pool *pool = &world->pools[entry->pool];
	job->warm_end = (struct opt_ms){ .set = true, .ms = world->now_ms };
	job->warm_next = next;
	job->modified_ms = world->now_ms;
	world->warm_count--;
	pool->used[sim_quota_kind(&job->order)] -= entry->count;
	pool->used[SIM_QUOTA_WARM_POOL] -= entry->count;
	if (next)
		pool->free += entry->count; /* next takes them in the same breath */
	else
		sim_pool_give_back(world, entry->pool, entry->count);
	sim_life_plan(world, job, SIM_STEP_NONE, 0);
}

const char *sim_warm_word(const struct sim_job *job)
{
	if (job->order.keep_alive_ms == 0 || !job->started.set)
		return NULL;
	if (!job->ended.set)
		return "InUse";
	if (!job->warm_from.set)
		return "Terminated";
	if (job->seen_ms < job->warm_from.ms + SIM_TOLD_LATER_MS)
		return NULL;
	if (!job->warm_end.set || job->warm_end.ms > job->seen_ms)
		return "Available";
	return job->warm_next ? "Reused" : "Terminated";
}

int64_t sim_warm_seconds(const struct sim_job *job)
{
	if (!job->warm_from.set)
		return 0;
	bool over = job->warm_end.set && job->warm_end.ms <= job->seen_ms;
	int64_t until_ms = over ? job->warm_end.ms : job->seen_ms;
	return (until_ms - job->warm_from.ms) / SECOND_MS;
}
