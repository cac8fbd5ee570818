#include "aws/sim/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/order.h"
#include "aws/sim/picture.h"
#include "aws/sim/random.h"
#include "aws/sim/recipes.h"
#include "model/base/attr.h"
#include "model/base/mem.h"

#define SECOND_MS       INT64_C(1000)
#define MINUTE_MS       (60 * SECOND_MS)
#define HOUR_MS         (60 * MINUTE_MS)
#define DAY_MS          (24 * HOUR_MS)
#define ARRIVAL_SECONDS 8  /* mean gap between new jobs at speed 1 */
#define QUEUE_ENOUGH    14 /* waiting jobs above which none that would wait long comes */
#define QUEUE_SHARE     2  /* of one recurring run */
#define PICK_TRIES      60
#define STOP_PERCENT    4  /* of the arrivals somebody stops a job as well */
#define STOP_AMONG      40 /* the newest jobs, one of them by lot */

/* What the scenarios differ in. */
static const struct {
	bool moves, ends, arrivals, picture, crowded;
	int64_t scarcity;
} kinds[] = {
	[SIM_SCENARIO_BUSY] = { true, true, true, true, true, 1 },
	[SIM_SCENARIO_STILL] = { false, false, false, true, false, 1 },
	[SIM_SCENARIO_EMPTY] = { false, true, false, false, false, 1 },
	[SIM_SCENARIO_SCARCE] = { true, true, true, true, false, 6 },
};

struct sim_scenario {
	struct sim_world *world; /* borrowed */
	uint64_t random;
	size_t recipe_count; /* the first ones of sim_recipes */
	int64_t pace;        /* at high speed fewer jobs come and each runs longer */
};

struct sim_job *sim_scenario_submit(struct sim_world *world, size_t number,
				    const struct sim_birth *birth)
{
	const struct sim_recipe *recipe = &sim_recipes[number];
	char name[SIM_NAME_SIZE];
	int64_t named_ms = birth->created_ms;
	sim_recipe_name(recipe, named_ms, birth->luck, name);
	for (int tries = 0; sim_job_find(world, recipe->kind, name) && tries < 1000; tries++) {
		named_ms += MINUTE_MS;
		sim_recipe_name(recipe, named_ms, birth->luck + (uint64_t)tries, name);
	}
	struct buf text;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct sim_order order;
	struct sim_job *job = NULL;
	buf_init(&text, SIM_BODY_MAX);
	sim_recipe_request(recipe, world, name, &text);
	bool fine = !sim_job_find(world, recipe->kind, name) &&
		    json_doc_parse(&doc, buf_text(&text), text.len, &err) &&
		    sim_order_read(world, recipe->kind, &doc, &order, &err) &&
		    (birth->past || sim_order_check_quota(world, &order, &err));
	json_doc_release(&doc);
	if (fine) {
		size_t len = text.len;
		order.run_ms = birth->run_ms;
		order.idle_after_ms = recipe->idle_after_minutes * MINUTE_MS;
		order.scripted = true;
		order.tuning_len = sim_recipe_tuning_len(recipe);
		job = birth->past
			      ? sim_job_add(world, &order, buf_take(&text), len, birth->created_ms)
			      : sim_submit(world, &order, buf_take(&text), len);
	}
	if (job && recipe->spot && !birth->past)
		job->interruptions = (unsigned)(birth->luck % 3);
	buf_release(&text);
	err_clear(&err);
	return job;
}

/* Jobs whose first choice is scarce run for long; most others are over within minutes. */
static int64_t arrival_run_ms(struct sim_scenario *scenario, const struct sim_recipe *recipe)
{
	int64_t mean_ms = recipe->wait_minutes > 15 ? 50 * MINUTE_MS : 240 * SECOND_MS;
	int64_t run_ms = sim_random_around(&scenario->random, mean_ms * scenario->pace);
	return run_ms < 15 * SECOND_MS ? 15 * SECOND_MS : run_ms;
}

/* Nobody hands in a third one while two wait: the queue stays mixed and finite. */
static bool queue_has_enough(const struct sim_world *world, const struct sim_recipe *recipe)
{
	size_t same = 0;
	for (size_t i = 0; i < world->waiting_count; i++) {
		const char *name = world->waiting[i]->order.name;
		same += strncmp(name, recipe->stem, strlen(recipe->stem)) == 0;
	}
	return same >= QUEUE_SHARE ||
	       (world->waiting_count >= QUEUE_ENOUGH && recipe->wait_minutes > 1);
}

/* Somebody gives up on one of the scenario's own jobs; never on one that came from outside. */
static void stop_one(struct sim_scenario *scenario)
{
	struct sim_world *world = scenario->world;
	int64_t newest = (int64_t)world->job_count - 1;
	int64_t oldest = newest < STOP_AMONG ? 0 : newest - STOP_AMONG;
	if (newest < 0 || !sim_random_chance(&scenario->random, STOP_PERCENT))
		return;
	struct sim_job *job = world->jobs[sim_random_between(&scenario->random, oldest, newest)];
	if (job->order.scripted)
		(void)sim_life_stop(world, job);
}

