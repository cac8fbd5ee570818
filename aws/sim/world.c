#include "aws/sim/world.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"

static void copy_word(char *out, size_t size, const char *text)
{
	size_t len = strlen(text);
	if (len >= size)
		len = size - 1;
	memcpy(out, text, len);
	out[len] = '\0';
}

void sim_world_init(struct sim_world *world, const struct sim_world_options *options)
{
	memset(world, 0, sizeof(*world));
	world->options = *options;
	copy_word(world->region, sizeof(world->region), options->region);
	copy_word(world->account, sizeof(world->account), options->account);
	world->options.region = world->region;
	world->options.account = world->account;
	if (world->options.scarcity < 1)
		world->options.scarcity = 1;
	world->now_ms = options->start_ms;
	sim_pools_init(world);
	if (options->first_arrival_ms > 0)
		sim_world_announce(world, SIM_EVENT_ARRIVAL, 0, options->first_arrival_ms);
}

void sim_world_release(struct sim_world *world)
{
	if (!world)
		return;
	for (size_t i = 0; i < world->job_count; i++)
		sim_job_free(world->jobs[i]);
	free(world->jobs);
	free(world->index);
	free(world->waiting);
	free(world->events);
	free(world->pools);
	for (size_t i = 0; i < world->text_count; i++)
		free(world->texts[i]);
	free(world->texts);
	memset(world, 0, sizeof(*world));
}

static bool event_before(const struct sim_event *a, const struct sim_event *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

void sim_world_announce(struct sim_world *world, int kind, size_t index, int64_t at_ms)
{
	world->events = mem_grow(world->events, &world->event_capacity, world->event_count + 1,
				 sizeof(*world->events));
	struct sim_event event = { .at_ms = at_ms, .order = world->event_number++, .index = index };
	event.kind = kind == SIM_EVENT_JOB    ? SIM_EVENT_JOB
		     : kind == SIM_EVENT_POOL ? SIM_EVENT_POOL
		     : kind == SIM_EVENT_PLAN ? SIM_EVENT_PLAN
					      : SIM_EVENT_ARRIVAL;
	size_t at = world->event_count++;
	while (at > 0 && event_before(&event, &world->events[(at - 1) / 2])) {
		world->events[at] = world->events[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	world->events[at] = event;
}

/* Takes the earliest event off the heap; there is one. */
static struct sim_event take_event(struct sim_world *world)
{
	struct sim_event first = world->events[0];
	struct sim_event last = world->events[--world->event_count];
	size_t at = 0;
	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= world->event_count)
			break;
		if (child + 1 < world->event_count &&
		    event_before(&world->events[child + 1], &world->events[child]))
			child++;
		if (!event_before(&world->events[child], &last))
			break;
		world->events[at] = world->events[child];
		at = child;
	}
	world->events[at] = last;
	return first;
}

static void run_arrival(struct sim_world *world)
{
	if (!world->options.arrive)
		return;
	int64_t next_ms = world->options.arrive(world->options.ctx, world->now_ms);
	if (next_ms > world->now_ms)
		sim_world_announce(world, SIM_EVENT_ARRIVAL, 0, next_ms);
}

static void run_event(struct sim_world *world, const struct sim_event *event)
{
	switch (event->kind) {
	case SIM_EVENT_JOB: {
		/* A job's event that was replaced since is stale. */
		struct sim_job *job = world->jobs[event->index];
		if (job->next_ms == event->at_ms)
			sim_life_step(world, job);
		break;
	}
	case SIM_EVENT_POOL:
		if (world->pools[event->index].next_ms == event->at_ms)
			sim_pool_step(world, event->index);
		break;
	case SIM_EVENT_PLAN:
		sim_queue_recount(world);
		world->pools_changed = true;
		break;
	case SIM_EVENT_ARRIVAL:
		run_arrival(world);
		break;
	}
}

void sim_world_run_until(struct sim_world *world, int64_t until_ms)
{
	while (world->event_count > 0 && world->events[0].at_ms <= until_ms) {
		struct sim_event event = take_event(world);
		if (event.at_ms > world->now_ms)
			world->now_ms = event.at_ms;
		run_event(world, &event);
		if (world->pools_changed)
			sim_queue_sweep(world);
	}
	if (until_ms > world->now_ms)
		world->now_ms = until_ms;
}

int64_t sim_world_next_ms(const struct sim_world *world)
{
	return world->event_count > 0 ? world->events[0].at_ms : INT64_MAX;
}
