/* The queue of waiting jobs and the sweep over it: rules 2, 3 and 4 of facts/sagemaker.md. */
#include "aws/sim/world.h"

#include <string.h>

#include "model/base/mem.h"

static const char no_capacity[] =
	"Insufficient capacity error from EC2 while launching instances, retrying!";

static bool entry_fits(const struct sim_world *world, const struct sim_order *order,
		       const struct sim_entry *entry)
{
	if (entry->plan != SIM_NOWHERE)
		return sim_plan_free(&world->plans[entry->plan], world->now_ms) >= entry->count;
	return world->pools[entry->pool].free >= entry->count ||
	       sim_warm_find(world, order, entry) != NULL;
}

/* All at once: two groups of the same type need the sum. */
static bool groups_fit(const struct sim_world *world, const struct sim_order *order)
{
	for (size_t i = 0; i < order->entry_count; i++) {
		struct sim_entry sum = order->entries[i];
		for (size_t k = 0; k < i; k++) {
			if (order->entries[k].pool == sum.pool &&
			    order->entries[k].plan == sum.plan)
				sum.count += order->entries[k].count;
		}
		if (!entry_fits(world, order, &sum))
			return false;
	}
	return true;
}

/* The first entry whose whole count is free now, or SIM_NOWHERE. */
static int fitting_entry(const struct sim_world *world, const struct sim_order *order)
{
	if (order->entry_count == 0)
		return 0;
	if (order->groups)
		return groups_fit(world, order) ? 0 : SIM_NOWHERE;
	for (size_t i = 0; i < order->entry_count; i++) {
		if (entry_fits(world, order, &order->entries[i]))
			return (int)i;
	}
	return SIM_NOWHERE;
}

/* Moves the instances of one entry between its pool or plan and the job; count may be negative. */
static void move_instances(struct sim_world *world, const struct sim_job *job, size_t entry,
			   int sign)
{
	const struct sim_entry *wanted = &job->order.entries[entry];
	struct sim_pool *pool = &world->pools[wanted->pool];
	pool->used[sim_quota_kind(&job->order)] += sign * wanted->count;
	if (wanted->plan != SIM_NOWHERE) {
		world->plans[wanted->plan].in_use += sign * wanted->count;
		world->pools_changed = world->pools_changed || sign < 0;
	} else if (sign < 0) {
		sim_pool_give_back(world, wanted->pool, wanted->count);
	} else {
		pool->free -= wanted->count < pool->free ? wanted->count : pool->free;
	}
}

static void move_all(struct sim_world *world, const struct sim_job *job, int sign)
{
	if (job->order.groups) {
		for (size_t i = 0; i < job->order.entry_count; i++)
			move_instances(world, job, i, sign);
	} else if (job->order.entry_count > 0) {
		move_instances(world, job, (size_t)job->selected, sign);
	}
}

void sim_hold(struct sim_world *world, struct sim_job *job, size_t entry, int64_t at_ms)
{
	bool one = !job->order.groups && job->order.entry_count > 0;
	struct sim_job *warm =
		one ? sim_warm_find(world, &job->order, &job->order.entries[entry]) : NULL;
	job->selected = one ? (int)entry : SIM_NOWHERE;
	job->selected_ms = at_ms;
	if (warm)
		sim_warm_end(world, warm, job);
	job->holds = true;
	job->held_since_ms = at_ms;
	if (!job->started.set)
		job->started = (struct opt_ms){ .set = true, .ms = at_ms };
	move_all(world, job, 1);
}

void sim_let_go(struct sim_world *world, struct sim_job *job, int64_t at_ms)
{
	if (!job->holds)
		return;
	job->held_ms = sim_job_held_ms(job, at_ms);
	job->holds = false;
	move_all(world, job, -1);
}

/* Time before a plan starts, or between two of its windows, does not count as pending. */
static bool plan_is_awaited(const struct sim_world *world, const struct sim_job *job)
{
	for (size_t i = 0; i < job->order.entry_count; i++) {
		int plan = job->order.entries[i].plan;
		if (plan == SIM_NOWHERE)
			continue;
		enum sim_plan_state state = sim_plan_state(&world->plans[plan], world->now_ms);
		if (state == SIM_PLAN_SCHEDULED || state == SIM_PLAN_BETWEEN)
			return true;
	}
	return false;
}

