/* The pools of on-demand instances: one for each type, and the random process behind them. */
#include "aws/sim/world.h"

#include <string.h>

#include "aws/sim/quotas.h"
#include "aws/sim/random.h"
#include "aws/sim/shapes.h"
#include "model/base/attr.h"
#include "model/base/mem.h"

#define FREE_PLENTY 500 /* CPU types are there for whoever asks */
#define SECOND_MS   INT64_C(1000)

/* The first prefix that fits decides; what fits none is there in plenty. */
static const struct {
	const char *prefix;
	enum sim_supply supply;
} supplies[] = {
	{ "ml.p4d", SIM_SUPPLY_SCARCE },  { "ml.p5", SIM_SUPPLY_SCARCE },
	{ "ml.p6", SIM_SUPPLY_SCARCE },   { "ml.trn2", SIM_SUPPLY_SCARCE },
	{ "ml.p", SIM_SUPPLY_RARE },      { "ml.trn", SIM_SUPPLY_RARE },
	{ "ml.g6e.48", SIM_SUPPLY_RARE }, { "ml.g", SIM_SUPPLY_COMMON },
	{ "ml.inf", SIM_SUPPLY_COMMON },
};

/* How the random process deals with a kind of supply: rule 6, scarce types wait hours. */
static const struct {
	int64_t gap_seconds;  /* mean time between offers */
	int64_t stay_seconds; /* mean time until what is left is taken by others */
	int64_t most;         /* instances of an offer */
	int kept_percent;     /* of the releases that others do not snatch at once */
} habits[] = {
	[SIM_SUPPLY_PLENTY] = { 0, 0, 0, 100 },
	[SIM_SUPPLY_COMMON] = { 300, 45, 3, 25 },
	[SIM_SUPPLY_RARE] = { 2400, 60, 3, 10 },
	[SIM_SUPPLY_SCARCE] = { 9000, 60, 4, 5 },
};

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum sim_supply supply_of(const char *instance_type)
{
	for (size_t i = 0; i < ARRAY_LEN(supplies); i++) {
		if (has_prefix(instance_type, supplies[i].prefix))
			return supplies[i].supply;
	}
	return SIM_SUPPLY_PLENTY;
}

static struct sim_pool *add_pool(struct sim_world *world, const char *instance_type)
{
	int known = sim_pool_find(world, instance_type);
	if (known != SIM_NOWHERE)
		return &world->pools[known];
	struct sim_pool *pool = &world->pools[world->pool_count++];
	pool->instance_type = instance_type;
	pool->accelerated = has_prefix(instance_type, "ml.p") ||
			    has_prefix(instance_type, "ml.g") ||
			    has_prefix(instance_type, "ml.trn");
	pool->supply = supply_of(instance_type);
	pool->free = pool->supply == SIM_SUPPLY_PLENTY ? FREE_PLENTY : 0;
	sim_quotas_init(pool);
	pool->random = sim_random_for(world->options.seed, instance_type);
	return pool;
}

void sim_pools_init(struct sim_world *world)
{
	const struct sim_shape *training = sim_shape_named("TrainingInstanceType");
	const struct sim_shape *processing = sim_shape_named("ProcessingInstanceType");
	world->pools =
		mem_new(training->word_count + processing->word_count, sizeof(*world->pools));
	for (size_t i = 0; i < training->word_count; i++)
		add_pool(world, training->words[i])->training = true;
	for (size_t i = 0; i < processing->word_count; i++)
		add_pool(world, processing->words[i])->processing = true;
}

int sim_pool_find(const struct sim_world *world, const char *instance_type)
{
	for (size_t i = 0; i < world->pool_count; i++) {
		if (strcmp(world->pools[i].instance_type, instance_type) == 0)
			return (int)i;
	}
	return SIM_NOWHERE;
}

static void plan_change(struct sim_world *world, struct sim_pool *pool, int64_t mean_seconds)
{
	int64_t wait_ms = sim_random_around(&pool->random, mean_seconds * SECOND_MS);
	pool->next_ms = world->now_ms + wait_ms;
	sim_world_announce(world, SIM_EVENT_POOL, (size_t)(pool - world->pools), pool->next_ms);
}

static int64_t gap_seconds(const struct sim_world *world, const struct sim_pool *pool)
{
	return habits[pool->supply].gap_seconds * world->options.scarcity;
}

void sim_pools_start(struct sim_world *world)
{
	if (!world->options.moves)
		return;
	for (size_t i = 0; i < world->pool_count; i++) {
		if (gap_seconds(world, &world->pools[i]) > 0)
			plan_change(world, &world->pools[i], gap_seconds(world, &world->pools[i]));
	}
}

void sim_pool_step(struct sim_world *world, size_t index)
{
	struct sim_pool *pool = &world->pools[index];
	pool->next_ms = 0;
	if (pool->fixed)
		return;
	if (pool->offered) {
		pool->offered = false;
		pool->free = 0;
		plan_change(world, pool, gap_seconds(world, pool));
		return;
	}
	pool->offered = true;
	pool->free += sim_random_between(&pool->random, 1, habits[pool->supply].most);
	world->pools_changed = true;
	plan_change(world, pool, habits[pool->supply].stay_seconds);
}

void sim_pool_set_free(struct sim_world *world, size_t index, int64_t free)
{
	struct sim_pool *pool = &world->pools[index];
	pool->fixed = true;
	pool->free = free;
	sim_queue_sweep(world);
}

void sim_pool_give_back(struct sim_world *world, size_t index, int64_t count)
{
	struct sim_pool *pool = &world->pools[index];
	bool moves = world->options.moves && !pool->fixed && gap_seconds(world, pool) > 0;
	if (moves && !sim_random_chance(&pool->random, habits[pool->supply].kept_percent))
		return;
	pool->free += count;
	world->pools_changed = true;
	/* What nobody here wants goes to others within a short while. */
	if (moves && !pool->offered) {
		pool->offered = true;
		plan_change(world, pool, habits[pool->supply].stay_seconds);
	}
}

enum sim_quota_kind sim_quota_kind(const struct sim_order *order)
{
	if (order->kind == SIM_PROCESSING)
		return SIM_QUOTA_PROCESSING;
	return order->spot ? SIM_QUOTA_SPOT : SIM_QUOTA_TRAINING;
}
