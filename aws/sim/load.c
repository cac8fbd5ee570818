#include "aws/sim/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/random.h"
#include "model/base/attr.h"

#define LOST_PERCENT  2  /* of minutes, and one in two hundred lasts longer */
#define IDLE_MOST     3  /* percent of GPU use with nothing to do */
#define PAUSE_EVERY   37 /* minutes: then the model is evaluated, on few GPUs */
#define PAUSE_MINUTES 2
#define PAUSE_USE     25
#define FILLED_MINUTE 240 /* the disk has grown to its size by then */

/* How many GPUs stand in the larger sizes; all other g and p types have one. Source: the pages of
 * the EC2 instance types. */
static const struct {
	const char *type;
	int64_t gpus;
} several[] = {
	{ "ml.g4dn.12xlarge", 4 },    { "ml.g5.12xlarge", 4 },        { "ml.g5.24xlarge", 4 },
	{ "ml.g5.48xlarge", 8 },      { "ml.g6.12xlarge", 4 },        { "ml.g6.24xlarge", 4 },
	{ "ml.g6.48xlarge", 8 },      { "ml.g6e.12xlarge", 4 },       { "ml.g6e.24xlarge", 4 },
	{ "ml.g6e.48xlarge", 8 },     { "ml.g7.12xlarge", 2 },        { "ml.g7.24xlarge", 4 },
	{ "ml.g7.48xlarge", 8 },      { "ml.g7e.12xlarge", 2 },       { "ml.g7e.24xlarge", 4 },
	{ "ml.g7e.48xlarge", 8 },     { "ml.p2.8xlarge", 8 },         { "ml.p2.16xlarge", 16 },
	{ "ml.p3.8xlarge", 4 },       { "ml.p3.16xlarge", 8 },        { "ml.p3dn.24xlarge", 8 },
	{ "ml.p4d.24xlarge", 8 },     { "ml.p4de.24xlarge", 8 },      { "ml.p5.48xlarge", 8 },
	{ "ml.p5e.48xlarge", 8 },     { "ml.p5en.48xlarge", 8 },      { "ml.p6-b200.48xlarge", 8 },
	{ "ml.p6-b300.48xlarge", 8 }, { "ml.p6e-gb200.36xlarge", 4 },
};

int64_t sim_type_gpus(const char *instance_type)
{
	for (size_t i = 0; i < ARRAY_LEN(several); i++) {
		if (strcmp(several[i].type, instance_type) == 0)
			return several[i].gpus;
	}
	return strncmp(instance_type, "ml.g", 4) == 0 || strncmp(instance_type, "ml.p", 4) == 0;
}

int64_t sim_type_vcpus(const char *instance_type)
{
	const char *size = strrchr(instance_type, '.');
	int64_t times = size ? strtoll(size + 1, NULL, 10) : 0;
	if (times > 0)
		return 4 * times; /* 12xlarge: 48 */
	return size && strcmp(size, ".xlarge") == 0 ? 4 : 2;
}

const char *sim_load_host_type(const struct sim_world *world, const struct sim_job *job, int64_t n)
{
	const struct sim_order *order = &job->order;
	for (size_t i = 0; i < order->entry_count && n > 0; i++) {
		if (!order->groups && (int)i != job->selected)
			continue;
		if (n <= order->entries[i].count)
			return world->pools[order->entries[i].pool].instance_type;
		n -= order->entries[i].count;
	}
	return NULL;
}

/* The word of what the job did then; NULL: it had no instances. */
static const char *doing_at(const struct sim_world *world, const struct sim_job *job, int64_t ms)
{
	static const char *const on_instances[] = { "Downloading", "Training", "Uploading",
						    "Stopping" };
	const struct sim_transition *found = NULL;
	int64_t end_ms = job->ended.set ? job->ended.ms : world->now_ms;
	if (!job->started.set || ms < job->started.ms || ms >= end_ms)
		return NULL;
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct sim_transition *at = &job->transitions[i];
		if (at->start.set && at->start.ms <= ms && (!at->end.set || ms < at->end.ms))
			found = at;
	}
	for (size_t i = 0; found && i < ARRAY_LEN(on_instances); i++) {
		if (strcmp(found->status, on_instances[i]) == 0)
			return on_instances[i];
	}
	return job->order.kind == SIM_PROCESSING ? "Training" : NULL;
}