/* One by lot among those that the queue has room for: some never wait for long. */
static size_t pick_recipe(struct sim_scenario *scenario)
{
	int64_t last = (int64_t)scenario->recipe_count - 1;
	size_t number = (size_t)sim_random_between(&scenario->random, 0, last);
	for (int tries = 0; tries < PICK_TRIES; tries++) {
		if (!queue_has_enough(scenario->world, &sim_recipes[number]))
			break;
		number = (size_t)sim_random_between(&scenario->random, 0, last);
	}
	return number;
}

static int64_t arrive(void *ctx, int64_t now_ms)
{
	struct sim_region *region = ctx;
	struct sim_scenario *scenario = region->scenario;
	struct sim_world *world = scenario->world;
	size_t number = pick_recipe(scenario);
	const struct sim_recipe *recipe = &sim_recipes[number];
	struct sim_birth birth = {
		.created_ms = now_ms,
		.luck = sim_random_next(&scenario->random),
		.run_ms = arrival_run_ms(scenario, recipe),
	};
	(void)sim_scenario_submit(world, number, &birth);
	stop_one(scenario);
	int64_t gap_ms =
		sim_random_around(&scenario->random, ARRIVAL_SECONDS * SECOND_MS * scenario->pace);
	return now_ms + (gap_ms < SECOND_MS ? SECOND_MS : gap_ms);
}

void sim_scenario_prepare(struct sim_region *region, struct sim_world_options *options)
{
	struct sim_scenario *scenario = mem_new(1, sizeof(*scenario));
	int64_t pace = (int64_t)(region->options.speed / 10.0);
	scenario->pace = pace < 1 ? 1 : pace;
	scenario->recipe_count =
		kinds[region->options.scenario].crowded ? sim_recipe_count : SIM_RECIPES_USUAL;
	scenario->random = sim_random_for(options->seed, "scenario");
	scenario->world = &region->world;
	region->scenario = scenario;
	options->moves = kinds[region->options.scenario].moves;
	options->ends = kinds[region->options.scenario].ends;
	options->scarcity = kinds[region->options.scenario].scarcity;
	if (kinds[region->options.scenario].arrivals) {
		options->arrive = arrive;
		options->first_arrival_ms = options->start_ms + 3 * SECOND_MS;
	}
}

/* The plans of every region; times in hours from the start. p5-plan stands first. */
static const struct {
	const char *name, *instance_type;
	int64_t total, in_use, fee;
	int window_count;
	int hours[2 * SIM_WINDOWS_MAX];
} plan_rows[] = {
	{ "p5-plan", "ml.p5.48xlarge", 4, 0, 41872, 1, { -48, 120 } },
	{ "p5-next-week", "ml.p5.48xlarge", 8, 0, 167488, 1, { 26, 194 } },
	{ "p4d-full", "ml.p4d.24xlarge", 2, 2, 9470, 1, { -30, 42 } },
	{ "p5en-two-windows", "ml.p5en.48xlarge", 2, 0, 28100, 2, { -60, -12, 20, 68 } },
	{ "trn2-expired", "ml.trn2.48xlarge", 4, 0, 22960, 1, { -240, -72 } },
};

static void add_plans(struct sim_world *world)
{
	for (size_t i = 0; i < ARRAY_LEN(plan_rows); i++) {
		struct sim_plan plan = {
			.pool = (size_t)sim_pool_find(world, plan_rows[i].instance_type),
			.total = plan_rows[i].total,
			.in_use = plan_rows[i].in_use,
			.upfront_fee = plan_rows[i].fee,
			.window_count = (size_t)plan_rows[i].window_count,
		};
		int len = snprintf(plan.name, sizeof(plan.name), "%s", plan_rows[i].name);
		int arn = snprintf(plan.arn, sizeof(plan.arn),
				   "arn:aws:sagemaker:%s:%s:training-plan/%s", world->region,
				   world->account, plan_rows[i].name);
		if (len < 0 || arn < 0)
			continue;
		for (size_t w = 0; w < plan.window_count; w++) {
			plan.windows[w].start_ms =
				world->now_ms + plan_rows[i].hours[2 * w] * HOUR_MS;
			plan.windows[w].end_ms =
				world->now_ms + plan_rows[i].hours[2 * w + 1] * HOUR_MS;
		}
		sim_plan_add(world, &plan);
	}
}

void sim_scenario_fill(struct sim_region *region)
{
	add_plans(&region->world);
	if (kinds[region->options.scenario].picture)
		sim_picture_paint(&region->world, region->scenario->random,
				  kinds[region->options.scenario].crowded, region->options.jobs);
}

void sim_scenario_free(struct sim_scenario *scenario)
{
	free(scenario);
}
