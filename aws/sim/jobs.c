/* The records of the jobs: found by name, kept in creation order, with their transitions. */
#include "aws/sim/world.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "aws/sim/random.h"
#include "model/base/mem.h"

static const char *const arn_kinds[] = {
	[SIM_TRAINING] = "training-job",
	[SIM_PROCESSING] = "processing-job",
};

const char *sim_status_word(enum sim_status status)
{
	static const char *const words[] = {
		[SIM_IN_PROGRESS] = "InProgress", [SIM_COMPLETED] = "Completed",
		[SIM_FAILED] = "Failed",          [SIM_STOPPING] = "Stopping",
		[SIM_STOPPED] = "Stopped",
	};
	return words[status];
}

const char *sim_job_status_word(const struct sim_job *job)
{
	return job->odd_status ? job->odd_status : sim_status_word(job->status);
}

bool sim_status_has_ended(enum sim_status status)
{
	return status == SIM_COMPLETED || status == SIM_FAILED || status == SIM_STOPPED;
}

/* Where the name is in the index, or where it would go; the index is never full. */
static size_t *slot_of(const struct sim_world *world, enum sim_job_kind kind, const char *name)
{
	size_t at = (size_t)sim_random_for((uint64_t)kind, name) & (world->index_size - 1);
	while (world->index[at] != 0) {
		const struct sim_order *order = &world->jobs[world->index[at] - 1]->order;
		if (order->kind == kind && strcmp(order->name, name) == 0)
			break;
		at = (at + 1) & (world->index_size - 1);
	}
	return &world->index[at];
}

struct sim_job *sim_job_find(const struct sim_world *world, enum sim_job_kind kind,
			     const char *name)
{
	if (world->index_size == 0)
		return NULL;
	size_t number = *slot_of(world, kind, name);
	struct sim_job *job = number == 0 ? NULL : world->jobs[number - 1];
	return job && job->deleted.set ? NULL : job;
}

/* Keeps the index at most half full, so that a look-up stays short. */
static void grow_index(struct sim_world *world)
{
	if (world->job_count * 2 < world->index_size)
		return;
	free(world->index);
	world->index_size = world->index_size == 0 ? 256 : world->index_size * 2;
	world->index = mem_new(world->index_size, sizeof(*world->index));
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_order *order = &world->jobs[i]->order;
		*slot_of(world, order->kind, order->name) = i + 1;
	}
}

struct sim_job *sim_job_add(struct sim_world *world, const struct sim_order *order, char *request,
			    size_t request_len, int64_t created_ms)
{
	if (world->job_count >= SIM_JOBS_MAX) {
		free(request);
		return NULL;
	}
	struct sim_job *job = mem_new(1, sizeof(*job));
	job->order = *order;
	job->request = request;
	job->request_len = request_len;
	job->number = world->job_count;
	job->created_ms = job->modified_ms = created_ms;
	job->selected = SIM_NOWHERE;
	job->luck = sim_random_for(world->options.seed, order->name);
	int len = snprintf(job->arn, sizeof(job->arn), "arn:aws:sagemaker:%s:%s:%s/%s",
			   world->region, world->account, arn_kinds[order->kind], order->name);
	if (len < 0 || (size_t)len >= sizeof(job->arn))
		job->arn[0] = '\0';
	world->jobs = mem_grow(world->jobs, &world->job_capacity, world->job_count + 1,
			       sizeof(struct sim_job *));
	world->jobs[world->job_count++] = job;
	grow_index(world);
	*slot_of(world, order->kind, order->name) = world->job_count;
	return job;
}

void sim_job_free(struct sim_job *job)
{
	if (!job)
		return;
	free(job->request);
	free(job->tags);
	free(job->transitions);
	free(job);
}

void sim_job_close(struct sim_job *job, int64_t at_ms)
{
	job->modified_ms = at_ms;
	if (job->transition_count == 0)
		return;
	struct sim_transition *open = &job->transitions[job->transition_count - 1];
	if (!open->end.set)
		open->end = (struct opt_ms){ .set = true, .ms = at_ms };
}

void sim_job_enter(struct sim_job *job, const char *status, const char *message, int64_t at_ms)
{
	sim_job_close(job, at_ms);
	if (job->order.kind == SIM_PROCESSING)
		return; /* processing jobs have neither secondary status nor transitions */
	job->secondary = status;
	if (job->transition_count == SIM_TRANSITIONS_MAX)
		return;
	job->transitions = mem_grow(job->transitions, &job->transition_capacity,
				    job->transition_count + 1, sizeof(*job->transitions));
	job->transitions[job->transition_count++] = (struct sim_transition){
		.status = status,
		.message = message,
		.start = { .set = true, .ms = at_ms },
	};
}

/* The last change up to then, from the times that the record holds. */
static int64_t changed_by(const struct sim_job *job, int64_t at_ms)
{
	if (job->modified_ms <= at_ms)
		return job->modified_ms;
	return job->transition_count > 0 ? job->transitions[job->transition_count - 1].start.ms
					 : job->created_ms;
}

bool sim_job_as_of(const struct sim_job *job, int64_t at_ms, struct sim_job *out)
{
	*out = *job;
	out->seen_ms = at_ms;
	if (job->created_ms > at_ms || (job->deleted.set && job->deleted.ms <= at_ms))
		return false;
	while (out->transition_count > 0 &&
	       out->transitions[out->transition_count - 1].start.ms > at_ms)
		out->transition_count--;
	if (out->transition_count > 0)
		out->secondary = out->transitions[out->transition_count - 1].status;
	if (out->started.set && out->started.ms > at_ms)
		out->started = (struct opt_ms){ 0 };
	if (out->selected_ms + SIM_TOLD_LATER_MS > at_ms)
		out->selected = SIM_NOWHERE;
	if (out->ended.set && out->ended.ms > at_ms) {
		bool stopping = out->secondary && strcmp(out->secondary, "Stopping") == 0;
		out->ended = (struct opt_ms){ 0 };
		out->failure_reason = out->exit_message = NULL;
		out->status = stopping ? SIM_STOPPING : SIM_IN_PROGRESS;
	} else if (out->status == SIM_STOPPING && out->transition_count < job->transition_count) {
		out->status = SIM_IN_PROGRESS;
	}
	out->modified_ms = changed_by(out, at_ms);
	return true;
}

bool sim_job_is_accelerated(const struct sim_world *world, const struct sim_job *job)
{
	for (size_t i = 0; i < job->order.entry_count; i++) {
		if (world->pools[job->order.entries[i].pool].accelerated)
			return true;
	}
	return false;
}

int64_t sim_job_held_ms(const struct sim_job *job, int64_t now_ms)
{
	int64_t now_held =
		job->holds && now_ms > job->held_since_ms ? now_ms - job->held_since_ms : 0;
	return job->held_ms + now_held;
}