static void count_pending(struct sim_world *world, struct sim_job *job)
{
	if (job->pending_since.set)
		job->pending_ms += world->now_ms - job->pending_since.ms;
	job->pending_since = (struct opt_ms){ 0 };
}

/* Announces what ends the wait from outside: the pending limit of a list, the wait limit of spot.
 */
static void plan_limit(struct sim_world *world, struct sim_job *job)
{
	const struct sim_order *order = &job->order;
	if (!world->options.ends)
		return;
	if (order->spot && order->max_wait_ms > 0) {
		sim_life_plan(world, job, SIM_STEP_LIMIT, job->created_ms + order->max_wait_ms);
		return;
	}
	if (!order->list || order->kind != SIM_TRAINING || order->max_pending_ms == 0 ||
	    !sim_job_is_accelerated(world, job))
		return;
	if (job->pending_since.set)
		sim_life_plan(world, job, SIM_STEP_LIMIT,
			      world->now_ms + order->max_pending_ms - job->pending_ms);
	else
		sim_life_plan(world, job, SIM_STEP_NONE, 0);
}

static void start_counting(struct sim_world *world, struct sim_job *job)
{
	if (!plan_is_awaited(world, job))
		job->pending_since = (struct opt_ms){ .set = true, .ms = world->now_ms };
	plan_limit(world, job);
}

void sim_queue_recount(struct sim_world *world)
{
	for (size_t i = 0; i < world->waiting_count; i++) {
		count_pending(world, world->waiting[i]);
		start_counting(world, world->waiting[i]);
	}
}

void sim_queue_add(struct sim_world *world, struct sim_job *job)
{
	world->waiting = mem_grow(world->waiting, &world->waiting_capacity,
				  world->waiting_count + 1, sizeof(struct sim_job *));
	size_t at = world->waiting_count++;
	while (at > 0 && world->waiting[at - 1]->number > job->number) {
		world->waiting[at] = world->waiting[at - 1];
		at--;
	}
	world->waiting[at] = job;
	job->waiting = true;
	start_counting(world, job);
}

void sim_queue_remove(struct sim_world *world, struct sim_job *job)
{
	for (size_t i = 0; i < world->waiting_count; i++) {
		if (world->waiting[i] != job)
			continue;
		memmove(&world->waiting[i], &world->waiting[i + 1],
			(world->waiting_count - i - 1) * sizeof(struct sim_job *));
		world->waiting_count--;
		break;
	}
	job->waiting = false;
	count_pending(world, job);
	sim_life_plan(world, job, SIM_STEP_NONE, 0);
}

void sim_queue_sweep(struct sim_world *world)
{
	world->pools_changed = false;
	size_t i = 0;
	while (i < world->waiting_count) {
		struct sim_job *job = world->waiting[i];
		int entry = fitting_entry(world, &job->order);
		if (entry == SIM_NOWHERE) {
			i++; /* does not block those behind it */
			continue;
		}
		sim_queue_remove(world, job);
		sim_hold(world, job, (size_t)entry, world->now_ms);
		sim_life_start(world, job);
	}
}

struct sim_job *sim_submit(struct sim_world *world, const struct sim_order *order, char *request,
			   size_t request_len)
{
	struct sim_job *job = sim_job_add(world, order, request, request_len, world->now_ms);
	if (!job)
		return NULL;
	int entry = fitting_entry(world, order);
	if (entry != SIM_NOWHERE) {
		sim_hold(world, job, (size_t)entry, world->now_ms);
		sim_life_start(world, job);
		return job;
	}
	sim_job_enter(job, order->list ? "Pending" : "Starting", no_capacity, world->now_ms);
	if (order->kind == SIM_TRAINING && order->list && !sim_job_is_accelerated(world, job)) {
		job->failure_reason = "CapacityError: Unable to provision requested ML compute "
				      "capacity. Please retry using a different ML instance type.";
		sim_life_end(world, job, SIM_FAILED, "Failed", "Training job failed");
		return job;
	}
	sim_queue_add(world, job);
	return job;
}