/* A number of its own for the job, the host, the metric and the minute, in [low, high]. */
static int64_t draw(const struct sim_world *world, const struct sim_job *job, const char *what,
		    int64_t low, int64_t high)
{
	char name[SIM_NAME_SIZE + 96];
	if (snprintf(name, sizeof(name), "%s/%s", job->order.name, what) < 0)
		return low;
	uint64_t luck = sim_random_for(world->options.seed, name);
	return sim_random_between(&luck, low, high);
}

static int64_t draw_of(const struct sim_world *world, const struct sim_job *job, const char *what,
		       int64_t n, int64_t minute, int64_t high)
{
	char text[64];
	if (snprintf(text, sizeof(text), "%s/%lld/%lld", what, (long long)n, (long long)minute) < 0)
		return 0;
	return draw(world, job, text, 0, high);
}

/* A minute now and then, and now and then a quarter of an hour. */
static bool is_lost(const struct sim_world *world, const struct sim_job *job, int64_t n,
		    int64_t minute)
{
	return draw_of(world, job, "lost", n, minute, 99) < LOST_PERCENT ||
	       draw_of(world, job, "silent", n, minute / 15, 199) == 0;
}

static double gpu_use(const struct sim_world *world, const struct sim_job *job, int64_t n,
		      int64_t minute)
{
	int64_t at_ms = minute * SIM_MINUTE_MS, hangs_after_ms = job->order.idle_after_ms;
	bool idle = (job->idle_since.set && at_ms >= job->idle_since.ms) ||
		    (hangs_after_ms > 0 && at_ms >= job->started.ms + hangs_after_ms);
	double noise = (double)draw_of(world, job, "gpu", n, minute, 80) / 10.0;
	if (idle)
		return noise * IDLE_MOST / 8.0;
	if ((minute + (int64_t)(job->number % PAUSE_EVERY)) % PAUSE_EVERY < PAUSE_MINUTES)
		return PAUSE_USE + noise;
	return (double)draw(world, job, "gpu", 58, 91) + noise;
}

/* In percent of the whole host. */
static double use_of(const struct sim_world *world, const struct sim_job *job, int64_t n,
		     enum sim_metric metric, int64_t minute)
{
	int64_t ran = minute - job->started.ms / SIM_MINUTE_MS;
	double grown = ran >= FILLED_MINUTE ? 1.0 : (double)ran / FILLED_MINUTE;
	double noise = (double)draw_of(world, job, "use", n, minute * 8 + metric, 100) / 100.0;
	switch (metric) {
	case SIM_GPU:
		return gpu_use(world, job, n, minute);
	case SIM_GPU_MEMORY:
		return (double)draw(world, job, "gpu-memory", 46, 95) + noise;
	case SIM_CPU:
		return (double)draw(world, job, "cpu", 9, 52) + 6.0 * noise;
	case SIM_MEMORY:
		return (double)draw(world, job, "memory", 18, 60) + 9.0 * grown + noise;
	case SIM_DISK:
		return 4.0 + (double)draw(world, job, "disk", 9, 80) * grown + noise;
	case SIM_METRICS_COUNT:
		break;
	}
	return 0.0;
}

bool sim_load_at(const struct sim_world *world, const struct sim_job *job, int64_t n,
		 enum sim_metric metric, int64_t minute_ms, double *value)
{
	const char *type = sim_load_host_type(world, job, n);
	const char *doing = doing_at(world, job, minute_ms);
	int64_t minute = minute_ms / SIM_MINUTE_MS;
	bool of_gpu = metric == SIM_GPU || metric == SIM_GPU_MEMORY;
	int64_t parts = !type               ? 0
			: of_gpu            ? sim_type_gpus(type)
			: metric == SIM_CPU ? sim_type_vcpus(type)
					    : 1;
	if (!doing || parts == 0 || is_lost(world, job, n, minute))
		return false;
	bool works = strcmp(doing, "Training") == 0;
	*value = (of_gpu && !works ? 0.0 : use_of(world, job, n, metric, minute)) * (double)parts;
	return true;
}
